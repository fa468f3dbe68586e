"""What models of words share that say how sure they are of each decision (confidence.py has the curves)."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Self

from sapwood.errors import DataError, OptionError
from sapwood.model.base import Model
from sapwood.model.confidence import check_calibration, curves_of, shares

if TYPE_CHECKING:
    from sapwood.model.file.schema import ModelFile
    from sapwood.training.calibrating.curves import Stage


class Confident(Model):
    """A model that decides about words, and can be calibrated on data that training did not see."""

    def margins(self, sentences: Any) -> list[list[float]]:
        """Return for each word how far the decision about it is ahead of the best other one.

        They are the margins of `explain`: of a label or an arc (with joint labels also its relation). A word without an
        alternative has an infinite one.
        """
        self._check_fitted()
        return self._margins(self._seen(sentences))[0]

    def confidences(self, sentences: Any) -> list[list[float]]:
        """Return how sure each decision is, from 0 to 1: of a label, or of head and relation.

        Raises ModelError if the model is not calibrated.
        """
        self._check_fitted()
        return self._confidences(self._seen(sentences))

    def calibrate(self, sentences: Any, gold: Sequence[Any] | None = None) -> Self:
        """Fit confidences on data that training did not see, in a file or in memory as `fit` takes them.

        They are kept with the model; `calibration_error_` says how far they are from the truth (0 to 1), by
        cross-validation in five folds. Raises DataError if there are too few words.
        """
        from sapwood.training.calibrating.curves import cross_error, fit_curves

        self._check_fitted()
        words, *others = self._decisions(sentences, gold)
        curves = fit_curves(words)
        self.calibration_error_: float = cross_error(words)
        for stages in others:
            with suppress(DataError):  # too few: then there are confidences in the decisions about words only
                curves += fit_curves(stages)
        self._install(self.model_.replaced(calibration={"method": "isotonic", "curves": curves}))
        return self

    def calibrate_on(self, file: os.PathLike[str], *, method: str | None = None, names: Sequence[str] = ()) -> str:
        """Do what `calibrate` does on a file, and say how far confidences are from the truth. See `Model`."""
        if method not in (None, "isotonic"):
            raise OptionError(f"a {self.noun}'s method of calibration is isotonic, not {method}")
        if names:
            raise OptionError(f"a {self.noun} takes no files of names; a pipeline does")
        self.calibrate(file)
        return f"calibration error {100 * self.calibration_error_:.2f} %"

    def _confidences(self, data: Any) -> list[list[float]]:
        margins = self._margins(data)
        return shares(curves_of(self.model_.calibration)[: len(margins)], margins)

    def _check_calibrated(self, wanted: bool) -> None:
        """Raise ModelError if confidences are wanted and the model is not calibrated."""
        if wanted:
            self._check_fitted()
            curves_of(self.model_.calibration)

    def _install(self, model: ModelFile) -> None:
        if model.calibration is not None:
            check_calibration(model.calibration, self.noun, self._curve_counts(model))
        super()._install(model)

    def _seen(self, sentences: Any) -> Any:
        """Return the core's form of what `predict` takes."""
        raise NotImplementedError

    def _margins(self, data: Any) -> Sequence[list[list[float]]]:
        """Return the margins of each stage of the decisions about words."""
        raise NotImplementedError

    def _decisions(self, sentences: Any, gold: Sequence[Any] | None) -> list[list[Stage]]:
        """Return the stages of the decisions about words and, in further lists, of other decisions, such as chunks."""
        raise NotImplementedError

    def _curve_counts(self, model: ModelFile) -> Sequence[int]:
        """Return how many curves the calibration of such a model may have."""
        raise NotImplementedError
