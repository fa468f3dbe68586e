"""Eisner's algorithm with a gold tree held against all others: their score is gamma higher, however wrong they are.

Each entry of the chart is kept twice: gold, which has arcs of the gold tree alone, and other, the best that has another
arc. Two parts a and b, of which one may be a single arc, give::

    gold(a + b)  = gold(a) + gold(b)
    other(a + b) = the best of  gold(a) + other(b),  other(a) + gold(b),  other(a) + other(b)

The recurrences are those of `sapwood_lab.eisner`, of order 1; gamma is added at the end. Ties go to the leftmost r, as
there; with the same r, to the tree whose left part wins a tie, then to the one whose right part does.

>>> likes = {(0, 2): 3.0, (2, 1): 1.0, (2, 3): 2.0, (3, 1): 0.5}
>>> eisner_against((2, 0, 2), 3.0, lambda h, m: likes.get((h, m), 0.0))
(2, 0, 2)
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from sapwood_lab.eisner import Arc, fill, heads_of


class Ordered(NamedTuple):
    """A structure: its score, its place among those that score the same, and its arcs."""

    score: float
    order: tuple[Any, ...]  # its r, and the places of its parts
    arcs: tuple[tuple[int, int], ...]


class Pair(NamedTuple):
    """The two entries of a span; None where there is none."""

    gold: Ordered | None
    other: Ordered | None

    def __add__(self, b: "Pair") -> "Pair":  # type: ignore[override]
        """Join two parts."""
        joined = [
            (x is self.gold and y is b.gold, Ordered(x.score + y.score, (x.order, y.order), x.arcs + y.arcs))
            for x in self
            for y in b
            if x is not None and y is not None
        ]
        return Pair(first([e for is_gold, e in joined if is_gold]), first([e for is_gold, e in joined if not is_gold]))

    @staticmethod
    def best(pairs: Iterable["Pair"]) -> "Pair":
        """Return the best of each kind."""
        kinds = zip(*pairs, strict=True)
        golds, others = ([e._replace(order=(r, e.order)) for r, e in enumerate(kind) if e] for kind in kinds)
        return Pair(first(golds), first(others))


def first(entries: Sequence[Ordered]) -> Ordered | None:
    """Return the entry of highest score, in their order the first of those that are equal."""
    return min(entries, key=lambda e: (-e.score, e.order), default=None)


def eisner_against(gold: Sequence[int], gamma: float, arc: Arc) -> tuple[int, ...]:
    """Return the heads of the best tree if gamma is added to the score of every tree but gold."""

    def entry(score: float, arcs: tuple[tuple[int, int], ...] = ()) -> Pair:
        made = Ordered(score, (), arcs)
        return Pair(made, None) if all(gold[m - 1] == h for h, m in arcs) else Pair(None, made)

    trees = Pair.best(fill(len(gold), arc, entry=entry, best=Pair.best).roots.values())
    best = first([tree._replace(score=tree.score + gamma * (tree is trees.other)) for tree in trees if tree])
    assert best is not None  # gold is there
    return heads_of(best.arcs)
