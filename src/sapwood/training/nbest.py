"""Lists of the n best structures, for a reranker to choose from.

A reranker must learn from lists of test quality: those of a model that has not seen the sentences. So training data are
cut into folds, and each is listed by a model trained on the others, with the options of the model at hand.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import index
from typing import TYPE_CHECKING, Any, Generic, Literal, NamedTuple, TypeVar

from sapwood.errors import DataError, OptionError
from sapwood.io.source import read_bytes, shown, with_lines

if TYPE_CHECKING:
    from sapwood.base.candidates import CandidateList
    from sapwood.training.cross_validation import Selectable

Data = TypeVar("Data", bound="Selectable")


def check_n(n: int) -> int:
    """Return the number of answers wanted. Raises OptionError if it is no whole number from 1 up; NumPy's is one."""
    if isinstance(n, bool) or not hasattr(n, "__index__") or not 1 <= index(n) < 1 << 32:
        raise OptionError(f"n is a whole number from 1 to {(1 << 32) - 1}, not {n!r}")
    return index(n)


def proposed_lists(
    kind: str, found: Iterable[Sequence[Any]], columns: Iterable[Any], gold: Iterable[Any], name: str
) -> list[CandidateList]:
    """Return the list of each sentence of the data of this name.

    found : [sentences] structures of this kind, each with its score; gold : [sentences] the right one, or None
    columns : [columns][sentences][tokens] of the data, the words first
    """
    from sapwood.base.candidates import Candidate, CandidateList

    tokens = [[list(row) for row in zip(*sentence, strict=True)] for sentence in zip(*columns, strict=True)]
    return [
        CandidateList(kind, [Candidate(*each) for each in proposed], rows, answer, name)
        for proposed, rows, answer in zip(found, tokens, gold, strict=True)
    ]


class NBest(NamedTuple, Generic[Data]):
    """The candidate lists of a fitted model that proposes structures."""

    # Makes sentences of a file's bytes, its name, true if they are to train on, the number of the first line, and the
    # sentences before these. Raises DataError.
    read: Callable[[bytes, str, bool, int, Data | None], Data]
    # Makes the list of the n best structures of each sentence. Raises OptionError if the search has no exact n best
    # (Viterbi and Eisner of order 1 have).
    propose: Callable[[Data, int], list[CandidateList]]
    # Makes the lists of a model with the same options, trained on sentences. Raises OptionError if it cannot.
    retrain: Callable[[Data], NBest[Data]]
    ends: Literal["sentence", "line"] = "sentence"  # a blank line ends sentences, or a "line" those not in brackets

    def of_blocks(self, blocks: Iterable[bytes], name: str, n: int) -> Iterator[CandidateList]:
        """Yield the list of each sentence of a file, block by block, with gold where it has it.

        The file is called `name` in errors. Raises OptionError and DataError.
        """
        before = None
        for block, line in with_lines(blocks):
            before = self.read(block, name, False, line, before)
            yield from self.propose(before, n)

    def cross_validated(self, path: os.PathLike[str], n: int, folds: int) -> Iterator[CandidateList]:
        """Yield the list of each sentence of a training file, fold by fold, by a model trained on the other folds.

        Raises DataError if there are fewer sentences than folds, OptionError if the model cannot be trained again.
        """
        from sapwood.training.cross_validation import folds_in_turn, splits

        data = self.read(read_bytes(path), shown(path), True, 1, None)
        if len(data) < folds:
            raise DataError(f"{shown(path)}: {len(data)} sentences are too few for {folds} folds")
        for others, inside in splits(folds_in_turn(len(data), folds)):
            yield from self.retrain(data.select(others)).propose(data.select(inside), n)
