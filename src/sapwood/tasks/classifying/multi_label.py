"""Examples that have any number of labels: a decision for each label, one against the rest, over one table of weights.

The core learns and scores such examples (core/classifying/classifier_trainer.hpp). A label's threshold is chosen on
held-out data by its F1 (core/classifying/thresholds.hpp); without such data it is 0, where training has put it. The
model file has the thresholds as the array ``extra.thresholds``, float64 of each label.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING

from sapwood import _core
from sapwood.errors import DataError, ModelError
from sapwood.io.label_sets import BETWEEN, label_sets
from sapwood.model.file.container import Array
from sapwood.model.file.schema import ModelFile

if TYPE_CHECKING:
    from sapwood.io.examples import Examples


Sets = Sequence[Sequence[int]]  # [examples] numbers of labels
_NAME = "thresholds"


def is_multi_label(model: ModelFile) -> bool:
    """Return true if the examples of a model have any number of labels."""
    return model.options.get("multi_label") is True


def sets_of(data: Examples, purpose: str) -> tuple[list[str], list[list[int]]]:
    """Return all labels, and the numbers of those that each example has.

    Raises DataError if there is no example, or no label at all: then they are not data to train on, or to score.
    """
    if data.flaw:
        raise DataError(data.flaw)
    names, sets = label_sets(data.answers, data.layout.format)
    if not sets:
        raise DataError(f"{data.answers.name}: there is no example to {purpose}")
    if not names:
        raise DataError(f"{data.answers.name}: no example has a label; examples to {purpose} have some")
    return names, sets


def with_thresholds(model: ModelFile, thresholds: Sequence[float]) -> ModelFile:
    """Return a model with the threshold of each label."""
    return model.replaced(extra={_NAME: Array.of("F64", array("d", thresholds).tobytes())})


def without_thresholds(model: ModelFile) -> ModelFile:
    """Return a model whose thresholds are 0."""
    return with_thresholds(model, [0.0] * len(model.labels))


def thresholds_of(model: ModelFile) -> list[float]:
    """Return the thresholds that a model file has. Raises ModelError if there is not one for each label."""
    found = model.extra.get(_NAME)
    if found is None or len(model.extra) > 1:
        raise ModelError("it has not the array 'extra.thresholds' of a multi-label model, or others beside it")
    if found.dtype != "F64" or found.shape != (len(model.labels),):
        raise ModelError("its array 'extra.thresholds' is not a number for each label")
    return list(memoryview(bytes(found.data)).cast("d"))


def check_labels(model: ModelFile) -> None:
    """Raise ModelError if a multi-label model's labels cannot be told from each other where several are written."""
    if not model.labels:
        raise ModelError("it has no labels")
    if wrong := [label for label in model.labels if BETWEEN in label]:
        raise ModelError(f"its label {wrong[0]!a:.40} has {BETWEEN} in it, which stands between labels")


def best_thresholds(
    raw: _core.Classifier, rows: _core.FeatureRows, sets: Sets, threads: int
) -> tuple[list[float], float]:
    """Return the threshold of each label with the highest F1 on held-out data, and the F1 of all labels in percent.

    raw : a classifier whose thresholds are 0
    sets : the labels of each row, -1 for one that the classifier does not have
    """
    found = raw.best_thresholds(rows, [[y for y in each if y >= 0] for each in sets], threads)
    wanted = sum(map(len, sets))  # with those that the model does not have
    guessed, correct = sum(each.guessed for each in found), sum(each.correct for each in found)
    return [each.at for each in found], 200 * correct / (wanted + guessed) if wanted + guessed else 0.0
