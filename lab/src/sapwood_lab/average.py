"""Averages of the weights: the naive one, which defines it, and none (Huang, lecture notes; Clark 2015; Collins 2002).

::

    w_s <- 0;  c <- 0
    after each decision, whether it changed w or not:
        w_s <- w_s + w
        c   <- c + 1
    return w_s / c

The clock c counts decisions, of structures one for each. All of w is added up at each of them, most of which changed
nothing; by default a learner has `sapwood_lab.lazy_average`, which gives the same and does not.

The mean is that of the lectures. In the letters of Goldberg & Elhadad (2011) it is the mean of w^1 ... w^T, and w^t is
the vector by which round t is scored, before its update. So theirs is one tick earlier: w^1 = 0 is in it, and the last
vector is not. An update in the last of T rounds adds violation / T here, and nothing there.

>>> from sapwood_lab.multiclass import Multiclass
>>> learner = Multiclass(average=Average, epochs=1, seed=None)
>>> [step.clock for step in learner.steps([{"a": 1}, {"b": 1}, {"b": 1}, {"b": 1}], ["x", "y", "y", "y"])]
[1]
>>> learner.averaging.w_s, learner.w
({('b', 'y'): 3.0}, {('b', 'y'): 0.75})
"""

from sapwood_lab.step import Vector


class Averaging:
    """The interface of averages, and no average itself: the last vector is the result."""

    def add(self, c: int, w: Vector, change: Vector) -> None:
        """Take notice of a decision: there were c before it, w is the vector after it, `change` what it did to w."""

    def mean(self, c: int, w: Vector) -> Vector:
        """Return the final weights, after c decisions, of which w is the last vector."""
        return w


class Average(Averaging):
    """The naive average."""

    def __init__(self) -> None:
        self.w_s: Vector = {}

    def add(self, c: int, w: Vector, change: Vector) -> None:
        for k, w_k in w.items():
            self.w_s[k] = self.w_s.get(k, 0.0) + w_k

    def mean(self, c: int, w: Vector) -> Vector:
        return {k: total / c for k, total in self.w_s.items()}
