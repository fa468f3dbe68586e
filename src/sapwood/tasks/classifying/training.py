"""Training of a classifier: the model that it will be, and the trainer.

`Classifier.fit`, cross-validation, the estimator for matrices and the experiments share it.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING

from sapwood import _core
from sapwood.events import Started
from sapwood.model.file.schema import ModelFile
from sapwood.model.support import SupportTrainer, Weights
from sapwood.tasks.classifying import multi_label
from sapwood.tasks.classifying.class_weights import label_weights, warn_of_heavy, weights_by_label
from sapwood.tasks.classifying.data import Labelled
from sapwood.tasks.classifying.scorer import frozen
from sapwood.training.shards import Shard
from sapwood.training.task import Task, Trainer

if TYPE_CHECKING:
    from sapwood.options import Values
    from sapwood.tasks.classifying.example_stream import ExampleStream
    from sapwood.tasks.classifying.options import ClassifierOptions
    from sapwood.tasks.classifying.training_data import TrainingData
    from sapwood.training.run import Fitted, Run


Score = Callable[[Weights], float]  # percent on held-out examples


def trainer_of(
    options: ClassifierOptions,
    data: TrainingData | ExampleStream,
    core: _core.ClassifierTrainer | SupportTrainer,
    model: ModelFile,
    score: Score | None,
) -> Trainer:
    """Return the trainer of a model without weights."""
    several, counts, n = options.multi_label, data.counts(), data.size
    facts: dict[str, object] = {"examples": n, "data_checksum": f"{data.content_checksum:016x}"}
    if not several and n:
        facts["most_frequent"] = model.labels[counts.most_common(1)[0][0]]
    warn_of_heavy(options.class_weight, counts, model.labels, n, 2 if several else len(counts))
    return Trainer(
        core,
        model,
        started_with(options, n, len(model.labels)),
        facts=facts,
        score=None if score is None else lambda _, weights: score(weights),
        names=lambda weights: [data.names(weights)],
        familiar=data.familiar,
        where=data.where_of,
        values=data.values,
    )


def train_on(
    options: ClassifierOptions,
    core: _core.ClassifierTrainer | SupportTrainer,
    examples: Labelled,
    model: ModelFile,
    score: Score | None,
    run: Run,
) -> Fitted[Labelled]:
    """Train a model on rows of features that a trainer has, with their class weights."""
    from sapwood.training.run import train

    trainer = Trainer(
        core,
        model,
        started_with(options, len(examples.gold), len(examples.labels)),
        facts={},
        score=None if score is None else lambda _, weights: score(weights),
        examples=len(examples.gold),
        shard=lambda chosen, seed: shard_of(options, examples.select(chosen), seed),
    )
    return train(Task(model.task, options, lambda *data: trainer, examples, unit="examples", look=None), run)


def started_with(options: ClassifierOptions, examples: int, labels: int) -> Started:
    """Return the event of a training of so many examples, each of which is a decision about a label, or about all."""
    units, unit = (examples * labels, "decisions") if options.multi_label else (examples, "examples")
    learned = "support examples" if options.voted else "features"
    return Started(examples, units, labels, options.epochs, 0, unit, learned)


def model_of_rows(labels: list[str], bits: int) -> ModelFile:
    """Return a model of rows of features, without weights."""
    return ModelFile(task="classify", labels=labels, template="", columns=[], label=0, options={}, bits=bits)


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


def core_trainer_of(options: ClassifierOptions, examples: Labelled) -> _core.ClassifierTrainer | SupportTrainer:
    """Return the core's trainer with examples that have their class weights."""
    trainer = trainer_on(examples, options.for_core())
    return SupportTrainer(trainer, trainer.freeze_votes, examples.rows) if options.voted else trainer


def shard_of(options: ClassifierOptions, examples: Labelled, seed: int) -> Shard:
    """Return a shard of examples that have their class weights."""
    return Shard(trainer_on, examples, {"options": options.for_core(seed=seed, threads=1)})


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


def held_out_score(options: ClassifierOptions, held_out: Labelled, weights: Weights) -> float:
    """Return the accuracy on held-out data in percent; of a multi-label classifier the F1 by the best thresholds."""
    if held_out.several:
        raw = frozen(held_out.labels, weights, [0.0] * len(held_out.labels))
        return multi_label.best_thresholds(raw, held_out.rows, held_out.gold, options.threads)[1]
    guess = frozen(held_out.labels, weights).predict(held_out.rows, options.threads)
    return 100 * sum(map(int.__eq__, guess, held_out.gold)) / len(held_out.gold)
