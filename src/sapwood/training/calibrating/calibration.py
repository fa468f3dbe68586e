"""Calibration: from a classifier's scores to confidences that come true as often as they say.

The curves are fitted here and applied by the core (core/model/calibration.hpp has the formulas).
"""

from collections.abc import Callable, Sequence
from math import erf, exp, pi, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sapwood import _core
from sapwood.errors import DataError, OptionError
from sapwood.model.file.records import Calibration
from sapwood.optional import require

Floats = NDArray[np.float64]
Gold = NDArray[np.bool_]  # [examples, labels] whether an example has a label
_FOLDS = 5  # of examples, by which confidences are scored


class Reliability(NamedTuple):
    """How far confidences can be trusted, over a data set."""

    log_loss: float  # mean of -log of the confidence in the gold label, in nats
    brier: float  # mean squared distance from the gold label's corner, 0 to 2
    calibration_error: float  # mean distance of confidence and accuracy over ten bins, 0 to 1 (Guo et al. 2017)


class ReliabilityBin(NamedTuple):
    """Decisions that are about as sure."""

    confidence: float  # mean
    accuracy: float  # the share of them that is right
    size: int


def gold_matrix(gold: Sequence[int] | Sequence[Sequence[int]], labels: int) -> Gold:
    """Return whether each example has each label, [examples, labels], by the number of its label, or of its labels."""
    has = np.zeros((len(gold), labels), bool)
    for k, numbers in enumerate(gold):
        has[k, np.asarray(numbers, int)] = True
    return has


def fit_calibration(scores: Floats, gold: Gold, method: str, *, several: bool = False) -> Calibration:
    """Return the calibration that fits the scores to the gold labels, both [examples, labels], as a model keeps it.

    several : examples have any number of labels. Then each label is a decision of its own, and its score says all of it

    Raises OptionError if there is no such method, DataError if there are too few examples.
    """
    if len(gold) < 2:
        raise DataError("a calibration needs two examples or more, better hundreds")
    if method == "temperature":
        return {"method": method, "curves": [[_temperature(scores, gold, several)]]}
    fit, margins = curve_fitter(method), scores if several else _margins(scores)
    return {"method": method, "curves": [fit(margins[:, y], gold[:, y]) for y in range(scores.shape[1])]}


def curve_fitter(method: str) -> Callable[[Floats, Gold], list[float]]:
    """Return what fits the curve of one label. Raises OptionError if there is no such method."""
    if method not in ("sigmoid", "isotonic"):
        raise OptionError(f"the method of calibration is temperature, sigmoid or isotonic, not {method!r}")
    require("sklearn", f"the method {method}")
    return sigmoid_curve if method == "sigmoid" else isotonic_curve


def confidences(calibration: _core.Calibration | None, scores: Floats) -> Floats:
    """Return the confidences for scores [examples, labels]. Where each example has one label, rows add up to 1."""
    assert calibration is not None
    return np.array([calibration.apply(row) for row in scores.tolist()]).reshape(scores.shape)


def reliability(probabilities: Floats, gold: Sequence[int]) -> Reliability:
    """Score confidences [examples, labels] against the gold labels."""
    answers = np.asarray(gold)
    rows = np.arange(len(answers))
    of_gold = np.clip(probabilities[rows, answers], 1e-15, 1)
    corners = np.zeros_like(probabilities)
    corners[rows, answers] = 1
    best = probabilities.max(axis=1)
    right = probabilities.argmax(axis=1) == answers
    error = calibration_error(best, right)
    brier = float(np.mean(np.sum((probabilities - corners) ** 2, axis=1)))
    return Reliability(float(np.mean(-np.log(of_gold))), brier, error)


def calibration_error(confidences: Sequence[float] | Floats, right: Sequence[bool] | NDArray[np.bool_]) -> float:
    """Return the mean distance of confidence and accuracy over ten bins of confidence, 0 to 1 (Guo et al. 2017)."""
    bins = reliability_bins(confidences, right)
    return sum(each.size * abs(each.accuracy - each.confidence) for each in bins) / len(confidences)


def debiased_calibration_error(
    confidences: Sequence[float] | Floats, right: Sequence[bool] | NDArray[np.bool_]
) -> float:
    """Return the calibration error less what chance adds to it, 0 to 1 (Kumar, Liang & Ma 2019, section 5).

    The accuracy of n decisions in a bin is off by chance, so confidences that are perfect have an error, too. Let the
    accuracy be normal with the variance a (1 - a) / n. Errors drawn from that distribution exceed the measured error on
    average, by about as much as the measured error exceeds the true one. That excess is subtracted.

    >>> from math import isclose
    >>> isclose(debiased_calibration_error([0.5] * 4, [True, True, True, True]), 0.5)
    True
    >>> debiased_calibration_error([0.5] * 4, [True, True, False, False])
    0.0
    """
    total = 0.0
    for each in reliability_bins(confidences, right):
        distance = abs(each.accuracy - each.confidence)
        spread = sqrt(each.accuracy * (1 - each.accuracy) / each.size)
        expected = distance
        if spread:  # the mean of |x| for x normal around the distance
            z = distance / spread
            expected = spread * sqrt(2 / pi) * exp(-z * z / 2) + distance * erf(z / sqrt(2))
        total += each.size * (2 * distance - expected)
    return max(total / len(confidences), 0.0)


def reliability_bins(
    confidences: Sequence[float] | Floats, right: Sequence[bool] | NDArray[np.bool_]
) -> list[ReliabilityBin]:
    """Return the tenths of the scale of confidence that have decisions, the least sure one first.

    >>> reliability_bins([0.55, 0.57, 0.9], [True, False, True])[0]
    ReliabilityBin(confidence=0.56, accuracy=0.5, size=2)
    """
    best, hits = np.asarray(confidences), np.asarray(right)
    tenths = np.minimum((best * 10).astype(int), 9)
    groups = [tenths == tenth for tenth in range(10) if np.any(tenths == tenth)]
    return [ReliabilityBin(float(best[g].mean()), float(hits[g].mean()), int(g.sum())) for g in groups]


def reliability_of_sets(probabilities: Floats, gold: Gold) -> Reliability:
    """Score the confidences of decisions about each label. Brier score and log loss are those of the two outcomes."""
    of_gold = np.clip(np.where(gold, probabilities, 1 - probabilities), 1e-15, 1)
    sure = np.where(probabilities > 0.5, probabilities, 1 - probabilities)
    error = calibration_error(sure.reshape(-1), ((probabilities > 0.5) == gold).reshape(-1))
    return Reliability(float(np.mean(-np.log(of_gold))), float(np.mean(2 * (1 - of_gold) ** 2)), error)


def cross_reliability(scores: Floats, gold: Gold, method: str, *, several: bool = False) -> Reliability:
    """Score the confidences of examples by calibrations that were fitted on the others, fold by fold.

    Raises DataError if there are fewer examples than folds.
    """
    if len(gold) < _FOLDS:
        raise DataError(f"a calibration needs {_FOLDS} examples or more, better hundreds; here are {len(gold)}")
    result = np.zeros_like(scores)
    for fold in range(_FOLDS):
        inside = np.arange(len(gold)) % _FOLDS == fold
        fitted = fit_calibration(scores[~inside], gold[~inside], method, several=several)
        calibration = _core.Calibration(fitted["method"], fitted["curves"], scores.shape[1], several)
        result[inside] = confidences(calibration, scores[inside])
    return reliability_of_sets(result, gold) if several else reliability(result, gold.argmax(axis=1).tolist())


def _margins(scores: Floats) -> Floats:
    """Return each label's score less the best other one."""
    ordered = np.sort(scores, axis=1)
    best, second = ordered[:, -1:], ordered[:, -2:-1]
    return np.where(scores == best, scores - second, scores - best)


def _temperature(scores: Floats, gold: Gold, several: bool) -> float:
    """Return the T with the least log loss, by golden-section search over log T.

    The loss is that of softmax(scores / T) or, of examples with any number of labels, of 1 / (1 + exp(-scores / T)).
    It is convex in 1 / T, so it has one minimum in log T.
    """
    size = np.abs(scores if several else scores - scores.max(axis=1, keepdims=True)).mean()
    size = max(float(size), 1e-12)

    def loss(log_temperature: float) -> float:
        scaled = scores / (size * np.exp(log_temperature))
        if several:
            return float(np.mean(np.logaddexp(0, np.where(gold, -scaled, scaled))))
        scaled = scaled - scaled.max(axis=1, keepdims=True)
        return float(np.mean(np.log(np.exp(scaled).sum(axis=1)) - scaled[gold]))

    return float(size * np.exp(least_by_golden_section(loss)))


def least_by_golden_section(loss: Callable[[float], float]) -> float:
    """Return the place from -12 to 12 at which a function with one minimum has it."""
    ratio = (5**0.5 - 1) / 2
    low, high = -12.0, 12.0
    while high - low > 1e-9:
        a, b = high - ratio * (high - low), low + ratio * (high - low)
        low, high = (low, b) if loss(a) <= loss(b) else (a, high)
    return (low + high) / 2


def sigmoid_curve(margins: Floats, is_gold: Gold) -> list[float]:
    """Return a and b of 1 / (1 + exp(a m + b)) with Platt's targets, which stay off 0 and 1 (Platt 1999)."""
    from sklearn.linear_model import LogisticRegression

    positive = int(is_gold.sum())
    negative = len(is_gold) - positive
    high, low = (positive + 1) / (positive + 2), 1 / (negative + 2)
    scale = max(float(np.abs(margins).mean()), 1e-12)
    # Each example counts as gold with its target's weight, and as not gold with the rest.
    target = np.where(is_gold, high, low)
    features = np.concatenate([margins, margins])[:, None] / scale
    answers = np.repeat([1, 0], len(margins))
    curve = LogisticRegression(C=1e6).fit(features, answers, sample_weight=np.concatenate([target, 1 - target]))
    return [-float(curve.coef_[0, 0]) / scale, -float(curve.intercept_[0])]


def isotonic_curve(margins: Floats, is_gold: Gold) -> list[float]:
    """Return the points x and p, in turn, between which confidence is interpolated."""
    from sklearn.isotonic import IsotonicRegression

    curve = IsotonicRegression(y_min=0, y_max=1, out_of_bounds="clip").fit(margins, is_gold.astype(float))
    points: list[float] = []
    for x, p in zip(curve.X_thresholds_.tolist(), curve.y_thresholds_.tolist(), strict=True):
        if not points or x > points[-2]:
            points += [x, p]
    return points
