"""A laboratory: seven ways to write the perceptron for two classes, to be read, compared and measured.

Each algorithm is one class, with its pseudocode above its code. All of them present the same examples and make the same
mistakes and updates. They differ in the vectors that they keep, and so in their costs:

=====================  =============  ==============  ================================================
class                  space          time            output
=====================  =============  ==============  ================================================
`Vanilla`              O(d)           O(U d' + d)     the last weights (Rosenblatt 1958)
`VotedNaive`           O(T|D| d)      O(T|D| d)       all weights, one vote each
`VotedImproved`        O(U d)         O(U d)          the same, equal ones once (Freund & Schapire 1999)
`AveragedNaive`        O(d)           O(T|D| d)       the sum of all weights
`AveragedImproved`     O(U d)         O(U d)          the same, equal ones once
`AveragedUpdates`      O(d + U d')    O(U d' + d)     the same, from the updates
`AveragedLazy`         O(d)           O(U d' + d)     the same, from two vectors (Daumé 2006)
=====================  =============  ==============  ================================================

|D| examples of d features, of which at most d' (the lecture's d_Δw) are not zero, are presented T times. U of these
presentations end in an update. All algorithms spend T|D| d' on scoring; the bounds leave it out, and so do the counts
here. Here as in `sapwood.lab.learner` U counts updates: there it has one count for each feature, of the updates that
the feature took part in, and U here is how many there are. ``operations`` counts the elements of weight vectors that
are set to zero, copied, added to or multiplied, from the first example to the output. ``bytes`` is the size of the
vectors and votes that are held at the end.

A score of 0 is a guess of -1: ties go to the first label, as everywhere in sapwood. Needs NumPy.

>>> X, y = [[1, 0], [0, 1], [1, 1]], [1, -1, -1]
>>> for algorithm in (Vanilla(), AveragedNaive(), AveragedLazy()):
...     print(algorithm.fit(X, y).output, algorithm.operations)
[ 0. -1.] 5
[ 2. -1.] 13
[ 2. -1.] 23
>>> VotedImproved().fit(X, y).decision([[1, 0]])  # two votes for 1, one against
array([1])
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, Self

from sapwood.errors import DataError, OptionError
from sapwood.optional import require

require("numpy", "binary classification in the laboratory")

import numpy as np  # noqa: E402
from numpy.typing import ArrayLike, NDArray  # noqa: E402

Vector = NDArray[np.float64]


class SparseVector(NamedTuple):
    """The elements of a vector that are not zero: their indices, each of which occurs once, and their values."""

    indices: NDArray[np.int64]
    values: Vector

    def times(self, factor: float) -> "SparseVector":
        """Return the vector multiplied by a number."""
        return SparseVector(self.indices, factor * self.values)


Presented = Iterator[tuple[SparseVector, int]]  # (x, y), in the order of training
Row = tuple[ArrayLike, ArrayLike]  # indices and values
Rows = NDArray[np.float64] | Sequence[Row] | Sequence[Sequence[float]]


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


class Perceptron:
    """The base class of the seven algorithms: their interface, and the counting of costs."""

    output: Vector  # the weights that score, [d], or all weights that vote, [n, d]
    operations: int  # elements of weight vectors that were set, copied, added to or multiplied
    bytes: int  # of the vectors and votes that are held at the end
    updates: int  # U
    presented: int  # T|D|

    def fit(self, X: Examples | Rows, y: Sequence[int], epochs: int = 1) -> Self:
        """Train from scratch, with that many passes over the examples in the given order.

        X is `Examples`, or their rows; y has the labels [examples], each -1 or 1. Raises DataError if X or y is
        anything else, OptionError if `epochs` is below 1.
        """
        examples = X if isinstance(X, Examples) else Examples(X)
        if len(y) != len(examples) or not np.isin(y, (-1, 1)).all():
            raise DataError(f"{len(examples)} examples have as many labels, each -1 or 1")
        if epochs < 1:
            raise OptionError(f"epochs is a whole number from 1, not {epochs!r}")
        self.operations = self.updates = 0
        self.presented = epochs * len(examples)
        labels = [int(label) for label in y]
        self._learn(examples.d, (pair for _ in range(epochs) for pair in zip(examples, labels, strict=True)))
        return self

    def decision(self, X: Examples | Rows) -> NDArray[np.float64 | np.int64]:
        """Return scores [examples]: w . x, or the votes for 1 less those for -1."""
        examples = X if isinstance(X, Examples) else Examples(X, self.output.shape[-1])
        return np.array([self._score(x) for x in examples])

    def predict(self, X: Examples | Rows) -> NDArray[np.int64]:
        """Return guesses [examples], each -1 or 1."""
        return _sign(self.decision(X))

    def _learn(self, d: int, presented: Presented) -> None:
        """Learn from the examples as they are presented, and hold the output."""
        raise NotImplementedError

    def _score(self, x: SparseVector) -> Vector | NDArray[np.int64]:
        return _dot(self.output, x)

    def _voters(self, d: int, presented: Presented) -> tuple[Vector, list[Vector], list[int]]:
        """Return the last weights w, all different weights W, and how many examples were presented to each, v."""
        w = self._zeros(d)
        W, v = [self._copy(w)], [0]
        for x, y in presented:
            if self._mistaken(w, x, y):
                self._add(w, x.times(y))
                W.append(self._copy(w))
                v.append(0)
            v[-1] += 1
        return w, W, v

    def _mistaken(self, w: Vector, x: SparseVector, y: int) -> bool:
        mistaken = bool(_sign(_dot(w, x)) != y)
        self.updates += mistaken
        return mistaken

    def _zeros(self, d: int) -> Vector:
        self.operations += d
        return np.zeros(d)

    def _copy(self, w: Vector) -> Vector:
        self.operations += w.size
        return w.copy()

    def _add(self, w: Vector, v: Vector | SparseVector, factor: float | None = None) -> None:
        """w <- w + v, or w <- w + factor v. Counts an addition, and perhaps a multiplication, for each element of v."""
        indices, values = v if isinstance(v, SparseVector) else (slice(None), v)
        self.operations += values.size * (1 if factor is None else 2)
        w[indices] += values if factor is None else factor * values

    def _hold(self, output: Vector | list[Vector], *others: object) -> None:
        """Set the output, and count its bytes and those of the vectors and votes that are held beside it."""
        self.bytes = sum(map(_bytes, (output, *others)))
        self.output = np.asarray(output)


def _dot(w: Vector, x: SparseVector) -> Vector:
    """Return w . x, or the products [n] of several weights w [n, d] with x."""
    product: Vector = w[..., x.indices] @ x.values
    return product


def _sign(score: NDArray[np.float64 | np.int64]) -> NDArray[np.int64]:
    return np.where(score > 0, 1, -1)


def _bytes(held: object) -> int:
    """Return the bytes of a vector, of a number, or of several of them."""
    match held:
        case np.ndarray():
            return held.nbytes
        case Iterable():
            return sum(map(_bytes, held))
    return 8


class Vanilla(Perceptron):
    """The perceptron: the weights after the last update.

    ::

        w <- 0
        for each (x, y) of T passes over D:
            if sign(w . x) is not y:
                w <- w + y x
        return w

    The new score of x is w' . x = w . x + y x . x: an update raises it by x . x if y is 1, and lowers it by x . x if y
    is -1. So x is scored better than before, though not always rightly, and other examples may be scored worse.

    >>> X, y = [[2, 1], [4, 1]], [1, -1]
    >>> old, new = Vanilla().fit(X[:1], y[:1]), Vanilla().fit(X, y)
    >>> old.decision(X), new.decision(X)  # the update on (4, 1), whose x . x is 17, undoes what (2, 1) had taught
    (array([5., 9.]), array([-4., -8.]))
    """

    def _learn(self, d: int, presented: Presented) -> None:
        w = self._zeros(d)
        for x, y in presented:
            if self._mistaken(w, x, y):
                self._add(w, x.times(y))
        self._hold(w)


class _Voted(Perceptron):
    """The base class of algorithms whose weights vote, each with a number of votes."""

    votes: list[int]  # [n]

    def _score(self, x: SparseVector) -> NDArray[np.int64]:
        return np.array(self.votes) @ _sign(_dot(self.output, x))


class VotedNaive(_Voted):
    """The weights after each example vote.

    ::

        w <- 0;  W <- []
        for each (x, y) of T passes over D:
            if sign(w . x) is not y:
                w <- w + y x
            append w to W
        return W                                  guess: sign of the sum of sign(w . x) over W
    """

    def _learn(self, d: int, presented: Presented) -> None:
        w, W = self._zeros(d), []
        for x, y in presented:
            if self._mistaken(w, x, y):
                self._add(w, x.times(y))
            W.append(self._copy(w))
        self.votes = [1] * len(W)
        self._hold(W, w)


class VotedImproved(_Voted):
    """The weights after each update vote, with one vote for each example until the next update.

    ::

        w <- 0;  W <- [w];  v <- [0]
        for each (x, y) of T passes over D:
            if sign(w . x) is not y:
                w <- w + y x
                append w to W, 0 to v
            last of v <- last of v + 1
        return W, v                               guess: sign of the sum of v_i sign(w_i . x)
    """

    def _learn(self, d: int, presented: Presented) -> None:
        w, W, v = self._voters(d, presented)
        self.votes = v
        self._hold(W, w, v)


class AveragedNaive(Perceptron):
    """The running sum of the weights after each example. It is not divided by T|D|, which keeps the direction.

    ::

        w, w_s <- 0
        for each (x, y) of T passes over D:
            if sign(w . x) is not y:
                w <- w + y x
            w_s <- w_s + w
        return w_s
    """

    def _learn(self, d: int, presented: Presented) -> None:
        w, w_s = self._zeros(d), self._zeros(d)
        for x, y in presented:
            if self._mistaken(w, x, y):
                self._add(w, x.times(y))
            self._add(w_s, w)
        self._hold(w_s, w)


class AveragedImproved(Perceptron):
    """The weights after each update, times the number of examples until the next one, summed at the end.

    ::

        W, v <- as VotedImproved
        return w_s = sum of v_i w_i
    """

    def _learn(self, d: int, presented: Presented) -> None:
        w, W, v = self._voters(d, presented)
        w_s = self._zeros(d)
        for w_i, v_i in zip(W, v, strict=True):
            self._add(w_s, w_i, v_i)
        self._hold(w_s, w, W, v)


class AveragedUpdates(Perceptron):
    """The updates, each times the number of examples from it to the end, summed: all later weights contain it.

    ::

        w <- 0;  c <- 0;  deltas <- []
        for each (x, y) of T passes over D:
            if sign(w . x) is not y:
                dw <- y x
                w  <- w + dw
                append (dw, c) to deltas
            c <- c + 1
        return w_s = sum of (c - c_i) dw_i

    Of four updates, one on each of four examples, the first is in all four vectors of the sum, the last in one:

    >>> AveragedUpdates().fit(np.eye(4), [1, 1, 1, 1]).output
    array([4., 3., 2., 1.])
    """

    def _learn(self, d: int, presented: Presented) -> None:
        w, c = self._zeros(d), 0
        deltas: list[tuple[SparseVector, int]] = []
        for x, y in presented:
            if self._mistaken(w, x, y):
                dw = x.times(y)
                self._add(w, dw)
                deltas.append((dw, c))
            c += 1
        w_s = self._zeros(d)
        for dw_i, c_i in deltas:
            self._add(w_s, dw_i, c - c_i)
        self._hold(w_s, w, deltas)


class AveragedLazy(Perceptron):
    """Two vectors and a counter. An update is missing in c of the summed weights; w_a takes it off (Daumé 2006).

    ::

        w, w_a <- 0;  c <- 0
        for each (x, y) of T passes over D:
            if sign(w . x) is not y:
                w   <- w   + y x
                w_a <- w_a + c y x
            c <- c + 1
        return w_s = c w - w_a
    """

    def _learn(self, d: int, presented: Presented) -> None:
        w, w_a, c = self._zeros(d), self._zeros(d), 0
        for x, y in presented:
            if self._mistaken(w, x, y):
                self._add(w, x.times(y))
                self._add(w_a, x.times(y), c)
            c += 1
        w_s = self._zeros(d)
        self._add(w_s, w, c)
        self._add(w_s, w_a, -1)
        self._hold(w_s, w, w_a)


ALGORITHMS: tuple[type[Perceptron], ...] = (
    Vanilla,
    VotedNaive,
    VotedImproved,
    AveragedNaive,
    AveragedImproved,
    AveragedUpdates,
    AveragedLazy,
)
