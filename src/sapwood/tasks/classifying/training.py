"""Training of a classifier on rows of features with their labels."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from sapwood import _core
from sapwood.events import Started
from sapwood.model.file.schema import ModelFile
from sapwood.model.support import SupportTrainer, Weights
from sapwood.tasks.classifying import multi_label
from sapwood.tasks.classifying.class_weights import label_weights, weights_by_label
from sapwood.tasks.classifying.data import Labelled
from sapwood.tasks.classifying.scorer import frozen
from sapwood.training.shards import Shard
from sapwood.training.task import Task, Trainer

if TYPE_CHECKING:
    from sapwood.options import Values
    from sapwood.tasks.classifying.options import ClassifierOptions
    from sapwood.training.run import Fitted, Run


Score = Callable[[ModelFile, Weights], float]  # percent on held-out examples


def train_rows(
    options: ClassifierOptions,
    examples: Labelled,
    score: Score | None,
    run: Run,
    *,
    core: _core.ClassifierTrainer | None = None,
    model: ModelFile | None = None,
) -> Fitted[Labelled]:
    """Train on rows of features that have their class weights, without warnings of odd data.

    core : a trainer that has the examples; model : the file without weights, if its size matters
    """
    from sapwood.training.run import train

    trainer = rows_trainer(options, core or core_trainer(options, examples), examples, score, model)
    return train(Task("classify", options, lambda *data: trainer, examples, unit="examples", look=None), run)


def rows_trainer(
    options: ClassifierOptions,
    core: _core.ClassifierTrainer | SupportTrainer,
    examples: Labelled,
    score: Score | None,
    model: ModelFile | None = None,
) -> Trainer:
    """Return the trainer of rows of features, which `core` has, with their class weights."""
    n, labels = len(examples.gold), examples.labels
    if model is None:
        model = ModelFile(
            task="classify", labels=labels, template="", columns=[], label=0, options={}, bits=options.bits
        )
    started = started_with(options, n, len(labels))
    shard = partial(shard_of, options, examples)
    return Trainer(core, model, started, facts={}, score=score, examples=n, shard=shard)


def started_with(options: ClassifierOptions, examples: int, labels: int) -> Started:
    """Return the event of a training of so many examples, each of which is a decision about a label, or about all."""
    units, unit = (examples * labels, "decisions") if options.multi_label else (examples, "examples")
    learned = "support examples" if options.voted else "features"
    return Started(examples, units, labels, options.epochs, 0, unit, learned)


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


def core_trainer(options: ClassifierOptions, examples: Labelled) -> _core.ClassifierTrainer | SupportTrainer:
    """Return the core's trainer with examples that have their class weights; a voted one keeps them."""
    trainer = trainer_on(examples, options.for_core())
    return SupportTrainer(trainer, trainer.freeze_votes, examples.rows) if options.voted else trainer


def shard_of(options: ClassifierOptions, examples: Labelled, chosen: Sequence[int], seed: int) -> Shard:
    """Return a shard of some of the examples, which have their class weights."""
    return Shard(trainer_on, examples.select(chosen), {"options": options.for_core(seed=seed, threads=1)})


def trainer_on(examples: Labelled, options: Values) -> _core.ClassifierTrainer:
    """Return the core's trainer with examples that have their class weights."""
    trainer = _core.ClassifierTrainer(len(examples.labels), options)
    add_examples(trainer, examples)
    return trainer


def add_examples(trainer: _core.ClassifierTrainer, examples: Labelled) -> None:
    """Add examples that have their class weights to a trainer."""
    if examples.several:
        trainer.add_any(examples.rows, examples.gold, examples.importance, examples.label_weights)
    else:
        trainer.add(examples.rows, examples.gold, examples.importance)


def held_out_score(options: ClassifierOptions, held_out: Labelled, model: ModelFile, weights: Weights) -> float:
    """Return the accuracy on held-out data in percent; of a multi-label classifier the F1 by the best thresholds."""
    if held_out.several:
        raw = frozen(held_out.labels, weights, [0.0] * len(held_out.labels))
        return multi_label.best_thresholds(raw, held_out.rows, held_out.gold, options.threads)[1]
    guess = frozen(held_out.labels, weights).predict(held_out.rows, options.threads)
    return 100 * sum(map(int.__eq__, guess, held_out.gold)) / len(held_out.gold)
