"""Examples of structures, and the functions of the user that are called with them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple

from sapwood import _core
from sapwood.errors import DataError, ModelError
from sapwood.io.memory import COUNTED, called, check_list
from sapwood.optional import require
from sapwood.training.cross_validation import Items

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

Part = Hashable
Score = Callable[[list[Any]], tuple[int, Sequence[float]]]  # of the features of parts: number of the first, and scores


class Example(NamedTuple):
    """An input and its gold structure."""

    x: Any
    y: Any  # as it was given
    gold: tuple[Part, ...]


@dataclass(frozen=True)
class Functions:
    """The functions that make a structure, or None where a model file was read without them."""

    features: Callable[[Any, Any], Any] | None = None  # gives those of a part
    search: Callable[[Any, Scores], Sequence[Part]] | None = None  # finds the best structure
    loss: Callable[[Any, Any], float] | None = None  # gives the cost of a part that is not right

    def __post_init__(self) -> None:
        """Raise DataError if one of them is no function."""
        for name, function in vars(self).items():
            if function is not None and not callable(function):
                raise DataError(f"{name} is a function, not {called(function)}")

    def of(self, x: Any, part: Part) -> Any:
        """Return the features of a part. Raises ModelError if there is no such function."""
        if self.features is None:
            raise ModelError("this model lacks its functions; sapwood.structured(features, search).load(path) has them")
        return self.features(x, part)

    def guess(self, x: Any, scores: Scores) -> tuple[Any, tuple[Part, ...]]:
        """Return what the search returns, and its parts. Raises DataError if it is no structure."""
        if self.search is None:
            raise ModelError("this model lacks its functions; sapwood.structured(features, search).load(path) has them")
        found = self.search(x, scores)
        return found, parts_of(found, "search returned")


class Scores(dict[Part, float]):
    """The scores of an input's parts: what a search calls. Each is computed once.

    In training a part that is not right scores higher by its cost.
    """

    def __init__(self, functions: Functions, x: Any, score: Score, example: Example | None = None, gamma: float = 0.0):
        super().__init__()
        self._functions, self._x, self._score, self._example, self._gamma = functions, x, score, example, gamma
        self._gold = frozenset(example.gold if example is not None and functions.loss is not None else ())
        self.numbers: dict[Part, int] = {}  # by which the core knows the parts

    __call__ = dict.__getitem__

    def __missing__(self, part: Part) -> float:
        self.add([part])
        return self[part]

    def all(self, parts: Iterable[Part]) -> NDArray[float64]:
        """Return the scores of many parts as an array; the core computes them at once."""
        require("numpy", "the array of score.all")
        from numpy import array, float64

        wanted = list(parts)
        self.add([part for part in dict.fromkeys(wanted) if part not in self])
        return array([self[part] for part in wanted], dtype=float64)

    def add(self, parts: Sequence[Part]) -> None:
        """Compute the scores of parts that have none yet. Raises DataError for features that are none."""
        found = [self._functions.of(self._x, part) for part in parts]
        try:
            first, scores = self._score(found)
        except DataError as error:
            raise DataError(f"features of {_shown(parts)}: {error}") from None
        for k, (part, score) in enumerate(zip(parts, scores, strict=True)):
            self.numbers[part] = first + k
            self[part] = score + self._cost(part)

    def _cost(self, part: Part) -> float:
        if self._functions.loss is None or self._example is None or part in self._gold:
            return 0.0
        cost = self._functions.loss(part, self._example.y)
        if not 0 <= cost < inf:
            raise DataError(f"the loss of {part!r} is {cost!r}, not a number from 0")
        return self._gamma * float(cost)


class Examples(Items[Example]):
    """Examples to train on or to score by."""

    functions: Functions

    @classmethod
    def of(cls, X: Iterable[Any], Y: Iterable[Any] | None, functions: Functions) -> Examples:
        """Return examples of inputs and gold structures; without Y, of pairs of both. Raises DataError."""
        check_list(X, "X")
        if Y is None:
            pairs = list(X)
            if wrong := [pair for pair in pairs if not isinstance(pair, (tuple, list)) or len(pair) != 2]:
                raise DataError(f"an example without Y is a pair of input and structure, not {called(wrong[0])}")
            X, Y = [x for x, _ in pairs], [y for _, y in pairs]
        check_list(Y, "Y")
        inputs, golds = list(X), list(Y)
        if len(inputs) != len(golds):
            raise DataError(f"there are {len(inputs):,} inputs and {len(golds):,} structures; give as many of both")
        if not inputs:
            raise DataError("there is no example; give one or more")
        both = enumerate(zip(inputs, golds, strict=True), 1)
        return cls._with(functions, (Example(x, y, parts_of(y, f"structure {k} {COUNTED} is")) for k, (x, y) in both))

    @classmethod
    def _with(cls, functions: Functions, examples: Iterable[Example]) -> Examples:
        result = cls(examples)
        result.functions = functions
        return result

    def select(self, chosen: Sequence[int], /) -> Examples:
        """Return some of the examples."""
        return self._with(self.functions, (self[k] for k in chosen))

    @property
    def checksum(self) -> int:
        """A hash of the features of the gold structures."""
        sizes = [len(each.gold) for each in self]
        rows, _ = _core.part_rows([self.functions.of(each.x, part) for each in self for part in each.gold], False)
        return rows.checksum ^ _core.checksum(str(sizes).encode())


def parts_of(structure: Any, what: str) -> tuple[Part, ...]:
    """Return the parts of a structure. Raises DataError if it is none; `what` begins the message."""
    if isinstance(structure, (str, bytes)) or not isinstance(structure, Sequence):
        raise DataError(f"{what} {called(structure)}, and no list of parts")
    try:
        hash(parts := tuple(structure))
    except TypeError as error:
        raise DataError(f"{what} a list with a part that has no hash: {error}; make tuples of lists") from None
    return parts


def _shown(parts: Sequence[Part]) -> str:
    return f"the part {parts[0]!r}" if len(parts) == 1 else f"one of {len(parts):,} parts"
