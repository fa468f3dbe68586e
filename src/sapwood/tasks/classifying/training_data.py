"""Training data: examples with the rows and labels made of them, in memory or read part by part from a file."""

from __future__ import annotations

import os
import re
from abc import abstractmethod
from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import sapwood._core as _core
from sapwood.errors import DataError, OptionError, warn
from sapwood.io.examples import Examples
from sapwood.io.label_sets import BETWEEN, warn_of_sets
from sapwood.io.source import plain_text, read_bytes, shown
from sapwood.model.familiarity import columns_before_label, familiar_in
from sapwood.model.file.records import Familiar
from sapwood.model.file.schema import ModelFile
from sapwood.model.support import SupportTrainer
from sapwood.tasks.classifying.data import (
    examples_in,
    features_in,
    for_documents,
    labelled,
    layout_of,
    require_several,
    warn_of_cut_labels,
)
from sapwood.tasks.classifying.given_labels import GivenLabels
from sapwood.tasks.classifying.labelled import Labelled, core_trainer, sets_of, with_class_weights, without_thresholds
from sapwood.tasks.classifying.options import ClassifierOptions
from sapwood.templates import find_template, read_word_lists
from sapwood.training.odd_data import warn_of_few_examples, warn_of_two_labels
from sapwood.training.task import Parts

_LINE = re.compile(r'^S:%IN\[0,0,"([^"]+)"\]\s*$', re.MULTILINE)


class ExampleParts(Parts["TrainingData"]):
    """Examples to train on, which come in parts."""

    model: ModelFile  # the model that they train, which has no weights yet
    size: int  # number of examples

    @abstractmethod
    def each(self) -> Iterator[Examples]:
        """Yield the examples of each part."""

    def where_of(self, label: str) -> str:
        """Return the place of the first example that has a label, perhaps among others; empty if there is none."""
        for part in self.each():
            labels = enumerate(part.answers.labels)
            number = next((y for y, text in labels if label in (text, *text.split(BETWEEN))), -1)
            if number >= 0:
                return part.answers.where(part.answers.gold.index(number))
        return ""

    def names(self, weights: _core.PackedModel) -> list[str]:
        """Return the texts of a model's features, in its order."""
        found: list[str] = []
        for part in self.each():
            if part.documents is not None:
                some = for_documents(features_in(self.model), part).names(part.documents, weights)
            else:
                some = _core.name_features(weights, part.names())
            found = [a or b for a, b in zip(found, some, strict=True)] if found else some
        return found


class TrainingData(ExampleParts):
    """Examples in memory, with their rows and labels.

    chosen : numbers of the examples that the rows are of, if they are some only
    """

    def __init__(
        self, labelled: Labelled, examples: Examples, model: ModelFile, chosen: Sequence[int] | None = None
    ) -> None:
        self.labelled, self.examples, self.model = labelled, examples, model
        self._chosen, self.size = chosen, len(labelled.gold)
        self._known_labels = 0  # number of the first labels, which a training knows from which this one goes on

    def __len__(self) -> int:
        return self.size

    def each(self) -> Iterator[Examples]:
        yield self.examples

    @property
    def first(self) -> TrainingData:
        return self

    def trainer(self, options: ClassifierOptions) -> _core.ClassifierTrainer | SupportTrainer:
        """Return the core's trainer that has the examples, with their class weights."""
        return core_trainer(options, with_class_weights(options, self.labelled), self._known_labels)

    @property
    def content_checksum(self) -> int:
        return self.examples.checksum

    @property
    def checksum(self) -> int:
        data = self.labelled
        gold = [y for each in data.gold for y in (len(each), *each)] if data.several else data.gold
        answers = _core.checksum(array("i", gold).tobytes())
        return checksum_of(self.content_checksum, answers, data.labels, data.importance)

    def sentence_hashes(self) -> Sequence[int]:
        """Return the hash of each text or row of features, 0 for those that may come twice by chance."""
        hashes = memoryview(self.examples.content.sentence_hashes()).cast("Q")
        return hashes if self._chosen is None else [hashes[k] for k in self._chosen]

    def counts(self) -> Counter[int]:
        return self.labelled.counts()

    def values(self) -> Sequence[float]:
        return memoryview(_core.pack_rows(self.labelled.rows)[2]).cast("f")

    def familiar(self) -> Familiar | None:
        return familiar_in([self.examples.content], columns_before_label(self.model))

    def labelled_as(self, known: ModelFile, *, all_labels: bool = False) -> TrainingData:
        """Return the data in the labels of a known model, which new ones follow.

        all_labels : the model has all labels that there will be; raises DataError if an example has another
        """
        new = [label for label in self.model.labels if label not in known.labels]
        if new and all_labels:
            raise DataError(f"the data have the label {new[0]!a}; the classes are {', '.join(known.labels)}")
        model = self.model.replaced(labels=[*known.labels, *new])
        if self.labelled.several:
            model = without_thresholds(model)
        result = TrainingData(self.labelled.relabelled(model.labels), self.examples, model, self._chosen)
        result._known_labels = len(known.labels)
        return result

    def select(self, chosen: Sequence[int], /) -> TrainingData:
        numbers = chosen if self._chosen is None else [self._chosen[k] for k in chosen]
        return TrainingData(self.labelled.select(chosen), self.examples, self.model, numbers)


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
        model = without_thresholds(model.replaced(labels=columns))
    found = labelled(data, model, "train on")._replace(importance=weights)
    if not found.several:
        require_several(found.labels, data.answers.name, least)
    made = TrainingData(found.relabelled(columns) if columns else found, data, model)
    if labels is None:
        _warn_of_labels(options, made)
    return made


def _warn_of_labels(options: ClassifierOptions, data: TrainingData) -> None:
    names, found = data.labelled.labels, data.labelled
    if options.class_weight != "balanced":  # balanced weights have a warning of their own
        warn_of_few_examples({names[y]: count for y, count in sorted(data.counts().items())}, data.size)
    if not found.several and data.examples.documents is not None:  # equal rows of features are no equal texts
        warn_of_two_labels(data.sentence_hashes(), found.gold, data.examples.answers.where)


def read_held_out_examples(options: ClassifierOptions, dev: Any, labels: GivenLabels, model: ModelFile) -> TrainingData:
    """Return examples in a file, or a pair of examples and labels, as a model sees them. Raises DataError."""
    X, y = dev if isinstance(dev, tuple) and len(dev) == 2 else (dev, None)
    data = examples_in(X, None if y is None else labels.read(y), options, layout_of(model))
    return TrainingData(labelled(data, model, "score"), data, model)


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
    labels = sets_of(data, "train on")[0] if several else data.answers.labels
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
    return without_thresholds(model) if several else model


def checksum_of(content: int, answers: int, labels: Sequence[str], importance: Sequence[float] = ()) -> int:
    """Return the hash of examples, given those of their content and of their labels."""
    weights = _core.checksum(array("d", importance).tobytes())
    return _core.checksum("\t".join(map(str, (content, answers, weights, *labels))).encode())


def with_stop_words(template: str, known: Sequence[str], file: str | os.PathLike[str]) -> str:
    """Return a template's text with a line that leaves the words of a file out: ``S:%IN[0,0,"stop.txt"]``.

    known : the names of the template's word lists. Raises OptionError if the file cannot have a name beside them.
    """
    name = Path(file).name
    if name in known:
        raise OptionError(f"stop_words: the template names a word list {name}, too; give the file another name")
    if not name.isprintable() or set(name) & {'"', "\\"}:
        raise OptionError(f"stop_words: a template cannot name the file {shown(file)}; give it a simpler name")
    return f'{template.rstrip()}\nS:%IN[0,0,"{name}"]\n'


def lists_of(template: str, names: Sequence[str], folder: str | os.PathLike[str]) -> list[tuple[str, _core.WordList]]:
    """Return the word lists of a template, as `read_word_lists` does, with stop words in lower case.

    So a model with stop words can be trained again from its template and the same files.
    """
    stopping = set(_LINE.findall(template))
    found = read_word_lists(names, folder, plain_apostrophes=True)  # files outside of the folder are refused
    return [read_stop_words(Path(folder, name)) if name in stopping else (name, words) for name, words in found]


def read_stop_words(file: str | os.PathLike[str]) -> tuple[str, _core.WordList]:
    """Return the name and the words of a file, one word or phrase a line, in lower case. Raises DataError.

    Comments of Snowball's lists, behind a bar, are left out. Words between commas or quotes are said to be one phrase.
    """
    place = shown(file)
    try:
        text = plain_text(read_bytes(file), place)
    except DataError as error:
        raise DataError(f"stop words {error}") from None
    text = re.sub(r"(?m)(?:^|[ \t]+)\|[ \t]+\S.*$", "", text)
    if not text.strip():
        raise DataError(f"stop words {place}: there is no word in it")
    if odd := re.search(r"(?m)^.*\w['\"]?,.*\w.*$|^[^\w\n]*[\"'].+[\"'].*$", text):
        warn(f"stop words {place}: a line is read as one phrase ({odd[0][:40]}); write a word a line")
    try:
        return Path(file).name, _core.WordList.read(text.lower().encode(), plain_apostrophes=True)
    except DataError as error:
        raise DataError(f"stop words {place}: {error}") from None
