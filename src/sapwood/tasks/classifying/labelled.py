"""Rows of features with their labels, and the core's trainers that have them."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from sapwood import _core
from sapwood.model.support import SupportTrainer
from sapwood.options import Values
from sapwood.tasks.classifying.class_weights import label_weights, weights_by_label

if TYPE_CHECKING:
    from sapwood.tasks.classifying.options import ClassifierOptions


class Labelled(NamedTuple):
    """Rows of features with their labels: what all training works on."""

    rows: _core.FeatureRows
    gold: list[Any]  # [examples] number of the label, or numbers of the labels; -1 for one that the model lacks
    labels: list[str]
    several: bool = False  # an example has any number of labels
    importance: Sequence[float] = ()  # [examples] factor of the steps, or empty: all 1
    label_weights: Sequence[tuple[float, float]] = ()  # [labels] factors of steps for and against it, or empty: all 1

    def select(self, examples: Sequence[int]) -> Labelled:
        """Return some of the examples."""
        importance = [self.importance[k] for k in examples] if self.importance else ()
        gold = [self.gold[k] for k in examples]
        return self._replace(rows=self.rows.select(list(examples)), gold=gold, importance=importance)

    def relabelled(self, labels: list[str]) -> Labelled:
        """Return the same examples with the numbers of other labels, -1 for one that is not among them."""
        numbers = {label: y for y, label in enumerate(labels)}
        new = [*(numbers.get(label, -1) for label in self.labels), -1]  # number -1 stays
        gold = [sorted(new[y] for y in each) if self.several else new[each] for each in self.gold]
        return self._replace(labels=labels, gold=gold)

    def strata(self) -> list[int]:
        """Return a number for each example; equal labels, or sets of labels, have equal numbers."""
        if not self.several:
            return self.gold
        numbers: dict[tuple[int, ...], int] = {}
        return [numbers.setdefault(tuple(each), len(numbers)) for each in self.gold]

    def counts(self) -> Counter[int]:
        """Return the number of examples that have each label."""
        return Counter(chain.from_iterable(self.gold) if self.several else self.gold)


def with_class_weights(options: ClassifierOptions, train: Labelled) -> Labelled:
    """Return examples with the factors of their steps that follow from the weights of classes."""
    if options.multi_label:
        weights = label_weights(options.class_weight, train.counts(), train.labels, len(train.gold))
        return train._replace(label_weights=weights)
    of_label = weights_by_label(options.class_weight, train.counts(), train.labels)
    if not of_label:
        return train
    importance = [of_label[y] for y in train.gold]
    if train.importance:
        importance = list(map(operator.mul, importance, train.importance))
    return train._replace(importance=importance)


def core_trainer(
    options: ClassifierOptions, examples: Labelled, known_labels: int = 0
) -> _core.ClassifierTrainer | SupportTrainer:
    """Return the core's trainer with examples that have their class weights; a voted one keeps them.

    known_labels : number of the first labels, which the training knows from which this one goes on
    """
    trainer = trainer_on(examples, options.for_core(), known_labels)
    return SupportTrainer(trainer, trainer.freeze_votes, examples.rows) if options.voted else trainer


def trainer_on(examples: Labelled, options: Values, known_labels: int = 0) -> _core.ClassifierTrainer:
    """Return the core's trainer with examples that have their class weights."""
    trainer = _core.ClassifierTrainer(len(examples.labels), options, known_labels=known_labels)
    add_examples(trainer, examples)
    return trainer


def add_examples(trainer: _core.ClassifierTrainer, examples: Labelled) -> None:
    """Add examples that have their class weights to a trainer."""
    if examples.several:
        trainer.add_any(examples.rows, examples.gold, examples.importance, examples.label_weights)
    else:
        trainer.add(examples.rows, examples.gold, examples.importance)
