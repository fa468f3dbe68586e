"""Curves from margins to the share of decisions that are right, fitted on data that training did not see.

A curve never falls (isotonic regression, Zadrozny & Elkan 2002). That of a stage is fitted to the decisions whose
earlier stages are right.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, compress
from typing import NamedTuple

from sapwood.errors import DataError
from sapwood.model.confidence import shares
from sapwood.training.calibrating.calibration import calibration_error, isotonic_curve

_FOLDS = 5
_FEWEST = 10  # decisions


class Stage(NamedTuple):
    """One stage of the decisions of some sentences."""

    margins: Sequence[Sequence[float]]  # [sentences][decisions]
    right: Sequence[Sequence[bool]]  # [sentences][decisions]


def fit_curves(stages: Sequence[Stage]) -> list[list[float]]:
    """Return the curve of each stage: margins and shares, in turn. Raises DataError if there are too few decisions."""
    curves = []
    known = [True] * sum(map(len, stages[0].right))  # decisions whose earlier stages are right
    for stage in stages:
        margins, right = list(chain(*stage.margins)), list(chain(*stage.right))
        curves.append(_curve(list(compress(margins, known)), list(compress(right, known))))
        known = [a and b for a, b in zip(known, right, strict=True)]
    return curves


def cross_error(stages: Sequence[Stage]) -> float:
    """Return the calibration error by cross-validation: each fifth of the sentences is judged by curves of the rest."""
    sure: list[float] = []
    right: list[bool] = []
    for fold in range(_FOLDS):
        rest = [k for k in range(len(stages[0].right)) if k % _FOLDS != fold]
        others = [Stage([stage.margins[k] for k in rest], [stage.right[k] for k in rest]) for stage in stages]
        here = [Stage(stage.margins[fold::_FOLDS], stage.right[fold::_FOLDS]) for stage in stages]
        found = shares(fit_curves(others), [stage.margins for stage in here])
        sure += chain(*found)
        right += [all(each) for each in zip(*(chain(*stage.right) for stage in here), strict=True)]
    return calibration_error(sure, right)


def _curve(margins: list[float], right: list[bool]) -> list[float]:
    """Return the points of the curve. A decision without an alternative counts as one of the largest margin."""
    finite = [margin for margin in margins if margin != float("inf")]
    if len(finite) < _FEWEST:
        raise DataError(
            f"a calibration needs {_FEWEST} decisions with a choice or more, better thousands; here are {len(finite)}"
        )
    most = max(finite)
    points = isotonic_curve([min(margin, most) for margin in margins], right)
    return [float(f"{number:.9g}") for number in points]
