"""How sure a tagger is of its labels: margins, and the share of labels with such a margin that are right.

A margin is how far a label is ahead of the best other one; in Viterbi search, how far the best sequence is ahead of the
best one in which this token has another label. On data that training did not see, a curve that never falls is fitted to
margins and whether the label was right (isotonic regression, Zadrozny & Elkan 2002), one for all labels.
"""

from __future__ import annotations

from itertools import pairwise

from sapwood.errors import DataError, ModelError
from sapwood.optional import require

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    Sentences = Sequence[Sequence[float]]  # a number for each token

_FOLDS = 5
_FEWEST = 10  # tokens


def fit_confidence(margins: Sentences, gold: Sequence[Sequence[str]], guess: Sequence[Sequence[str]]) -> dict[str, Any]:
    """Return the calibration of a tagger, as its model file keeps it. Raises DataError if there are too few tokens."""
    return {"method": "isotonic", "curves": [_curve(*_flat(margins, gold, guess))]}


def cross_error(margins: Sentences, gold: Sequence[Sequence[str]], guess: Sequence[Sequence[str]]) -> float:
    """Return the calibration error of the labels of each fifth of the sentences, by the curve of the others."""
    from sapwood.learning.calibration import calibration_error

    confidences: list[float] = []
    right: list[bool] = []
    for fold in range(_FOLDS):
        rest = [k for k in range(len(gold)) if k % _FOLDS != fold]
        curve = _curve(*_flat([margins[k] for k in rest], [gold[k] for k in rest], [guess[k] for k in rest]))
        found, is_right = _flat(margins[fold::_FOLDS], gold[fold::_FOLDS], guess[fold::_FOLDS])
        confidences += interpolated(curve, found)
        right += is_right
    return calibration_error(confidences, right)


def confidences_of(calibration: dict[str, Any] | None, margins: Sentences) -> list[list[float]]:
    """Return the confidences in labels with these margins. Raises ModelError without a calibration."""
    if calibration is None:
        raise ModelError("the model is not calibrated, and margins are no probabilities; see calibrate")
    [curve] = calibration["curves"]
    return [interpolated(curve, sentence) for sentence in margins]


def interpolated(curve: Sequence[float], margins: Sequence[float]) -> list[float]:
    """Return the curve at these margins; before its first and behind its last point it is level.

    >>> interpolated([0.0, 0.5, 2.0, 1.0], [-1.0, 1.0, float("inf")])
    [0.5, 0.75, 1.0]
    """
    import numpy as np

    found: list[float] = np.interp(margins, curve[0::2], curve[1::2]).tolist()
    return found


def check_calibration(calibration: dict[str, Any]) -> None:
    """Raise ModelError unless a calibration in a model file is that of a tagger."""
    curves = calibration["curves"]
    if calibration["method"] != "isotonic" or len(curves) != 1:
        raise ModelError("its calibration is not that of a tagger: one isotonic curve")
    [points] = curves
    x, p = points[0::2], points[1::2]
    rises = all(a < b for a, b in pairwise(x)) and all(a <= b for a, b in pairwise(p))
    finite = all(abs(number) < float("inf") for number in points)
    if not points or len(x) != len(p) or not finite or not rises or not 0 <= p[0] <= p[-1] <= 1:
        raise ModelError("the curve of its calibration does not rise from margins to shares between 0 and 1")


def with_confidences(labelled: bytes, confidences: Sequence[Sequence[float]]) -> bytes:
    """Return a labelled column file with a confidence at the end of every row."""
    numbers = (number for sentence in confidences for number in sentence)
    gap = b"\t" if b"\t" in labelled.partition(b"\n")[0] else b" "
    return b"".join(_with_numbers(labelled.splitlines(keepends=True), numbers, gap))


def _with_numbers(lines: Sequence[bytes], numbers: Iterator[float], gap: bytes) -> Iterator[bytes]:
    for line in lines:
        row = line.rstrip(b"\r\n")
        yield row + gap + b"%.4f" % next(numbers) + line[len(row) :] if row.strip() else line


def _flat(
    margins: Sentences, gold: Sequence[Sequence[str]], guess: Sequence[Sequence[str]]
) -> tuple[list[float], list[bool]]:
    pairs = zip(gold, guess, strict=True)
    right = [g == h for sentences in pairs for g, h in zip(*sentences, strict=True)]
    return [margin for sentence in margins for margin in sentence], right


def _curve(margins: list[float], right: list[bool]) -> list[float]:
    """Return the points of the curve. A token with no other label counts as one of the largest margin."""
    require("sklearn", "calibrating taggers")
    import numpy as np

    from sapwood.learning.calibration import isotonic_curve

    finite = [margin for margin in margins if margin != float("inf")]
    if len(finite) < _FEWEST:
        raise DataError(
            f"a calibration needs {_FEWEST} tokens with a choice or more, better thousands; here are {len(finite)}"
        )
    return isotonic_curve(np.minimum(margins, max(finite)), np.array(right))
