"""Model selection: how many passes over the data are best, by k-fold cross-validation."""

import random
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from sapwood.errors import DataError

if TYPE_CHECKING:
    from sapwood.learning.events import Event
    from sapwood.models.classifier import Classifier
    from sapwood.models.labelled_rows import Labelled


class CrossValidation(NamedTuple):
    """Accuracy after each pass, over all folds."""

    accuracies: list[float]  # [epochs] percent of all examples, each scored by the model that did not see it
    mistakes: list[float]  # [epochs] mistakes in training, percent

    @property
    def best_epochs(self) -> int:
        """The number of passes with the highest accuracy, the fewest where several have it."""
        return 1 + self.accuracies.index(max(self.accuracies))


def stratified_folds(gold: Sequence[int], folds: int, seed: int) -> list[int]:
    """Return the fold of each example; every fold has its share of each label, as far as they can be shared out.

    >>> stratified_folds([0, 0, 1, 1], 2, seed=1) in ([0, 1, 0, 1], [1, 0, 0, 1], [0, 1, 1, 0], [1, 0, 1, 0])
    True
    """
    generator = random.Random(seed)
    by_label: dict[int, list[int]] = {}
    for example, label in enumerate(gold):
        by_label.setdefault(label, []).append(example)
    fold_of = [0] * len(gold)
    dealt = 0
    for label in sorted(by_label):
        examples = by_label[label]
        generator.shuffle(examples)
        for example in examples:
            fold_of[example] = dealt % folds
            dealt += 1
    return fold_of


def splits(fold_of: Sequence[int]) -> Iterator[tuple[list[int], list[int]]]:
    """Yield the examples outside of each fold and those in it."""
    for fold in range(max(fold_of) + 1):
        yield [k for k, f in enumerate(fold_of) if f != fold], [k for k, f in enumerate(fold_of) if f == fold]


def cross_validate(
    classifier: "Classifier", data: "Labelled", folds: int, *, on_fold: Callable[[int], None] = lambda fold: None
) -> CrossValidation:
    """Train on all folds but one, in turn, and score every pass on the one left out.

    Raises DataError if there are fewer examples than folds, KeyboardInterrupt after Ctrl-C: there is no model yet that
    could be kept.
    """
    from sapwood.learning.events import EpochDone
    from sapwood.learning.interrupt import Interrupt
    from sapwood.models.classifier_training import run, trainer_of

    if len(data.gold) < folds:
        raise DataError(f"there are {len(data.gold)} examples, too few for {folds} folds")
    right = [0.0] * classifier.epochs
    wrong = [0] * classifier.epochs
    shown = 0
    with Interrupt() as interrupt:
        for fold, (outside, inside) in enumerate(splits(stratified_folds(data.gold, folds, classifier.seed))):
            on_fold(fold)
            train, held_out = data.select(outside), data.select(inside)
            shown += len(outside)

            def count(event: "Event", size: int = len(inside)) -> None:
                if interrupt.requested:
                    raise KeyboardInterrupt
                if isinstance(event, EpochDone):
                    assert event.dev_score is not None
                    right[event.epoch - 1] += event.dev_score * size / 100
                    wrong[event.epoch - 1] += event.mistakes

            run(classifier, trainer_of(classifier, train), train, held_out, classifier.epochs, on_event=count)
    return CrossValidation([100 * r / len(data.gold) for r in right], [100 * w / shown for w in wrong])
