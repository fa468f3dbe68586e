"""Matrices as rows of features, which are named by the numbers of their columns."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from sapwood import _core
from sapwood.errors import DataError

BIAS = "bias"  # the feature that every row has, if it is wanted
Matrix = Any  # [n, n_features], dense or sparse (CSR), or what NumPy makes an array of


def rows_of(X: Matrix, bias: bool) -> _core.FeatureRows:
    """Return a matrix as rows of features. Raises ValueError for values that are too large for float32."""
    if hasattr(X, "indptr"):
        if not X.has_canonical_format:  # the order of a row's entries would be that of its sums
            X = X.copy()
            X.sum_duplicates()
        starts, columns, values = X.indptr, X.indices, X.data
    else:
        n, width = X.shape
        starts, columns = np.arange(n + 1) * width, np.tile(np.arange(width), n)
        values = X.reshape(-1)
    names = numbered(X.shape[1])
    arrays = (np.ascontiguousarray(starts, np.int64), np.ascontiguousarray(columns, np.int64))
    with value_errors():
        return _core.FeatureRows.from_csr(*arrays, np.ascontiguousarray(values, np.float64), names, bias)


@contextmanager
def value_errors(raised: type[Exception] = DataError, before: str = "", behind: str = "") -> Iterator[None]:
    """Turn errors of one kind into the ValueError that scikit-learn wants, with words before and behind."""
    try:
        yield
    except raised as error:
        raise ValueError(f"{before}{error}{behind}") from None


def numbered(n: int) -> list[str]:
    """Return the names of n columns, or of n classes; only in a file have classes their own names."""
    return [str(k) for k in range(n)]
