"""What an estimator learns of each row of a matrix: its class, or by an indicator matrix any number of labels."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import compute_class_weight
from sklearn.utils.multiclass import type_of_target

from sapwood import _core
from sapwood.sklearn.matrices import numbered, value_errors
from sapwood.tasks.classifying.data import frozen
from sapwood.tasks.classifying.multi_label import best_thresholds, label_weights, raw_of

if TYPE_CHECKING:
    from sapwood.tasks.classifying.arrays import Floats


ClassWeight = Mapping[Hashable, float] | Literal["balanced"] | None
Score = Callable[[_core.PackedModel], float]  # percent, of weights on held-out rows
Labels = NDArray[np.generic]  # of numbers or strings
Numbers = NDArray[np.int64]


class OneClass:
    """A class for each row."""

    several = False

    def __init__(self, y: Labels, classes: Labels, class_weight: ClassWeight) -> None:
        self.classes, self._class_weight = classes, class_weight
        self._y, self._gold = y, np.searchsorted(classes, y)
        self.strata: Numbers | None = self._gold

    def importance(self, weights: Floats) -> Floats:
        """Return the weight of each row times that of its class."""
        if self._class_weight is None:
            return weights
        of_class = compute_class_weight(self._class_weight, classes=self.classes, y=self._y)
        if not (np.isfinite(of_class) & (of_class >= 0)).all():
            raise ValueError(f"class_weight has finite numbers from 0 up, not {self._class_weight!r}")
        importance: Floats = weights * of_class[self._gold]
        return importance

    def check(self, kept: Numbers) -> None:
        """Raise ValueError unless there are two classes."""
        if len(self.classes) < 2:
            only = self.classes[0]
            raise ValueError(f"This solver needs samples of at least 2 classes, but y has one class: {only!r}")
        if len(np.unique(self._gold[kept])) < 2:
            raise ValueError("Samples of at least 2 classes need a weight above 0; all others have the weight 0")

    def add(self, trainer: _core.ClassifierTrainer, rows: _core.FeatureRows, kept: Numbers, weights: Floats) -> None:
        """Give some of the rows to a trainer. `weights` include the class weights."""
        trainer.add(select(rows, kept), self._gold[kept].tolist(), weights[kept].tolist())

    def thresholds(self, packed: _core.PackedModel, rows: _core.FeatureRows, chosen: Numbers | None) -> None:
        """Return None: the best class needs no threshold."""

    def score(self, rows: _core.FeatureRows, chosen: Numbers, weights: Floats) -> Score:
        """Return what gives the accuracy, weighted."""
        held_out, gold, importance = select(rows, chosen), self._gold[chosen], weights[chosen]

        def accuracy(packed: _core.PackedModel) -> float:
            guess = frozen(numbered(len(self.classes)), packed)
            right = np.equal(guess.predict(held_out, 1), gold)
            return 100 * float(np.average(right, weights=importance))

        return accuracy


class Indicators:
    """A row of zeros and ones for each row: which of the labels it has."""

    several = True
    strata: Numbers | None = None

    def __init__(self, matrix: Labels, class_weight: ClassWeight) -> None:
        if not np.isin(matrix, (0, 1)).all():
            raise ValueError("an indicator matrix has zeros and ones, and y has other numbers")
        self.classes, self._class_weight = np.arange(matrix.shape[1]), class_weight
        self._sets: list[list[int]] = [np.flatnonzero(row).tolist() for row in matrix]
        self._names = numbered(matrix.shape[1])

    def importance(self, weights: Floats) -> Floats:
        """Return the weights of rows; those of labels are given to the trainer."""
        return weights

    def check(self, kept: Numbers) -> None:
        """Raise ValueError if no row has a weight."""
        if len(kept) == 0:
            raise ValueError("no sample has a weight above 0")

    def add(self, trainer: _core.ClassifierTrainer, rows: _core.FeatureRows, kept: Numbers, weights: Floats) -> None:
        """Give some of the rows to a trainer, and what each label counts."""
        sets = [self._sets[k] for k in kept.tolist()]
        with value_errors():
            of_labels = label_weights(self._class_weight, sets, self._names)
        trainer.add_any(select(rows, kept), sets, weights[kept].tolist(), of_labels)

    def score(self, rows: _core.FeatureRows, chosen: Numbers, weights: Floats) -> Score:
        """Return what gives F1 over all labels, by the best thresholds; weights of rows do not count there."""
        return lambda packed: self._best(packed, rows, chosen)[1]

    def thresholds(self, packed: _core.PackedModel, rows: _core.FeatureRows, chosen: Numbers | None) -> list[float]:
        """Return the threshold of each label with the highest F1 on held-out rows; 0 if there are none."""
        return [0.0] * len(self.classes) if chosen is None else self._best(packed, rows, chosen)[0]

    def _best(self, packed: _core.PackedModel, rows: _core.FeatureRows, chosen: Numbers) -> tuple[list[float], float]:
        sets = [self._sets[k] for k in chosen.tolist()]
        return best_thresholds(raw_of(self._names, packed), select(rows, chosen), sets, 1)


def is_indicator(y: ArrayLike) -> bool:
    """Whether y is an indicator matrix of two labels or more."""
    shape = y.shape if hasattr(y, "shape") else np.asarray(y).shape
    return len(shape) == 2 and shape[1] > 1 and type_of_target(y) == "multilabel-indicator"


def select(rows: _core.FeatureRows, examples: Numbers) -> _core.FeatureRows:
    """Return these examples, which must be different ones; if they are all, in their order."""
    return rows if len(examples) == len(rows) else rows.select(examples.tolist())
