"""What scikit-learn's tools give to a classifier and take from it: arrays, frames of one column, indicator matrices.

NumPy is imported where an array is made. Without it there are lists, so that it is needed by none but these tools.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from itertools import compress
from math import isfinite
from typing import TYPE_CHECKING, Any, SupportsFloat

from sapwood.errors import DataError
from sapwood.io.memory import check_list
from sapwood.optional import installed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Classes = NDArray[np.generic]  # numbers or strings; objects, where labels are of several types


def in_order(classes: Sequence[Hashable]) -> list[int]:
    """Return the numbers of labels in their rising order; as they come, where labels of several types have none.

    >>> in_order(["pos", "neg"])
    [1, 0]
    """
    numbers = range(len(classes))
    try:
        return sorted(numbers, key=lambda y: classes[y])  # type: ignore[arg-type, return-value]
    except TypeError:
        return list(numbers)


def array_of(classes: Sequence[Hashable]) -> Classes:
    """Return labels as an array that has each as it is; a list without NumPy."""
    if not installed("numpy"):
        return list(classes)  # type: ignore[return-value]
    import numpy as np

    found: Classes = np.array(classes)
    if found.tolist() != list(classes):  # a number that became a text
        objects = np.empty(len(classes), object)
        objects[:] = classes
        return objects
    return found


def numbers_of(rows: Sequence[Any], *columns: int, kind: str = "float64") -> Floats:
    """Return numbers, or rows of so many columns, of which there may be none, as an array; a list without NumPy."""
    if not installed("numpy"):
        return list(rows)  # type: ignore[return-value]
    import numpy as np

    return np.array(rows, kind).reshape(len(rows), *columns)


def labels_at(numbers: Sequence[int], classes: Sequence[Hashable]) -> Sequence[Any]:
    """Return the labels of these numbers as an array, as scikit-learn's models do; as a list where NumPy is missing."""
    if not installed("numpy"):
        return [classes[y] for y in numbers]
    import numpy as np

    return array_of(classes)[np.array(numbers, np.intp)]  # type: ignore[return-value]


def sets_at(numbers: Sequence[Sequence[int]], classes: Sequence[Hashable]) -> Sequence[Any]:
    """Return the labels of sets of numbers, each a tuple, as an array of objects; as a list where NumPy is missing."""
    sets = [tuple(classes[y] for y in each) for each in numbers]
    if not installed("numpy"):
        return sets
    import numpy as np

    found = np.empty(len(sets), object)
    found[:] = sets
    return found  # type: ignore[return-value]


def one_column(source: Iterable[Any], what: str) -> list[Any]:
    """Return data as a list; a frame or matrix of one column is that column.

    what : what the data are, in messages. Raises DataError for more columns, and for what is no list.
    """
    match getattr(source, "shape", ()):
        case (_, 1):
            return [row[0] for row in _rows(source)]
        case (_, columns):
            raise DataError(f"{what}: one column is needed, and there are {columns}")
    check_list(source, what)
    return list(source)


def sets_in(labels: Iterable[Any]) -> tuple[list[Any], int]:
    """Return the labels of examples that have any number of them, and the columns of an indicator matrix, else 0.

    A row of such a matrix has a one for each label of its example: the column's number. Raises DataError for a matrix
    of other numbers.
    """
    match getattr(labels, "shape", ()):
        case (_, columns):
            rows = _rows(labels)
            if any(cell not in (0, 1) for row in rows for cell in row):
                raise DataError("labels: a matrix of labels has zeros and ones, and there are others")
            return [[column for column, cell in enumerate(row) if cell] for row in rows], columns
    check_list(labels, "labels")
    return list(labels), 0


def as_first(labels: Iterable[Any], first: dict[Hashable, Hashable]) -> list[Any]:
    """Return labels, or lists of labels, with the first that equals it in place of each: 1.0 and True become 1.

    first : the labels that were first, which it adds to

    >>> as_first([1, True, [1.0, "a"]], {})
    [1, 1, [1, 'a']]
    """
    found: list[Any] = []
    for label in labels:
        if isinstance(label, (list, tuple, set, frozenset)):
            found.append(as_first(sorted(label, key=str) if isinstance(label, (set, frozenset)) else label, first))
        else:
            found.append(first.setdefault(label, label) if isinstance(label, Hashable) else label)
    return found


def indicators(sets: Sequence[Sequence[int]], columns: int) -> NDArray[np.int64]:
    """Return the indicator matrix [examples, columns] of the columns that examples have."""
    rows = [[0] * columns for _ in sets]
    for row, each in zip(rows, sets, strict=True):
        for column in each:
            row[column] = 1
    return numbers_of(rows, columns, kind="int64")  # type: ignore[return-value]


def weights_in(given: Iterable[float], examples: int) -> list[float]:
    """Return the weights of examples. Raises DataError if they are not finite numbers from 0 up, one for each."""
    weights = one_column(given, "sample_weight")
    if len(weights) != examples:
        raise DataError(f"sample_weight: {examples} examples and {len(weights)} weights")
    for number, weight in enumerate(weights, 1):
        if not isinstance(weight, SupportsFloat) or not isfinite(weight) or weight < 0:  # type: ignore[operator]
            raise DataError(f"sample_weight: example {number}: a weight is a finite number from 0 up, not {weight}")
    return list(map(float, weights))


def with_weights(
    examples: list[Any], labels: list[Any] | None, given: Iterable[float]
) -> tuple[list[Any], list[Any] | None, list[float]]:
    """Return examples, their labels and their weights without what has the weight 0. Raises DataError."""
    weights = weights_in(given, len(examples))
    if labels is not None and len(labels) == len(examples):  # or what reads them says so
        labels = list(compress(labels, weights))
    return list(compress(examples, weights)), labels, list(compress(weights, weights))


def _rows(matrix: Any) -> list[list[Any]]:
    """Return the rows of a frame, or of a dense or sparse matrix."""
    for name in ("toarray", "to_numpy"):
        if hasattr(matrix, name):
            matrix = getattr(matrix, name)()
    rows: list[list[Any]] = matrix.tolist()
    return rows
