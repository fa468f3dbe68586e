"""The task of training a classifier: the trainer that begins with its examples, and what follows from training."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from sapwood.tasks.classifying import multi_label
from sapwood.tasks.classifying.class_weights import warn_of_heavy
from sapwood.tasks.classifying.cross_validation import CrossValidation, cross_validate
from sapwood.tasks.classifying.data import held_out_of
from sapwood.tasks.classifying.example_stream import ExampleStream
from sapwood.tasks.classifying.scorer import frozen_file
from sapwood.tasks.classifying.training import (
    Score,
    core_trainer,
    held_out_score,
    rows_trainer,
    started_with,
    with_class_weights,
)
from sapwood.tasks.classifying.training_data import TrainingData
from sapwood.training.task import Trainer

if TYPE_CHECKING:
    from sapwood.model.file.schema import ModelFile
    from sapwood.tasks.classifying.options import ClassifierOptions
    from sapwood.training.run import Run


def begin(options: ClassifierOptions, train: TrainingData, held_out: TrainingData | None, run: Run) -> Trainer:
    """Return the trainer that has the examples, with the labels of a training from which this one goes on."""
    if run.known is not None:
        train = train.labelled_as(run.known)
        held_out = None if held_out is None else held_out.labelled_as(run.known)
    examples, score = with_class_weights(options, train.labelled), _score(options, held_out)
    trainer = rows_trainer(options, core_trainer(options, examples), examples, score, train.model)
    describe(trainer, options, train)
    if options.cv is not None:
        found = cross_validation_of(options, train, run)
        trainer.started = replace(trainer.started, epochs=found.best_epochs)
        trainer.facts["cv_accuracy"] = round(max(found.accuracies), 4)
    return trainer


def begin_stream(options: ClassifierOptions, stream: ExampleStream, held_out: TrainingData | None, run: Run) -> Trainer:
    """Return the trainer that has a stream of examples. Raises OptionError and DataError."""
    model = stream.first.model
    core = stream.feed(model, run.known)
    if held_out is not None:  # it is compared with all labels, not with those of the first part
        held_out.labelled = held_out_of(held_out.examples, model.replaced(labels=stream.labels))
        held_out = held_out.labelled_as(stream.model)
    started = started_with(options, stream.size, len(stream.model.labels))
    trainer = Trainer(core, stream.model, started, facts={}, score=_score(options, held_out))
    describe(trainer, options, stream)
    return trainer


def describe(trainer: Trainer, options: ClassifierOptions, data: TrainingData | ExampleStream) -> None:
    """Add facts about the data to a trainer: those that the model file keeps, and those that users are warned of."""
    labels, counts, n = trainer.model.labels, data.counts(), data.size
    trainer.facts |= {"examples": n, "data_checksum": f"{data.content_checksum:016x}"}
    if not options.multi_label and n:
        trainer.facts["most_frequent"] = labels[counts.most_common(1)[0][0]]
    warn_of_heavy(options.class_weight, counts, labels, n, 2 if options.multi_label else len(counts))
    trainer.names = lambda weights: [data.names(weights)]
    trainer.familiar, trainer.where, trainer.values = data.familiar, data.where_of, data.values


def cross_validation_of(options: ClassifierOptions, data: TrainingData, run: Run) -> CrossValidation:
    """Return the cross-validation that a run has made, or make it."""
    assert options.cv is not None
    validate = partial(cross_validate, options, data.labelled, options.cv, run.report)
    return CrossValidation.of(run.note("cross-validation", validate), options.epochs)


def with_thresholds(options: ClassifierOptions, model: ModelFile, held_out: TrainingData) -> ModelFile:
    """Return a trained multi-label model with the best thresholds on held-out data."""
    data = held_out.labelled.relabelled(model.labels)
    raw = frozen_file(multi_label.without_thresholds(model))
    thresholds, _ = multi_label.best_thresholds(raw, data.rows, data.gold, options.threads)
    return multi_label.with_thresholds(model, thresholds)


def _score(options: ClassifierOptions, held_out: TrainingData | None) -> Score | None:
    return None if held_out is None else partial(held_out_score, options, held_out.labelled)
