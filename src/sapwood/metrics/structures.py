"""Scores of structures that are lists of parts: how many are right as a whole, and how many parts are."""

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from sapwood.metrics.labels import Matches, Report, percent


@dataclass(frozen=True, slots=True)
class StructureReport(Matches, Report):
    """How many structures are right as a whole, and how many of their parts."""

    figures = ("structures", "right", *Matches.columns.values())

    structures: int
    right: int
    gold: int
    guessed: int
    correct: int

    def format(self) -> str:
        share = percent(self.right, self.structures)
        whole = f"{self.right:,} of {self.structures:,} structures are right ({share:.2f} %)"
        return f"{whole}; parts: precision {self.precision:.2f}, recall {self.recall:.2f}, F1 {self.f1:.2f}"


def structure_scores(gold: Sequence[Sequence[Hashable]], guess: Sequence[Sequence[Hashable]]) -> StructureReport:
    """Score structures as bags of parts.

    >>> print(structure_scores([("a", "b"), ("a",)], [("a", "c"), ("a",)]).format())
    1 of 2 structures are right (50.00 %); parts: precision 66.67, recall 66.67, F1 66.67
    """
    pairs = [(Counter(right), Counter(found)) for right, found in zip(gold, guess, strict=True)]
    return StructureReport(
        structures=len(pairs),
        right=sum(right == found for right, found in pairs),
        gold=sum(right.total() for right, _ in pairs),
        guessed=sum(found.total() for _, found in pairs),
        correct=sum((right & found).total() for right, found in pairs),
    )
