"""The task of training a classifier: its examples, read and labelled, and the training on them."""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

from sapwood.errors import OptionError
from sapwood.tasks.classifying import multi_label
from sapwood.tasks.classifying.class_weights import with_weights
from sapwood.tasks.classifying.cross_validation import CrossValidation, cross_validate
from sapwood.tasks.classifying.data import Source, held_out_of, labelled, layout_of, read_source, warn_of_cut_labels
from sapwood.tasks.classifying.given_labels import GivenLabels, one_column
from sapwood.tasks.classifying.scorer import frozen_file
from sapwood.tasks.classifying.training import (
    Score,
    begin,
    held_out_score,
    shard_of,
    single_trainer_of,
    training_of,
    with_class_weights,
)
from sapwood.tasks.classifying.training_data import TrainingData

if TYPE_CHECKING:
    from sapwood.model.file.schema import ModelFile
    from sapwood.tasks.classifying.example_stream import ExampleStream
    from sapwood.tasks.classifying.options import ClassifierOptions
    from sapwood.training.checkpoints import Run
    from sapwood.training.task import Training


class ClassifierTask:
    """The task of training a classifier on examples in memory or in a file.

    stream : the file, if it is read part by part
    goes_on : True if training goes on from another, which may know more labels than the examples have
    """

    def __init__(
        self,
        options: ClassifierOptions,
        examples: Source,
        labels: Iterable[Hashable] | None,
        sample_weight: Iterable[float] | None,
        dev: object,
        stream: ExampleStream | None,
        *,
        goes_on: bool,
    ) -> None:
        self.options, self._examples, self._dev, self.stream, self._goes_on = options, examples, dev, stream, goes_on
        self.labels = GivenLabels(several=options.multi_label)
        self._gold = None if labels is None else self.labels.read(labels)
        self._weights: list[float] = []
        self._held_out: TrainingData | None = None
        self.cross_validation: CrossValidation | None = None
        if sample_weight is not None:
            if isinstance(examples, os.PathLike):
                raise OptionError("sample_weight is for examples in memory, and these are in a file")
            listed = one_column(examples, "examples")
            self._examples, self._gold, self._weights = with_weights(listed, self._gold, sample_weight)

    def read(self, train: TrainingData | None) -> TrainingData:
        """Return the training data or, given these, the data held out in `dev`. Raises DataError, TemplateError."""
        return self._read_training() if train is None else self._read_held_out(train.model)

    def _read_training(self) -> TrainingData:
        data = self.stream.first if self.stream is not None else read_source(self._examples, self._gold, self.options)
        model = begin(self.options, data)
        if self._gold is None:  # the examples are in a file
            warn_of_cut_labels(data)
        if columns := self.labels.columns:
            model = multi_label.without_thresholds(model.replaced(labels=columns))
        found = labelled(data, model, 1 if self.stream is not None or self._goes_on else 2)._replace(
            importance=self._weights
        )
        return TrainingData(found.relabelled(columns) if columns else found, data, model)

    def _read_held_out(self, model: ModelFile) -> TrainingData:
        dev: Any = self._dev
        X, y = dev if isinstance(dev, tuple) and len(dev) == 2 else (dev, None)
        data = read_source(X, None if y is None else self.labels.read(y), self.options, layout_of(model))
        return TrainingData(held_out_of(data, model), data, model)

    def begin(self, train: TrainingData, held_out: TrainingData | None, run: Run) -> Training:
        """Return the training on data, perhaps with the labels of a training from which it goes on."""
        known, options = run.known, self.options
        if self.stream is not None:
            fed = self.stream.feed(train.model, known)
            if held_out is not None:  # it is compared with all labels, not with those of the first part
                held_out.labelled = held_out_of(held_out.examples, train.model.replaced(labels=self.stream.labels))
                held_out = held_out.labelled_as(self.stream.model)
            return training_of(options, self.stream, fed, self.stream.model, self._score(held_out))
        if known is not None:
            train = train.labelled_as(known)
            held_out = None if held_out is None else held_out.labelled_as(known)
        self._held_out = held_out
        epochs, facts = None, {}
        if options.cv is not None:
            validate = partial(cross_validate, options, train.labelled, options.cv, run)
            found = CrossValidation.of(run.note("cross-validation", validate), options.epochs)
            epochs, facts = found.best_epochs, {"cv_accuracy": round(max(found.accuracies), 4)}
            self.cross_validation = found
        examples = with_class_weights(options, train.labelled)
        trainer, score = single_trainer_of(options, examples), self._score(held_out)
        training = training_of(options, train, trainer, train.model, score, epochs)
        training.facts |= facts
        training.shard = lambda chosen, seed: shard_of(options, examples.select(chosen), seed)
        return training

    def _score(self, held_out: TrainingData | None) -> Score | None:
        return None if held_out is None else partial(held_out_score, self.options, held_out.labelled)

    def with_thresholds(self, model: ModelFile) -> ModelFile:
        """Return a trained multi-label model with the best thresholds on the held-out data, if there are any."""
        if self._held_out is None or not self.options.multi_label:
            return model
        data = self._held_out.labelled
        raw = frozen_file(multi_label.without_thresholds(model))
        thresholds, _ = multi_label.best_thresholds(raw, data.rows, data.gold, self.options.threads)
        return multi_label.with_thresholds(model, thresholds)
