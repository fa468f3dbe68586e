"""Naive Bayes, the generative classifier (Schneider 2017, "Generative vs. Discriminative"), as a linear model.

With n(y) examples of the class y, n(j, y) the sum of the percept j over them, and V percepts::

    p(y)     = n(y) / n
    p(j | y) = (n(j, y) + delta) / (sum over j' of n(j', y) + delta V)

    p(y | x)  ~  p(y) prod over j of p(j | y)^x_j  =  p(y) p(x | y)  =  p(x, y)

Its logarithm is a sum of weights, with a bias of 1 among the percepts::

    log p(x, y) = log p(y) + sum over j of x_j log p(j | y) = w_y . Phi(x)
    w_(y, bias) = log p(y)        w_(y, j) = log p(j | y)

So the perceptron's argmax classifies, and only the learner differs: the weights are counted, in one pass. Percepts that
training does not have are left out. As p(x, y) is known, so is p(x), which a perceptron cannot give.

>>> money, hobby = {"repaid": 1, "loan": 1}, {"read": 1, "news": 1}
>>> bayes = NaiveBayes(smoothing=1.0).fit([money, money, hobby], ["N:financial", "N:financial", "N:nonfinancial"])
>>> {y: round(p, 3) for y, p in bayes.posterior({"loan": 1}).items()}
{'N:financial': 0.818, 'N:nonfinancial': 0.182}
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import exp, log
from typing import Any, Self

from sapwood_lab.errors import DataError, OptionError, not_fitted
from sapwood_lab.multiclass import Percepts, argmax
from sapwood_lab.step import Vector

BIAS = "<bias>"  # the percept that every example has


class NaiveBayes:
    """Counts, and the weights that follow from them; `smoothing` is delta."""

    def __init__(self, *, smoothing: float = 1.0) -> None:
        if not 0 < smoothing < float("inf"):
            raise OptionError(f"smoothing is a number above 0, not {smoothing}")
        self.smoothing = smoothing

    def fit(self, X: Sequence[Percepts], y: Sequence[str]) -> Self:
        """Count, and set w. Raises DataError if there is no example, or a percept below 0."""
        if not y or len(X) != len(y):
            raise DataError(f"{len(X)} examples have {len(y)} labels")
        of_class = Counter(y)
        self.labels = list(of_class)  # in the order of the data
        self.n: Counter[tuple[str, str]] = Counter()  # of percept and class
        for x, label in zip(X, y, strict=True):
            if any(value < 0 for value in x.values()):
                raise DataError("naive Bayes counts, and a percept below 0 is no count")
            self.n.update({(j, label): value for j, value in x.items()})
        self.percepts = list(dict.fromkeys(j for x in X for j in x))
        self.w: Vector = {}
        for label, count in of_class.items():
            self.w[BIAS, label] = log(count / len(y))
            self.w |= log_shares(self.n, [(j, label) for j in self.percepts], self.smoothing)
        return self

    def phi(self, x: Percepts, y: str) -> Vector:
        """Return Phi(x) as parameters of the class y: the bias, and the percepts that training has."""
        return {(j, y): value for j, value in {BIAS: 1.0, **x}.items() if (j, y) in self.w}

    def log_joint(self, x: Percepts, y: str) -> float:
        """Return log p(x, y) = w_y . Phi(x)."""
        return sum(self.w[k] * value for k, value in self.phi(x, y).items())

    def log_marginal(self, x: Percepts) -> float:
        """Return log p(x), the sum of p(x, y) over the classes."""
        return log_sum(self.log_joint(x, y) for y in self.labels)

    def posterior(self, x: Percepts) -> dict[str, float]:
        """Return p(y | x) = p(x, y) / p(x) of each class."""
        return {y: exp(self.log_joint(x, y) - self.log_marginal(x)) for y in self.labels}

    def predict(self, X: Iterable[Percepts]) -> list[str]:
        """Return the most probable class of each example. Raises NotFittedError before `fit`."""
        check_is_counted(self)
        return [argmax(self.labels, {y: self.log_joint(x, y) for y in self.labels}) for x in X]


def check_is_counted(model: object) -> None:
    """Raise NotFittedError if a model has no weights yet."""
    if not hasattr(model, "w"):
        raise not_fitted(f"this {type(model).__name__} has counted nothing yet; call fit")


def log_shares(n: Mapping[Any, float], keys: Sequence[Any], delta: float) -> dict[Any, float]:
    """Return the logarithms of shares: of each count with delta added, in the sum of these."""
    total = sum(n.get(k, 0.0) for k in keys) + delta * len(keys)
    return {k: log((n.get(k, 0.0) + delta) / total) for k in keys}


def log_sum(logs: Iterable[float]) -> float:
    """Return the logarithm of a sum of numbers, given their logarithms."""
    given = list(logs)
    most = max(given)
    return most + log(sum(exp(each - most) for each in given))
