"""The scores of a trained model of structures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from sapwood import _core
from sapwood.metrics.labels import LabelScore
from sapwood.model.file.schema import ModelFile
from sapwood.model.row_explanation import Feature, LinearRows
from sapwood.tasks.structured.data import Examples, Functions, Scores, parts_of


class FrozenScorer:
    """The scores of parts by a model's weights: a classifier of two classes, the second of which is "right"."""

    def __init__(self, model: ModelFile) -> None:
        tables = [table.packed for table in model.tables]
        self.classifier = _core.Classifier(model.labels, tables, model.bits, model.scale)

    def score(self, features: list[Any]) -> tuple[int, Sequence[float]]:
        """Return 0 and the score of each part, given its features. Raises DataError."""
        return 0, self.classifier.scores_of(_core.part_rows(features, False)[0], 1)

    def guess(self, functions: Functions, x: Any) -> Any:
        """Return what the search finds for an input. Raises DataError if it is no structure."""
        found = functions.search(x, Scores(functions, x, self.score))
        parts_of(found)
        return found

    def evaluate(self, data: Examples) -> LabelScore:
        """Return how many of the parts of gold structures are found."""
        pairs = [(Counter(each.gold), Counter(self.guess(data.functions, each.x))) for each in data]
        counts = [(gold.total(), guess.total(), (gold & guess).total()) for gold, guess in pairs]
        return LabelScore("parts", *map(sum, zip(*counts, strict=True)))

    def difference(self, chosen: list[Any], against: list[Any]) -> list[Feature]:
        """Return the features of `chosen` less those of `against`, given the features of their parts."""
        rows, texts = _core.part_rows([[f for part in parts for f in part] for parts in (chosen, against)], True)
        return LinearRows(rows, self.classifier, texts).difference(0, 1, "")
