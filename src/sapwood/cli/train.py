"""``sapwood train TASK``: data in, model file out."""

from typing import Any

import click

__all__ = ["train"]


@click.group()
def train() -> None:
    """Train a model."""


@train.command("tag")
@click.argument("source", metavar="TRAIN")
@click.option("-o", "--output", required=True, metavar="MODEL", help="The model file to write.")
@click.option("--dev", metavar="FILE", help="Held-out column file: each epoch is scored, the best one kept.")
@click.option("--dev-fraction", type=float, metavar="F", help="Hold out this part of the training sentences instead.")
@click.option(
    "--template",
    default="chunking",
    metavar="NAME|FILE",
    help="chunking, pos, ner, crfsuite-chunking, or a CRF++ or Wapiti file.",
)
@click.option(
    "--search",
    type=click.Choice(["viterbi", "greedy", "argmax"]),
    default="viterbi",
    help="The best sequence, left to right, or each token alone.",
)
@click.option("--order", type=click.IntRange(1, 2), default=1, help="Labels of history in Viterbi.")
@click.option(
    "--update",
    type=click.Choice(["perceptron", "margin", "pa"]),
    default="margin",
    help="What happens at a mistake; pa is passive-aggressive.",
)
@click.option("--gamma", type=float, default=20.0, help="Cost of a wrong label, for margin and pa.")
@click.option("--average/--no-average", default=True, help="Average the weights over all examples.")
@click.option(
    "--min-updates",
    type=click.IntRange(1),
    default=5,
    help="Updates that a feature takes part in before it counts (the sparse averaged perceptron).",
)
@click.option("--prune-below", type=click.IntRange(1), default=1, help="Drop features seen less often in TRAIN.")
@click.option("--epochs", type=click.IntRange(1), default=10, help="Passes over the data, at most.")
@click.option("--patience", type=click.IntRange(1), help="Stop after so many epochs without a better score.")
@click.option("--seed", type=click.IntRange(0), default=1, help="Of the shuffling.")
@click.option("--bits", type=click.Choice(["8", "16", "32"]), default="8", help="Of a weight in the model.")
@click.option("--names", is_flag=True, help="Keep the features' texts, for 'inspect'.")
@click.option(
    "--columns",
    metavar="NAME,...",
    help="Names, one of them 'label', '_' to skip one; by default the last is the label.",
)
@click.option(
    "--history",
    type=click.Choice(["gold", "own"]),
    default="gold",
    help="Labels to the left in greedy training.",
)
@click.option(
    "--encoding", type=click.Choice(["bio", "iobes"]), default="bio", help="Learn BIO chunks as they are, or as IOBES."
)
@click.option("--threads", type=click.IntRange(1, 1024), default=1, help="For scoring held-out data.")
@click.option("-q", "--quiet", is_flag=True, help="Show no progress.")
def train_tag(
    source: str,
    output: str,
    dev: str | None,
    dev_fraction: float | None,
    columns: str | None,
    bits: str,
    quiet: bool,
    **options: Any,
) -> None:
    """Train a tagger or chunker on a column file.

    TRAIN has a token a line and a blank line after each sentence; it may be compressed (.xz, .gz, .bz2)
    or '-' for standard input. Ctrl-C finishes the epoch and keeps the model; twice stops at once.

    \b
    Examples:
      sapwood train tag train.txt -o chunker.sap
      sapwood train tag train.txt -o chunker.sap --dev dev.txt --patience 3 --min-updates 10
      sapwood train tag words.txt -o pos.sap --template pos --columns word,label --names
    """
    from sapwood.cli.progress import show_progress
    from sapwood.io.container import check_writable
    from sapwood.tag import SequenceTagger

    check_writable(output)
    tagger = SequenceTagger(bits=int(bits), columns=columns.split(",") if columns is not None else None, **options)
    with show_progress(quiet) as report:
        tagger.fit(source, dev=dev, dev_fraction=dev_fraction, on_event=report)
        size = tagger.save(output)
    if not quiet:
        features = sum(table.packed.features for table in tagger.model_.tables)
        click.echo(f"{output}: {features:,} features, {size:,} bytes", err=True)
