"""``sapwood train TASK``: data in, model file out."""

from enum import StrEnum
from typing import Annotated

import typer

__all__ = ["app"]

app = typer.Typer(help="Train a model.", no_args_is_help=True)


class Search(StrEnum):
    """Searches over label sequences."""

    viterbi = "viterbi"
    greedy = "greedy"
    argmax = "argmax"


class Update(StrEnum):
    """Members of the perceptron family."""

    perceptron = "perceptron"
    margin = "margin"
    pa = "pa"


class History(StrEnum):
    """Labels that greedy training sees to the left."""

    gold = "gold"
    own = "own"


class Encoding(StrEnum):
    """How chunk labels are learned."""

    bio = "bio"
    iobes = "iobes"


@app.callback()
def _tasks() -> None:
    """Train a model."""


@app.command("tag")
def train_tag(
    train: Annotated[str, typer.Argument(help="Column file: a token a line, a blank line after each sentence; .xz, .gz, .bz2 or '-'.")],
    output: Annotated[str, typer.Option("-o", "--output", help="The model file to write.")],
    dev: Annotated[str | None, typer.Option(help="Held-out column file: each epoch is scored, the best one kept.")] = None,
    dev_fraction: Annotated[float | None, typer.Option(help="Hold out this part of the training sentences instead.")] = None,
    template: Annotated[str, typer.Option(help="chunking, pos, ner, crfsuite-chunking, or a CRF++ or Wapiti file.")] = "chunking",
    search: Annotated[Search, typer.Option(help="The best sequence, left to right, or each token alone.")] = Search.viterbi,
    order: Annotated[int, typer.Option(min=1, max=2, help="Labels of history in Viterbi.")] = 1,
    update: Annotated[Update, typer.Option(help="What happens at a mistake.")] = Update.margin,
    gamma: Annotated[float, typer.Option(help="Cost of a wrong label, for margin and pa.")] = 4.0,
    average: Annotated[bool, typer.Option("--average/--no-average", help="Average the weights over all examples.")] = True,
    min_updates: Annotated[int, typer.Option(min=1, help="Updates that a feature takes part in before it counts (SAP).")] = 5,
    prune_below: Annotated[int, typer.Option(min=1, help="Drop features seen less often in the training data.")] = 1,
    epochs: Annotated[int, typer.Option(min=1, help="Passes over the data, at most.")] = 10,
    patience: Annotated[int | None, typer.Option(min=1, help="Stop after so many epochs without a better score.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="Of the shuffling.")] = 1,
    bits: Annotated[int, typer.Option(help="Of a weight in the model: 8, 16 or 32.")] = 8,
    names: Annotated[bool, typer.Option("--names", help="Keep the features' texts, for 'inspect'.")] = False,
    columns: Annotated[str | None, typer.Option(help="Names, one of them 'label', '_' to skip; e.g. word,pos,label.")] = None,
    history: Annotated[History, typer.Option(help="Labels to the left in greedy training.")] = History.gold,
    encoding: Annotated[Encoding, typer.Option(help="Learn BIO chunks as they are, or as IOBES.")] = Encoding.bio,
    threads: Annotated[int, typer.Option(min=1, help="For scoring held-out data.")] = 1,
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="Show no progress.")] = False,
) -> None:
    """Train a tagger or chunker on a column file.

    Examples:

      sapwood train tag train.txt -o chunker.sap

      sapwood train tag train.txt -o chunker.sap --dev dev.txt --patience 3 --min-updates 10

      sapwood train tag words.txt -o pos.sap --template pos --columns word,label --names
    """
    from sapwood.cli.progress import show_progress
    from sapwood.io.container import check_writable
    from sapwood.tag import SequenceTagger

    check_writable(output)
    tagger = SequenceTagger(
        template=template,
        search=search.value,
        order=order,
        update=update.value,
        gamma=gamma,
        average=average,
        min_updates=min_updates,
        prune_below=prune_below,
        epochs=epochs,
        patience=patience,
        seed=seed,
        bits=bits,
        names=names,
        columns=columns.split(",") if columns is not None else None,
        history=history.value,
        encoding=encoding.value,
        threads=threads,
    )
    with show_progress(quiet) as report:
        tagger.fit(train, dev=dev, dev_fraction=dev_fraction, on_event=report)
        size = tagger.save(output)
    if not quiet:
        features = sum(table.packed.features for table in tagger.model_.tables)
        typer.echo(f"{output}: {features:,} features, {size:,} bytes", err=True)
