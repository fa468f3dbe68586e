"""The choice of examples to learn from and to hold out: the one rule for a fraction, and the folds.

Data are anything that has a length and can be asked for some of its items: the core's columns, treebanks and rows of
features, or a list as Items.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Protocol, Self, TypeVar

from sapwood.errors import DataError, warn
from sapwood.training.odd_data import REPEATED, sentence_hashes


class Selectable(Protocol):
    """Data from which examples can be selected."""

    def __len__(self) -> int: ...
    def select(self, chosen: Sequence[int], /) -> Self:
        """Return some of the items."""


Data = TypeVar("Data", bound=Selectable)

Item = TypeVar("Item")


class Items(list["Item"]):
    """A list of which some can be chosen."""

    def select(self, chosen: Sequence[int], /) -> Items[Item]:
        return Items([self[k] for k in chosen])


def hold_out(data: Data, fraction: float, what: str, label: int = 0) -> tuple[Data, Data]:
    """Return the data to train on and, one of every 1 / fraction and evenly spread, those to hold out.

    what : the data are, sentences for example; label : number of the column of the labels, where there are columns

    Equal examples are all in one of both, and counted by a warning. Raises DataError if one of both is empty.

    >>> hold_out(Items("abcdefgh"), 0.25, "letters")
    (['a', 'b', 'c', 'e', 'f', 'g'], ['d', 'h'])
    """
    parts: tuple[list[int], list[int]] = ([], [])
    side: dict[int, bool] = {}  # input -> whether it is held out
    for k, key in enumerate(inputs_of(data, what, label)):
        parts[side.setdefault(key, len(parts[1]) < int((k + 1) * fraction))].append(k)
    if not all(parts):
        few = f"there are too few {what} to hold out a fraction of them, equal ones counted once"
        raise DataError(f"{few}; give more, or dev")
    return data.select(parts[0]), data.select(parts[1])


def inputs_of(data: Selectable, what: str, label: int = 0) -> list[int]:
    """Return a number for each example, the same for equal ones, whatever their labels. Warn if these are many."""
    found = numbers_of_inputs(data, label)
    times = Counter(number for number in found if number >= 0)
    if (repeated := sum(n for n in times.values() if n > 1)) > REPEATED * times.total():
        message = f"{repeated:,} of the {len(data):,} {what} stand there several times; equal ones are kept together"
        warn(f"{message}, to train on or to score by, so that scores are not too high")
    return found


def numbers_of_inputs(data: Selectable, label: int = 0) -> list[int]:
    """Return a number for each example, the same for equal ones, below 0 for those too short to be compared."""
    return [each or ~k for k, each in enumerate(sentence_hashes(data, label) or [0] * len(data))]


def folds_in_turn(size: int, folds: int) -> list[int]:
    """Return the fold of each example; neighbours are in different ones."""
    return [k % folds for k in range(size)]


def stratified_folds(gold: Sequence[int], folds: int, seed: int, inputs: Sequence[int] = ()) -> list[int]:
    """Return the fold of each example; every fold has its share of each label, as far as they can be shared out.

    inputs : a number for each example; those of the same number are in one fold

    >>> stratified_folds([0, 0, 1, 1], 2, seed=1) in ([0, 1, 0, 1], [1, 0, 0, 1], [0, 1, 1, 0], [1, 0, 1, 0])
    True
    """
    generator = random.Random(seed)
    by_label: dict[int, list[int]] = {}
    for example, label in enumerate(gold):
        by_label.setdefault(label, []).append(example)
    fold_of = [0] * len(gold)
    inputs = inputs or range(len(gold))
    fold_of_input: dict[int, int] = {}
    for label in sorted(by_label):
        examples = by_label[label]
        generator.shuffle(examples)
        for example in examples:
            fold_of[example] = fold_of_input.setdefault(inputs[example], len(fold_of_input) % folds)
    return fold_of


def splits(fold_of: Sequence[int]) -> Iterator[tuple[list[int], list[int]]]:
    """Yield the examples outside of each fold and those in it."""
    for fold in range(max(fold_of) + 1):
        yield [k for k, f in enumerate(fold_of) if f != fold], [k for k, f in enumerate(fold_of) if f == fold]
