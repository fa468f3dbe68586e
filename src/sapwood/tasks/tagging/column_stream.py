"""Column files that are learned from as a stream."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import Any

from sapwood import _core
from sapwood.errors import DataError
from sapwood.io.source import paths_in
from sapwood.model.familiarity import familiarity_learner, frequent_words
from sapwood.model.file.records import Familiar
from sapwood.tasks.tagging.data import parse_columns
from sapwood.training.streams import StreamedText
from sapwood.training.task import Parts


class ColumnStream(Parts[_core.Columns]):
    """Column files that are read in parts of whole sentences, as one. Raises DataError while they are read.

    names : the columns' names, if the user gives them
    """

    def __init__(self, source: Any, scratch: str, names: Sequence[str]) -> None:
        self.scratch, self._names = scratch, names
        self._texts: list[StreamedText] = []
        for path in paths_in(source):
            self._texts.append(StreamedText(path, scratch, self._texts[-1] if self._texts else None))
        self._parts = self._read()

    @cached_property
    def first(self) -> _core.Columns:
        for part in self._parts:
            if part.tokens:
                return part
        raise DataError(f"{self._texts[0].name}: there is no sentence to train on")

    def feed(self, trainer: _core.TaggerTrainer, columns: Mapping[str, int]) -> None:
        """Add all parts to a trainer, and count the words and values of the columns that it reads."""
        self._learner = familiarity_learner(columns)
        for part in chain([self.first], self._parts):
            trainer.add(part)
            self._learner.add(part)
        trainer.finish()

    def familiar(self, columns: Mapping[str, int]) -> Familiar:
        """Return the frequent words and values, once the data are read."""
        return frequent_words(self._learner, columns)

    @cached_property
    def checksum(self) -> int:
        return self._texts[0].checksum

    def _read(self) -> Iterator[_core.Columns]:
        of_other: _core.Columns | None = None  # a part of the file before
        for file in self._texts:
            before = None
            for text, line in file.parts("sentence"):
                before = parse_columns(text, file.name, line, before, names=self._names)
                if line == 1 and of_other is not None:
                    _core.Columns.joined([of_other, before])
                yield before
            if len(self._texts) > 1 and (before is None or before.width == 0):
                raise DataError(f"{file.name}: there is no sentence in it")
            of_other = before
