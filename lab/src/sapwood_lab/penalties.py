"""The L1 penalty of online learning: how weights come to be 0, in two ways.

Taken off every weight at every example, a penalty is too much work, and weights step over 0 and back without ever being
0. So they stop at 0, and pay later what an example makes all weights owe::

    Cumulative   u <- u + owed                               what a weight owes since the beginning
                 for each weight w_i of the features of x:
                     z   <- w_i
                     w_i <- max(0, w_i - (u + q_i))   if w_i > 0
                            min(0, w_i + (u - q_i))   if w_i < 0
                     q_i <- q_i + w_i - z                    what it has paid, with its sign

    Truncated    g <- g + owed
                 after every K examples:
                     w_i <- max(0, w_i - g) if w_i > 0, min(0, w_i + g) if w_i < 0, for all i
                     g   <- 0

The first is the cumulative penalty of Tsuruoka, Tsujii & Ananiadou (2009), the second the truncated gradient of
Langford, Li & Zhang (2009) without a threshold (theta infinite). At the end all weights pay what they still owe.

>>> towards_0(0.5, 0.25), towards_0(-0.5, 0.25), towards_0(-0.5, 2.0)
(0.25, -0.25, 0.0)
"""

from collections.abc import Iterable

from sapwood_lab.step import Vector, Weight

K = 100


class Cumulative:
    """Weights pay what they owe since the beginning when their features occur."""

    def __init__(self, w: Vector) -> None:
        self.w, self.u = w, 0.0
        self.q: Vector = {}

    def pay(self, touched: Iterable[Weight], owed: float) -> None:
        """After an example, by which each weight owes so much more: let the weights of its features pay."""
        self.u += owed
        for i in touched:
            z, q = self.w[i], self.q.get(i, 0.0)
            self.w[i] = towards_0(z, self.u + q if z > 0 else self.u - q)
            self.q[i] = q + self.w[i] - z

    def settle(self) -> None:
        """At the end: let all weights pay."""
        self.pay(self.w, 0.0)


class Truncated:
    """All weights pay after every K examples."""

    def __init__(self, w: Vector) -> None:
        self.w, self.g, self.k = w, 0.0, 0

    def pay(self, touched: Iterable[Weight], owed: float) -> None:
        self.g += owed
        self.k += 1
        if self.k % K == 0:
            self.settle()

    def settle(self) -> None:
        for i, w_i in self.w.items():
            self.w[i] = towards_0(w_i, self.g)
        self.g = 0.0


def towards_0(w_i: float, penalty: float) -> float:
    """Return a weight that the penalty has moved towards 0, and no further."""
    return max(0.0, w_i - penalty) if w_i > 0 else min(0.0, w_i + penalty)
