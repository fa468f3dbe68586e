"""Labels as users have them: numbers, texts, sets of labels, indicator matrices; they are read and given back here.

NumPy is imported where an array is made. Without it there are lists, so that it is needed by none but scikit-learn's
tools.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

from sapwood.base.optional import installed
from sapwood.errors import DataError
from sapwood.io.memory import check_list, of_arrow

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Classes = NDArray[np.generic]  # numbers or strings; objects, where labels are of several types


class GivenLabels:
    """The labels of a classifier as its user gave them. Of labels that are equal (1, 1.0, True) the first stands.

    several : True if an example has any number of labels
    columns : the columns of the indicator matrix that the labels came in, else 0
    """

    def __init__(self, labels: Iterable[Hashable] = (), *, several: bool = False, columns: int = 0) -> None:
        self._first: dict[Hashable, Hashable] = {}
        self._labels = [self._first.setdefault(label, label) for label in labels]  # by number
        self._several, self._columns = several, columns

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self._labels)

    def read(self, labels: Iterable[Any]) -> list[Any]:
        """Return the labels of examples as a list. Raises DataError if they are no list, and no matrix of labels."""
        if not self._several:
            return self._as_first(one_column(labels, "labels (with multi_label they may be an indicator matrix)"))
        match getattr(labels, "shape", ()):
            case (_, columns):
                self._columns, rows = columns, _rows(labels)
            case _:
                check_list(labels, "labels")
                return self._as_first(of_arrow(labels))
        if any(cell not in (0, 1) for cell in chain.from_iterable(rows)):
            raise DataError("labels: a matrix of labels has zeros and ones, and there are others")
        return [[column for column, cell in enumerate(row) if cell] for row in rows]

    @property
    def columns(self) -> list[str]:
        """The names of an indicator matrix's columns, also of those without a one."""
        return list(map(str, range(self._columns)))

    def named(self, texts: Sequence[str]) -> GivenLabels:
        """Return the labels of these texts, in their order; a text that no label has stands for itself."""
        by_text = {str(label): label for label in reversed([*range(self._columns), *self._first.values()])}
        return GivenLabels([by_text.get(text, text) for text in texts], several=self._several, columns=self._columns)

    def copy(self) -> GivenLabels:
        """Return a copy, which may read labels that are not among these."""
        return GivenLabels(self._labels, several=self._several)

    @property
    def classes(self) -> Classes:
        """The labels in their rising order; as they came, if labels of several types have none."""
        return _array([self._labels[y] for y in self._rising()])

    def at(self, numbers: Sequence[int]) -> Sequence[Any]:
        """Return the labels of these numbers as an array; a list without NumPy."""
        if not installed("numpy"):
            return [self._labels[y] for y in numbers]
        import numpy as np

        return _array(self._labels)[np.array(numbers, np.intp)]  # type: ignore[return-value]

    def sets_at(self, sets: Sequence[Sequence[int]]) -> Sequence[Any]:
        """Return an indicator matrix if labels came in one, else an array of tuples; a list without NumPy."""
        if self._columns:
            rows = [[int(column in each) for column in range(self._columns)] for each in map(set, sets)]
            return _numbers(rows, self._columns, kind="int64")  # type: ignore[return-value]
        return _objects([tuple(self._labels[y] for y in each) for each in sets])  # type: ignore[return-value]

    def by_class(self, rows: Sequence[Sequence[float]], *, ahead: bool = False) -> Floats:
        """Return numbers for each label as those for each of `classes`, [examples, labels].

        ahead : return [examples] for two labels, how far the second class is ahead of the first
        """
        order = self._rising()
        if ahead and len(order) == 2 and not self._several:
            first, second = order
            return _numbers([row[second] - row[first] for row in rows])
        return _numbers([[row[y] for y in order] for row in rows], len(order))

    def _rising(self) -> list[int]:
        numbers = range(len(self._labels))
        try:
            return sorted(numbers, key=lambda y: self._labels[y])  # type: ignore[arg-type, return-value]
        except TypeError:
            return list(numbers)

    def _as_first(self, labels: Iterable[Any]) -> list[Any]:
        """Return labels, or lists of labels, each as the first one that equals it."""
        found: list[Any] = []
        for label in labels:
            if isinstance(label, (list, tuple, set, frozenset)):
                rising = sorted(label, key=str) if isinstance(label, (set, frozenset)) else label
                found.append(self._as_first(rising))
            else:
                found.append(self._first.setdefault(label, label) if isinstance(label, Hashable) else label)
        return found


def one_column(source: Iterable[Any], what: str) -> list[Any]:
    """Return data as a list; a frame or matrix of one column is that column.

    what : name of the data in messages. Raises DataError for more columns, and for data that are no list.
    """
    match getattr(source, "shape", ()):
        case (_, 1):
            return [row[0] for row in _rows(source)]
        case (_, columns):
            raise DataError(f"{what}: one column is needed, and there are {columns}")
    check_list(source, what)
    return list(of_arrow(source))


def _numbers(rows: Sequence[Any], *columns: int, kind: str = "float64") -> Floats:
    """Return numbers, or rows of so many columns (perhaps no row), as an array; a list without NumPy."""
    if not installed("numpy"):
        return list(rows)  # type: ignore[return-value]
    import numpy as np

    return np.array(rows, kind).reshape(len(rows), *columns)


def _array(labels: Sequence[Hashable]) -> Classes:
    """Return labels as an array that has each as it is; a list without NumPy."""
    if not installed("numpy"):
        return list(labels)  # type: ignore[return-value]
    import numpy as np

    found: Classes = np.array(labels)
    return found if found.tolist() == list(labels) else _objects(labels)  # a number would become a text


def _objects(values: Sequence[Hashable]) -> Classes:
    if not installed("numpy"):
        return list(values)  # type: ignore[return-value]
    import numpy as np

    found = np.empty(len(values), object)
    found[:] = values
    return found


def _rows(matrix: Any) -> list[list[Any]]:
    """Return the rows of a frame, or of a dense or sparse matrix."""
    for name in ("toarray", "to_numpy"):
        if hasattr(matrix, name):
            matrix = getattr(matrix, name)()
    rows: list[list[Any]] = matrix.tolist()
    return rows
