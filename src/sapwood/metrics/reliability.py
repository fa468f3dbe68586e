"""Scores of confidences: their distance from the share of decisions that are right."""

from collections.abc import Iterable, Sequence
from math import log
from statistics import fmean
from typing import NamedTuple

Rows = Sequence[Sequence[float]]  # [examples][labels]


class Reliability(NamedTuple):
    """Scores of the confidences in the labels of a data set."""

    log_loss: float  # mean of -log of the confidence in the gold label, in nats
    brier: float  # mean squared distance from confidence 1 in the gold label and 0 in the others, 0 to 2
    calibration_error: float  # mean distance of confidence and accuracy over ten bins, 0 to 1 (Guo et al. 2017)


class ReliabilityBin(NamedTuple):
    """Decisions of about the same confidence."""

    confidence: float  # mean
    accuracy: float  # the share of them that is right
    size: int


def reliability(confidences: Rows, gold: Sequence[int]) -> Reliability:
    """Score the confidences in the labels of examples with one label each."""
    guess = [max(range(len(row)), key=row.__getitem__) for row in confidences]
    in_gold = [row[y] for row, y in zip(confidences, gold, strict=True)]
    highest = [row[y] for row, y in zip(confidences, guess, strict=True)]
    error = calibration_error(highest, [y == z for y, z in zip(gold, guess, strict=True)])
    # The gold label adds (1 - q)^2 = q^2 + 1 - 2q, the others p^2.
    brier = fmean(sum(p * p for p in row) + 1 - 2 * q for row, q in zip(confidences, in_gold, strict=True))
    return Reliability(_log_loss(in_gold), brier, error)


def multi_label_reliability(confidences: Rows, gold: Sequence[Sequence[int]]) -> Reliability:
    """Score the confidences in the labels of multi-label examples. Each label is a decision with two outcomes."""
    decisions = [(p, y in labels) for row, labels in zip(confidences, gold, strict=True) for y, p in enumerate(row)]
    in_gold = [p if is_gold else 1 - p for p, is_gold in decisions]
    higher = [p if p > 0.5 else 1 - p for p, _ in decisions]
    error = calibration_error(higher, [(p > 0.5) == is_gold for p, is_gold in decisions])
    return Reliability(_log_loss(in_gold), fmean(2 * (1 - p) ** 2 for p in in_gold), error)


def _log_loss(in_gold: Iterable[float]) -> float:
    return fmean(-log(min(max(p, 1e-15), 1)) for p in in_gold)


def calibration_error(confidences: Sequence[float], right: Sequence[bool]) -> float:
    """Return the mean distance of confidence and accuracy over ten bins of confidence, 0 to 1 (Guo et al. 2017)."""
    bins = reliability_bins(confidences, right)
    return sum(each.size * abs(each.accuracy - each.confidence) for each in bins) / len(confidences)


def reliability_bins(confidences: Sequence[float], right: Sequence[bool]) -> list[ReliabilityBin]:
    """Return a bin for each tenth of confidence that has decisions, the lowest confidence first.

    >>> reliability_bins([0.55, 0.57, 0.9], [True, False, True])[0]
    ReliabilityBin(confidence=0.56, accuracy=0.5, size=2)
    """
    tenths: list[list[tuple[float, bool]]] = [[] for _ in range(10)]
    for each in zip(confidences, right, strict=True):
        tenths[tenth_of(each[0])].append(each)
    return [
        ReliabilityBin(fmean(p for p, _ in tenth), fmean(hit for _, hit in tenth), len(tenth))
        for tenth in tenths
        if tenth
    ]


class Coverage(NamedTuple):
    """The surest answers, as many as a share of all."""

    coverage: float  # share of all answers, 0 to 1
    precision: float  # share of these answers that is right
    confidence: float  # the least one among them


def coverage_curve(confidences: Sequence[float], right: Sequence[bool]) -> list[Coverage]:
    """Return the precision of the surest answers for each tenth of coverage, all answers first.

    >>> coverage_curve([0.9, 0.8, 0.7, 0.6], [True, True, True, False])[0]
    Coverage(coverage=1.0, precision=0.75, confidence=0.6)
    """
    surest = sorted(zip(confidences, right, strict=True), key=lambda each: -each[0])
    sizes = ((tenth / 10, round(tenth * len(surest) / 10)) for tenth in range(10, 0, -1))
    return [Coverage(share, sum(hit for _, hit in surest[:n]) / n, surest[n - 1][0]) for share, n in sizes if n]


def tenth_of(confidence: float) -> int:
    """Return the number of the tenth that a confidence is in, from 0 to 9; 1 is in the last.

    >>> tenth_of(0.3), tenth_of(1.0)
    (3, 9)
    """
    return min(int(confidence * 10), 9)
