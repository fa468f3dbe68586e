"""Eisner's algorithm (1996; 2000): the projective dependency tree of highest score, of order 1 and 2.

Words are 1 to n, the root is 0. C(s, t) is a head with all that hangs on it on one side of a span s..t, I(s, t) the
same where the other end is its child that still lacks its own far side. "right": the head is s, "left": it is t.

Order 1, score(tree) = sum over words m of arc(h, m), h being the head of m::

    I_right(s, t) = arc(s, t) + max over s <= r < t of C_right(s, r) + C_left(r + 1, t)
    I_left(s, t)  = arc(t, s) + the same maximum
    C_right(s, t) = max over s < r <= t of I_right(s, r) + C_right(r, t)
    C_left(s, t)  = max over s <= r < t of C_left(s, r) + I_left(r, t)

Order 2 (McDonald & Pereira 2006) adds sibling(h, c, m), c being the next child of h between h and m, None if there is
none::

    siblings(s, t) = max over s <= r < t of C_right(s, r) + C_left(r + 1, t)
    I_right(s, t)  = arc(s, t) + max of  C_left(s + 1, t) + sibling(s, None, t)
                     and, over s < r < t, I_right(s, r) + siblings(r, t) + sibling(s, r, t)
    I_left(s, t)   = arc(t, s) + max of  C_right(s, t - 1) + sibling(t, None, s)
                     and, over s < r < t, siblings(s, r) + I_left(r, t) + sibling(t, r, s)

Held against a gold tree, each entry is kept twice: gold, which has arcs of the gold tree alone, and other, the best
with another arc. Two parts a and b and the arc that joins them give::

    gold  = gold(a) + gold(b) + arc, if the arc is gold
    other = the best of  other(a) + gold(b) + arc,  gold(a) + other(b) + arc,  other(a) + other(b) + arc
            and, if the arc is not gold,  gold(a) + gold(b) + arc

The root has one child: the best tree is the maximum over m of C_left(1, m) + C_right(m, n) + arc(0, m). Each entry of
the chart keeps its arcs beside its score. Ties go to the leftmost r (of the root, m), in order 2 first to a child
without a sibling; with the same r, to the tree whose left part wins a tie, then to the one whose right part does.

>>> likes = {(0, 2): 3.0, (2, 1): 1.0, (2, 3): 2.0, (3, 1): 0.5}
>>> def arc(h, m):
...     return likes.get((h, m), 0.0)
>>> eisner(3, arc)
(2, 0, 2)
>>> eisner(3, arc, lambda h, c, m: 9.0 * ((h, c, m) == (3, None, 1)))
(3, 1, 0)
>>> eisner_against((2, 0, 2), 3.0, arc), eisner_against((2, 0, 2), 4.0, arc)  # the second is a tie
((2, 0, 2), (0, 1, 2))
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import product
from typing import NamedTuple

Arc = Callable[[int, int], float]  # the score of head and modifier
Sibling = Callable[[int, int | None, int], float]  # of head, the sibling between, and modifier


class Entry(NamedTuple):
    """The best structure over a span: its score, and its arcs (h, m)."""

    score: float
    arcs: tuple[tuple[int, int], ...] = ()

    def __add__(self, other: "Entry") -> "Entry":  # type: ignore[override]
        """Join two structures."""
        return Entry(self.score + other.score, self.arcs + other.arcs)


def best(entries: Iterable[Entry]) -> Entry:
    """Return the entry of highest score, the first of those that are equal."""
    return max(entries, key=lambda entry: entry.score)


class Chart(NamedTuple):
    """The best structure over each span (s, t), and the best tree for each child m of the root, as (0, m)."""

    I_right: dict[tuple[int, int], Entry]
    I_left: dict[tuple[int, int], Entry]
    C_right: dict[tuple[int, int], Entry]
    C_left: dict[tuple[int, int], Entry]
    siblings: dict[tuple[int, int], Entry]  # of order 2
    roots: dict[tuple[int, int], Entry]

    def heads(self) -> tuple[int, ...]:
        """Return the heads [n] of the best tree."""
        heads = {m: h for h, m in best(self.roots.values()).arcs}
        return tuple(heads[m] for m in range(1, len(heads) + 1))


def eisner(n: int, arc: Arc, sibling: Sibling | None = None) -> tuple[int, ...]:
    """Return the heads [n] of the best tree of n words; with scores of siblings it is of order 2."""
    return fill(n, arc, sibling).heads()


def fill(n: int, arc: Arc, sibling: Sibling | None = None) -> Chart:
    """Return the chart of a sentence of n words, with all its entries."""
    I_right, I_left, C_right, C_left, siblings, roots = chart = Chart({}, {}, {}, {}, {}, {})
    for s in range(1, n + 1):
        C_right[s, s] = C_left[s, s] = Entry(0.0)
    for w in range(1, n):
        for s in range(1, n + 1 - w):
            t = s + w
            inside_right = inside_left = best(C_right[s, r] + C_left[r + 1, t] for r in range(s, t))
            if sibling is not None:
                siblings[s, t] = inside_right
                parts = [C_left[s + 1, t] + Entry(sibling(s, None, t))]
                parts += [I_right[s, r] + siblings[r, t] + Entry(sibling(s, r, t)) for r in range(s + 1, t)]
                inside_right = best(parts)
                parts = [C_right[s, t - 1] + Entry(sibling(t, None, s))]
                parts += [siblings[s, r] + I_left[r, t] + Entry(sibling(t, r, s)) for r in range(s + 1, t)]
                inside_left = best(parts)
            I_right[s, t] = inside_right + Entry(arc(s, t), ((s, t),))
            I_left[s, t] = inside_left + Entry(arc(t, s), ((t, s),))
            C_right[s, t] = best(I_right[s, r] + C_right[r, t] for r in range(s + 1, t + 1))
            C_left[s, t] = best(C_left[s, r] + I_left[r, t] for r in range(s, t))
    for m in range(1, n + 1):
        of_root = Entry(arc(0, m) + (sibling(0, None, m) if sibling else 0.0), ((0, m),))
        roots[0, m] = C_left[1, m] + C_right[m, n] + of_root
    return chart


class Cell(NamedTuple):
    """The structure over a span that has arcs of the gold tree alone, and the best other; None where there is none."""

    gold: "Ordered | None"
    other: "Ordered | None"


class Ordered(NamedTuple):
    """A structure: its score, its place among those that score the same, and its arcs."""

    score: float
    order: tuple[object, ...]  # its r, and the places of its parts
    arcs: tuple[tuple[int, int], ...]


def rank(entry: Ordered) -> tuple[float, tuple[object, ...]]:
    """Return what is least of the best structure; ties are broken by their order."""
    return -entry.score, entry.order


def eisner_against(gold: Sequence[int], gamma: float, arc: Arc) -> tuple[int, ...]:
    """Return the heads of the best tree if gamma is added to the score of every tree but gold (order 1)."""
    n = len(gold)

    def join(parts: Iterable[tuple[Cell, Cell]], h: int = 0, m: int = 0) -> Cell:
        """Return the best of pairs of parts, in the order in which ties are broken, joined by an arc if m is not 0."""
        score, arcs = (arc(h, m), ((h, m),)) if m else (0.0, ())
        made, others = None, []
        for r, (a, b) in enumerate(parts):
            for x, y in product(filter(None, a), filter(None, b)):
                entry = Ordered(x.score + y.score + score, (r, x.order, y.order), x.arcs + y.arcs + arcs)
                if x is a.gold and y is b.gold and (m == 0 or gold[m - 1] == h):
                    made = entry
                else:
                    others.append(entry)
        return Cell(made, min(others, key=rank, default=None))

    C_right = {(s, s): Cell(Ordered(0.0, (), ()), None) for s in range(1, n + 1)}
    C_left = dict(C_right)
    I_right: dict[tuple[int, int], Cell] = {}
    I_left: dict[tuple[int, int], Cell] = {}
    for w in range(1, n):
        for s in range(1, n + 1 - w):
            t = s + w
            inside = [(C_right[s, r], C_left[r + 1, t]) for r in range(s, t)]
            I_right[s, t] = join(inside, s, t)
            I_left[s, t] = join(inside, t, s)
            C_right[s, t] = join((I_right[s, r], C_right[r, t]) for r in range(s + 1, t + 1))
            C_left[s, t] = join((C_left[s, r], I_left[r, t]) for r in range(s, t))
    wholes = [join([(C_left[1, m], C_right[m, n])], 0, m) for m in range(1, n + 1)]
    trees = [
        entry._replace(score=entry.score + gamma * (entry is cell.other), order=(m, entry.order))
        for m, cell in enumerate(wholes)
        for entry in filter(None, cell)
    ]
    heads = {m: h for h, m in min(trees, key=rank).arcs}
    return tuple(heads[m] for m in range(1, n + 1))
