"""The confidence of models in their decisions: margins, and the share of decisions with such a margin that are right.

A margin is the score of a decision less that of the best other one; `explain` compares the same two. A calibration
maps margins, or a classifier's scores, to confidences. Its curves are fitted in sapwood.model.calibration, and the core
applies them.

A decision may have stages, such as a word's head and then its relation, each with its curve. The product of all is the
confidence in the whole decision.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Generic, TypeVar

from sapwood import _core
from sapwood.errors import MissingError, ModelError

if TYPE_CHECKING:
    from sapwood.model.file.schema import ModelFile

Numbers = list[list[float]]  # [sentences][decisions] or [examples][labels]
Data = TypeVar("Data", contravariant=True)  # the core's form of an input
Margins = TypeVar("Margins")  # [stages][sentences][decisions], or of a classifier its scores, [examples][labels]

NOT_CALIBRATED = "the model is not calibrated, and scores are no probabilities; see 'sapwood calibrate'"
_SURE_WORDS = 5  # chosen on development data: docs/confidence.md


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
        """True if there are confidences."""
        return self._apply is not None

    def check(self) -> None:
        """Raise ModelError if the model is not calibrated."""
        if self._apply is None:
            raise MissingError(NOT_CALIBRATED)

    def of(self, data: Data, threads: int) -> Numbers:
        """Return the confidences in the decisions about the core's data. Raises ModelError without a calibration."""
        self.check()
        assert self._apply is not None
        return self._apply(self.margins(data, threads))


def curves_in(model: ModelFile, noun: str, counts: Sequence[int]) -> list[_core.Curve]:
    """Return the curves of a model file; none if it is not calibrated. Raises ModelError for another model's curves.

    counts : the numbers of curves that a model of this kind may have
    """
    if model.calibration is None:
        return []
    method, curves = model.calibration["method"], model.calibration["curves"]
    if method != "isotonic" or len(curves) not in counts:
        raise ModelError(f"its calibration is not that of a {noun}: isotonic curves, {' or '.join(map(str, counts))}")
    return list(map(_core.Curve, curves))


def doubt(confidence: float, words: int) -> float:
    """Return the doubt, from 0 to 1, about a sentence of so many words with this mean confidence.

    It is a mean over the words and five more without doubt. So a short sentence, whose mean says little, does not go
    before longer ones.
    """
    return (1 - confidence) * words / (words + _SURE_WORDS)
