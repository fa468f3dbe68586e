"""The Viterbi algorithm (1967): the label sequence of highest score (Clark 2015; Dyer 2015).

With s(i, h, y) the score of the label y of token i after the label h (order 2: after h and g)::

    order 1   alpha_i[y]    = max over h of  alpha_(i-1)[h]    + s(i, h, y)
    order 2   alpha_i[g, y] = max over h of  alpha_(i-1)[h, g] + s(i, h, g, y)

A state is what alpha is of: the last label, or the last two. The best sequence ends in the state of highest alpha_n,
and leads back from there, each time by the h of the maximum. Ties go to the label that comes first in `labels`, of the
last label(s), then of those before.

The scores of y after all h are asked for at once, so that a caller can keep what they share: ``s(i, before, y)`` gives
those of y after each of the states `before`, which differ in h only. Before the first token stands ``<start>``.

>>> def s(i, labels):
...     h, y = labels
...     return float(h != y) + (labels == ("<start>", "b"))
>>> viterbi(3, ["a", "b"], 1, s)
('b', 'a', 'b')
"""

from collections.abc import Callable, Iterable, Sequence
from operator import add
from typing import NamedTuple

START = "<start>"  # the label before the first

Labels = tuple[str, ...]
Scores = Callable[[int, Sequence[Labels], str], Sequence[float]]  # s(i, before, y)


class Trellis(NamedTuple):
    """The best sequences that end in each state, which is the last label or the last two."""

    alpha: list[dict[Labels, float]]  # [n + 1] their scores after each number of tokens
    back: list[dict[Labels, Labels]]  # [n + 1] the state before


def viterbi(n: int, labels: Sequence[str], order: int, s: Callable[[int, Labels], float]) -> Labels:
    """Return the sequence of n labels of highest score; s(i, (h, y)) or s(i, (h, g, y)) scores y at token i."""
    return best_path(forward(n, labels, order, after_each(s)))


def after_each(s: Callable[[int, Labels], float]) -> Scores:
    """Return the scores of a label after some states as a function, given that of one state."""
    return lambda i, before, y: [s(i, (*state, y)) for state in before]


def forward(n: int, labels: Sequence[str], order: int, s: Scores) -> Trellis:
    """Return the trellis of n tokens."""
    alpha, back = trellis = Trellis([{(START,) * order: 0.0}], [{}])
    for i in range(n):
        alpha.append({})
        back.append({})
        for before in alike(alpha[i]):  # the states of all h before the same g
            reached = [alpha[i][state] for state in before]
            for y in labels:
                scores = list(map(add, reached, s(i, before, y)))
                best, state = max(scores), (*before[0][1:], y)
                alpha[-1][state], back[-1][state] = best, before[scores.index(best)]  # the first of equal ones
    return trellis


def alike(states: Iterable[Labels]) -> list[list[Labels]]:
    """Return the states (h, g) for each g: those that differ in their first label only, side by side."""
    groups: dict[Labels, list[Labels]] = {}
    for state in states:
        groups.setdefault(state[1:], []).append(state)
    return list(groups.values())


def best_path(trellis: Trellis) -> Labels:
    """Return the sequence of highest score."""
    alpha, back = trellis
    return way(back, len(alpha) - 1, max(alpha[-1], key=alpha[-1].__getitem__))


def way(back: Sequence[dict[Labels, Labels]], n: int, state: Labels) -> Labels:
    """Return the best sequence of n labels that ends in a state."""
    path: Labels = ()
    for i in range(n, 0, -1):
        path = (state[-1], *path)
        state = back[i][state]
    return path
