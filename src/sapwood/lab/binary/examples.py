"""Examples of two classes as NumPy has them: the features of each that are not zero."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sapwood.errors import DataError
from sapwood.optional import require

require("numpy", "binary classification in the laboratory")

import numpy as np  # noqa: E402
from numpy.typing import ArrayLike, NDArray  # noqa: E402

Numbers = NDArray[np.float64]
Row = tuple[ArrayLike, ArrayLike]  # indices and values
Rows = Numbers | Sequence[Row] | Sequence[Sequence[float]]


class SparseVector(NamedTuple):
    """The elements of a vector that are not zero: their indices, each of which occurs once, and their values."""

    indices: NDArray[np.int64]
    values: Numbers


class Examples:
    """Sparse examples of d features.

    rows : a matrix [examples, d], or a list of tuples (indices, values)
    d : the number of features; by default, one more than the largest index

    Raises DataError if a row is neither, or has an index twice or out of range.
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
