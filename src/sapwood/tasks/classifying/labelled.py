"""Rows of features with their labels, one or any number for each, and the core's trainers that have them.

Of any number each label is a decision, one against the rest, over one table of weights. The core learns and scores such
examples (core/classifying/classifier_trainer.hpp). A label's threshold is chosen on held-out data by its F1
(core/classifying/thresholds.hpp); without such data it is 0, where training has put it. The model file has the
thresholds as the array ``extra.thresholds``, float64 of each label.
"""

from __future__ import annotations

import operator
from array import array
from collections import Counter
from collections.abc import Sequence
from itertools import chain
from typing import Any, NamedTuple

import sapwood._core as _core
from sapwood.errors import DataError
from sapwood.io.examples import Examples
from sapwood.io.label_sets import label_sets
from sapwood.model.file.container import Array
from sapwood.model.file.schema import ModelFile
from sapwood.model.support import SupportTrainer
from sapwood.options import Values
from sapwood.tasks.classifying.class_weights import label_weights, weights_by_label
from sapwood.tasks.classifying.options import ClassifierOptions

Sets = Sequence[Sequence[int]]  # [examples] numbers of labels
_NAME = "thresholds"


def is_multi_label(model: ModelFile) -> bool:
    """Return true if the examples of a model have any number of labels."""
    return model.options.get("multi_label") is True


def sets_of(data: Examples, purpose: str) -> tuple[list[str], list[list[int]]]:
    """Return all labels, and the numbers of those that each example has.

    Raises DataError if there is no example, or no label at all: then they are not data to train on, or to score.
    """
    if data.flaw:
        raise DataError(data.flaw)
    names, sets = label_sets(data.answers, data.layout.format)
    if not sets:
        raise DataError(f"{data.answers.name}: there is no example to {purpose}")
    if not names:
        raise DataError(f"{data.answers.name}: no example has a label; examples to {purpose} have some")
    return names, sets


def with_thresholds(model: ModelFile, thresholds: Sequence[float]) -> ModelFile:
    """Return a model with the threshold of each label."""
    return model.replaced(extra={_NAME: Array.of("F64", array("d", thresholds).tobytes())})


def without_thresholds(model: ModelFile) -> ModelFile:
    """Return a model whose thresholds are 0."""
    return with_thresholds(model, [0.0] * len(model.labels))


def best_thresholds(
    raw: _core.Classifier, rows: _core.FeatureRows, sets: Sets, threads: int
) -> tuple[list[float], float]:
    """Return the threshold of each label with the highest F1 on held-out data, and the F1 of all labels in percent.

    raw : a classifier whose thresholds are 0
    sets : the labels of each row, -1 for one that the classifier does not have
    """
    found = raw.best_thresholds(rows, [[y for y in each if y >= 0] for each in sets], threads)
    wanted = sum(map(len, sets))  # with those that the model does not have
    guessed, correct = sum(each.guessed for each in found), sum(each.correct for each in found)
    return [each.at for each in found], 200 * correct / (wanted + guessed) if wanted + guessed else 0.0


class Labelled(NamedTuple):
    """Rows of features with their labels: what all training works on."""

    rows: _core.FeatureRows
    gold: list[Any]  # [examples] number of the label, or numbers of the labels; -1 for one that the model lacks
    labels: list[str]
    several: bool = False  # an example has any number of labels
    importance: Sequence[float] = ()  # [examples] factor of the steps, or empty: all 1
    label_weights: Sequence[tuple[float, float]] = ()  # [labels] factors of steps for and against it, or empty: all 1

    def select(self, examples: Sequence[int]) -> Labelled:
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
