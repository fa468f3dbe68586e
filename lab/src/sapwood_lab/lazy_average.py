"""The lazy average: the mean of all vectors without adding them up (Daume 2006; Huang, lecture notes; Clark 2015).

::

    w_a <- 0
    at an update, with c decisions before it:
        w   <- w + v
        w_a <- w_a + c v
    return w - w_a / c                  with the c of the end

A violation v that was added after c decisions is in all vectors but the first c. So w, which has it in all, has it c
times too often in the sum: the sum of all vectors is c w - w_a, with c at the end. Where nothing is learned nothing is
done, and a decision costs what it changes, not what is known. `sapwood_lab.average` adds up, and gives the same.

>>> average, w = LazyAverage(), {}
>>> for c, change in enumerate([{("a", "x"): 1.0}, {}, {("b", "x"): 1.0}, {}]):
...     w |= {k: w.get(k, 0.0) + n for k, n in change.items()}
...     average.add(c, w, change)
>>> average.w_a, average.mean(4, w)
({('a', 'x'): 0.0, ('b', 'x'): 2.0}, {('a', 'x'): 1.0, ('b', 'x'): 0.5})
"""

from sapwood_lab.average import Averaging
from sapwood_lab.step import Vector


class LazyAverage(Averaging):
    """The lazy average."""

    def __init__(self) -> None:
        self.w_a: Vector = {}

    def add(self, c: int, w: Vector, change: Vector) -> None:
        for k, v in change.items():
            self.w_a[k] = self.w_a.get(k, 0.0) + c * v

    def mean(self, c: int, w: Vector) -> Vector:
        return {k: (c * w_k - self.w_a.get(k, 0.0)) / c for k, w_k in w.items()}  # exact if all are whole numbers
