"""``sapwood eval``: how good a model is on labelled data."""

from typing import Annotated

import typer

__all__ = ["evaluate"]


def evaluate(
    model: Annotated[str, typer.Argument(help="A model file.")],
    file: Annotated[str, typer.Argument(help="A column file with gold labels, or '-'.")],
    json: Annotated[str | None, typer.Option(help="Also write the figures to this file.")] = None,
    threads: Annotated[int, typer.Option(min=1, help="Work on so many cores; the output is the same.")] = 1,
) -> None:
    """Score a model: accuracy, precision, recall and F1 of each label, and for BIO labels conlleval's block.

    Example:

      sapwood eval chunker.sap test.txt
    """
    from sapwood.metrics import chunk_scores, label_scores, looks_like_chunks
    from sapwood.tag import load

    gold, guess, unseen = load(model).set_params(threads=threads).evaluate(file)
    labels = label_scores(gold, guess)
    typer.echo(labels.format())
    if unseen:
        listed = ", ".join(f"{label} ({count})" for label, count in sorted(unseen.items()))
        typer.echo(f"\nlabels that training never saw, scored as wrong: {listed}")
    row: dict[str, object] = {"name": model, "accuracy": labels.accuracy}
    if looks_like_chunks(label for sentence in gold for label in sentence):
        chunks = chunk_scores(gold, guess)
        typer.echo(f"\n{chunks.format()}")
        row.update(f1=chunks.f1, precision=chunks.precision, recall=chunks.recall)
    if json is not None:
        from sapwood.io.rows import write_rows

        write_rows(json, [row])
