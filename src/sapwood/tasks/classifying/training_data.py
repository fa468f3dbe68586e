"""Training data in memory: examples, the rows and labels made of them, and the model that they train."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from sapwood import _core
from sapwood.errors import DataError
from sapwood.io.label_sets import BETWEEN
from sapwood.model.familiarity import familiar_in
from sapwood.tasks.classifying import multi_label
from sapwood.tasks.classifying.data import Labelled, feature_names, words_of

if TYPE_CHECKING:
    from sapwood.io.examples import Examples
    from sapwood.model.file.records import Familiar
    from sapwood.model.file.schema import ModelFile


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
        return familiar_in([words_of(self.examples)], self.model.label)

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
