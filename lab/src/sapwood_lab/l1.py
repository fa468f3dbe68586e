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
In the core they are ``update="l1-cumulative"`` and ``update="truncated-gradient"``, `penalty` is C, `eta` is eta_0, and
alpha is 0.85.

>>> X = [{"cheap": 1, "pills": 1}, {"cheap": 1, "lunch": 1}, {"lunch": 1, "the": 1}, {"pills": 1, "the": 1}]
>>> learner = L1Regression(Cumulative, C=0.3, epochs=20).fit(X, ["ham", "spam", "spam", "ham"])
>>> print({percept: round(w, 2) for (percept, y), w in sorted(learner.weights().items())})
{'lunch': 0.36, 'pills': -0.37}
"""

from collections import Counter
from collections.abc import Iterator
from math import exp
from typing import Any

from sapwood_lab.errors import OptionError
from sapwood_lab.multiclass import Multiclass, Percepts
from sapwood_lab.penalties import Cumulative, Truncated
from sapwood_lab.step import Step, Weight

ALPHA = 0.85


class L1Regression(Multiclass):
    """One weight vector a class, as in `sapwood_lab.multiclass`, and a penalty of strength C over a pass."""

    def __init__(
        self,
        penalty: type[Cumulative | Truncated],
        *,
        C: float = 1.0,
        eta: float = 0.1,
        epochs: int = 5,
        seed: int | None = 1,
    ) -> None:
        super().__init__(average=False, epochs=epochs, seed=seed)
        if not 0 <= C < float("inf") or not 0 < eta < float("inf"):
            raise OptionError("C is a number from 0, and eta is one above 0")
        self.penalty, self.C, self.eta = penalty, C, eta

    def read(self, *data: Any) -> list[tuple[Percepts, str, float]]:
        examples = super().read(*data)
        self.N, self.owing = len(examples), self.penalty(self.w)
        return examples

    def p(self, x: Percepts) -> dict[str, float]:
        """Return p(y | x) of each class."""
        scores = self.scores(x)
        largest = max(scores.values())
        powers = {y: exp(score - largest) for y, score in scores.items()}
        Z = sum(powers.values())
        return {y: power / Z for y, power in powers.items()}

    def train(self, *data: Any) -> Iterator[Step]:
        yield from super().train(*data)
        self.owing.settle()

    def learn(self, example: tuple[Percepts, str, float]) -> Iterator[Step]:
        x, gold, importance = example
        eta = self.eta * ALPHA ** (self.c / self.N)
        p = self.p(x)
        expected: Counter[Weight] = Counter()
        for y, p_y in p.items():
            expected.update({k: p_y * value for k, value in self.phi(x, y).items()})
        guess = max(p, key=p.__getitem__)
        yield from self.present(x, gold, guess, self.phi(x, gold), expected, importance=eta * importance)
        self.owing.pay([k for k in expected if k in self.w], eta * self.C / self.N)
