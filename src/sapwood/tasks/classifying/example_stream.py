"""A classifier's examples as a stream: read part by part, encoded, and trained on from scratch files."""

from __future__ import annotations

import os
import zlib
from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING

from sapwood import _core
from sapwood.errors import DataError, OptionError
from sapwood.events import Started
from sapwood.io.examples import Examples, Layout, format_of, layout_of_records, parse_examples
from sapwood.io.records import Remarks, json_records
from sapwood.model.familiarity import found_by, learner_of
from sapwood.tasks.classifying.class_weights import warn_of_heavy, weights_by_label
from sapwood.tasks.classifying.data import (
    feature_names,
    held_out_of,
    require_labels,
    require_several,
    rows_of,
    words_of,
)
from sapwood.tasks.classifying.training import TrainingData, held_out_score, unknown_label
from sapwood.training.shards.streams import StreamedText
from sapwood.training.task import Training

if TYPE_CHECKING:
    from sapwood.model.file.records import Familiar
    from sapwood.model.file.schema import ModelFile
    from sapwood.tasks.classifying.options import ClassifierOptions


_STREAMED = ("fasttext", "svmlight", "jsonl")
_AT_ONCE = 1 << 20  # bytes of a scratch file


class ExampleStream:
    """Examples in a file, which are read part by part. Raises DataError while they are read."""

    def __init__(self, path: os.PathLike[str], scratch: str, classifier: ClassifierOptions) -> None:
        self.scratch = scratch
        if unfit := [name for name in ("voted", "cv", "multi_label") if getattr(classifier, name)]:
            raise OptionError(f"{unfit[0]} needs the examples in memory; leave out stream")
        if classifier.is_baseline():
            raise OptionError("the baselines with an L1 penalty need the examples in memory; leave out stream")
        self._text = StreamedText(path, scratch)
        form = classifier.format or format_of(path)
        if form not in _STREAMED:
            raise OptionError(f"stream reads examples in the formats {', '.join(_STREAMED)}, not {form}")
        self._layout = Layout(form, [], [], classifier.label, classifier.text)
        self._content, self._gold = _core.SpooledText(scratch), _core.SpooledText(scratch)
        self._size = 0  # examples
        self.familiar: Familiar | None = None  # once they are read
        self.labels: list[str] = []  # in the order of their first appearance

    @cached_property
    def layout(self) -> Layout:
        """The layout of all examples, which JSON lines do not tell before the last."""
        self._text.read_all()
        if self._layout.format != "jsonl":
            return self._layout
        lines = (json_records(text, self._text.name, line) for text, line in self._text.parts("line"))
        return layout_of_records(chain.from_iterable(lines), self._layout)

    @cached_property
    def first(self) -> Examples:
        """The first part that is not empty."""
        for part in self._parts(Remarks(self._text.name)):
            return part
        raise DataError(f"{self._text.name}: there is no example to train on")

    def _parts(self, remarks: Remarks) -> Iterator[Examples]:
        """Yield the parts that have examples, from the first on. `remarks` gets what is odd about lines."""
        layout = self.layout
        for text, line in self._text.parts("line"):
            part = parse_examples(text, self._text.name, layout, remarks, fixed=True, first_line=line)
            if len(part):
                yield part

    def labelled_parts(self, model: ModelFile) -> Iterator[tuple[_core.FeatureRows, list[int]]]:
        """Yield each part's rows of features, as a model sees them, with the numbers of their labels."""
        numbers: dict[str, int] = {}
        learner = learner_of(model.label)
        with Remarks(self._text.name) as remarks:
            for part in self._parts(remarks):
                require_labels(part, "train on")
                names = [numbers.setdefault(label, len(numbers)) for label in part.answers.labels]
                gold = [names[y] for y in part.answers.gold]
                self._remember(part, gold)
                self.labels = list(numbers)
                learner.add(words_of(part))
                yield rows_of(part, model), gold
        self.familiar = found_by(learner)

    def _remember(self, part: Examples, gold: list[int]) -> None:
        if part.documents is not None:
            content = part.documents.text
        else:
            assert part.rows is not None
            content = _core.pack_rows(part.rows)[1]
        self._content.add(content)
        self._gold.add((", " * (self._size > 0) + ", ".join(map(str, gold))).encode())
        self._size += len(gold)

    @cached_property
    def content_checksum(self) -> int:
        """What `Examples.checksum` would be of all examples, once they are read."""
        return self._content.checksum if self.first.documents is not None else self._content.combined(self._size)

    @cached_property
    def checksum(self) -> int:
        """What `TrainingData.checksum` would be of all examples, once they are read."""
        crc = zlib.crc32(f"{self.content_checksum} [".encode())
        place = 0
        while some := self._gold.read(place, _AT_ONCE):
            crc = zlib.crc32(some, crc)
            place += len(some)
        return zlib.crc32(f"] {self.labels}".encode(), crc)

    def where_of(self, label: str) -> str:
        """Return the place of the first example with a label; nothing if there is none."""
        for part in self._parts(Remarks(self._text.name)):
            if label in part.answers.labels:
                return part.answers.where(part.answers.gold.index(part.answers.labels.index(label)))
        return ""

    def values(self) -> list[float]:
        """Return the values of the features, if these are given as such."""
        rows = [part.rows for part in self._parts(Remarks(self._text.name)) if part.rows is not None]
        return list(chain.from_iterable(memoryview(_core.pack_rows(each)[2]).cast("f") for each in rows))

    def names(self, weights: _core.PackedModel, model: ModelFile) -> list[str]:
        """Return the texts of a model's features, in its order."""
        found: list[str] = []
        for part in self._parts(Remarks(self._text.name)):
            some = feature_names(weights, part, model)
            found = [a or b for a, b in zip(found, some, strict=True)] if found else some
        return found


def training_of_stream(
    classifier: ClassifierOptions,
    stream: ExampleStream,
    train: TrainingData,
    held_out: TrainingData | None,
    known: ModelFile | None,
) -> Training:
    """Return what is trained on a stream of examples, of which `train` are the first.

    held_out : gets the labels of all examples, which are known now
    known : the model of a training from which this one goes on

    Raises OptionError and DataError.
    """
    trainer = _core.ClassifierTrainer(1, classifier.for_core(), stream.scratch)
    numbers = {} if known is None else {label: y for y, label in enumerate(known.labels)}
    counts: Counter[int] = Counter()
    for rows, gold in stream.labelled_parts(train.model):
        for label in stream.labels:
            if known is not None and label not in numbers:
                raise unknown_label(label, known)
            numbers.setdefault(label, len(numbers))
        renumbered = [numbers[stream.labels[y]] for y in gold]
        counts.update(renumbered)
        trainer.set_labels(len(numbers), [])
        trainer.add(rows, renumbered, [])
    labels = list(numbers)
    require_several(labels, train.examples.answers.name)
    warn_of_heavy(classifier.class_weight, counts, labels, counts.total(), len(counts))
    trainer.set_labels(len(labels), weights_by_label(classifier.class_weight, counts, labels))
    model = train.model.replaced(labels=labels)
    compared = None
    if held_out is not None:
        held_out.labelled = held_out_of(held_out.examples, model.replaced(labels=stream.labels))
        compared = held_out.labelled.relabelled(labels)
    n = trainer.examples
    return Training(
        trainer,
        model,
        units=n,
        facts={
            "examples": n,
            "data_checksum": f"{stream.content_checksum:016x}",
            "most_frequent": labels[counts.most_common(1)[0][0]],
        },
        started=lambda seconds: Started(n, n, len(labels), classifier.epochs, seconds, "examples", "features"),
        score=lambda _, weights: held_out_score(classifier, labels, weights, compared) if compared else 0,
        names=lambda weights: [stream.names(weights, model)],
        where=stream.where_of,
        values=stream.values,
        familiar=lambda: stream.familiar,
    )
