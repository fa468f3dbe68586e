"""Logistic regression with an L1 penalty, by stochastic gradient descent: the other way to few weights.

Goldberg & Elhadad (2011), section 3, "Comparison to L1 Regularization", name two ways to do it online, Tsuruoka, Tsujii
& Ananiadou (2009) and Langford, Li & Zhang (2009). Both look for the w of largest::

    sum over (x, y) of log p(y | x) - C sum over i of |w_i|      p(y | x) = exp(w . phi(x, y)) / Z(x)

    w <- 0;  k <- 0
    for each (x, y) of T passes over the N examples:
        eta <- eta_0 alpha^(k / N)
        w   <- w + eta (phi(x, y) - sum over y' of p(y' | x) phi(x, y'))
        penalty, of which each weight owes eta C / N
        k   <- k + 1

It is the perceptron's update, made at every example, with the features that are expected by p in place of the guess's.
The subgradient of the penalty would take eta C / N off every weight at every example. That is too much work, and
weights would step over 0 and back without ever being 0. So they stop at 0, and pay later, in one of two ways::

    Cumulative   u <- u + eta C / N                          what a weight owes since the beginning
                 for each weight w_i of the features of x:
                     z   <- w_i
                     w_i <- max(0, w_i - (u + q_i))   if w_i > 0
                            min(0, w_i + (u - q_i))   if w_i < 0
                     q_i <- q_i + w_i - z                    what it has paid, with its sign
    Truncated    g <- g + eta C / N
                 after every K examples:
                     w_i <- max(0, w_i - g) if w_i > 0, min(0, w_i + g) if w_i < 0, for all i
                     g   <- 0

The first is Tsuruoka et al.'s cumulative penalty, the second Langford et al.'s truncated gradient without a threshold
(theta infinite). At the end all weights pay what they still owe. In the core they are ``update="l1-cumulative"`` and
``update="truncated-gradient"``, `penalty` is C, `eta` is eta_0, alpha is 0.85 and K is 100.

>>> X = [{"cheap": 1, "pills": 1}, {"cheap": 1, "lunch": 1}, {"lunch": 1, "the": 1}, {"pills": 1, "the": 1}]
>>> for C in (0.0, 0.3, 3.0):
...     learner = L1Regression(Cumulative, C=C, epochs=20).fit(X, ["ham", "spam", "spam", "ham"])
...     print({percept: round(w, 2) for (percept, y), w in sorted(learner.weights().items())})
{'cheap': -0.01, 'lunch': 0.53, 'pills': -0.53, 'the': 0.0}
{'lunch': 0.36, 'pills': -0.37}
{}
>>> print({y: round(p, 2) for y, p in learner.p(X[0]).items()})
{'ham': 0.5, 'spam': 0.5}
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from math import exp
from typing import Protocol

from sapwood.errors import OptionError
from sapwood.lab.learner import Step, Vector, Weight
from sapwood.lab.multiclass import Multiclass, Percepts

ALPHA = 0.85
K = 100


class Penalty(Protocol):
    """What pulls the weights w to 0."""

    def __init__(self, w: Vector) -> None: ...

    def pay(self, touched: Iterable[Weight], owed: float) -> None:
        """After an example, which has the weights `touched`: each weight owes so much more."""

    def settle(self) -> None:
        """At the end: all weights pay what they owe."""


class Cumulative:
    """Weights pay what they owe since the beginning when their features occur (Tsuruoka et al. 2009)."""

    def __init__(self, w: Vector) -> None:
        self.w, self.u = w, 0.0
        self.q: Vector = {}

    def pay(self, touched: Iterable[Weight], owed: float) -> None:
        """Let the weights of an example pay."""
        self.u += owed
        for i in touched:
            z, q = self.w[i], self.q.get(i, 0.0)
            self.w[i] = towards_0(z, self.u + q if z > 0 else self.u - q)
            self.q[i] = q + self.w[i] - z

    def settle(self) -> None:
        """Let all weights pay."""
        self.pay(self.w, 0.0)


class Truncated:
    """All weights pay after every K examples (Langford et al. 2009)."""

    def __init__(self, w: Vector) -> None:
        self.w, self.g, self.k = w, 0.0, 0

    def pay(self, touched: Iterable[Weight], owed: float) -> None:
        """Count an example, and let all weights pay if it is the K-th."""
        self.g += owed
        self.k += 1
        if self.k % K == 0:
            self.settle()

    def settle(self) -> None:
        """Let all weights pay."""
        for i, w_i in self.w.items():
            self.w[i] = towards_0(w_i, self.g)
        self.g = 0.0


def towards_0(w_i: float, penalty: float) -> float:
    """Return a weight that the penalty has moved towards 0, and no further.

    >>> towards_0(0.5, 0.25), towards_0(-0.5, 0.25), towards_0(-0.5, 2.0)
    (0.25, -0.25, 0.0)
    """
    return max(0.0, w_i - penalty) if w_i > 0 else min(0.0, w_i + penalty)


class L1Regression(Multiclass):
    """One weight vector a class, as in `sapwood.lab.multiclass`.

    penalty : `Cumulative` or `Truncated`
    C : its strength over a pass, from 0
    eta : the first step, eta_0, above 0
    epochs, seed : as `Learner` has them

    Raises OptionError if one of them is not so.
    """

    def __init__(
        self, penalty: type[Penalty], *, C: float = 1.0, eta: float = 0.1, epochs: int = 5, seed: int | None = 1
    ) -> None:
        super().__init__(average=False, epochs=epochs, seed=seed)
        if not 0 <= C < float("inf") or not 0 < eta < float("inf"):
            raise OptionError("C is a number from 0, and eta is one above 0")
        self.penalty, self.C, self.eta = penalty, C, eta

    def read(
        self, X: Sequence[Percepts], y: Sequence[str], *steps: Sequence[float]
    ) -> list[tuple[Percepts, str, float]]:
        """Return the examples, as `Multiclass.read` does."""
        examples = super().read(X, y, *steps)
        self.N, self.owing = len(examples), self.penalty(self.w)
        return examples

    def p(self, x: Percepts) -> dict[str, float]:
        """Return p(y | x) of each class."""
        scores = self.scores(x)
        largest = max(scores.values())
        powers = {y: exp(score - largest) for y, score in scores.items()}
        Z = sum(powers.values())
        return {y: power / Z for y, power in powers.items()}

    def steps(self, *data: Sequence[Percepts] | Sequence[str] | Sequence[float]) -> Iterator[Step]:
        """Train from scratch, and yield each update; the penalty comes after it."""
        yield from super().steps(*data)
        self.owing.settle()

    def learn(self, example: tuple[Percepts, str, float]) -> Iterator[Step]:
        """Present an example, and let weights pay."""
        x, gold, importance = example
        eta = self.eta * ALPHA ** (self.c / self.N)
        p = self.p(x)
        expected: Counter[Weight] = Counter()
        for y, p_y in p.items():
            expected.update({k: p_y * value for k, value in self.phi(x, y).items()})
        guess = max(p, key=p.__getitem__)
        yield from self.present(x, gold, guess, self.phi(x, gold), expected, eta * importance)
        self.owing.pay([k for k in expected if k in self.w], eta * self.C / self.N)
