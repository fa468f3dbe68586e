"""``sapwood eval``: how good a model is on labelled data."""

from sapwood.cli.app import Parser, whole_number

__all__ = ["parser", "run"]

_DESCRIPTION = """Score a model on a column FILE with gold labels ('-' is standard input).

Prints accuracy, precision, recall and F1 of each label, and for BIO labels conlleval's block.

Example:
  sapwood eval chunker.sap test.txt
"""


def parser() -> Parser:
    """Return the parser of ``sapwood eval``."""
    result = Parser("eval", _DESCRIPTION)
    result.add_argument("model", metavar="MODEL", help="a model file")
    result.add_argument("file", metavar="FILE", help="a column file")
    result.add_argument("--json", metavar="FILE", help="also write the figures to this file")
    threads = "work on so many cores; the output is the same"
    result.add_argument("--threads", type=whole_number(1, 1024), default=1, metavar="N", help=threads)
    return result


def run(model: str, file: str, json: str | None, threads: int) -> None:
    """Print the scores."""
    from sapwood.metrics import chunk_scores, label_scores, looks_like_chunks
    from sapwood.tag import load

    gold, guess, unseen = load(model).set_params(threads=threads).evaluate(file)
    labels = label_scores(gold, guess)
    print(labels.format())
    if unseen:
        listed = ", ".join(f"{label} ({count})" for label, count in sorted(unseen.items()))
        print(f"\nlabels that training never saw, scored as wrong: {listed}")
    row: dict[str, object] = {"name": model, "accuracy": labels.accuracy}
    if looks_like_chunks(label for sentence in gold for label in sentence):
        chunks = chunk_scores(gold, guess)
        print(f"\n{chunks.format()}")
        row.update(f1=chunks.f1, precision=chunks.precision, recall=chunks.recall)
    if json is not None:
        from sapwood.io.rows import write_rows

        write_rows(json, [row])
