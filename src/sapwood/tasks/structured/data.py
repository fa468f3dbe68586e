"""Examples of structures, the user's functions, and the scores that a search asks for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple

import sapwood._core as _core
from sapwood.base.optional import require
from sapwood.errors import DataError, ModelError
from sapwood.io.memory import COUNTED, called, check_list
from sapwood.metrics.labels import LabelScore
from sapwood.model.explanation import Feature, LinearRows
from sapwood.model.file.schema import ModelFile
from sapwood.training.cross_validation import Items
from sapwood.training.task import HeldOutScore

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

Part = Hashable
Parts = tuple[Part, ...]
Score = Callable[[list[Any]], tuple[int, Sequence[float]]]  # the number of the first part, and the scores


def lacking(*given: object) -> Any:
    """Stand for a function in a model that was read from a file without its functions."""
    raise ModelError("this model lacks its functions; sapwood.structured(features, search).load(path) has them")


class Functions(NamedTuple):
    """The functions that `sapwood.structured` is given."""

    features: Callable[[Any, Any], Any] = lacking
    search: Callable[[Any, Scores], Sequence[Part]] = lacking
    loss: Callable[[Any, Any], float] | None = None


NO_FUNCTIONS = Functions()


class StructuredExample(NamedTuple):
    """An input and its gold structure."""

    x: Any
    y: Any  # as it was given
    gold: Parts


class Scores(dict[Part, float]):
    """The scores of an input's parts, each computed once. In training, a part that is not right has its cost added."""

    def __init__(
        self, functions: Functions, x: Any, score: Score, example: StructuredExample | None = None, gamma: float = 0.0
    ):
        self._functions, self._x, self._score, self._gamma = functions, x, score, gamma
        self._example = example if functions.loss is not None else None
        self.numbers: dict[Part, int] = {}  # by which the core knows the parts

    __call__ = dict.__getitem__

    def __missing__(self, part: Part) -> float:
        self.add([part])
        return self[part]

    def all(self, parts: Iterable[Part]) -> NDArray[float64]:
        """Return the scores of many parts, which the core computes at once, as an array."""
        require("numpy", "the array of score.all")
        from numpy import array

        self.add(wanted := list(parts))
        return array([self[part] for part in wanted], dtype=float)

    def add(self, parts: Iterable[Part]) -> None:
        """Compute the scores of parts that have none yet. Raises DataError for features that are none."""
        if not (new := [part for part in dict.fromkeys(parts) if part not in self]):
            return
        try:
            first, scores = self._score([self._functions.features(self._x, part) for part in new])
        except DataError as error:
            raise DataError(f"features of {new[0]!r}{' or a later part' * (len(new) > 1)}: {error}") from None
        for number, (part, score) in enumerate(zip(new, scores, strict=True), first):
            self.numbers[part] = number
            self[part] = score if self._example is None else score + self._cost(part, self._example)

    def _cost(self, part: Part, example: StructuredExample) -> float:
        if part in example.gold or self._functions.loss is None:
            return 0.0
        cost = self._functions.loss(part, example.y)
        if not 0 <= cost < inf:
            raise DataError(f"the loss of {part!r} is {cost!r}, not a number from 0")
        return self._gamma * float(cost)


class StructuredExamples(Items[StructuredExample]):
    """Examples to train on or to score by, and the functions for them."""

    def __init__(self, examples: Iterable[StructuredExample], functions: Functions) -> None:
        super().__init__(examples)
        self.functions = functions

    @classmethod
    def of(cls, X: Any, Y: Any, functions: Functions) -> StructuredExamples:
        """Return examples of inputs and gold structures; without Y, of pairs of both. Raises DataError."""
        for data in (X,) if Y is None else (X, Y):
            check_list(data, "examples")
        if Y is not None and len(X := list(X)) != len(Y := list(Y)):
            raise DataError(f"there are {len(X):,} inputs and {len(Y):,} structures; give as many of both")
        if not (pairs := list(X) if Y is None else list(zip(X, Y, strict=True))):
            raise DataError("there is no example; give one or more")
        if wrong := [pair for pair in pairs if not isinstance(pair, (tuple, list)) or len(pair) != 2]:
            raise DataError(f"an example without Y is a pair of input and structure, not {called(wrong[0])}")
        numbered = enumerate(pairs, 1)
        return cls(
            (StructuredExample(x, y, parts_of(y, f"structure {k} {COUNTED} is")) for k, (x, y) in numbered), functions
        )

    def select(self, chosen: Sequence[int], /) -> StructuredExamples:
        return StructuredExamples((self[k] for k in chosen), self.functions)

    @property
    def checksum(self) -> int:
        """A hash of the features of the gold structures."""
        found = [self.functions.features(each.x, part) for each in self for part in each.gold]
        return _core.part_rows(found, False)[0].checksum ^ _core.checksum(
            bytes(str([len(e.gold) for e in self]), "ascii")
        )


class FrozenScorer:
    """The scores of parts by a model's weights: a classifier of two classes, the second of which is "right"."""

    def __init__(self, model: ModelFile) -> None:
        self.classifier = _core.Classifier.of_model(model)

    def score(self, features: list[Any]) -> tuple[int, Sequence[float]]:
        """Return 0 and the score of each part, given its features. Raises DataError."""
        return 0, self.classifier.scores_of(_core.part_rows(features, False)[0], 1)

    def guess(self, functions: Functions, x: Any) -> Any:
        """Return the structure that the search finds for an input. Raises DataError if it is no structure."""
        found = functions.search(x, Scores(functions, x, self.score))
        parts_of(found)
        return found

    def evaluate(self, data: StructuredExamples) -> LabelScore:
        """Return the scores of the parts that are found against those of gold structures."""
        return LabelScore("parts", *map(sum, zip(*self._counts(data), strict=True)))

    def scored(self, data: StructuredExamples) -> HeldOutScore:
        """Return the F1 of the parts; of each structure, the parts that are right less those that are wrong or lack."""
        counts = self._counts(data)
        f1 = LabelScore("parts", *map(sum, zip(*counts, strict=True))).f1
        return HeldOutScore(f1, [3 * right - gold - guess for gold, guess, right in counts])

    def _counts(self, data: StructuredExamples) -> list[tuple[int, int, int]]:
        pairs = [(Counter(each.gold), Counter(self.guess(data.functions, each.x))) for each in data]
        return [(gold.total(), guess.total(), (gold & guess).total()) for gold, guess in pairs]

    def difference(self, chosen: list[Any], against: list[Any]) -> list[Feature]:
        """Return the features of `chosen` less those of `against`, given the features of their parts."""
        rows, texts = _core.part_rows([[f for part in parts for f in part] for parts in (chosen, against)], True)
        return LinearRows(rows, self.classifier, texts).difference(0, 1, "")


def parts_of(structure: Any, what: str = "search returned") -> Parts:
    """Return the parts of a structure. Raises DataError if it is none; `what` begins the message."""
    if isinstance(structure, (str, bytes)) or not isinstance(structure, Sequence):
        raise DataError(f"{what} {called(structure)}, and no list of parts")
    try:
        hash(parts := tuple(structure))
    except TypeError as error:
        raise DataError(f"{what} a list with a part that has no hash: {error}; make tuples of lists") from None
    return parts
