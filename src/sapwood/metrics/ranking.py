"""Scores of a reranker: the losses of its choices, of the first candidates, and of the best candidates."""

from collections.abc import Sequence
from dataclasses import dataclass

from sapwood.errors import DataError
from sapwood.metrics.labels import Report, percent, table


@dataclass(frozen=True, slots=True)
class RankingReport(Report):
    """Sums of losses over lists, and numbers of lists in which the candidate has the least loss."""

    figures = ("lists", "first", "chosen", "oracle", "first_best", "chosen_best")

    lists: int
    first: float  # sum of the losses of the first candidates, which the base model prefers
    chosen: float  # sum of the losses of the reranker's choices
    oracle: float  # sum of the least losses
    first_best: int  # lists whose first candidate has the least loss
    chosen_best: int  # lists whose chosen candidate has the least loss

    def format(self) -> str:
        rows = [
            ("base model's first", self.first, self.first_best),
            ("chosen", self.chosen, self.chosen_best),
            ("oracle", self.oracle, self.lists),
        ]
        shown = [(name, f"{loss:,.10g}", percent(best, self.lists)) for name, loss, best in rows]
        return "\n".join(table([(f"{self.lists:,} lists", "loss", "best, %"), *shown]))


def ranking_scores(losses: Sequence[Sequence[float]], choices: Sequence[int]) -> RankingReport:
    """Score the choice of a candidate from each list.

    losses : [lists][candidates]
    choices : [lists] number of the chosen candidate

    Raises DataError if there is no list, or if there are more or fewer choices than lists.

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
