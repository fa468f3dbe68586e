"""Training of a classifier: the trainer that begins with its examples, cross-validation, thresholds, and suspects."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import sapwood._core as _core
from sapwood.base.signals import Interrupt
from sapwood.errors import DataError, ModelError
from sapwood.events import Callback, EpochDone, Event, Preparing, Started, ignore
from sapwood.model.confidence import Numbers
from sapwood.model.file.schema import ModelFile
from sapwood.model.support import SupportTrainer, Weights
from sapwood.tasks.classifying.class_weights import warn_of_heavy
from sapwood.tasks.classifying.data import file_of_rows
from sapwood.tasks.classifying.example_stream import ExampleStream
from sapwood.tasks.classifying.labelled import (
    Labelled,
    best_thresholds,
    core_trainer,
    trainer_on,
    with_class_weights,
    with_thresholds,
    without_thresholds,
)
from sapwood.tasks.classifying.options import ClassifierOptions
from sapwood.tasks.classifying.scorer import frozen, frozen_file
from sapwood.tasks.classifying.training_data import TrainingData
from sapwood.training.cross_validation import inputs_of, splits, stratified_folds
from sapwood.training.run import Fitted, Run, train
from sapwood.training.shards import Shard
from sapwood.training.suspects import WHAT, Suspect, folds_of, surest
from sapwood.training.task import HeldOutScore, InMemory, Task, Trainer

Score = Callable[[ModelFile, Weights], HeldOutScore]  # on held-out examples


def classifier_trainer(
    options: ClassifierOptions, data: TrainingData | ExampleStream, held_out: TrainingData | None, run: Run
) -> Trainer:
    """Return the trainer that has the examples, with the labels of a training from which this one goes on.

    Raises OptionError and DataError.
    """
    if run.known is not None:
        data = data.labelled_as(run.known, all_labels=run.source is not None and run.source.all_labels)
    core = data.trainer(options)  # the labels of a stream are known from here on
    labels, counts, n = data.model.labels, data.counts(), data.size
    score = None
    if held_out is not None:
        score = partial(held_out_score, options, held_out.labelled.relabelled(labels))
    trainer = rows_trainer(
        options, core, lambda: with_class_weights(options, data.first.labelled), n, score, data.model
    )
    trainer.facts |= {"examples": n, "data_checksum": f"{data.content_checksum:016x}"}
    trainer.facts["label_counts"] = [counts[y] for y in range(len(labels))]  # drift is measured from them
    if not options.multi_label and n:
        trainer.facts["most_frequent"] = labels[counts.most_common(1)[0][0]]
    warn_of_heavy(options.class_weight, counts, labels, n, 2 if options.multi_label else len(counts))
    trainer.names = lambda weights: [data.names(weights)]
    trainer.familiar, trainer.where, trainer.values = data.familiar, data.where_of, data.values
    if options.cv is not None:
        found = cross_validation_of(options, data.first, run)
        trainer.started = replace(trainer.started, epochs=found.best_epochs)
        trainer.facts["cv_accuracy"] = round(max(found.accuracies), 4)
    return trainer


def cross_validation_of(options: ClassifierOptions, data: TrainingData, run: Run) -> CrossValidation:
    """Return the cross-validation that a run has made, or make it."""
    assert options.cv is not None
    validate = partial(cross_validate, options, data.labelled, options.cv, run.report, data)
    return CrossValidation.of(run.note("cross-validation", validate), options.epochs)


def choose_thresholds(options: ClassifierOptions, model: ModelFile, held_out: TrainingData) -> ModelFile:
    """Return a trained multi-label model with the best thresholds on held-out data."""
    data = held_out.labelled.relabelled(model.labels)
    raw = frozen_file(without_thresholds(model))
    thresholds, _ = best_thresholds(raw, data.rows, data.gold, options.threads)
    return with_thresholds(model, thresholds)


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
    file = model or file_of_rows(examples.labels, options.bits)
    loop = core or core_trainer(options, examples)
    trainer = rows_trainer(options, loop, lambda: examples, len(examples.gold), score, file)
    return train(Task("classify", options, lambda *data: trainer, InMemory(examples), unit="examples", look=None), run)


def rows_trainer(
    options: ClassifierOptions,
    core: _core.ClassifierTrainer | SupportTrainer,
    examples: Callable[[], Labelled],
    n: int,
    score: Score | None,
    model: ModelFile,
) -> Trainer:
    """Return the trainer of `n` rows of features, which `core` has, with their class weights.

    examples : gives them to shards. Each is a decision about a label, or about all.
    """
    labels = len(model.labels)
    units, unit = (n * labels, "decisions") if options.multi_label else (n, "examples")
    started = Started(n, units, labels, options.epochs, 0, unit, "support examples" if options.voted else "features")

    def shard(chosen: Sequence[int], seed: int) -> Shard:
        return Shard(trainer_on, examples().select(chosen), {"options": options.for_core(seed=seed, threads=1)})

    return Trainer(core, model, started, facts={}, score=score, examples=n, shard=shard)


def held_out_score(options: ClassifierOptions, held_out: Labelled, model: ModelFile, weights: Weights) -> HeldOutScore:
    """Return the accuracy on held-out data in percent; of a multi-label classifier the F1 by the best thresholds."""
    if held_out.several:
        raw = frozen(held_out.labels, weights, [0.0] * len(held_out.labels))
        at, f1 = best_thresholds(raw, held_out.rows, held_out.gold, options.threads)
        sets = frozen(held_out.labels, weights, at).predict_any(held_out.rows, options.threads)
        return HeldOutScore(f1, [-len({*gold} ^ {*guess}) for gold, guess in zip(held_out.gold, sets, strict=True)])
    guess = frozen(held_out.labels, weights).predict(held_out.rows, options.threads)
    right = list(map(int.__eq__, guess, held_out.gold))
    return HeldOutScore(100 * sum(right) / len(right), right)


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

    @property
    def best(self) -> str:
        """The highest accuracy, and the number of passes that has it, in words."""
        return f"{max(self.accuracies):.2f}% after {self.best_epochs} passes"


def cross_validate(
    options: ClassifierOptions,
    data: Labelled,
    folds: int,
    report: Callback = ignore,
    source: TrainingData | None = None,
) -> CrossValidation:
    """Train on all folds but one, in turn, and score every pass on the one left out.

    source : the data from which the rows are; equal ones are in one fold

    Raises DataError if there are fewer different ones than folds, KeyboardInterrupt after Ctrl-C: there is no model
    yet that could be kept.
    """
    n, shown = len(data.gold), 0
    inputs = range(n) if source is None else inputs_of(source, "examples")
    if (different := len(set(inputs))) < folds:
        raise DataError(f"there are {different} examples, too few for {folds} folds")
    right, wrong = [0.0] * options.epochs, [0] * options.epochs
    with Interrupt() as interrupt:
        for fold, (outside, inside) in enumerate(splits(stratified_folds(data.strata(), folds, options.seed, inputs))):
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


def example_suspects(options: ClassifierOptions, data: TrainingData, folds: int, run: Run) -> list[Suspect]:
    """Return the examples whose label, or whose set of labels, models disagree with that did not see them.

    Of several labels the least likely decision counts.
    """
    labelled, examples, several = data.labelled, data.examples, options.multi_label
    names, gold = labelled.labels, labelled.gold if several else [[y] for y in labelled.gold]
    scores: Numbers = [[]] * len(gold)
    for fold, (others, inside) in enumerate(splits(folds_of(data, "examples", labelled.strata(), folds))):
        run.report(Preparing(WHAT, fold, folds))
        weighted = with_class_weights(options, labelled.select(others))
        fitted = train_rows(options, weighted, None, Run(monitors_data=False), model=data.model)
        found = frozen_file(fitted.model).scores(labelled.rows.select(inside), options.threads).tolist()
        for k, row in zip(inside, found, strict=True):
            scores[k] = row
    temperature = _core.Calibration.best_temperature(scores, gold, several)
    calibration = _core.Calibration("temperature", [[temperature]], len(names), several)
    suspects = []
    for k, row in enumerate(calibration.apply(scores)):
        proposed = [y for y, p in enumerate(row) if p > 0.5] if several else [max(range(len(row)), key=row.__getitem__)]
        if proposed == gold[k]:
            continue
        wrong = set(proposed).symmetric_difference(gold[k])
        sure = max(abs(2 * row[y] - 1) for y in wrong) if several else row[proposed[0]] - row[gold[k][0]]
        given, better = ("|".join(names[y] for y in each) for each in (gold[k], proposed))
        text = "" if examples.documents is None else " ".join(examples.documents.words(k))
        record = examples.records[k].values if examples.records else None
        suspects.append(Suspect(k, examples.answers.where(k), given, better, sure, text, record))
    return surest(suspects)
