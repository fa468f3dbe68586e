"""Kernels for scikit-learn: the similarity of two trees, two sequences, or two sets of features.

A kernel is called with one list or two and returns the matrix of all pairs. ``SVC(kernel=TreeKernel())`` is trained on
the trees themselves, ``SVC(kernel="precomputed")`` on the matrix.

>>> from sapwood.sklearn.kernels import TreeKernel
>>> TreeKernel(decay=1.0, normalise=False)(["(NP (DT the) (NN dog))"], ["(NP (DT the) (NN cat))", "(NN dog)"])
array([[3., 1.]])
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal

import sapwood._core as _core
from sapwood.base.optional import require
from sapwood.io.memory import check_list
from sapwood.io.source import encoded
from sapwood.options import Options, option
from sapwood.tasks.ranking.options import check_decay

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

    Matrix = NDArray[float64]


class TreeKernel(Options):
    """The fragments that two phrase-structure trees have in common (Collins & Duffy 2002, section 3).

    A fragment is a node with all of its children, each of which is a leaf of the fragment or again such a node.
    """

    decay: float = option(
        default=0.4, above=0, most=1, help="the factor for each production of a fragment, above 0, up to 1 (lambda)"
    )
    normalise: bool = option(
        default=True, help="divide by the root of the product of both trees' kernels with themselves"
    )
    threads: int = option(default=1, least=1, help="the result does not depend on it")

    def __call__(self, a: Sequence[str], b: Sequence[str] | None = None) -> Matrix:
        """Return the kernels [len(a), len(b)] of bracketed trees, of `a` with itself if there is no `b`.

        Raises DataError with the number of a malformed tree, OptionError for a wrong parameter.
        """
        _check(self)
        table = _core.TreeTable()
        first = _core.KernelTrees(_encoded(a, "a", "tree"), "a", table)
        second = None if b is None or b is a else _core.KernelTrees(_encoded(b, "b", "tree"), "b", table)
        matrix: Matrix = _core.tree_gram(first, second, self.decay, self.normalise, self.threads)
        return matrix


class SubsequenceKernel(Options):
    """The subsequences that two texts have in common, gaps allowed (Lodhi et al. 2002).

    A subsequence of `length` symbols that spans l symbols of the text counts decay^l. A text with fewer symbols is
    similar to no other text, and its kernel with itself is 0. A length of 0 compares all subsequences but the empty one
    (Clark 2015); with a decay of 1, not normalised, it counts how often they occur:

    >>> SubsequenceKernel(length=0, decay=1.0, normalise=False, unit="character")(["abcdefghijkl"])
    array([[4095.]])
    """

    length: int = option(default=3, least=0, help="symbols of a subsequence (n); 0: subsequences of every length")
    decay: float = option(default=0.5, above=0, most=1, help="the factor for each symbol of its span (lambda)")
    normalise: bool = option(
        default=True, help="divide by the root of the product of both texts' kernels with themselves"
    )
    unit: Literal["word", "character"] = option(default="word", help="text between spaces, or a Unicode code point")
    threads: int = option(default=1, least=1, help="the result does not depend on it")

    def __call__(self, a: Sequence[str], b: Sequence[str] | None = None) -> Matrix:
        """Return the kernels [len(a), len(b)] of texts, of `a` with itself if there is no `b`.

        Raises DataError with the number of an item that is not a text, OptionError for a wrong parameter.
        """
        _check(self)
        check_decay(self.decay, self.length)
        numbers: dict[str, int] = {}
        first = self._symbols(a, "a", numbers)
        second = None if b is None or b is a else self._symbols(b, "b", numbers)
        matrix: Matrix = _core.subsequence_gram(first, second, self.length, self.decay, self.normalise, self.threads)
        return matrix

    def _symbols(self, texts: Sequence[str], name: str, numbers: dict[str, int]) -> list[bytes]:
        """Return the symbols of each text as 32-bit numbers. New words are given numbers, which `numbers` keeps."""
        _encoded(texts, name, "text")
        if self.unit == "character":
            return [array("I", map(ord, text)).tobytes() for text in texts]
        return [
            array("I", [numbers.setdefault(word, len(numbers)) for word in text.split()]).tobytes() for text in texts
        ]


class PolynomialKernel(Options):
    """The kernel (x . y + coef0) ** degree, which compares all conjunctions of up to `degree` features."""

    degree: int = option(default=2, least=1, help="of the polynomial")
    coef0: float = option(default=1.0, least=0, most=1e15, help="0 leaves conjunctions of exactly `degree` features")
    threads: int = option(default=1, least=1, help="the result does not depend on it")

    def __call__(
        self, a: Sequence[Mapping[str, float | str]], b: Sequence[Mapping[str, float | str]] | None = None
    ) -> Matrix:
        """Return the kernels [len(a), len(b)] of dicts of features, of `a` with itself if there is no `b`.

        A string is part of its feature's name: {"tag": "NN"} is {"tag=NN": 1}. Values are rounded to float32.

        Raises DataError with the number of an item that is not such a dict, OptionError for a wrong parameter.
        """
        _check(self)
        first = _core.FeatureRows.from_dicts(a, "a", False)
        second = None if b is None or b is a else _core.FeatureRows.from_dicts(b, "b", False)
        matrix: Matrix = _core.polynomial_gram(first, second, self.degree, self.coef0, self.threads)
        return matrix


def _check(kernel: Options) -> None:
    kernel.check_options()
    require("numpy", "a kernel's matrix")


def _encoded(values: Sequence[str], name: str, what: str) -> list[bytes]:
    """Return texts in UTF-8. Raises DataError with the number of one that is no string of valid Unicode."""
    check_list(values, name)
    return [encoded(value, f"{name}: {what} {number}") for number, value in enumerate(values, 1)]
