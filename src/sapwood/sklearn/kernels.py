"""Kernels: how alike two trees, two sequences or two sets of features are, as scikit-learn and dual learners want it.

A kernel is called with one list or two and returns the matrix of all pairs. ``SVC(kernel=TreeKernel())`` takes trees
as they are; ``SVC(kernel="precomputed")`` takes the matrix.

>>> from sapwood.sklearn.kernels import TreeKernel
>>> TreeKernel(decay=1.0, normalise=False)(["(NP (DT the) (NN dog))"], ["(NP (DT the) (NN cat))", "(NN dog)"])
array([[3., 1.]])
"""

from array import array
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sapwood import _core
from sapwood.errors import DataError, OptionError
from sapwood.learning.options import check_choices, check_decay, check_whole_numbers
from sapwood.models.base import Parameters
from sapwood.optional import require

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

    Matrix = NDArray[float64]

__all__ = ["PolynomialKernel", "SubsequenceKernel", "TreeKernel"]


class TreeKernel(Parameters):
    """The fragments that two phrase-structure trees have in common (Collins & Duffy 2002, section 3).

    A fragment is a node with all of its children, each of which may end there or go on in the same way.

    decay : what one production of a fragment counts, above 0, up to 1 (lambda)
    normalise : divide by the root of the product of both trees' kernels with themselves
    threads : the result does not depend on it
    """

    def __init__(self, *, decay: float = 0.4, normalise: bool = True, threads: int = 1) -> None:
        self.decay = decay
        self.normalise = normalise
        self.threads = threads

    def __call__(self, a: Sequence[str], b: Sequence[str] | None = None) -> "Matrix":
        """Return the kernels [len(a), len(b)] of bracketed trees, of `a` with itself if there is no `b`.

        Raises DataError with the number of the tree that is none, OptionError.
        """
        check_decay(self.decay)
        check_choices(self, {"normalise": (True, False)})
        _check_threads(self)
        table = _core.TreeTable()
        first = _core.KernelTrees(_encoded(a, "a", "tree"), "a", table)
        second = None if b is None or b is a else _core.KernelTrees(_encoded(b, "b", "tree"), "b", table)
        matrix: Matrix = _core.tree_gram(first, second, self.decay, self.normalise, self.threads)
        return matrix


class SubsequenceKernel(Parameters):
    """The subsequences that two texts have in common, gaps allowed (Lodhi et al. 2002), normalised.

    A subsequence of `length` symbols that is spread over l of them counts decay^l. A text of fewer symbols is like
    none, and its kernel with itself is 0.

    length : symbols of a subsequence (n)
    decay : above 0, up to 1 (lambda)
    unit : "word", what stands between spaces, or "character", a Unicode code point
    threads : the result does not depend on it
    """

    def __init__(self, *, length: int = 3, decay: float = 0.5, unit: str = "word", threads: int = 1) -> None:
        self.length = length
        self.decay = decay
        self.unit = unit
        self.threads = threads

    def __call__(self, a: Sequence[str], b: Sequence[str] | None = None) -> "Matrix":
        """Return the kernels [len(a), len(b)] of texts, of `a` with itself if there is no `b`.

        Raises DataError with the number of what is no text, OptionError.
        """
        check_choices(self, {"unit": ("word", "character")})
        check_whole_numbers(self, {"length": 1})
        check_decay(self.decay, self.length)
        _check_threads(self)
        numbers: dict[str, int] = {}
        first = self._symbols(a, "a", numbers)
        second = None if b is None or b is a else self._symbols(b, "b", numbers)
        matrix: Matrix = _core.subsequence_gram(first, second, self.length, self.decay, self.threads)
        return matrix

    def _symbols(self, texts: Sequence[str], name: str, numbers: dict[str, int]) -> list[bytes]:
        """Return the symbols of each text as an array of 32-bit numbers; those of words are in `numbers`."""
        _check_strings(texts, name, "text")
        if self.unit == "character":
            return [array("I", map(ord, text)).tobytes() for text in texts]
        return [
            array("I", [numbers.setdefault(word, len(numbers)) for word in text.split()]).tobytes() for text in texts
        ]


class PolynomialKernel(Parameters):
    """(x . y + coef0) ** degree: all conjunctions of up to `degree` features, without writing them down.

    degree : of the polynomial, at least 1
    coef0 : 0 or more; 0 leaves conjunctions of exactly `degree` features
    threads : the result does not depend on it
    """

    def __init__(self, *, degree: int = 2, coef0: float = 1.0, threads: int = 1) -> None:
        self.degree = degree
        self.coef0 = coef0
        self.threads = threads

    def __call__(
        self, a: Sequence[Mapping[str, float | str]], b: Sequence[Mapping[str, float | str]] | None = None
    ) -> "Matrix":
        """Return the kernels [len(a), len(b)] of dicts of features, of `a` with itself if there is no `b`.

        A string is part of its feature's name: {"tag": "NN"} is {"tag=NN": 1}. Values are rounded to float32.

        Raises DataError with the number of the dict that is none, OptionError.
        """
        check_whole_numbers(self, {"degree": 1})
        if not isinstance(self.coef0, (int, float)) or not 0 <= self.coef0 <= 1e15:
            raise OptionError(f"coef0 is a number from 0 to 1e15, not {self.coef0!r}")
        _check_threads(self)
        first = _core.FeatureRows.from_dicts(a, "a", False)
        second = None if b is None or b is a else _core.FeatureRows.from_dicts(b, "b", False)
        matrix: Matrix = _core.polynomial_gram(first, second, self.degree, self.coef0, self.threads)
        return matrix


def _check_threads(kernel: Parameters) -> None:
    check_whole_numbers(kernel, {"threads": 1})
    require("numpy", "a kernel's matrix")


def _check_strings(values: Sequence[Any], name: str, what: str) -> None:
    """Raise DataError if this is not a list of strings."""
    if isinstance(values, (str, bytes)):
        raise DataError(f"{name}: a list of {what}s is needed, not one {what}")
    for number, value in enumerate(values, 1):
        if not isinstance(value, str):
            raise DataError(f"{name}: {what} {number}: it is no string, but {type(value).__name__}")


def _encoded(values: Sequence[str], name: str, what: str) -> list[bytes]:
    """Return strings in UTF-8. Raises DataError with the number of one that is no string, or no valid Unicode."""
    _check_strings(values, name, what)
    encoded = []
    for number, value in enumerate(values, 1):
        try:
            encoded.append(value.encode())
        except UnicodeEncodeError:
            raise DataError(f"{name}: {what} {number}: it is not a string of valid Unicode") from None
    return encoded
