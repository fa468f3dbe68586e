"""The labels in a file, whatever else its lines hold: what two systems are compared by."""

import os

from sapwood.errors import DataError, shown
from sapwood.io.examples import format_of, read_examples
from sapwood.io.text import read_bytes

__all__ = ["read_labels"]

_PREFIX = "__label__"


def read_labels(path: str | os.PathLike[str]) -> list[list[str]]:
    """Return the labels of each example or sentence.

    A file with blank lines between others is a column file: sentences, their labels in the last column. Else every
    line is an example with its label in front, before a tab or space (``sapwood classify`` writes that, and fastText's
    ``__label__`` is taken off). Files of examples in other formats (.jsonl, .csv, .svm, .pos) are read as such.

    Raises DataError if the file cannot be read, or has no labels.
    """
    name = shown(path)
    if format_of(path) != "fasttext":
        answers = read_examples(path).answers
        if -1 in (gold := answers.gold):
            raise DataError(f"{answers.where(gold.index(-1))}: there is no label")
        return [[answers.labels[y]] for y in gold]
    try:
        text = read_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise DataError(f"{name}: not UTF-8 text") from None
    sentences: list[list[str]] = [[]]
    lines = [line.strip() for line in text.split("\n")]
    while lines and not lines[-1]:
        lines.pop()
    columns = "" in lines
    for line in lines:
        if not line:
            sentences.append([])
            continue
        cells = line.split("\t") if "\t" in line else line.split()
        sentences[-1].append(cells[-1] if columns else cells[0].removeprefix(_PREFIX))
        if not columns:
            sentences.append([])
    found = [labels for labels in sentences if labels]
    if not found:
        raise DataError(f"{name}: there is no label in it")
    return found
