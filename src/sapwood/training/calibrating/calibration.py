"""Calibration: from a classifier's scores to confidences that come true as often as they say.

The curves are fitted here and applied by the core (core/model/calibration.hpp has the formulas).
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import chain, compress
from math import erf, exp, log, pi, sqrt
from statistics import fmean
from typing import NamedTuple

from sapwood import _core
from sapwood.errors import DataError, OptionError
from sapwood.model.file.records import Calibration
from sapwood.optional import require

Scores = Sequence[Sequence[float]]  # [examples][labels]
Gold = Sequence[Sequence[int]]  # [examples] the numbers of the labels that an example has
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


def fit_calibration(scores: Scores, gold: Gold, method: str, *, several: bool = False) -> Calibration:
    """Return the calibration that fits the scores to the gold labels, as a model keeps it.

    several : examples have any number of labels. Then each label is a decision of its own, and its score says all of it

    Raises OptionError if there is no such method, DataError if there are too few examples.
    """
    if len(gold) < 2:
        raise DataError("a calibration needs two examples or more, better hundreds")
    if method == "temperature":
        return {"method": method, "curves": [[_core.Calibration.best_temperature(scores, gold, several)]]}
    fit = curve_fitter(method)
    margins = zip(*(scores if several else map(_margins, scores)), strict=True)
    return {
        "method": method,
        "curves": [fit(of_label, [y in each for each in gold]) for y, of_label in enumerate(margins)],
    }


def curve_fitter(method: str) -> Callable[[Sequence[float], Sequence[bool]], list[float]]:
    """Return what fits the curve of one label. Raises OptionError if there is no such method."""
    if method not in ("sigmoid", "isotonic"):
        raise OptionError(f"the method of calibration is temperature, sigmoid or isotonic, not {method!r}")
    if method == "isotonic":
        return isotonic_curve
    require("sklearn", f"the method {method}")
    return sigmoid_curve


def confidences(calibration: _core.Calibration | None, scores: Scores) -> list[list[float]]:
    """Return the confidences for scores. Where each example has one label, those of an example add up to 1."""
    assert calibration is not None
    return [calibration.apply(row) for row in scores]


def reliability(probabilities: Scores, gold: Sequence[int]) -> Reliability:
    """Score confidences against the gold labels."""
    guess = [max(range(len(row)), key=row.__getitem__) for row in probabilities]
    of_gold = [row[y] for row, y in zip(probabilities, gold, strict=True)]
    sure = [row[y] for row, y in zip(probabilities, guess, strict=True)]
    error = calibration_error(sure, [y == z for y, z in zip(gold, guess, strict=True)])
    # The square at the gold label's place is (1 - p)^2, not p^2.
    brier = fmean(sum(p * p for p in row) + 1 - 2 * q for row, q in zip(probabilities, of_gold, strict=True))
    return Reliability(_log_loss(of_gold), brier, error)


def _log_loss(of_gold: Iterable[float]) -> float:
    return fmean(-log(min(max(p, 1e-15), 1)) for p in of_gold)


def calibration_error(confidences: Sequence[float], right: Sequence[bool]) -> float:
    """Return the mean distance of confidence and accuracy over ten bins of confidence, 0 to 1 (Guo et al. 2017)."""
    bins = reliability_bins(confidences, right)
    return sum(each.size * abs(each.accuracy - each.confidence) for each in bins) / len(confidences)


def debiased_calibration_error(confidences: Sequence[float], right: Sequence[bool]) -> float:
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


def reliability_bins(confidences: Sequence[float], right: Sequence[bool]) -> list[ReliabilityBin]:
    """Return the tenths of the scale of confidence that have decisions, the least sure one first.

    >>> reliability_bins([0.55, 0.57, 0.9], [True, False, True])[0]
    ReliabilityBin(confidence=0.56, accuracy=0.5, size=2)
    """
    tenths: list[list[tuple[float, bool]]] = [[] for _ in range(10)]
    for each in zip(confidences, right, strict=True):
        tenths[min(int(each[0] * 10), 9)].append(each)
    return [
        ReliabilityBin(fmean(p for p, _ in tenth), fmean(hit for _, hit in tenth), len(tenth))
        for tenth in tenths
        if tenth
    ]


def reliability_of_sets(probabilities: Scores, gold: Gold) -> Reliability:
    """Score the confidences of decisions about each label. Brier score and log loss are those of the two outcomes."""
    decisions = [(p, y in has) for row, has in zip(probabilities, gold, strict=True) for y, p in enumerate(row)]
    of_gold = [p if has else 1 - p for p, has in decisions]
    sure = [p if p > 0.5 else 1 - p for p, _ in decisions]
    error = calibration_error(sure, [(p > 0.5) == has for p, has in decisions])
    return Reliability(_log_loss(of_gold), fmean(2 * (1 - p) ** 2 for p in of_gold), error)


def cross_reliability(scores: Scores, gold: Gold, method: str, *, several: bool = False) -> Reliability:
    """Score the confidences of examples by calibrations that were fitted on the others, fold by fold.

    Raises DataError if there are fewer examples than folds.
    """
    if len(gold) < _FOLDS:
        raise DataError(f"a calibration needs {_FOLDS} examples or more, better hundreds; here are {len(gold)}")
    found: list[list[float]] = [[]] * len(scores)
    for fold in range(_FOLDS):
        others = [k for k in range(len(gold)) if k % _FOLDS != fold]
        fitted = fit_calibration([scores[k] for k in others], [gold[k] for k in others], method, several=several)
        calibration = _core.Calibration(fitted["method"], fitted["curves"], len(scores[0]), several)
        found[fold::_FOLDS] = confidences(calibration, scores[fold::_FOLDS])
    return reliability_of_sets(found, gold) if several else reliability(found, list(chain.from_iterable(gold)))


def _margins(scores: Sequence[float]) -> list[float]:
    """Return each label's score less the best other one."""
    *_, second, best = sorted(scores)
    return [score - (second if score == best else best) for score in scores]


def sigmoid_curve(margins: Sequence[float], is_gold: Sequence[bool]) -> list[float]:
    """Return a and b of 1 / (1 + exp(a m + b)) with Platt's targets, which stay off 0 and 1 (Platt 1999)."""
    from sklearn.linear_model import LogisticRegression

    positive = sum(is_gold)
    negative = len(is_gold) - positive
    high, low = (positive + 1) / (positive + 2), 1 / (negative + 2)
    scale = max(fmean(map(abs, margins)), 1e-12)
    # Each example counts as gold with its target's weight, and as not gold with the rest.
    target = [high if gold else low for gold in is_gold]
    features = [[margin / scale] for margin in (*margins, *margins)]
    answers, weights = [1] * len(margins) + [0] * len(margins), [*target, *(1 - each for each in target)]
    curve = LogisticRegression(C=1e6).fit(features, answers, sample_weight=weights)
    return [-float(curve.coef_[0, 0]) / scale, -float(curve.intercept_[0])]


def isotonic_curve(margins: Sequence[float], is_gold: Sequence[bool]) -> list[float]:
    """Return the points x and p, in turn, between which confidence is interpolated: shares that never fall.

    Neighbours of which the first has the larger share are made one level (Ayer et al. 1955).

    >>> isotonic_curve([1.0, 2.0, 3.0, 4.0, 5.0], [False, True, True, False, True])
    [1.0, 0.0, 2.0, 0.6666666666666666, 4.0, 0.6666666666666666, 5.0, 1.0]
    """
    size, right = Counter(margins), Counter(compress(margins, is_gold))
    levels: list[tuple[float, float, int, int]] = []  # first and last margin, decisions that are right, and all
    for margin in sorted(size):
        level = margin, margin, right[margin], size[margin]
        while levels and levels[-1][2] * level[3] >= level[2] * levels[-1][3]:
            first, _, hits, decisions = levels.pop()
            level = first, margin, hits + level[2], decisions + level[3]
        levels.append(level)
    points: list[float] = []
    for first, last, hits, decisions in levels:
        for x in sorted({first, last}):
            points += [x, hits / decisions]
    return points
