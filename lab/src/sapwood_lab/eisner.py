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
the chart keeps its arcs beside its score. Ties go to the leftmost r (of the root, m), in order 2 first to a child
without a sibling.

>>> likes = {(0, 2): 3.0, (2, 1): 1.0, (2, 3): 2.0, (3, 1): 0.5}
>>> eisner(3, lambda h, m: likes.get((h, m), 0.0))
(2, 0, 2)
"""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

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


Spans = dict[tuple[int, int], Any]  # an entry for each span (s, t)


class Chart(NamedTuple):
    """The best structure over each span, and the best tree for each child m of the root, as (0, m)."""

    I_right: Spans
    I_left: Spans
    C_right: Spans
    C_left: Spans
    siblings: Spans  # of order 2
    roots: Spans

    def heads(self) -> tuple[int, ...]:
        """Return the heads [n] of the best tree."""
        return heads_of(best(self.roots.values()).arcs)


def heads_of(arcs: Iterable[tuple[int, int]]) -> tuple[int, ...]:
    """Return the heads [n] of a tree, given its arcs (h, m) in any order."""
    return tuple(h for m, h in sorted((m, h) for h, m in arcs))


def eisner(n: int, arc: Arc, sibling: Sibling | None = None) -> tuple[int, ...]:
    """Return the heads [n] of the best tree of n words; with scores of siblings it is of order 2."""
    return fill(n, arc, sibling).heads()


def fill(n: int, arc: Arc, sibling: Sibling | None = None, entry: Any = Entry, best: Any = best) -> Chart:
    """Return the chart of a sentence of n words: entries, of a score and perhaps arcs, and the best of several."""
    I_right, I_left, C_right, C_left, siblings, roots = chart = Chart({}, {}, {}, {}, {}, {})
    for s in range(1, n + 1):
        C_right[s, s] = C_left[s, s] = entry(0.0)
    for w in range(1, n):
        for s in range(1, n + 1 - w):
            t = s + w
            inside_right = inside_left = best(C_right[s, r] + C_left[r + 1, t] for r in range(s, t))
            if sibling is not None:
                siblings[s, t] = inside_right
                parts = [C_left[s + 1, t] + entry(sibling(s, None, t))]
                parts += [I_right[s, r] + siblings[r, t] + entry(sibling(s, r, t)) for r in range(s + 1, t)]
                inside_right = best(parts)
                parts = [C_right[s, t - 1] + entry(sibling(t, None, s))]
                parts += [siblings[s, r] + I_left[r, t] + entry(sibling(t, r, s)) for r in range(s + 1, t)]
                inside_left = best(parts)
            I_right[s, t] = inside_right + entry(arc(s, t), ((s, t),))
            I_left[s, t] = inside_left + entry(arc(t, s), ((t, s),))
            C_right[s, t] = best(I_right[s, r] + C_right[r, t] for r in range(s + 1, t + 1))
            C_left[s, t] = best(C_left[s, r] + I_left[r, t] for r in range(s, t))
    for m in range(1, n + 1):
        of_root = entry(arc(0, m) + (sibling(0, None, m) if sibling else 0.0), ((0, m),))
        roots[0, m] = C_left[1, m] + C_right[m, n] + of_root
    return chart
