"""Lists of the n best structures, for a reranker to choose from: methods of taggers, parsers and grammars.

A reranker must learn from lists of test quality: those of a model that has not seen the sentences. So training data are
cut into folds, and each is listed by a model trained on the others, with the options of the model that is given.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from operator import index
from typing import TYPE_CHECKING, Any, Protocol, Self

from sapwood.errors import DataError, OptionError
from sapwood.io.source import read_bytes, shown
from sapwood.training.cross_validation import folds_in_turn, splits

if TYPE_CHECKING:
    from sapwood.io.lists import CandidateList


def check_n(n: int) -> int:
    """Return the number of answers wanted. Raises OptionError if it is no whole number from 1 up; NumPy's is one."""
    if isinstance(n, bool) or not hasattr(n, "__index__") or not 1 <= index(n) < 1 << 32:
        raise OptionError(f"n is a whole number from 1 to {(1 << 32) - 1}, not {n!r}")
    return index(n)


class Sentences(Protocol):
    """Sentences of a file, from which some can be selected."""

    def __len__(self) -> int:
        """Count the sentences."""

    def select(self, chosen: Sequence[int], /) -> Any:
        """Return some of them."""


class Proposer(Protocol):
    """What lists are made of: a model that reads sentences, lists the best structures of each, and can be trained."""

    def check_fitted(self) -> None:
        """Raise NotFittedError if the model is not fitted."""

    def untrained(self) -> Self:
        """Return an object that is not fitted, with the same options."""

    def fit(self, data: Any, /) -> Self:
        """Train on sentences."""

    def parsed(self, data: bytes, name: str, *, train: bool) -> Sentences:
        """Return the sentences of a file, which `fit` takes if they are to `train` on. Raises DataError."""

    def lists(self, data: Any, n: int) -> list[CandidateList]:
        """Return the list of each sentence."""


def n_best_lists(self: Proposer, data: bytes, name: str, n: int) -> list[CandidateList]:
    """Return a list of the n best structures for each sentence of a file's bytes, with gold where it has it.

    Raises OptionError if the search has no exact n best (Viterbi and Eisner of order 1 have), DataError with the
    place; the file is called `name` there.
    """
    self.check_fitted()
    return self.lists(self.parsed(data, name, train=False), n)


def cross_lists(self: Proposer, path: os.PathLike[str], n: int, folds: int) -> Iterator[CandidateList]:
    """Yield a list for each sentence of a training file, fold by fold, by a model trained on the other folds.

    Raises DataError if there are fewer sentences than folds, OptionError if the model cannot be trained again.
    """
    self.check_fitted()
    data = self.parsed(read_bytes(path), shown(path), train=True)
    if len(data) < folds:
        raise DataError(f"{shown(path)}: {len(data)} sentences are too few for {folds} folds")
    model = self.untrained()
    for others, inside in splits(folds_in_turn(len(data), folds)):
        yield from model.fit(data.select(others)).lists(data.select(inside), n)
