"""The calibration error of confidences, less what chance adds to it."""

from collections.abc import Sequence
from math import erf, exp, pi, sqrt

from sapwood.metrics.reliability import reliability_bins


def debiased_calibration_error(confidences: Sequence[float], right: Sequence[bool]) -> float:
    """Return the calibration error less what chance adds to it, 0 to 1 (Kumar, Liang & Ma 2019, section 5).

    The accuracy a of n decisions in a bin is off by chance, so even perfect confidences have an error. If accuracies
    are drawn from a normal distribution around a, of variance a (1 - a) / n, their mean error is above the measured
    one, by about as much as the measured error is above the true one. That difference is subtracted.

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
