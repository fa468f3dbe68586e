"""The labels of a gold file and of systems' answers to it, in any of the formats that sapwood reads and writes."""

import os
import warnings
from collections.abc import Iterator
from typing import NamedTuple

from sapwood.errors import DataError, OptionError, SapwoodWarning
from sapwood.io.examples import format_of, read_examples
from sapwood.io.formats import warn_of_format
from sapwood.io.source import decoded, read_bytes, shown

_PREFIX = "__label__"


class _Labels(NamedTuple):
    """The labels of a file's units: examples of one label, or sentences."""

    name: str
    units: list[list[str]]
    lines: list[int]  # [units] the line that each begins in
    end: int  # lines in the file
    words: list[list[str]]  # what stands in front of the labels: the first cells of the lines, "" for a label alone


def read_labels(
    gold: str | os.PathLike[str], *guesses: str | os.PathLike[str], column: int | None = None
) -> list[list[list[str]]]:
    """Return the labels of each file, gold's first: a list of units, the same in all, each a list of labels.

    The gold file decides what the units are. A file with blank lines inside is a column file: its units are sentences,
    with the labels in the last column. In other files each line is an example, with its label in the first column.
    So it is in fastText's files (``__label__NAME text``), whose blank lines are skipped. Where the file's name tells
    another format of examples, it is read in that format. A line of guesses answers the same line of gold, or the
    example of the same number.

    column : the column of the labels, from 1, or from -1 at the end; gold's, too, unless it is a file of examples

    Raises DataError with the place where a file has no label or others than gold, OptionError if column is 0.
    """
    if column == 0:
        raise OptionError("there is no column 0: columns count from 1, or from -1 at the end")
    sentences = False
    if format_of(gold) != "fasttext":
        wanted = _of_examples(gold)
    else:
        lines = _lines(gold)
        text = "\n".join(lines).strip()
        tagged = text.startswith(_PREFIX)
        sentences = not tagged and "\n\n" in text
        wanted = _of_lines(shown(gold), lines, 1 if tagged else column, sentences)
        if column is None:
            warn_of_format(text, shown(gold), "columns" if sentences else "labels")
    check = _same_sentences if sentences else _same_lines
    said = [_of_lines(shown(guess), _lines(guess), column, sentences) for guess in guesses]
    return [wanted.units, *(check(wanted, labels) for labels in said)]


def _of_examples(path: str | os.PathLike[str]) -> _Labels:
    answers = read_examples(path).answers
    if -1 in (gold := answers.gold):
        raise DataError(f"{answers.where(gold.index(-1))}: there is no label")
    numbers = list(range(1, len(gold) + 1))
    return _Labels(shown(path), [[answers.labels[y]] for y in gold], numbers, len(gold), [])


def _lines(path: str | os.PathLike[str]) -> list[str]:
    """Return the lines of a file without what is blank at their ends."""
    text = decoded(read_bytes(path), shown(path))
    return [line.rstrip() for line in text.removesuffix("\n").split("\n")]


def _of_lines(name: str, lines: list[str], column: int | None, sentences: bool) -> _Labels:
    units: list[list[str]] = []
    words: list[list[str]] = []
    starts: list[int] = []
    after = 0  # the number of the line after the last label
    for number, label, first in _cells(name, lines, column or (-1 if sentences else 1)):
        if sentences and number == after:
            units[-1].append(label)
            words[-1].append(first)
        else:
            units.append([label])
            words.append([first])
            starts.append(number)
        after = number + 1
    if not units:
        raise DataError(f"{name}: there is no label in it")
    return _Labels(name, units, starts, len(lines), words)


def _cells(name: str, lines: list[str], column: int) -> Iterator[tuple[int, str, str]]:
    """Yield the number, the label and the first cell of each line that is not blank."""
    for number, line in enumerate(lines, 1):
        if not line:
            continue
        cells = line.split("\t") if "\t" in line else line.split()
        if not -len(cells) <= column <= len(cells):
            raise DataError(f"{name}:{number}: there is no column {column}, only {len(cells)}")
        label = cells[column - 1 if column > 0 else column].removeprefix(_PREFIX)
        if not label:
            raise DataError(f"{name}:{number}: there is no label in column {column}")
        yield number, label, cells[0] if len(cells) > 1 else ""


def _same_lines(gold: _Labels, guess: _Labels) -> list[list[str]]:
    """Return the guesses in the lines that gold has labels in, or raise DataError."""
    found = dict(zip(guess.lines, guess.units, strict=True))
    for line in gold.lines:
        if line not in found:
            raise DataError(f"{guess.name}:{line}: there is no label here; {gold.name} has {len(gold.units)} labels")
    if guess.lines[-1] > gold.end:
        raise DataError(f"{guess.name}:{gold.end + 1}: one label too many; {gold.name} has {len(gold.units)} labels")
    return [found[line] for line in gold.lines]


def _same_sentences(gold: _Labels, guess: _Labels) -> list[list[str]]:
    """Return the guesses if they are for sentences as long as gold's, or raise DataError."""
    for k, (a, b) in enumerate(zip(gold.units, guess.units, strict=False)):
        if len(a) != len(b):
            raise DataError(
                f"{guess.name}:{guess.lines[k]}: sentence {k + 1} has {len(b)} labels; in {gold.name} it has {len(a)}"
            )
    if len(gold.units) != len(guess.units):
        raise DataError(f"{guess.name}: it has {len(guess.units)} sentences, and {gold.name} has {len(gold.units)}")
    words = [(a, b) for a, b in zip(gold.words, guess.words, strict=True) if all(a) and all(b)]
    if 2 * sum(a != b for a, b in words) > len(words):
        other = "are these answers to another file?"
        message = f"{guess.name}: in most sentences the first column is not that of {gold.name}; {other}"
        warnings.warn(message, SapwoodWarning, stacklevel=2)
    return guess.units
