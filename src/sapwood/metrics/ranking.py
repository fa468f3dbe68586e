"""Scores of what a reranker chooses: the losses of its choices beside those of the first and of the best candidates."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sapwood.errors import DataError
from sapwood.metrics.labels import percent, table

__all__ = ["RankingReport", "ranking_scores"]


@dataclass(frozen=True, slots=True)
class RankingReport:
    """Losses summed over lists, and how many lists have a choice of the least loss in them."""

    lists: int
    first: float  # losses of the first candidates, the base model's choice
    chosen: float
    oracle: float  # the least that there are
    first_best: int  # lists
    chosen_best: int

    def as_dict(self) -> dict[str, Any]:
        """The figures, ready for JSON."""
        return {name: getattr(self, name) for name in self.__slots__}

    def format(self) -> str:
        """An aligned table."""
        rows = [
            ("base model's first", self.first, self.first_best),
            ("chosen", self.chosen, self.chosen_best),
            ("oracle", self.oracle, self.lists),
        ]
        shown = [(name, f"{loss:,.10g}", percent(best, self.lists)) for name, loss, best in rows]
        return "\n".join(table([(f"{self.lists:,} lists", "loss", "best, %"), *shown]))


def ranking_scores(losses: Sequence[Sequence[float]], choices: Sequence[int]) -> RankingReport:
    """Score choices, one candidate a list, by the losses [lists][candidates]. Raises DataError if there is no list.

    >>> print(ranking_scores([[3, 0, 1], [2, 4]], [2, 0]).format())
    2 lists             loss  best, %
    base model's first     5    50.00
    chosen                 3    50.00
    oracle                 2   100.00
    """
    if not losses or len(losses) != len(choices):
        raise DataError(f"there are {len(losses)} lists and {len(choices)} choices; give the same, one or more")
    chosen = [candidates[k] for candidates, k in zip(losses, choices, strict=True)]
    least = [min(candidates) for candidates in losses]
    first = [candidates[0] for candidates in losses]
    return RankingReport(
        lists=len(losses),
        first=sum(first),
        chosen=sum(chosen),
        oracle=sum(least),
        first_best=sum(a == b for a, b in zip(first, least, strict=True)),
        chosen_best=sum(a == b for a, b in zip(chosen, least, strict=True)),
    )
