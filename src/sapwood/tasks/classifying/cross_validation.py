"""The number of epochs that is best by cross-validation."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from sapwood.errors import DataError, ModelError
from sapwood.events import EpochDone, Preparing, ignore
from sapwood.signals import Interrupt
from sapwood.tasks.classifying.training import held_out_score, train_rows, with_class_weights
from sapwood.training.cross_validation import splits, stratified_folds

if TYPE_CHECKING:
    from sapwood.events import Callback, Event
    from sapwood.tasks.classifying.data import Labelled
    from sapwood.tasks.classifying.options import ClassifierOptions


class CrossValidation(NamedTuple):
    """Accuracy after each pass, over all folds."""

    accuracies: list[float]  # [epochs] percent of all examples, each scored by a model trained without it
    mistakes: list[float]  # [epochs] mistakes in training, percent

    @classmethod
    def of(cls, found: object, epochs: int) -> CrossValidation:
        """Return a cross-validation, perhaps from a checkpoint's JSON. Raises ModelError if it has other epochs."""
        match found:
            case CrossValidation():
                return found
            case [list() as accuracies, list() as mistakes] if len(accuracies) == len(mistakes) == epochs:
                if all(isinstance(number, (int, float)) for number in accuracies + mistakes):
                    return cls(accuracies, mistakes)
        raise ModelError("the checkpoint's cross-validation is not one of so many epochs; train again")

    @property
    def best_epochs(self) -> int:
        """The number of passes with the highest accuracy, the fewest where several have it."""
        return 1 + self.accuracies.index(max(self.accuracies))


def cross_validate(
    options: ClassifierOptions, data: Labelled, folds: int, report: Callback = ignore
) -> CrossValidation:
    """Train on all folds but one, in turn, and score every pass on the one left out.

    Raises DataError if there are fewer examples than folds, KeyboardInterrupt after Ctrl-C: there is no model yet that
    could be kept.
    """
    from sapwood.training.run import Run

    n, shown = len(data.gold), 0
    if n < folds:
        raise DataError(f"there are {n} examples, too few for {folds} folds")
    right, wrong = [0.0] * options.epochs, [0] * options.epochs
    with Interrupt() as interrupt:
        for fold, (outside, inside) in enumerate(splits(stratified_folds(data.strata(), folds, options.seed))):
            report(Preparing("cross-validation, fold", fold, folds))
            examples, passes = with_class_weights(options, data.select(outside)), list[EpochDone]()
            score = partial(held_out_score, options, data.select(inside))
            run = Run(partial(_add_pass, passes, interrupt), monitors_data=False)
            train_rows(options, examples, score, run)
            shown += passes[0].tokens
            for done in passes:
                assert done.dev_score is not None
                right[done.epoch - 1] += done.dev_score * len(inside) / 100
                wrong[done.epoch - 1] += done.mistakes
    return CrossValidation([100 * r / n for r in right], [100 * w / shown for w in wrong])


def _add_pass(passes: list[EpochDone], interrupt: Interrupt, event: Event) -> None:
    if interrupt.requested:
        raise KeyboardInterrupt
    if isinstance(event, EpochDone):
        passes.append(event)
