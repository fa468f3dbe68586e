"""Training of a classifier: the model that it will be, the trainer, and the epochs.

`Classifier.fit`, cross-validation, the estimator for matrices and the experiments share it.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from sapwood import _core
from sapwood.errors import OptionError
from sapwood.events import Started, ignore
from sapwood.io.label_sets import warn_of_sets
from sapwood.model.file.schema import ModelFile
from sapwood.model.support import SupportTrainer, Weights
from sapwood.tasks.classifying import multi_label
from sapwood.tasks.classifying.class_weights import label_weights, warn_of_heavy, weights_by_label
from sapwood.tasks.classifying.data import Labelled
from sapwood.tasks.classifying.scorer import frozen
from sapwood.tasks.classifying.stop_words import lists_of, read_stop_words, with_stop_words
from sapwood.templates import find_template
from sapwood.training.epochs import Trained, Trainer, run_epochs
from sapwood.training.options import word_clusters
from sapwood.training.runs import averaged
from sapwood.training.shards.mixing import Shard
from sapwood.training.task import Training

if TYPE_CHECKING:
    from sapwood.events import Callback
    from sapwood.io.examples import Examples
    from sapwood.options import Values
    from sapwood.tasks.classifying.example_stream import ExampleStream
    from sapwood.tasks.classifying.options import ClassifierOptions
    from sapwood.tasks.classifying.training_data import TrainingData


Score = Callable[[Weights], float]  # percent on held-out examples


def begin(options: ClassifierOptions, data: Examples) -> ModelFile:
    """Return the model that training data will give, without weights. Raises TemplateError or DataError."""
    text, word_lists, clusters = "", [], None
    if data.documents is not None:
        text, where, folder = find_template(options.chosen_template(), "classify")
        template = _core.Template(text, where, data.layout.columns, len(data.layout.columns), data.layout.fields)
        word_lists = lists_of(text, template.word_lists, options.word_lists or folder)
        if options.stop_words is not None:
            text = with_stop_words(text, template.word_lists, options.stop_words)
            word_lists.append(read_stop_words(options.stop_words))
        clusters = word_clusters(options, template.uses_clusters)
    elif options.clusters is not None:
        raise OptionError("clusters are of words, and these examples are features")
    elif given := [name for name in ("ngrams", "characters", "stop_words") if getattr(options, name) is not None]:
        raise OptionError(f"{given[0]}: these are taken from texts, but these examples are lists of features")
    layout = data.layout._asdict()
    columns, several, _ = layout.pop("columns"), layout.pop("several"), layout.pop("asked")
    labels = multi_label.sets_of(data, "train on")[0] if several else data.answers.labels
    warn_of_sets(labels, data.answers, several=several)
    model = ModelFile(
        task="classify",
        labels=labels,
        template=text,
        columns=[*columns, "label"],
        label=len(columns),
        options=options.kept() | layout,
        bits=options.bits,
        word_lists=word_lists,
        clusters=clusters,
    )
    return multi_label.without_thresholds(model) if several else model


def training_of(
    options: ClassifierOptions,
    data: TrainingData | ExampleStream,
    trainer: Trainer[Weights],
    model: ModelFile,
    score: Score | None,
    epochs: int | None = None,
) -> Training:
    """Return a training of a model without weights. epochs : another number than the options have"""
    several, counts, n = options.multi_label, data.counts(), data.size
    labels, units = model.labels, n * (len(model.labels) if several else 1)
    unit, learned = "decisions" if several else "examples", "support examples" if options.voted else "features"
    facts: dict[str, object] = {"examples": n, "data_checksum": f"{data.content_checksum:016x}"}
    if not several and n:
        facts["most_frequent"] = labels[counts.most_common(1)[0][0]]
    epochs = epochs or options.epochs
    warn_of_heavy(options.class_weight, counts, labels, n, 2 if several else len(counts))
    return Training(
        trainer,
        model,
        units=units,
        facts=facts,
        started=lambda seconds: Started(n, units, len(labels), epochs, seconds, unit, learned),
        score=None if score is None else lambda _, weights: score(weights),
        names=lambda weights: [data.names(weights)],
        epochs=epochs,
        familiar=data.familiar,
        where=data.where_of,
        values=data.values,
    )


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


def trainer_of(options: ClassifierOptions, train: Labelled) -> Trainer[Weights]:
    """Return a trainer that has the examples; where several runs are wanted, their average."""
    examples = with_class_weights(options, train)
    if options.runs == 1:
        return single_trainer_of(options, examples)
    how = {"runs": options.runs, "seed": options.seed, "threads": options.threads}
    return averaged(trainer_on(examples, options.for_core()), partial(shard_of, options, examples), **how)


def single_trainer_of(options: ClassifierOptions, examples: Labelled) -> Trainer[Weights]:
    """Return a trainer of one run with examples that have their class weights."""
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


def run(
    options: ClassifierOptions,
    trainer: Trainer[Weights],
    train: Labelled,
    score: Score | None = None,
    on_event: Callback = ignore,
) -> Trained[Weights]:
    """Run the epochs over the trainer's examples, and keep the weights of the one that scores best."""
    return run_epochs(
        trainer,
        tokens=units_of(train),
        epochs=options.epochs,
        patience=options.patience,
        bits=options.bits,
        shrink=options.drop_below,
        score=score,
        report=on_event,
    )


def units_of(data: Labelled) -> int:
    """Return the number of decisions: one for each example, or for each of its possible labels."""
    return len(data.gold) * (len(data.labels) if data.several else 1)


def held_out_score(options: ClassifierOptions, held_out: Labelled, weights: Weights) -> float:
    """Return the accuracy on held-out data in percent; of a multi-label classifier the F1 by the best thresholds."""
    if held_out.several:
        raw = frozen(held_out.labels, weights, [0.0] * len(held_out.labels))
        return multi_label.best_thresholds(raw, held_out.rows, held_out.gold, options.threads)[1]
    guess = frozen(held_out.labels, weights).predict(held_out.rows, options.threads)
    return 100 * sum(map(int.__eq__, guess, held_out.gold)) / len(held_out.gold)
