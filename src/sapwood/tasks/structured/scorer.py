"""The scores of a trained model of structures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sapwood import _core
from sapwood.model.file.schema import ModelFile
from sapwood.model.row_explanation import Feature, LinearRows
from sapwood.tasks.structured.data import Functions, Part, Scores


class FrozenScorer:
    """The scores of parts by a model's weights: a classifier of two classes, the second of which is "right"."""

    def __init__(self, model: ModelFile) -> None:
        tables = [table.packed for table in model.tables]
        self._classifier = _core.Classifier(model.labels, tables, model.bits, model.scale)

    def guess(self, functions: Functions, x: Any) -> tuple[Any, tuple[Part, ...]]:
        """Return what the search finds for an input, and its parts."""
        return functions.guess(x, Scores(functions, x, self.score))

    def score(self, features: list[Any]) -> tuple[int, Sequence[float]]:
        """Return 0 and the score of each part, given its features. Raises DataError."""
        rows, _ = _core.part_rows(features, False)
        return 0, self._classifier.scores_of(rows, 1)

    def difference(self, chosen: list[Any], against: list[Any]) -> list[Feature]:
        """Return the features of `chosen` less those of `against`, given the features of their parts."""
        rows, texts = _core.part_rows([[f for part in parts for f in part] for parts in (chosen, against)], True)
        return LinearRows(rows, self._classifier, texts).difference(0, 1, "")

    def weights(self) -> Iterator[tuple[int, float]]:
        """Yield the row and the weight of each feature."""
        for row, _, weight in self._classifier.weights():
            yield row, weight
