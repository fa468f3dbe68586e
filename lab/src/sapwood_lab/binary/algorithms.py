"""The algorithms for two classes as classes that train on matrices, guess, and say what they cost.

>>> X, y = [[1, 0], [0, 1], [1, 1]], [1, -1, -1]
>>> for algorithm in (Vanilla(), AveragedNaive(), AveragedLazy()):
...     print(algorithm.fit(X, y).output, algorithm.operations)
[ 0. -1.] 5
[ 2. -1.] 13
[ 2. -1.] 17
"""

from collections.abc import Sequence
from typing import Any, Self

from sapwood_lab.binary.averaged import averaged_improved, averaged_lazy, averaged_naive, averaged_updates
from sapwood_lab.binary.costs import Costs, Example, Examples, Numbers, Rows, SparseVector  # asks for NumPy
from sapwood_lab.binary.vanilla import vanilla
from sapwood_lab.binary.voted import voted_improved, voted_naive
from sapwood_lab.errors import DataError, OptionError, not_fitted

import numpy as np  # isort: skip


class Perceptron:
    """The interface of the seven classes, with the costs of `sapwood_lab.binary.costs`."""

    algorithm: Any  # `vanilla`, or another of the seven functions
    output: Numbers  # the weights that score, [d], or all weights that vote, [n, d]

    def __init_subclass__(cls, algorithm: Any = None) -> None:
        cls.algorithm = staticmethod(algorithm)

    def fit(self, X: Examples | Rows, y: Sequence[int], epochs: int = 1) -> Self:
        """Train from scratch, without a shuffle, on labels -1 and 1. Raises DataError for others, and OptionError."""
        examples = X if isinstance(X, Examples) else Examples(X)
        if len(y) != len(examples) or not np.isin(y, (-1, 1)).all():
            raise DataError(f"{len(examples)} examples have as many labels, each -1 or 1")
        if epochs < 1:
            raise OptionError(f"epochs is a whole number from 1, not {epochs!r}")
        costs = Costs(examples.d)
        D = [(Example(*x, costs), int(label)) for x, label in zip(examples, y, strict=True)]
        self.keep(self.algorithm(D, epochs, costs.zero))
        self.operations, self.bytes, self.updates = costs.operations, costs.bytes, costs.updates
        self.presented = epochs * len(D)
        return self

    def keep(self, learned: Any) -> None:
        """Keep the output of the algorithm."""
        self.output = learned.values

    def decision(self, X: Examples | Rows) -> Any:
        """Return scores [examples]: w . x, or the votes for 1 less those for -1. Raises NotFittedError before `fit`."""
        if not hasattr(self, "output"):
            raise not_fitted(f"{self!r} is not fitted yet: call fit(X, y) first")
        examples = X if isinstance(X, Examples) else Examples(X, self.output.shape[-1])
        return np.array([self.score(x) for x in examples])

    def score(self, x: SparseVector) -> Any:
        """Return the score of an example."""
        return self.output[x.indices] @ x.values

    def predict(self, X: Examples | Rows) -> Any:
        """Return guesses [examples], each -1 or 1."""
        return np.where(self.decision(X) > 0, 1, -1)

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"


class Voting(Perceptron):
    """The interface of those whose weights vote; each has as many `votes` [n] as it counts, or else one."""

    def keep(self, learned: Any) -> None:
        W, self.votes = learned if isinstance(learned, tuple) else (learned, [1] * len(learned))
        self.output = np.array([w_i.values for w_i in W])

    def score(self, x: SparseVector) -> Any:
        return np.array(self.votes) @ np.where(self.output[:, x.indices] @ x.values > 0, 1, -1)


class Vanilla(Perceptron, algorithm=vanilla):
    """The weights after the last update."""


class VotedNaive(Voting, algorithm=voted_naive):
    """The weights after each example vote."""


class VotedImproved(Voting, algorithm=voted_improved):
    """The weights after each update vote, with one vote for each example until the next update."""


class AveragedNaive(Perceptron, algorithm=averaged_naive):
    """The running sum of the weights after each example."""


class AveragedImproved(Perceptron, algorithm=averaged_improved):
    """The same sum, from all different weights."""


class AveragedUpdates(Perceptron, algorithm=averaged_updates):
    """The same sum, from the updates."""


class AveragedLazy(Perceptron, algorithm=averaged_lazy):
    """The same sum, from two vectors."""


ALGORITHMS = Vanilla, VotedNaive, VotedImproved, AveragedNaive, AveragedImproved, AveragedUpdates, AveragedLazy
