"""How sure a classifier is of its labels: confidences by a calibration on data that training did not see.

What is called `self` here is a method of `Classifier`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from sapwood.errors import DataError, OptionError
from sapwood.model.confidence import curves_of
from sapwood.tasks.classifying.data import Source, held_out_of

if TYPE_CHECKING:
    from sapwood.tasks.classifying.given_labels import Floats


Classifier = Any


def predict_proba(self: Classifier, examples: Source) -> Floats:
    """Return the confidence in each of `classes_`, [examples, labels]; rows add up to 1 where an example has one label.

    Only a calibrated model has this method: a perceptron's scores are no probabilities.
    """
    from sapwood.training.calibrating.calibration import confidences

    scores = self._scorer.scores(self._rows(examples), self.threads)
    found: Floats = self._labels.by_class(confidences(self._scorer.calibration, scores))
    return found


class WhereCalibrated:
    """A method that models have once they are calibrated; before, `hasattr` is false, as scikit-learn's tools ask."""

    def __init__(self, method: Callable[[Any, Source], Floats]) -> None:
        self._method = method
        self.__doc__ = method.__doc__

    def __get__(self, model: Any, owner: type) -> Callable[[Source], Floats]:
        if model is None:
            return self._method  # type: ignore[return-value]
        model.check_fitted()
        curves_of(model.model_.calibration)
        return partial(self._method, model)


def calibrate(
    self: Any,
    examples: Source,
    labels: Iterable[Hashable] | None = None,
    *,
    method: Literal["temperature", "sigmoid", "isotonic"] = "temperature",
) -> Any:
    """Fit a calibration on labelled data that training did not see, and keep it with the model.

    temperature : one number for all labels (Guo et al. 2017); sigmoid : a curve a label (Platt 1999); isotonic : a
    step function a label (Zadrozny & Elkan 2002), which wants a thousand examples or more.

    Each label of a multi-label classifier is a decision of its own. They share a temperature, or have a curve each.

    How far the confidences can be trusted is in `reliability_`, by cross-validation in five folds.

    Raises DataError if the data have labels that the model lacks, or none, or are fewer than five examples.
    """
    from sapwood.training.calibrating.calibration import cross_reliability, fit_calibration

    (scores, gold), several = scored(self, examples, labels), self.params.multi_label
    calibration = fit_calibration(scores, gold, method, several=several)
    self.reliability_ = cross_reliability(scores, gold, method, several=several)
    given = self._labels
    self.install(self.model_.replaced(calibration=calibration))
    self._labels = given
    return self


def calibrate_on(
    self: Classifier, file: os.PathLike[str], *, method: str | None = None, names: Sequence[str] = ()
) -> str:
    """Do what `calibrate` does on a file, and say how far confidences can be trusted. See `Model`."""
    if names:
        raise OptionError("a classifier takes no files of names; a pipeline does")
    method = method or "temperature"
    found = calibrate(self, file, method=method).reliability_  # type: ignore[arg-type]
    return (
        f"{method}: log loss {found.log_loss:.4f}, Brier {found.brier:.4f}, "
        f"calibration error {100 * found.calibration_error:.2f} %"
    )


def scored(
    self: Classifier, examples: Source, labels: Iterable[Hashable] | None = None
) -> tuple[list[list[float]], list[list[int]]]:
    """Return the scores of labelled examples, [examples][labels], and the numbers of the gold labels of each.

    Raises DataError if the data have labels that the model lacks, or none.
    """
    data = self._labelled(examples, labels)
    found = held_out_of(data, self.model_)
    gold = found.gold if found.several else [[y] for y in found.gold]
    if wrong := [k for k, each in enumerate(gold) if -1 in each]:
        answers, k = data.answers, wrong[0]
        label = f"{'one of the labels' if found.several else 'the label'} '{answers.labels[answers.gold[k]]}'"
        raise DataError(
            f"{answers.where(k)}: the model does not know {label}; leave out the examples of such labels ({len(wrong)})"
        )
    return self._scorer.scores(found.rows, self.threads), gold
