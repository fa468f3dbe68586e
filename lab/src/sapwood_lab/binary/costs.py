"""Examples as NumPy has them, and vectors that count what is done to them.

`operations` counts the elements of weight vectors that are set to zero, copied, added to or multiplied. `bytes` is the
most that vectors and updates hold at once. Scores are not counted, nor is the product of an example and its label,
which is an update.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, Self

from sapwood_lab.base.optional import require
from sapwood_lab.errors import DataError

require("numpy", "binary classification in the laboratory")

import numpy as np  # noqa: E402
from numpy.typing import ArrayLike, NDArray  # noqa: E402

Numbers = NDArray[np.float64]
Rows = Numbers | Sequence[tuple[ArrayLike, ArrayLike]] | Sequence[Sequence[float]]
EVERY = slice(None)


class SparseVector(NamedTuple):
    """The elements of a vector that are not zero: their indices, each of which occurs once, and their values."""

    indices: NDArray[np.int64]
    values: Numbers


class Examples:
    """Examples of d features, given as a matrix [examples, d], or as a list of tuples (indices, values).

    By default d is one more than the largest index. Raises DataError if an index is there twice, or out of range.
    """

    def __init__(self, rows: Rows, d: int | None = None) -> None:
        if isinstance(rows, np.ndarray) or not all(isinstance(row, tuple) for row in rows):
            matrix = np.asarray(rows, dtype=np.float64)
            if matrix.ndim != 2:
                raise DataError("examples are a matrix [examples, d], or a list of tuples (indices, values)")
            d = matrix.shape[1] if d is None else d
            rows = [(row.nonzero()[0], row[row != 0]) for row in matrix]
        self.rows = [SparseVector(np.asarray(i, np.int64), np.asarray(v, np.float64)) for i, v in rows]
        self.d = 1 + max((int(i.max(initial=-1)) for i, _ in self.rows), default=-1) if d is None else d
        for k, (indices, values) in enumerate(self.rows, start=1):
            if indices.shape != values.shape or len(np.unique(indices)) != len(indices):
                raise DataError(f"example {k}: it has as many indices as values, and each index once")
            if len(indices) and not 0 <= indices.min() <= indices.max() < self.d:
                raise DataError(f"example {k}: its indices are whole numbers from 0 to {self.d - 1}")

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[SparseVector]:
        return iter(self.rows)


class Costs:
    """The cost that an algorithm has had with vectors of d elements."""

    def __init__(self, d: int) -> None:
        self.d, self.operations, self.updates, self.bytes, self.held = d, 0, 0, 0, 0  # held: now; bytes: at most

    def zero(self) -> "Counted":
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
        return Counted(self.at, self.values.copy(), self.costs)


class Example(NamedTuple):
    """An example as it is presented: times its label, it is an update."""

    at: Any
    values: Numbers
    costs: Costs

    def __rmul__(self, y: Any) -> Any:
        self.costs.updates += 1
        return Counted(self.at, y * self.values, self.costs, operations=0)
