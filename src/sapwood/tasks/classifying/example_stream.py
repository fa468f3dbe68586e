"""A classifier's examples as a stream: read part by part, encoded, and trained on from scratch files."""

from __future__ import annotations

import os
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING

from sapwood import _core
from sapwood.errors import DataError, OptionError
from sapwood.io.examples import Examples, Layout, format_of, layout_of_records, parse_examples
from sapwood.io.records import Remarks, json_records
from sapwood.model.familiarity import found_by, learner_of
from sapwood.tasks.classifying.class_weights import weights_by_label
from sapwood.tasks.classifying.data import feature_names, require_labels, require_several, rows_of
from sapwood.tasks.classifying.training_data import TrainingData, training_data, unknown_label
from sapwood.training.streams import Stream, StreamedText

if TYPE_CHECKING:
    from sapwood.model.file.records import Familiar
    from sapwood.model.file.schema import ModelFile
    from sapwood.tasks.classifying.options import ClassifierOptions


_STREAMED = ("fasttext", "svmlight", "jsonl")
_AT_ONCE = 1 << 20  # bytes of a scratch file


class ExampleStream(Stream):
    """Examples in a file that are read part by part. Raises DataError while they are read.

    After `feed` it has what training asks of its data, as TrainingData has it.
    """

    def __init__(self, path: os.PathLike[str], scratch: str, options: ClassifierOptions) -> None:
        self._scratch, self._options = scratch, options
        if unfit := [name for name in ("voted", "cv", "multi_label") if getattr(options, name)]:
            raise OptionError(f"{unfit[0]} needs the examples in memory; leave out stream")
        if options.is_baseline():
            raise OptionError("the baselines with an L1 penalty need the examples in memory; leave out stream")
        self._text = StreamedText(path, scratch)
        form = options.format or format_of(path)
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
        trainer = _core.ClassifierTrainer(1, self._options.for_core(), self._scratch)
        numbers = {} if known is None else {label: y for y, label in enumerate(known.labels)}
        learner = learner_of(model.label)
        with Remarks(self._text.name) as remarks:
            for part in self._parts(remarks):
                require_labels(part, "train on")
                if known is not None and (new := [label for label in part.answers.labels if label not in numbers]):
                    raise unknown_label(new[0], known)
                own = [self._numbers.setdefault(label, len(self._numbers)) for label in part.answers.labels]
                self._remember(part, [own[y] for y in part.answers.gold])
                of_model = [numbers.setdefault(label, len(numbers)) for label in part.answers.labels]
                gold = [of_model[y] for y in part.answers.gold]
                self._counts.update(gold)
                learner.add(part.content)
                trainer.set_labels(len(numbers), [])
                trainer.add(rows_of(part, model), gold, [])
        self._familiar = found_by(learner)
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
        """Return the number of examples that have each label."""
        return self._counts

    def familiar(self) -> Familiar | None:
        """Return the frequent words or features, by which the model knows its kind of data."""
        return self._familiar

    def _remember(self, part: Examples, gold: list[int]) -> None:
        if part.documents is not None:
            content = part.documents.text
        else:
            assert part.rows is not None
            content = _core.pack_rows(part.rows)[1]
        self._content.add(content)
        self._gold.add((", " * (self.size > 0) + ", ".join(map(str, gold))).encode())
        self.size += len(gold)

    @cached_property
    def content_checksum(self) -> int:
        """A hash of the examples, which equals `TrainingData.content_checksum` of the same file."""
        is_text = self.first.examples.documents is not None
        return self._content.checksum if is_text else self._content.combined(self.size)

    @cached_property
    def checksum(self) -> int:
        """A hash of examples and labels, which equals `TrainingData.checksum` of the same file."""
        crc = zlib.crc32(f"{self.content_checksum} [".encode())
        place = 0
        while some := self._gold.read(place, _AT_ONCE):
            crc = zlib.crc32(some, crc)
            place += len(some)
        return zlib.crc32(f"] {self.labels}".encode(), crc)

    def where_of(self, label: str) -> str:
        """Return the place of the first example with a label; empty if there is none."""
        for part in self._parts(Remarks(self._text.name)):
            if label in part.answers.labels:
                return part.answers.where(part.answers.gold.index(part.answers.labels.index(label)))
        return ""

    def values(self) -> Sequence[float]:
        """Return the values of the features, if these are given as such."""
        rows = [part.rows for part in self._parts(Remarks(self._text.name)) if part.rows is not None]
        return list(chain.from_iterable(memoryview(_core.pack_rows(each)[2]).cast("f") for each in rows))

    def names(self, weights: _core.PackedModel) -> list[str]:
        """Return the texts of a model's features, in its order."""
        found: list[str] = []
        for part in self._parts(Remarks(self._text.name)):
            some = feature_names(weights, part, self.model)
            found = [a or b for a, b in zip(found, some, strict=True)] if found else some
        return found
