"""The costs of the algorithms for two classes: vectors of NumPy that count what is done to them.

`operations` counts the elements of weight vectors that are set to zero, copied, added to or multiplied, from the first
example to the output. `bytes` is the most that vectors and updates hold at once. Scores are not counted, nor is the
product of an example and its label, which is an update.

>>> costs = Costs(d=3)
>>> w = costs.zero()
>>> w += 1 * Example(SparseVector(np.array([0, 2]), np.array([1.0, 1.0])), costs)
>>> w.array, costs.operations, costs.updates, costs.bytes // 8  # 3 weights, and 2 indices with their values
(array([1., 0., 1.]), 5, 1, 7)
"""

from typing import Self

import numpy as np

from sapwood.lab.binary.examples import Numbers, SparseVector


class Costs:
    """What an algorithm has spent on vectors of d elements."""

    def __init__(self, d: int) -> None:
        self.d, self.operations, self.updates = d, 0, 0
        self.bytes, self.held = 0, 0  # at most, and now

    def zero(self) -> "Weights":
        """Return the vector 0."""
        return Weights(np.zeros(self.d), self)

    def hold(self, change: int) -> None:
        """Count bytes that are held from now on, or no longer."""
        self.held += change
        self.bytes = max(self.bytes, self.held)


class Weights:
    """A weight vector. Its making is counted, and each addition to it."""

    def __init__(self, array: Numbers, costs: Costs) -> None:
        self.array, self.costs = array, costs
        costs.operations += array.size
        costs.hold(array.nbytes)

    def __del__(self) -> None:
        self.costs.hold(-self.array.nbytes)

    def __matmul__(self, x: "Example") -> float:
        return float(self.array[x.sparse.indices] @ x.sparse.values)

    def __iadd__(self, other: "Weights | Update") -> Self:
        if isinstance(other, Weights):
            self.array += other.array
            self.costs.operations += other.array.size
        else:
            self.array[other.sparse.indices] += other.sparse.values
            self.costs.operations += other.sparse.values.size
        return self

    def __rmul__(self, factor: float) -> "Weights":
        return Weights(factor * self.array, self.costs)

    def __sub__(self, other: "Weights") -> "Weights":
        return Weights(self.array - other.array, self.costs)

    def copy(self) -> "Weights":
        """Return another vector with the same weights."""
        return Weights(self.array.copy(), self.costs)


class Update:
    """An example times its label, or times more."""

    def __init__(self, sparse: SparseVector, costs: Costs) -> None:
        self.sparse, self.costs, self.nbytes = sparse, costs, sparse.indices.nbytes + sparse.values.nbytes
        costs.hold(self.nbytes)

    def __del__(self) -> None:
        self.costs.hold(-self.nbytes)

    def __rmul__(self, factor: float) -> "Update":
        self.costs.operations += self.sparse.values.size
        return Update(self.sparse.times(factor), self.costs)


class Example:
    """An example as it is presented: it makes the updates."""

    def __init__(self, sparse: SparseVector, costs: Costs) -> None:
        self.sparse, self.costs = sparse, costs

    def __rmul__(self, y: int) -> Update:
        self.costs.updates += 1
        return Update(self.sparse.times(y), self.costs)
