"""Training data: examples with the rows and labels made of them, in memory or read part by part from a file."""

from __future__ import annotations

import os
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any

from sapwood import _core
from sapwood.errors import DataError, OptionError
from sapwood.io.example_files import format_by_name, parse_examples
from sapwood.io.examples import Examples, Layout, layout_of_records
from sapwood.io.label_sets import BETWEEN, warn_of_sets
from sapwood.io.records import Remarks, json_records
from sapwood.model.familiarity import familiar_in, familiarity_learner, frequent_words, inputs_of
from sapwood.model.file.schema import ModelFile
from sapwood.tasks.classifying import multi_label
from sapwood.tasks.classifying.class_weights import member_weights, weights_by_label, with_weights
from sapwood.tasks.classifying.data import (
    Labelled,
    Source,
    example_rows,
    examples_in,
    feature_names,
    held_out_of,
    labelled,
    layout_of,
    require_labels,
    require_several,
    warn_of_cut_labels,
)
from sapwood.tasks.classifying.given_labels import GivenLabels, one_column
from sapwood.tasks.classifying.stop_words import lists_of, read_stop_words, with_stop_words
from sapwood.templates import find_template
from sapwood.training.odd_data import warn_of_few_examples, warn_of_two_labels
from sapwood.training.parts import Parts
from sapwood.training.streams import StreamedText, check_streamed

if TYPE_CHECKING:
    from sapwood.model.file.records import Familiar
    from sapwood.tasks.classifying.options import ClassifierOptions


_STREAMED = ("fasttext", "svmlight", "jsonl")


class TrainingData(Parts["TrainingData"]):
    """Examples with their rows and labels, and the model that they train, which has no weights yet.

    chosen : numbers of the examples that the rows are of, if they are some only
    """

    def __init__(
        self, labelled: Labelled, examples: Examples, model: ModelFile, chosen: Sequence[int] | None = None
    ) -> None:
        self.labelled, self.examples, self.model = labelled, examples, model
        self._chosen = chosen

    def __len__(self) -> int:
        return len(self.labelled.gold)

    @property
    def first(self) -> TrainingData:
        return self

    @property
    def size(self) -> int:
        """The number of examples."""
        return len(self)

    @property
    def content_checksum(self) -> int:
        """A hash of the examples without labels."""
        return self.examples.checksum

    @property
    def checksum(self) -> int:
        """A hash of examples and labels."""
        data = self.labelled
        gold = [y for each in data.gold for y in (len(each), *each)] if data.several else data.gold
        answers = _core.checksum(array("i", gold).tobytes())
        return _checksum(self.content_checksum, answers, data.labels, data.importance)

    def sentence_hashes(self) -> Sequence[int]:
        """Return the hash of each text or row of features, 0 for those that may come twice by chance."""
        hashes = memoryview(self.examples.content.sentence_hashes()).cast("Q")
        return hashes if self._chosen is None else [hashes[k] for k in self._chosen]

    def counts(self) -> Counter[int]:
        """Return the number of examples that have each label."""
        return self.labelled.counts()

    def where_of(self, label: str) -> str:
        """Return the place of the first example that has a label, perhaps among others; empty if there is none."""
        answers = self.examples.answers
        number = next((y for y, text in enumerate(answers.labels) if label in (text, *text.split(BETWEEN))), -1)
        return answers.where(answers.gold.index(number)) if number >= 0 else ""

    def names(self, weights: _core.PackedModel) -> list[str]:
        """Return the texts of a model's features, in its order."""
        return feature_names(weights, self.examples, self.model)

    def values(self) -> Sequence[float]:
        """Return the values of the features of all rows."""
        return memoryview(_core.pack_rows(self.labelled.rows)[2]).cast("f")

    def familiar(self) -> Familiar | None:
        """Return the frequent words or features, by which the model knows its kind of data."""
        return familiar_in([self.examples.content], inputs_of(self.model))

    def labelled_as(self, known: ModelFile, *, all_labels: bool = False) -> TrainingData:
        """Return the data in the labels of a known model, which new ones follow.

        all_labels : the model has all labels that there will be; raises DataError if an example has another
        """
        new = [label for label in self.model.labels if label not in known.labels]
        if new and all_labels:
            raise DataError(f"the data have the label {new[0]!a}; the classes are {', '.join(known.labels)}")
        model = self.model.replaced(labels=[*known.labels, *new])
        if self.labelled.several:
            model = multi_label.without_thresholds(model)
        return TrainingData(self.labelled.relabelled(model.labels), self.examples, model, self._chosen)

    def select(self, chosen: Sequence[int], /) -> TrainingData:
        """Return some of the rows."""
        numbers = chosen if self._chosen is None else [self._chosen[k] for k in chosen]
        return TrainingData(self.labelled.select(chosen), self.examples, self.model, numbers)


class ExampleStream(Parts[TrainingData]):
    """Examples in a file that are read part by part. Raises DataError while they are read.

    After `feed` it has what training asks of its data, as TrainingData has it.
    """

    def __init__(self, path: Any, scratch: str, options: ClassifierOptions) -> None:
        self.scratch, self._options = scratch, options
        self._text = StreamedText(path, scratch)
        form = options.format or format_by_name(path)
        if form not in _STREAMED:
            raise OptionError(f"stream reads examples in the formats {', '.join(_STREAMED)}, not {form}")
        self._layout = Layout(form, [], [], options.label, options.text)
        self._content, self._gold = _core.SpooledText(scratch), _core.SpooledText(scratch)
        self.size = 0  # examples
        self._numbers: dict[str, int] = {}  # numbers of labels, in the order of their first appearance
        self._counts: Counter[int] = Counter()
        self._familiar: Familiar | None = None

    @cached_property
    def layout(self) -> Layout:
        """The layout of all examples, which JSON lines do not tell before the last."""
        self._text.read_all()
        if self._layout.format != "jsonl":
            return self._layout
        lines = (json_records(text, self._text.name, line) for text, line in self._text.parts("line"))
        return layout_of_records(chain.from_iterable(lines), self._layout)

    @cached_property
    def first(self) -> TrainingData:
        """The first part that is not empty. More labels may come with the rest."""
        for part in self._parts(Remarks(self._text.name)):
            return training_data(self._options, part, least=1)
        raise DataError(f"{self._text.name}: there is no example to train on")

    def _parts(self, remarks: Remarks) -> Iterator[Examples]:
        """Yield the parts that have examples, from the first on. `remarks` gets what is odd about lines."""
        layout = self.layout
        for text, line in self._text.parts("line"):
            part = parse_examples(text, self._text.name, layout, remarks, fixed=True, first_line=line)
            if len(part):
                yield part

    def feed(self, model: ModelFile, known: ModelFile | None) -> _core.ClassifierTrainer:
        """Return a trainer with all examples, as a model without weights turns them into rows.

        known : the model of a training from which this one goes on. Raises OptionError and DataError.
        """
        numbers = {} if known is None else {label: y for y, label in enumerate(known.labels)}
        trainer = _core.ClassifierTrainer(max(len(numbers), 1), self._options.for_core(), self.scratch, len(numbers))
        learner = familiarity_learner(inputs_of(model))
        with Remarks(self._text.name) as remarks:
            for part in self._parts(remarks):
                require_labels(part, "train on")
                own = [self._numbers.setdefault(label, len(self._numbers)) for label in part.answers.labels]
                self._remember(part, [own[y] for y in part.answers.gold])
                of_model = [numbers.setdefault(label, len(numbers)) for label in part.answers.labels]
                gold = [of_model[y] for y in part.answers.gold]
                self._counts.update(gold)
                learner.add(part.content)
                trainer.set_labels(len(numbers), [])
                trainer.add(example_rows(part, model), gold, [])
        self._familiar = frequent_words(learner, inputs_of(model))
        labels = list(numbers)
        require_several(labels, self._text.name)
        weights = weights_by_label(self._options.class_weight, self._counts, labels)
        trainer.set_labels(len(labels), weights)
        self.model = model.replaced(labels=labels)
        return trainer

    @property
    def labels(self) -> list[str]:
        """The labels that were read, in the order of their first appearance."""
        return list(self._numbers)

    def counts(self) -> Counter[int]:
        return self._counts

    def familiar(self) -> Familiar | None:
        return self._familiar

    def _remember(self, part: Examples, gold: list[int]) -> None:
        if part.documents is not None:
            content = part.documents.text
        else:
            assert part.rows is not None
            content = _core.pack_rows(part.rows)[1]
        self._content.add(content)
        self._gold.add(array("i", gold).tobytes())
        self.size += len(gold)

    @cached_property
    def content_checksum(self) -> int:
        is_text = self.first.examples.documents is not None
        return self._content.checksum if is_text else self._content.combined(self.size)

    @cached_property
    def checksum(self) -> int:
        return _checksum(self.content_checksum, self._gold.checksum, self.labels)

    def where_of(self, label: str) -> str:
        for part in self._parts(Remarks(self._text.name)):
            if label in part.answers.labels:
                return part.answers.where(part.answers.gold.index(part.answers.labels.index(label)))
        return ""

    def values(self) -> Sequence[float]:
        rows = [part.rows for part in self._parts(Remarks(self._text.name)) if part.rows is not None]
        return list(chain.from_iterable(memoryview(_core.pack_rows(each)[2]).cast("f") for each in rows))

    def names(self, weights: _core.PackedModel) -> list[str]:
        found: list[str] = []
        for part in self._parts(Remarks(self._text.name)):
            some = feature_names(weights, part, self.model)
            found = [a or b for a, b in zip(found, some, strict=True)] if found else some
        return found


def read_training_examples(
    options: ClassifierOptions,
    source: Source,
    labels: Iterable[Any] | None,
    known: GivenLabels,
    sample_weight: Iterable[float] | None,
    least: int,
    scratch: str | None = None,
) -> TrainingData | ExampleStream:
    """Return the training data that `fit` was given. Raises DataError, OptionError, TemplateError.

    known : gets the labels in memory
    least : how many labels there have to be
    scratch : folder of the scratch files, if the data are to be read as a stream
    """
    if scratch is not None:
        check_streamed(source, labels)
        return ExampleStream(source, scratch, options)
    gold, weights = None if labels is None else known.read(labels), list[float]()
    if sample_weight is not None:
        if isinstance(source, os.PathLike):
            raise OptionError("sample_weight is for examples in memory, and these are in a file")
        source, gold, weights = with_weights(one_column(source, "examples"), gold, sample_weight)
    data = examples_in(source, gold, options)
    if options.weight is not None:
        weights = member_weights(data, options.weight)
    return training_data(options, data, None if gold is None else known, weights, least)


def training_data(
    options: ClassifierOptions,
    data: Examples,
    labels: GivenLabels | None = None,
    weights: Sequence[float] = (),
    least: int = 2,
) -> TrainingData:
    """Return examples with their rows and labels. Raises DataError, TemplateError.

    labels : those that were given beside the examples; without, they were read from a file
    weights : of the examples, factors of their steps
    least : how many labels there have to be
    """
    model = model_of(options, data)
    if labels is None:
        warn_of_cut_labels(data)
    columns = None if labels is None else labels.columns
    if columns:
        model = multi_label.without_thresholds(model.replaced(labels=columns))
    found = labelled(data, model, least)._replace(importance=weights)
    made = TrainingData(found.relabelled(columns) if columns else found, data, model)
    if labels is None:
        _warn_of_labels(options, made)
    return made


def _warn_of_labels(options: ClassifierOptions, data: TrainingData) -> None:
    names, found = data.labelled.labels, data.labelled
    if options.class_weight != "balanced":  # which has a warning of its own
        warn_of_few_examples({names[y]: count for y, count in sorted(data.counts().items())}, data.size)
    if not found.several and data.examples.documents is not None:  # equal rows of features are no equal texts
        warn_of_two_labels(data.sentence_hashes(), found.gold, data.examples.answers.where)


def read_held_out_examples(options: ClassifierOptions, dev: Any, labels: GivenLabels, model: ModelFile) -> TrainingData:
    """Return examples in a file, or a pair of examples and labels, as a model sees them. Raises DataError."""
    X, y = dev if isinstance(dev, tuple) and len(dev) == 2 else (dev, None)
    data = examples_in(X, None if y is None else labels.read(y), options, layout_of(model))
    return TrainingData(held_out_of(data, model), data, model)


def model_of(options: ClassifierOptions, data: Examples) -> ModelFile:
    """Return the model that training data will give, without weights. Raises TemplateError or DataError."""
    text, word_lists, clusters = "", [], None
    if data.documents is not None:
        text, where, folder = find_template(options.chosen_template(), "classify")
        template = _core.Template(text, where, data.layout.columns, len(data.layout.columns), data.layout.fields)
        word_lists = lists_of(text, template.word_lists, options.word_lists or folder)
        if options.stop_words is not None:
            text = with_stop_words(text, template.word_lists, options.stop_words)
            word_lists.append(read_stop_words(options.stop_words))
        clusters = options.word_clusters(template.uses_clusters)
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


def _checksum(content: int, answers: int, labels: Sequence[str], importance: Sequence[float] = ()) -> int:
    weights = _core.checksum(array("d", importance).tobytes())
    return _core.checksum("\t".join(map(str, (content, answers, weights, *labels))).encode())
