"""The features of rows and their weights, for explanations of decisions about whole rows.

The core writes the explanations (core/model/explanation.hpp).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from sapwood import _core
from sapwood.errors import OptionError

Feature = tuple[str, str, float, float]  # text, the label that its weight speaks for, value, weight
Row = Sequence[tuple[str, float, Sequence[float]]]  # text, value and weights [outputs] of each feature


def chosen_rows(count: int, asked: _core.Question, unit: str) -> Iterable[int]:
    """Return the rows that a question is about. Raises OptionError for a row that is not there, or a token."""
    if asked.token not in (None, 0):
        raise OptionError(f"there is one decision for each {unit}, so there is no token {asked.token + 1}")
    if asked.sentence is None:
        return range(count)
    if asked.sentence >= count:
        raise OptionError(f"there is no {unit} {asked.sentence + 1}; there are {count}")
    return [asked.sentence]


class LinearRows:
    """Rows of features, with their values and the weights of a model."""

    def __init__(self, rows: _core.FeatureRows, classifier: _core.Classifier, names: Mapping[int, str]) -> None:
        sizes, keys, values = (memoryview(part) for part in _core.pack_rows(rows))
        self._starts = [0]
        for size in sizes.cast("I"):
            self._starts.append(self._starts[-1] + size)
        self._keys: list[int] = keys.cast("Q").tolist()
        self._values: list[float] = [*values.cast("f")] if len(values) else [1.0] * len(self._keys)
        self._names = names
        distinct = sorted(set(self._keys))
        weights = classifier.weights_of(distinct)
        outputs = len(weights) // max(1, len(distinct))
        self._weights = {key: weights[k * outputs : (k + 1) * outputs] for k, key in enumerate(distinct)}

    def row(self, number: int) -> Row:
        """Return the features of a row that have weights."""
        return [(self._text(key), value, self._weights[key]) for key, value in self._pairs(number)]

    def difference(self, chosen: int, against: int, label: str) -> list[Feature]:
        """Return the features of row `chosen` less those of row `against`; `label` names the model's one output."""
        values: dict[int, float] = {}
        for row, side in ((chosen, 1.0), (against, -1.0)):
            for key, value in self._pairs(row):
                values[key] = values.get(key, 0.0) + side * value
        return [(self._text(key), label, value, self._weights[key][0]) for key, value in values.items()]

    def _pairs(self, number: int) -> Iterator[tuple[int, float]]:
        """Yield key and value of the features of a row that have weights."""
        for k in range(self._starts[number], self._starts[number + 1]):
            if any(self._weights[self._keys[k]]):
                yield self._keys[k], self._values[k]

    def _text(self, key: int) -> str:
        return self._names.get(key) or f"feature {key:016x}"
