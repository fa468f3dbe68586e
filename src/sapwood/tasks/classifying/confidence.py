"""The confidence of a classifier in its labels, by a calibration on data that training did not see.

The core has the formulas of each method and applies them (core/model/calibration.cpp).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from typing import TYPE_CHECKING

import sapwood._core as _core
from sapwood.errors import DataError, OptionError
from sapwood.model.abstention import Answered
from sapwood.model.file.records import Calibration

if TYPE_CHECKING:
    from sapwood.metrics.reliability import Reliability
    from sapwood.model.confidence import Numbers

Gold = Sequence[Sequence[int]]  # [examples] the numbers of the labels that an example has


def _best_temperature(scores: Numbers, gold: Gold, multi_label: bool) -> list[list[float]]:
    """Return one temperature for all labels (Guo et al. 2017)."""
    return [[_core.Calibration.best_temperature(scores, gold, multi_label)]]


def _isotonic_curves(scores: Numbers, gold: Gold, multi_label: bool) -> list[list[float]]:
    """Return a curve for each label (Zadrozny & Elkan 2002); the score of a label of several is its margin."""
    from sapwood.model.confidence import isotonic_curve

    margins = zip(*(scores if multi_label else map(_margins, scores)), strict=True)
    return [isotonic_curve(of_label, [y in each for each in gold]) for y, of_label in enumerate(margins)]


# Each method has a function (scores, gold, and if there are several labels -> curves), and a help.
METHODS: dict[str, tuple[Callable[[Numbers, Gold, bool], list[list[float]]], str]] = {
    "temperature": (_best_temperature, "one temperature for all labels, the default"),
    "isotonic": (_isotonic_curves, "a step function a label, for a thousand examples or more"),
}


def fit_calibration(scores: Numbers, gold: Gold, method: str, *, multi_label: bool) -> tuple[Calibration, Reliability]:
    """Fit a calibration to the scores of examples, and score its confidences by cross-validation, fold by fold.

    multi_label : examples have any number of labels, each a decision of its own

    Raises OptionError if there is no such method, DataError if there are fewer examples than folds.
    """
    from sapwood.metrics.reliability import multi_label_reliability, reliability
    from sapwood.model.confidence import FOLDS

    if method not in METHODS:
        raise OptionError(f"the method of calibration is {' or '.join(METHODS)}, not {method!r}")
    if len(gold) < FOLDS:
        raise DataError(f"a calibration needs {FOLDS} examples or more, better hundreds; here are {len(gold)}")
    fit, _ = METHODS[method]
    found: Numbers = [[]] * len(scores)
    for fold in range(FOLDS):
        others = [k for k in range(len(gold)) if k % FOLDS != fold]
        curves = fit([scores[k] for k in others], [gold[k] for k in others], multi_label)
        calibration = _core.Calibration(method, curves, len(scores[0]), multi_label)
        found[fold::FOLDS] = calibration.apply(scores[fold::FOLDS])
    scored = multi_label_reliability(found, gold) if multi_label else reliability(found, list(chain(*gold)))
    return {"method": method, "curves": fit(scores, gold, multi_label)}, scored


def answered_examples(confidences: Numbers, scores: Numbers, gold: Gold, *, several: bool) -> Answered:
    """Return the answers to examples, by the confidences in all labels, and whether they are right.

    Of several labels all have to be right, the least sure decision counts, and there is one kind of answer.
    """
    if several:
        guess = [[y for y, score in enumerate(row) if score > 0] for row in scores]
        right = [sorted(given) == labels for given, labels in zip(gold, guess, strict=True)]
        return Answered(list(map(least_sure, confidences, guess)), right, [0] * len(gold), 2)
    best = [max(range(len(row)), key=row.__getitem__) for row in scores]
    sure = [row[y] for row, y in zip(confidences, best, strict=True)]
    return Answered(sure, [y == labels[0] for y, labels in zip(best, gold, strict=True)], best, len(scores[0]))


def least_sure(confidences: Sequence[float], labels: Sequence[int]) -> float:
    """Return the confidence in the least sure decision about an example that is given these of all labels."""
    return min(p if y in labels else 1 - p for y, p in enumerate(confidences))


def _margins(scores: Sequence[float]) -> list[float]:
    *_, second, best = sorted(scores)
    return [score - (second if score == best else best) for score in scores]


def reliability_report(method: str, reliability: Reliability) -> str:
    """Return the scores of confidences in words."""
    return (
        f"{method}: log loss {reliability.log_loss:.4f}, Brier {reliability.brier:.4f}, "
        f"calibration error {100 * reliability.calibration_error:.2f} %"
    )
