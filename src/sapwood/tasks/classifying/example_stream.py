"""Examples to train on that are read part by part from a file, and the choice between these and examples in memory."""

from __future__ import annotations

import os
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain
from typing import Any

import sapwood._core as _core
from sapwood.errors import DataError, OptionError
from sapwood.io.example_files import format_by_name, parse_examples
from sapwood.io.examples import Examples, Layout, layout_of_records
from sapwood.io.records import Remarks, json_records
from sapwood.model.familiarity import columns_before_label, familiarity_learner, frequent_words
from sapwood.model.file.records import Familiar
from sapwood.model.file.schema import ModelFile
from sapwood.tasks.classifying.class_weights import member_weights, weights_by_label, with_weights
from sapwood.tasks.classifying.data import (
    LabelNames,
    Source,
    example_rows,
    examples_in,
    features_in,
    require_labels,
    require_several,
)
from sapwood.tasks.classifying.given_labels import GivenLabels, one_column
from sapwood.tasks.classifying.options import ClassifierOptions
from sapwood.tasks.classifying.training_data import ExampleParts, TrainingData, checksum_of, training_data
from sapwood.training.streams import StreamedText, check_streamed

_STREAMED = ("fasttext", "svmlight", "jsonl")


class ExampleStream(ExampleParts):
    """Examples in a file that are read part by part. Raises DataError while they are read.

    After `trainer` it has what training asks of its data, as TrainingData has it.
    """

    def __init__(self, path: Any, scratch: str, options: ClassifierOptions) -> None:
        self.scratch, self._options = scratch, options
        self._label_names = None if options.labels is None else LabelNames(options.labels)
        self._text = StreamedText(path, scratch)
        form = options.format or format_by_name(path)
        if form not in _STREAMED:
            raise OptionError(f"stream reads examples in the formats {', '.join(_STREAMED)}, not {form}")
        self._layout = Layout(form, [], [], options.label, options.text)
        self._content, self._gold = _core.SpooledText(scratch), _core.SpooledText(scratch)
        self.size = 0  # examples
        self._known: list[str] = []  # labels of the training from which this one goes on
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
        for part in self.each():
            return training_data(self._options, part, least=1)
        raise DataError(f"{self._text.name}: there is no example to train on")

    def each(self, remarks: Remarks | None = None) -> Iterator[Examples]:
        """Yield the parts that have examples, from the first on. `remarks` gets what is odd about lines."""
        layout, remarks = self.layout, remarks or Remarks()
        for text, line in self._text.parts("line"):
            part = parse_examples(text, self._text.name, layout, remarks, fixed=True, first_line=line)
            if len(part):
                yield part if self._label_names is None else self._label_names.in_place_of(part)

    def labelled_as(self, known: ModelFile, *, all_labels: bool = False) -> ExampleStream:
        self._known = known.labels
        return self

    def trainer(self, options: ClassifierOptions) -> _core.ClassifierTrainer:
        """Return the core's trainer with all examples, which are read now. Raises OptionError and DataError."""
        model, numbers = self.first.model, {label: y for y, label in enumerate(self._known)}
        trainer = _core.ClassifierTrainer(max(len(numbers), 1), self._options.for_core(), self.scratch, len(numbers))
        learner = familiarity_learner(columns_before_label(model))
        features = features_in(model)
        with Remarks() as remarks:
            for part in self.each(remarks):
                require_labels(part, "train on")
                own = [self._numbers.setdefault(label, len(self._numbers)) for label in part.answers.labels]
                self._remember(part, [own[y] for y in part.answers.gold])
                of_model = [numbers.setdefault(label, len(numbers)) for label in part.answers.labels]
                gold = [of_model[y] for y in part.answers.gold]
                self._counts.update(gold)
                learner.add(part.content)
                trainer.set_labels(len(numbers), [])
                trainer.add(example_rows(part, features), gold, [])
        self._familiar = frequent_words(learner, columns_before_label(model))
        labels = list(numbers)
        require_several(labels, self._text.name)
        weights = weights_by_label(self._options.class_weight, self._counts, labels)
        trainer.set_labels(len(labels), weights)
        self.model = model.replaced(labels=labels)
        return trainer

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
        return checksum_of(self.content_checksum, self._gold.checksum, list(self._numbers))

    def values(self) -> Sequence[float]:
        rows = [part.rows for part in self.each() if part.rows is not None]
        return list(chain.from_iterable(memoryview(_core.pack_rows(each)[2]).cast("f") for each in rows))


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
