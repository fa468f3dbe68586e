"""How sure taggers and parsers are of each decision about a word.

The curves are those of sapwood.model.confidence. A model says what it reads and what its margins are; it takes the
methods of `Decides` that have a body, ``margins = Decides.margins``.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Protocol, Self, TypeVar

from sapwood.errors import DataError, OptionError
from sapwood.model.confidence import curves_of, shares
from sapwood.model.file.schema import ModelFile

if TYPE_CHECKING:
    from sapwood.training.calibrating.curves import Stage

Source = TypeVar("Source", contravariant=True)  # what `predict` takes
Data = TypeVar("Data")  # the core's form of it
Gold = TypeVar("Gold", contravariant=True)  # gold answers apart from the words


class Decides(Protocol[Source, Data, Gold]):
    """A model that decides about words."""

    model_: ModelFile
    calibration_error_: float

    @property
    def noun(self) -> str:
        """What messages call it."""

    def check_fitted(self) -> None:
        """Raise NotFittedError if the model is not fitted."""

    def install(self, model: ModelFile) -> None:
        """Take what a model file holds."""

    def seen(self, sentences: Source) -> Data:
        """Return the core's form of what `predict` takes."""

    def stages(self, data: Data) -> Sequence[list[list[float]]]:
        """Return the margins of each stage of the decisions about words."""

    def decisions(self, sentences: Source, gold: Gold | None) -> list[list[Stage]]:
        """Return the stages of the decisions about words and, in further lists, of other decisions, such as chunks."""

    def margins(self, sentences: Source) -> list[list[float]]:
        """Return for each word how far the decision about it is ahead of the best other one.

        They are the margins of `explain`: of a label or an arc (with joint labels also its relation). A word without an
        alternative has an infinite one.
        """
        self.check_fitted()
        return self.stages(self.seen(sentences))[0]

    def confidences(self, sentences: Source) -> list[list[float]]:
        """Return how sure each decision is, from 0 to 1: of a label, or of head and relation.

        Raises ModelError if the model is not calibrated.
        """
        self.check_fitted()
        return confidences_in(self, self.seen(sentences))

    def calibrate(self, sentences: Source, gold: Gold | None = None) -> Self:
        """Fit confidences on data that training did not see, in a file or in memory as `fit` takes them.

        They are kept with the model; `calibration_error_` says how far they are from the truth (0 to 1), by
        cross-validation in five folds. Raises DataError if there are too few words.
        """
        from sapwood.training.calibrating.curves import cross_error, fit_curves

        self.check_fitted()
        words, *others = self.decisions(sentences, gold)
        curves = fit_curves(words)
        self.calibration_error_ = cross_error(words)
        for stages in others:
            with suppress(DataError):  # too few: then there are confidences in the decisions about words only
                curves += fit_curves(stages)
        self.install(self.model_.replaced(calibration={"method": "isotonic", "curves": curves}))
        return self


def confidences_in(model: Decides[Source, Data, Gold], data: Data) -> list[list[float]]:
    """Return how sure each decision about the core's data is. Raises ModelError if the model is not calibrated."""
    found = model.stages(data)
    return shares(curves_of(model.model_.calibration)[: len(found)], found)


def calibrate_on(
    self: Decides[os.PathLike[str], Data, Gold],
    file: os.PathLike[str],
    *,
    method: str | None = None,
    names: Sequence[str] = (),
) -> str:
    """Do what `calibrate` does on a file, and say how far confidences are from the truth."""
    if method not in (None, "isotonic"):
        raise OptionError(f"a {self.noun}'s method of calibration is isotonic, not {method}")
    if names:
        raise OptionError(f"a {self.noun} takes no files of names; a pipeline does")
    self.calibrate(file)
    return f"calibration error {100 * self.calibration_error_:.2f} %"


def check_calibrated(model: Decides[Source, Data, Gold], wanted: bool) -> None:
    """Raise ModelError if confidences are wanted and the model is not calibrated."""
    if wanted:
        model.check_fitted()
        curves_of(model.model_.calibration)
