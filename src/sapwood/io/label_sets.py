"""Examples that have any number of labels: how files and lists say which.

Inside, the labels of an example are one text, with ``|`` between them: ``sport|politics``. So CSV files have them in a
cell, and the command line writes them. Other formats have ways of their own, too:

=========  ============================================================
fasttext   several prefixes: ``__label__sport __label__politics text``
jsonl      a list: ``"label": ["sport", "politics"]``
svmlight   commas, as LIBSVM's collection has them: ``sport,politics 3:1``
=========  ============================================================

An example without labels has an empty list in JSON, where null or nothing is refused, and none of these elsewhere.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sapwood import _core
from sapwood.errors import DataError, SapwoodWarning

BETWEEN = "|"
SEVERAL = "give --multi-label (in Python multi_label=True)"  # what to do about data whose examples have several labels


class LabelSets(NamedTuple):
    """The labels of examples."""

    names: list[str]  # in the order of their first appearance
    sets: list[list[int]]  # [examples] numbers of names, rising


def label_sets(answers: _core.Answers, form: str) -> LabelSets:
    """Return the labels of each example. Raises DataError if one has an empty label.

    form : the format that the answers were read from
    """
    names: dict[str, int] = {}
    distinct = []
    for y, text in enumerate(answers.labels):
        parts = [part.strip() for part in (text.replace(",", BETWEEN) if form == "svmlight" else text).split(BETWEEN)]
        if "" in parts:
            where = answers.where(answers.gold.index(y))
            raise DataError(f"{where}: one of the labels in {text!a} is empty; {BETWEEN} stands between labels")
        distinct.append(sorted({names.setdefault(part, len(names)) for part in parts}))
    return LabelSets(list(names), [[] if y < 0 else distinct[y] for y in answers.gold])


def warn_of_sets(labels: Sequence[str], *, several: bool) -> None:
    """Warn if a label is made of others: ``a;b`` beside ``a`` and ``b`` is a set that was not taken apart.

    several : whether examples have any number of labels
    """
    known = set(labels)
    for label in labels:
        for mark in (";", ",", BETWEEN):
            parts = [part.strip() for part in label.split(mark)]
            if len(parts) > 1 and known.issuperset(parts):
                what = f"{label!a} counts as a label of its own, beside {' and '.join(parts)}"
                how = "" if several else f", and {SEVERAL}"
                message = f"{what}; where an example has several labels, put {BETWEEN} between them{how}"
                warnings.warn(message, SapwoodWarning, stacklevel=2)
                return


def is_missing(label: object) -> bool:
    """Whether a label is what tables have in an empty cell: NaN, NaT or NA, which equal nothing."""
    try:
        return bool(label != label)
    except TypeError:  # whether NA equals NA is not known
        return True


def joined(labels: object, where: str) -> str:
    """Return the labels of an example in memory, or of a line of JSON, as one text.

    Raises DataError if they are not a list, tuple, set or the like, or one cannot be told from others in the text.
    """
    match labels:
        case Iterable() if any(each is None or isinstance(each, (list, tuple, dict, set)) for each in labels):
            raise DataError(f"{where}: one of its labels is neither a text nor a number: {labels!r:.40}")
        case set() | frozenset():
            given = sorted(labels, key=str)
        case Iterable() if not isinstance(labels, (str, bytes, dict)):
            given = list(labels)
        case _:
            raise DataError(f"{where}: its labels are a list or set of strings or numbers, not {labels!r:.40}")
    if any(label is None or is_missing(label) for label in given):
        raise DataError(f"{where}: one of its labels is missing, None or NaN")
    texts = list(map(str, given))
    for text in texts:
        if not text.strip() or text != text.strip() or BETWEEN in text:
            raise DataError(f"{where}: {text!a:.40} is no label: empty, or with {BETWEEN} in it or spaces around it")
    return BETWEEN.join(texts)
