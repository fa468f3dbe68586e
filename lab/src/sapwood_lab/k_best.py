"""The k best structures, by any search for the best one (Lawler 1972; Murty 1968).

A structure is a choice at each of n places: a label, or the head of a word. A space is what may be chosen at each. Once
the best structure y of a space is known, all the others are in n smaller spaces, none in two of them::

    queue <- {the best of the whole space}
    k times:
        take the best y out of the queue, of the space S
        for i = 1 .. n:
            S_i <- S with y_1 ... y_(i-1) as they are, and another choice than y_i at i
            put the best of S_i into the queue

The search is given the space, and must return nothing outside of it. So a choice that is not allowed scores minus
infinity. The core finds k best trees in the chart itself (Huang & Chiang 2005), with less work.

>>> k_best_trees(2, lambda h, m: {(0, 2): 3.0, (2, 1): 1.0}.get((h, m), 0.0), k=5)
[((2, 0), 4.0), ((0, 1), 0.0)]
"""

from collections.abc import Callable, Sequence, Set
from heapq import heappop, heappush
from itertools import count
from math import inf
from typing import Any

from sapwood_lab.eisner import Arc, eisner

Space = Sequence[Set[Any]]  # [n] what may be chosen at each place
Scored = tuple[tuple[Any, ...], float]  # a structure, and its score: minus infinity if the space has none


def k_best(search: Callable[[Space], Scored], space: Space, k: int) -> list[Scored]:
    """Return the k structures of highest score with their scores, the best first; fewer if there are no more."""
    found: list[Scored] = []
    queue: list[tuple[float, int, tuple[Any, ...], Space]] = []
    order = count()  # of those that score the same the first one comes first

    def put(S: Space) -> None:
        y, score = search(S) if all(S) else ((), -inf)
        if score > -inf:
            heappush(queue, (-score, next(order), y, S))

    put(space)
    while queue and len(found) < k:
        negative, _, y, S = heappop(queue)
        found.append((y, -negative))
        for i in range(len(y)):
            put([*({choice} for choice in y[:i]), S[i] - {y[i]}, *S[i + 1 :]])
    return found


def k_best_trees(n: int, arc: Arc, k: int) -> list[Scored]:
    """Return the heads of the k best projective trees of n words, and the scores of the trees."""

    def search(allowed: Space) -> Scored:
        def score(h: int, m: int) -> float:
            return arc(h, m) if h in allowed[m - 1] else -inf

        heads = eisner(n, score)
        return heads, sum(score(h, m) for m, h in enumerate(heads, 1))

    return k_best(search, [set(range(n + 1)) - {m} for m in range(1, n + 1)], k)
