"""The confidence of models in their decisions: margins, and the share of decisions with such a margin that are right.

A margin is the score of a decision less that of the best other one; `explain` compares the same two. A calibration
maps margins, or a classifier's scores, to confidences. Its curves never fall (isotonic regression, Zadrozny &
Elkan 2002) and are fitted to data that training did not see; the core interpolates them (core/model/calibration.hpp).

A decision may have stages, such as a word's head and then its relation, each with its curve, which is fitted to the
decisions whose earlier stages are right. The product of all is the confidence in the whole decision.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import chain, compress
from typing import Generic, NamedTuple, TypeVar

import sapwood._core as _core
from sapwood.errors import DataError, MissingError
from sapwood.model.file.records import Calibration

Numbers = list[list[float]]  # [sentences][decisions] or [examples][labels]
Data = TypeVar("Data", contravariant=True)  # the core's form of an input
Margins = TypeVar("Margins")  # [stages][sentences][decisions], or of a classifier its scores, [examples][labels]

_SURE_WORDS = 5  # chosen on development data: docs/confidence.md
FOLDS = 5  # parts of the data, for cross-validation
_FEWEST_DECISIONS = 10


class Confidence(Generic[Data, Margins]):
    """The margins of a fitted model's decisions and, if the model is calibrated, the confidences in them.

    margins : takes the core's data and a number of threads
    apply : the calibration, from margins to confidences; None if the model is not calibrated
    """

    report = ""  # the calibration error in words, after `calibrate`

    def __init__(self, margins: Callable[[Data, int], Margins], apply: Callable[[Margins], Numbers] | None) -> None:
        self.margins, self._apply = margins, apply

    @property
    def calibrated(self) -> bool:
        return self._apply is not None

    def check(self) -> None:
        """Raise ModelError if the model is not calibrated."""
        if self._apply is None:
            raise MissingError(_core.NOT_CALIBRATED)

    def of(self, data: Data, threads: int) -> Numbers:
        """Return the confidences in the decisions about the core's data. Raises ModelError without a calibration."""
        self.check()
        assert self._apply is not None
        return self._apply(self.margins(data, threads))


def doubt(confidence: float, words: int) -> float:
    """Return the doubt, from 0 to 1, about a sentence of so many words with this mean confidence.

    It is a mean over the words and five more without doubt. So a short sentence, whose mean says little, does not go
    before longer ones.
    """
    return (1 - confidence) * words / (words + _SURE_WORDS)


class DecisionStage(NamedTuple):
    """One stage of the decisions about some sentences. A curve is fitted to it."""

    margins: Sequence[Sequence[float]]  # [sentences][decisions]
    right: Sequence[Sequence[bool]]  # [sentences][decisions]


def calibrate_decisions(words: Sequence[DecisionStage], *others: Sequence[DecisionStage]) -> tuple[Calibration, float]:
    """Fit the curves of decisions about words, and of other decisions such as chunks.

    Return the calibration, and its error about words by cross-validation, from 0 to 1. The others have no curve if they
    are too few. Raises DataError if there are too few words.
    """
    curves, error = fit_curves(words), cross_error(words)
    for stages in others:
        with suppress(DataError):
            curves += fit_curves(stages)
    return {"method": "isotonic", "curves": curves}, error


def fit_curves(stages: Sequence[DecisionStage]) -> list[list[float]]:
    """Return the curve of each stage, [margin, share, margin, share ...]. Raises DataError for too few decisions."""
    curves = []
    chosen = [True] * sum(map(len, stages[0].right))  # decisions whose earlier stages are right
    for stage in stages:
        margins, right = list(chain(*stage.margins)), list(chain(*stage.right))
        curves.append(_curve(list(compress(margins, chosen)), list(compress(right, chosen))))
        chosen = [a and b for a, b in zip(chosen, right, strict=True)]
    return curves


def cross_error(stages: Sequence[DecisionStage]) -> float:
    """Return the calibration error by cross-validation: each fifth of the sentences is judged by curves of the rest."""
    from sapwood.metrics.reliability import calibration_error

    confidences: list[float] = []
    right: list[bool] = []
    for fold in range(FOLDS):
        rest = [k for k in range(len(stages[0].right)) if k % FOLDS != fold]
        others = [DecisionStage([stage.margins[k] for k in rest], [stage.right[k] for k in rest]) for stage in stages]
        here = [DecisionStage(stage.margins[fold::FOLDS], stage.right[fold::FOLDS]) for stage in stages]
        curves = list(map(_core.Curve, fit_curves(others)))
        confidences += chain(*_core.Curve.confidences(curves, [stage.margins for stage in here]))
        right += [all(each) for each in zip(*(chain(*stage.right) for stage in here), strict=True)]
    return calibration_error(confidences, right)


def _curve(margins: list[float], right: list[bool]) -> list[float]:
    """Return the points of the curve. A decision without an alternative counts as if it had the largest margin.

    Where none has one, as of relations that are all the same, every decision is as sure as all are right.
    """
    finite = [margin for margin in margins if margin != float("inf")]
    if len(finite or margins) < _FEWEST_DECISIONS:
        raise DataError(
            f"a calibration needs {_FEWEST_DECISIONS} decisions with a choice or more, better thousands; "
            f"here are {len(finite)}"
        )
    largest = max(finite, default=0.0)
    points = isotonic_curve([min(margin, largest) for margin in margins], right)
    return [float(f"{number:.9g}") for number in points]


def isotonic_curve(margins: Sequence[float], is_gold: Sequence[bool]) -> list[float]:
    """Return the points of a curve that never falls, [margin, share, margin, share ...].

    Two neighbouring levels are merged if the first one has the larger share (Ayer et al. 1955).

    >>> isotonic_curve([1.0, 2.0, 3.0, 4.0, 5.0], [False, True, True, False, True])
    [1.0, 0.0, 2.0, 0.6666666666666666, 4.0, 0.6666666666666666, 5.0, 1.0]
    """
    size, right = Counter(margins), Counter(compress(margins, is_gold))
    levels: list[tuple[float, float, int, int]] = []  # first margin, last margin, right decisions, all decisions
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
