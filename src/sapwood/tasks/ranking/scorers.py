"""The scorers of a reranker's candidates: weights of features, or in dual form support candidates."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise

from sapwood import _core
from sapwood.model.file.schema import ModelFile
from sapwood.model.row_explanation import Feature, LinearRows
from sapwood.model.support import Support, Weights
from sapwood.tasks.ranking.data import Prepared, feature_texts
from sapwood.tasks.ranking.dual import SupportScorer
from sapwood.tasks.ranking.options import RerankerOptions


class WeightScorer:
    """The scores of feature weights: a classifier of two classes, the second of which is "better"."""

    def __init__(self, model: ModelFile) -> None:
        tables = [table.packed for table in model.tables]
        self._classifier = _core.Classifier(model.labels, tables, model.bits, model.scale)

    def scores(self, candidates: Prepared, threads: int = 1) -> list[list[float]]:
        """Return the score of each candidate."""
        scores = self._classifier.scores_of(candidates.rows, threads)
        return [scores[begin:end] for begin, end in pairwise(candidates.starts)]

    def differences(self, candidates: Prepared) -> Callable[[int, int], list[Feature]]:
        """Return a function from two candidates to the features by which they differ."""
        rows = LinearRows(candidates.rows, self._classifier, feature_texts(candidates.lists, candidates.scale))
        return partial(rows.difference, label="better")

    def weights(self) -> Iterator[tuple[float, str]]:
        """Yield the weight of each feature, and its name."""
        for row, _, weight in self._classifier.weights():
            yield weight, f"feature {row}"


def scorer_of(options: RerankerOptions, model: ModelFile, weights: Weights | None) -> WeightScorer | SupportScorer:
    """Return the scorer of a model, or of its support."""
    return SupportScorer(options, weights) if isinstance(weights, Support) else WeightScorer(model)
