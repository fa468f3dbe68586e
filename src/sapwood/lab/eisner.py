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

The root has one child: the best tree is the maximum over m of C_left(1, m) + C_right(m, n) + arc(0, m). Each entry of
the chart keeps its arcs beside its score. Ties go to the leftmost r, in order 2 first to a child without a sibling.

>>> likes = {(0, 2): 3.0, (2, 1): 1.0, (2, 3): 2.0, (3, 1): 0.5}
>>> def arc(h, m):
...     return likes.get((h, m), 0.0)
>>> eisner(3, arc)
(2, 0, 2)
>>> eisner(3, arc, lambda h, c, m: 9.0 * ((h, c, m) == (3, None, 1)))
(3, 1, 0)
"""

from collections.abc import Callable, Iterable
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


def eisner(n: int, arc: Arc, sibling: Sibling | None = None) -> tuple[int, ...]:
    """Return the heads [n] of the best tree of n words; with scores of siblings it is of order 2."""
    C_right = {(s, s): Entry(0.0) for s in range(1, n + 1)}
    C_left = dict(C_right)
    I_right: dict[tuple[int, int], Entry] = {}
    I_left: dict[tuple[int, int], Entry] = {}
    siblings: dict[tuple[int, int], Entry] = {}
    for w in range(1, n):
        for s in range(1, n + 1 - w):
            t = s + w
            siblings[s, t] = best(C_right[s, r] + C_left[r + 1, t] for r in range(s, t))
            if sibling is None:
                inside_right = inside_left = siblings[s, t]
            else:
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

    def of_root(m: int) -> Entry:
        return Entry(arc(0, m) + (sibling(0, None, m) if sibling else 0.0), ((0, m),))

    whole = best(C_left[1, m] + C_right[m, n] + of_root(m) for m in range(1, n + 1))
    heads = {m: h for h, m in whole.arcs}
    return tuple(heads[m] for m in range(1, n + 1))
