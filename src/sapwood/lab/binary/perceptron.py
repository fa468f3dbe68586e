"""The base class of the algorithms for two classes that train on matrices: fit and predict, and what it cost.

>>> from sapwood.lab import Vanilla
>>> learner = Vanilla().fit([[1, 0], [0, 1]], [1, -1])
>>> learner, learner.output, learner.predict([[2, 0]])
(Vanilla(), array([1., 0.]), array([1]))
"""

from collections.abc import Sequence
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from sapwood.errors import DataError, OptionError, not_fitted
from sapwood.lab.binary.costs import Costs, Example
from sapwood.lab.binary.examples import Examples, Numbers, Rows, SparseVector


class Perceptron:
    """The interface of the seven classes, with the costs of `sapwood.lab.binary.costs`."""

    algorithm: ClassVar[Any]  # `vanilla`, or another of the seven functions
    output: Numbers  # the weights that score, [d], or all weights that vote, [n, d]
    operations: int  # with `bytes`, and `updates`, U, as `Costs` counts them
    bytes: int
    updates: int
    presented: int  # T|D|

    def fit(self, X: Examples | Rows, y: Sequence[int], epochs: int = 1) -> Self:
        """Train from scratch, with so many passes over the examples in the given order, on labels -1 and 1.

        Raises DataError if X or y is anything else, OptionError if `epochs` is below 1.
        """
        examples = X if isinstance(X, Examples) else Examples(X)
        if len(y) != len(examples) or not np.isin(y, (-1, 1)).all():
            raise DataError(f"{len(examples)} examples have as many labels, each -1 or 1")
        if epochs < 1:
            raise OptionError(f"epochs is a whole number from 1, not {epochs!r}")
        costs = Costs(examples.d)
        D = [(Example(*x, costs), int(label)) for x, label in zip(examples, y, strict=True)]
        self.keep(self.algorithm(D, epochs, costs.zero))
        self.operations, self.bytes, self.updates = costs.operations, costs.bytes, costs.updates
        self.presented = epochs * len(examples)
        return self

    def keep(self, learned: Any) -> None:
        """Keep the output of the algorithm."""
        self.output = learned.values

    def decision(self, X: Examples | Rows) -> NDArray[np.float64 | np.int64]:
        """Return scores [examples]: w . x, or the votes for 1 less those for -1. Raises NotFittedError before `fit`."""
        if not hasattr(self, "output"):
            raise not_fitted(f"{self!r} is not fitted yet: call fit(X, y) first")
        examples = X if isinstance(X, Examples) else Examples(X, self.output.shape[-1])
        return np.array([self.score(x) for x in examples])

    def score(self, x: SparseVector) -> Any:
        """Return the score of an example."""
        return self.output[x.indices] @ x.values

    def predict(self, X: Examples | Rows) -> NDArray[np.int64]:
        """Return guesses [examples], each -1 or 1."""
        return np.where(self.decision(X) > 0, 1, -1)

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"


class Voting(Perceptron):
    """The interface of those whose weights vote."""

    votes: list[int]  # [n]

    def keep(self, learned: Any) -> None:
        """Keep all weights with their votes, one each where the algorithm counts none."""
        W, self.votes = learned if isinstance(learned, tuple) else (learned, [1] * len(learned))
        self.output = np.array([w_i.values for w_i in W])

    def score(self, x: SparseVector) -> Any:
        """Return the votes on an example."""
        return np.array(self.votes) @ np.where(self.output[:, x.indices] @ x.values > 0, 1, -1)
