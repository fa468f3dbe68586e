"""Training data in memory: examples, the rows and labels made of them, and the model that they train."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sapwood import _core
from sapwood.errors import DataError, OptionError
from sapwood.io.label_sets import BETWEEN, warn_of_sets
from sapwood.model.familiarity import familiar_in
from sapwood.model.file.schema import ModelFile
from sapwood.tasks.classifying import multi_label
from sapwood.tasks.classifying.data import (
    Labelled,
    feature_names,
    held_out_of,
    labelled,
    layout_of,
    read_source,
    warn_of_cut_labels,
)
from sapwood.tasks.classifying.stop_words import lists_of, read_stop_words, with_stop_words
from sapwood.templates import find_template
from sapwood.training.options import word_clusters

if TYPE_CHECKING:
    from sapwood.io.examples import Examples
    from sapwood.model.file.records import Familiar
    from sapwood.tasks.classifying.given_labels import GivenLabels
    from sapwood.tasks.classifying.options import ClassifierOptions


class TrainingData:
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
        return zlib.crc32(f"{self.content_checksum} {data.gold} {data.labels}{data.importance or ''}".encode())

    def sentence_hashes(self) -> Sequence[int]:
        """Return the hash of each text, 0 for those of fewer than 8 tokens; an empty list for rows of features."""
        if self.examples.documents is None:
            return ()
        hashes = memoryview(self.examples.documents.sentence_hashes()).cast("Q")
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
        return familiar_in([self.examples.content], self.model.label)

    def labelled_as(self, known: ModelFile) -> TrainingData:
        """Return the data in the labels of a known model. Raises DataError if an example to learn from has another."""
        if new := [label for label in self.model.labels if label not in known.labels]:
            raise unknown_label(new[0], known)
        model = self.model.replaced(labels=known.labels)
        if self.labelled.several:
            model = multi_label.without_thresholds(model)
        return TrainingData(self.labelled.relabelled(known.labels), self.examples, model, self._chosen)

    def select(self, chosen: Sequence[int], /) -> TrainingData:
        """Return some of the rows."""
        numbers = chosen if self._chosen is None else [self._chosen[k] for k in chosen]
        return TrainingData(self.labelled.select(chosen), self.examples, self.model, numbers)


def unknown_label(label: str, known: ModelFile) -> DataError:
    """Return the error of data with a label that a model does not know."""
    return DataError(
        f"the data have the label {label!a}, which the checkpoint does not know; it knows {', '.join(known.labels)}"
    )


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
    return TrainingData(found.relabelled(columns) if columns else found, data, model)


def read_held_out(options: ClassifierOptions, dev: Any, labels: GivenLabels, model: ModelFile) -> TrainingData:
    """Return examples in a file, or a pair of examples and labels, as a model sees them. Raises DataError."""
    X, y = dev if isinstance(dev, tuple) and len(dev) == 2 else (dev, None)
    data = read_source(X, None if y is None else labels.read(y), options, layout_of(model))
    return TrainingData(held_out_of(data, model), data, model)
