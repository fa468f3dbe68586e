"""A reranker's lists of candidates as a stream: read part by part, encoded, and trained on from scratch files."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from functools import cached_property

from sapwood import _core
from sapwood.base.candidates import CandidateList
from sapwood.errors import DataError
from sapwood.io.lists import checksum, parse_lists
from sapwood.tasks.ranking.data import Lists, base_scores_of, examples_of
from sapwood.training.parts import Parts
from sapwood.training.streams import StreamedText, check_streamed

_AT_ONCE = 1 << 17  # base scores read from the scratch file


class ListStream(Parts[Lists]):
    """Lists of candidates in a file, which are read part by part. Raises DataError while they are read."""

    def __init__(self, path: object, scratch: str) -> None:
        check_streamed(path)
        self.scratch = scratch
        self._text = StreamedText(path, scratch)
        self._lists = self.candidates = 0  # numbers of those that were read
        self.kinds: set[str] = set()
        self._scores = _core.SpooledText(scratch)
        self._checksums = array("Q")  # [lists]

    def __len__(self) -> int:
        """Count the lists, once they are read."""
        return self._lists

    @cached_property
    def first(self) -> Lists:
        """The first part that is not empty; afterwards all is known but the features."""
        found: list[CandidateList] = []
        for part in self._parts():
            found = found or part
            for each in part:
                self._checksums.append(checksum(each))
                self._lists += 1
                self.candidates += len(each.candidates)
                self.kinds.add(each.kind)
            self._scores.add(array("d", base_scores_of(part, 1.0)).tobytes())
        if not found:
            raise DataError(f"{self._text.name}: there is no list of candidates to train on")
        return Lists(found)

    @property
    def checksum(self) -> int:
        """A hash of the lists, as that of lists in memory."""
        return _core.checksum(self._checksums.tobytes())

    def distance(self) -> float:
        """Return the distance of all lists, as `Lists.distance` does."""
        return sum(-score / self.candidates for score in self._base_scores()) or 1.0

    def feed(self, trainer: _core.RankerTrainer, scale: float) -> None:
        """Add all lists to a trainer; `scale` is the unit of the base model's scores."""
        for part in self._parts():
            trainer.add(*examples_of(part, scale))

    def _base_scores(self) -> Iterator[float]:
        place = 0
        while some := self._scores.read(place, 8 * _AT_ONCE):
            yield from memoryview(some).cast("d")
            place += len(some)

    def _parts(self) -> Iterator[list[CandidateList]]:
        self._text.read_all()
        ends = "line" if self._text.begins_with(b"{", b"[") else "sentence"
        for text, line in self._text.parts(ends):
            if part := list(parse_lists(text, self._text.name, line)):
                yield part
