"""``sapwood eval``: how good a model is on labelled data."""

import click

__all__ = ["evaluate"]


@click.command("eval")
@click.argument("model")
@click.argument("file")
@click.option("--json", metavar="FILE", help="Also write the figures to this file.")
@click.option(
    "--threads", type=click.IntRange(1, 1024), default=1, help="Work on so many cores; the output is the same."
)
def evaluate(model: str, file: str, json: str | None, threads: int) -> None:
    """Score a model on a column FILE with gold labels ('-' is standard input).

    Prints accuracy, precision, recall and F1 of each label, and for BIO labels conlleval's block.

    \b
    Example:
      sapwood eval chunker.sap test.txt
    """
    from sapwood.metrics import chunk_scores, label_scores, looks_like_chunks
    from sapwood.tag import load

    gold, guess, unseen = load(model).set_params(threads=threads).evaluate(file)
    labels = label_scores(gold, guess)
    click.echo(labels.format())
    if unseen:
        listed = ", ".join(f"{label} ({count})" for label, count in sorted(unseen.items()))
        click.echo(f"\nlabels that training never saw, scored as wrong: {listed}")
    row: dict[str, object] = {"name": model, "accuracy": labels.accuracy}
    if looks_like_chunks(label for sentence in gold for label in sentence):
        chunks = chunk_scores(gold, guess)
        click.echo(f"\n{chunks.format()}")
        row.update(f1=chunks.f1, precision=chunks.precision, recall=chunks.recall)
    if json is not None:
        from sapwood.io.rows import write_rows

        write_rows(json, [row])
