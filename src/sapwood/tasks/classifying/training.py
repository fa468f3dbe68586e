"""Training of a classifier: the model that it will be, the learner, the epochs, and how many of them are best.

`Classifier.fit`, cross-validation and the experiments share it; they differ in the examples that they give.
"""

from __future__ import annotations

import operator
import zlib
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from sapwood import _core
from sapwood.errors import DataError, ModelError, OptionError
from sapwood.events import EpochDone, Started, ignore
from sapwood.io.label_sets import BETWEEN, warn_of_sets
from sapwood.model.familiarity import familiar_in
from sapwood.model.file.schema import ModelFile
from sapwood.model.support import Support, SupportTrainer, Weights
from sapwood.signals import Interrupt
from sapwood.tasks.classifying import multi_label
from sapwood.tasks.classifying.class_weights import warn_of_heavy, weights_by_label
from sapwood.tasks.classifying.data import Labelled, feature_names, frozen, words_of
from sapwood.tasks.classifying.stop_words import lists_of, read_stop_words, with_stop_words
from sapwood.templates import find_template
from sapwood.training.cross_validation import splits, stratified_folds
from sapwood.training.epochs import Trained, Trainer, run_epochs
from sapwood.training.options import word_clusters
from sapwood.training.runs import averaged
from sapwood.training.shards.mixing import Shard
from sapwood.training.task import Training

if TYPE_CHECKING:
    from sapwood.events import Callback, Event
    from sapwood.io.examples import Examples
    from sapwood.options import Values
    from sapwood.tasks.classifying.options import ClassifierOptions


class TrainingData:
    """Rows with labels, the examples that they come from, and the model that they train, yet without weights."""

    def __init__(
        self, labelled: Labelled, examples: Examples, model: ModelFile, chosen: Sequence[int] | None = None
    ) -> None:
        self.labelled, self.examples, self.model = labelled, examples, model
        self._chosen = chosen  # of the examples, if the rows are of some only

    def __len__(self) -> int:
        """Count the examples."""
        return len(self.labelled.gold)

    @property
    def checksum(self) -> int:
        """A hash of examples and labels."""
        _, gold, labels, sets, importance = self.labelled
        more = "".join(f" {each}" for each in (sets, importance) if each)
        return zlib.crc32(f"{self.examples.checksum} {gold} {labels}{more}".encode())

    def sentence_hashes(self) -> Sequence[int]:
        """Return the hash of each text, 0 for those of fewer than 8 tokens; of rows of features nothing."""
        if self.examples.documents is None:
            return ()
        hashes = memoryview(self.examples.documents.sentence_hashes()).cast("Q")
        return hashes if self._chosen is None else [hashes[k] for k in self._chosen]

    def where_of(self, label: str) -> str:
        """Return the place of the first example with a label, among others maybe; nothing if there is none."""
        answers = self.examples.answers
        number = next((y for y, text in enumerate(answers.labels) if label in (text, *text.split(BETWEEN))), -1)
        return answers.where(answers.gold.index(number)) if number >= 0 else ""

    def labelled_as(self, known: ModelFile) -> TrainingData:
        """Return the data in the labels of a known model. Raises DataError if an example to learn from has another."""
        if new := [label for label in self.model.labels if label not in known.labels]:
            raise unknown_label(new[0], known)
        model = self.model.replaced(labels=known.labels)
        if multi_label.is_multi_label(model):
            model = multi_label.without_thresholds(model)
        return TrainingData(self.labelled.relabelled(known.labels), self.examples, model, self._chosen)

    def select(self, chosen: Sequence[int], /) -> TrainingData:
        """Return some of the rows."""
        known = self._chosen
        numbers = chosen if known is None else [known[k] for k in chosen]
        return TrainingData(self.labelled.select(chosen), self.examples, self.model, numbers)


def unknown_label(label: str, known: ModelFile) -> DataError:
    """Return the error of data with a label that a model does not know."""
    return DataError(
        f"the data have the label {label!a}, which the checkpoint does not know; it knows {', '.join(known.labels)}"
    )


class CrossValidation(NamedTuple):
    """Accuracy after each pass, over all folds."""

    accuracies: list[float]  # [epochs] percent of all examples, each scored by the model that did not see it
    mistakes: list[float]  # [epochs] mistakes in training, percent

    @classmethod
    def of(cls, found: object, epochs: int) -> CrossValidation:
        """Return what was found, maybe as JSON in a checkpoint. Raises ModelError if it is not of so many epochs."""
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


def begin(options: ClassifierOptions, data: Examples) -> ModelFile:
    """Return the model that training data will give, yet without weights. Raises TemplateError or DataError."""
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
    options: ClassifierOptions, train: TrainingData, held_out: TrainingData | None, found: CrossValidation | None
) -> Training:
    """Return what is trained, for as many epochs as cross-validation found best, if it was done."""
    data, model = train.labelled, train.model
    n, epochs = len(data.gold), options.epochs
    units, unit = _units(options, data), "decisions" if options.multi_label else "examples"
    facts: dict[str, object] = {"examples": n, "data_checksum": f"{train.examples.checksum:016x}"}
    if not options.multi_label and data.gold:
        facts["most_frequent"] = data.labels[Counter(data.gold).most_common(1)[0][0]]
    if found is not None:
        epochs = found.best_epochs
        facts["cv_accuracy"] = round(found.accuracies[epochs - 1], 4)
    several = options.multi_label
    counts = Counter(chain.from_iterable(data.sets) if several else data.gold)
    warn_of_heavy(options.class_weight, counts, data.labels, n, 2 if several else len(counts))
    learned = "support examples" if options.voted else "features"
    examples = _Examples.of(options, data)

    def score(model: ModelFile, weights: Weights) -> float:
        assert held_out is not None
        return held_out_score(options, data.labels, weights, held_out.labelled)

    return Training(
        single_trainer_of(options, data),
        model,
        units=units,
        facts=facts,
        started=lambda seconds: Started(n, units, len(data.labels), epochs, seconds, unit, learned),
        score=score,
        names=lambda weights: [feature_names(weights, train.examples, model)],
        epochs=epochs,
        familiar=lambda: familiar_in([words_of(train.examples)], model.label),
        where=train.where_of,
        values=lambda: memoryview(_core.pack_rows(data.rows)[2]).cast("f"),
        shard=lambda chosen, seed: _shard(options, examples.select(chosen), len(data.labels), seed),
    )


def cross_validate(
    options: ClassifierOptions, data: Labelled, folds: int, *, on_fold: Callable[[int], None] = lambda fold: None
) -> CrossValidation:
    """Train on all folds but one, in turn, and score every pass on the one left out.

    Raises DataError if there are fewer examples than folds, KeyboardInterrupt after Ctrl-C: there is no model yet that
    could be kept.
    """
    if len(data.gold) < folds:
        raise DataError(f"there are {len(data.gold)} examples, too few for {folds} folds")
    right = [0.0] * options.epochs
    wrong = [0] * options.epochs
    shown = 0
    with Interrupt() as interrupt:
        for fold, (outside, inside) in enumerate(splits(stratified_folds(data.gold, folds, options.seed))):
            on_fold(fold)
            train, held_out = data.select(outside), data.select(inside)
            shown += _units(options, train)

            def count(event: Event, size: int = len(inside)) -> None:
                if interrupt.requested:
                    raise KeyboardInterrupt
                if isinstance(event, EpochDone):
                    assert event.dev_score is not None
                    right[event.epoch - 1] += event.dev_score * size / 100
                    wrong[event.epoch - 1] += event.mistakes

            run(options, trainer_of(options, train), train, held_out, options.epochs, on_event=count)
    return CrossValidation([100 * r / len(data.gold) for r in right], [100 * w / shown for w in wrong])


def trainer_of(options: ClassifierOptions, train: Labelled) -> Trainer[Weights]:
    """Return a trainer that has the examples; where several runs are wanted, their average."""
    if options.runs == 1:
        return single_trainer_of(options, train)
    examples, labels = _Examples.of(options, train), len(train.labels)
    how = {"runs": options.runs, "seed": options.seed, "threads": options.threads}
    run = partial(_shard, options, examples, labels)
    return averaged(trainer_on(examples, labels, options.for_core()), run, **how)


def single_trainer_of(options: ClassifierOptions, train: Labelled) -> Trainer[Weights]:
    """Return a trainer of one run that has the examples."""
    trainer = trainer_on(_Examples.of(options, train), len(train.labels), options.for_core())
    if options.multi_label:
        return trainer
    return SupportTrainer(trainer, trainer.freeze_votes, train.rows) if options.voted else trainer


class _Examples(NamedTuple):
    """Rows with their labels, and what steps are multiplied by."""

    rows: _core.FeatureRows
    gold: list[Any]  # the number of the label or, of examples with any of the labels, their numbers
    importance: list[float]  # of each example, or empty: all 1
    label_weights: list[tuple[float, float]] | None  # of examples with any of the labels

    @classmethod
    def of(cls, options: ClassifierOptions, train: Labelled) -> _Examples:
        """Return what a classifier trains on."""
        if options.multi_label:
            weights = multi_label.label_weights(options.class_weight, train.sets, train.labels)
            return cls(train.rows, list(train.sets), list(train.importance), weights)
        of_label = weights_by_label(options.class_weight, Counter(train.gold), train.labels)
        importance = [of_label[y] for y in train.gold] if of_label else list(train.importance)
        if of_label and train.importance:
            importance = list(map(operator.mul, importance, train.importance))
        return cls(train.rows, train.gold, importance, None)

    def select(self, chosen: Sequence[int]) -> _Examples:
        """Return some of the examples. Each keeps the importance that it has among all examples."""
        rows, gold = self.rows.select(list(chosen)), [self.gold[k] for k in chosen]
        importance = [self.importance[k] for k in chosen] if self.importance else []
        return self._replace(rows=rows, gold=gold, importance=importance)


def _shard(options: ClassifierOptions, examples: _Examples, labels: int, seed: int) -> Shard:
    return Shard(trainer_on, examples, {"labels": labels, "options": options.for_core(seed=seed, threads=1)})


def trainer_on(examples: _Examples, labels: int, options: Values) -> _core.ClassifierTrainer:
    """Return what trains on examples."""
    trainer = _core.ClassifierTrainer(labels, options)
    if examples.label_weights is None:
        trainer.add(examples.rows, examples.gold, examples.importance)
    else:
        trainer.add_any(examples.rows, examples.gold, examples.importance, examples.label_weights)
    return trainer


def run(
    options: ClassifierOptions,
    trainer: Trainer[Weights],
    train: Labelled,
    held_out: Labelled | None,
    epochs: int,
    *,
    on_event: Callback = ignore,
) -> Trained[Weights]:
    """Run the epochs over the trainer's examples; each is scored on those held out, and the best one's weights kept."""
    return run_epochs(
        trainer,
        tokens=_units(options, train),
        epochs=epochs,
        patience=options.patience,
        bits=options.bits,
        shrink=options.drop_below,
        score=None if held_out is None else lambda weights: held_out_score(options, train.labels, weights, held_out),
        report=on_event,
    )


def _units(options: ClassifierOptions, data: Labelled) -> int:
    """Return how many decisions there are: one for each example, or for each of its possible labels."""
    return len(data.gold) * (len(data.labels) if options.multi_label else 1)


def held_out_score(options: ClassifierOptions, labels: list[str], weights: Weights, held_out: Labelled) -> float:
    """Return the accuracy on held-out data in percent; of a multi-label classifier the F1 by the best thresholds."""
    if options.multi_label:
        assert not isinstance(weights, Support)
        raw = multi_label.raw_of(labels, weights)
        return multi_label.best_thresholds(raw, held_out.rows, held_out.sets, options.threads)[1]
    guess = frozen(labels, weights).predict(held_out.rows, options.threads)
    return 100 * sum(map(int.__eq__, guess, held_out.gold)) / len(held_out.gold)
