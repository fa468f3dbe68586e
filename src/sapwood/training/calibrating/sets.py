"""Calibration where an example has any number of labels: each is a decision of its own, and its score says all of it.

The core applies what is fitted here (core/model/calibration.hpp has the formulas).
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sapwood import _core
from sapwood.errors import DataError
from sapwood.training.calibrating.calibration import (
    Floats,
    Reliability,
    calibration_error,
    check_folds,
    confidences,
    curve_fitter,
    least_by_golden_section,
)

Sets = Sequence[Sequence[int]]  # [examples] numbers of the labels that each has


def fit_calibration_of_sets(scores: Floats, sets: Sets, method: str) -> dict[str, Any]:
    """Return the calibration that fits the scores [examples, labels], as a model keeps it.

    Raises OptionError if there is no such method, DataError if there are too few examples.
    """
    has = _matrix(scores, sets)
    if len(has) < 2:
        raise DataError("a calibration needs two examples or more, better hundreds")
    if method == "temperature":
        return {"method": method, "curves": [[_temperature(scores, has)]]}
    fit = curve_fitter(method)
    return {"method": method, "curves": [fit(scores[:, y], has[:, y]) for y in range(scores.shape[1])]}


def cross_reliability_of_sets(scores: Floats, sets: Sets, method: str, folds: int = 5) -> Reliability:
    """Score the confidences of all decisions by calibrations that were fitted on other examples, fold by fold.

    A decision's Brier score and log loss are those of its two outcomes. Raises DataError if there are too few examples.
    """
    check_folds(len(scores), folds)
    has, result = _matrix(scores, sets), np.zeros_like(scores)
    for fold in range(folds):
        inside = np.arange(len(scores)) % folds == fold
        fitted = fit_calibration_of_sets(scores[~inside], [sets[int(k)] for k in np.flatnonzero(~inside)], method)
        calibration = _core.Calibration(fitted["method"], fitted["curves"], scores.shape[1], True)
        result[inside] = confidences(calibration, scores[inside])
    of_gold = np.clip(np.where(has, result, 1 - result), 1e-15, 1)
    sure = np.where(result > 0.5, result, 1 - result)
    error = calibration_error(sure.reshape(-1), ((result > 0.5) == has).reshape(-1))
    return Reliability(float(np.mean(-np.log(of_gold))), float(np.mean(2 * (1 - of_gold) ** 2)), error)


def _matrix(scores: Floats, sets: Sets) -> NDArray[np.bool_]:
    """Return whether each example has each label, [examples, labels]."""
    has = np.zeros(scores.shape, bool)
    for k, labels in enumerate(sets):
        has[k, list(labels)] = True
    return has


def _temperature(scores: Floats, has: NDArray[np.bool_]) -> float:
    """Return T with the least log loss of 1 / (1 + exp(-scores / T)) over all decisions."""
    size = max(float(np.abs(scores).mean()), 1e-12)
    right = np.where(has, scores, -scores)

    def loss(log_temperature: float) -> float:
        return float(np.mean(np.logaddexp(0, -right / (size * np.exp(log_temperature)))))

    return float(size * np.exp(least_by_golden_section(loss)))
