"""The costs of the algorithms for two classes: vectors of NumPy that count what is done to them.

`operations` counts the elements of weight vectors that are set to zero, copied, added to or multiplied, from the first
example to the output. `bytes` is the most that vectors and updates hold at once. Scores are not counted, nor is the
product of an example and its label, which is an update.

>>> costs = Costs(d=3)
>>> w = costs.zero()
>>> w += 1 * Example(np.array([0, 2]), np.array([1.0, 1.0]), costs)
>>> w.values, costs.operations, costs.updates, costs.bytes // 8  # 3 weights, and 2 indices with their values
(array([1., 0., 1.]), 5, 1, 7)
"""

from typing import Any, Self

import numpy as np

from sapwood.lab.binary.examples import Numbers

EVERY = slice(None)


class Costs:
    """What an algorithm has spent on vectors of d elements."""

    def __init__(self, d: int) -> None:
        self.d, self.operations, self.updates = d, 0, 0
        self.bytes, self.held = 0, 0  # at most, and now

    def zero(self) -> "Counted":
        """Return the vector 0."""
        return Counted(EVERY, np.zeros(self.d), self)


class Counted:
    """A weight vector, or an update, which has only the elements that are not 0. To make one is an operation."""

    def __init__(self, at: Any, values: Numbers, costs: Costs, operations: int = 1) -> None:
        self.at, self.values, self.costs = at, values, costs
        self.nbytes = values.nbytes + (0 if at is EVERY else at.nbytes)
        costs.operations += operations * values.size
        costs.held += self.nbytes
        costs.bytes = max(costs.bytes, costs.held)

    def __del__(self) -> None:
        self.costs.held -= self.nbytes

    def __matmul__(self, x: "Example") -> float:
        return float(self.values[x.at] @ x.values)

    def __iadd__(self, other: "Counted") -> Self:
        self.values[other.at] += other.values
        self.costs.operations += other.values.size
        return self

    def __rmul__(self, factor: float) -> "Counted":
        return Counted(self.at, factor * self.values, self.costs)

    def __sub__(self, other: "Counted") -> "Counted":
        return Counted(EVERY, self.values - other.values, self.costs)

    def copy(self) -> "Counted":
        """Return another vector with the same elements."""
        return Counted(self.at, self.values.copy(), self.costs)


class Example:
    """An example as it is presented: times its label, it is an update."""

    def __init__(self, at: Any, values: Numbers, costs: Costs) -> None:
        self.at, self.values, self.costs = at, values, costs

    def __rmul__(self, y: int) -> Counted:
        self.costs.updates += 1
        return Counted(self.at, y * self.values, self.costs, operations=0)
