"""A reranker's lists of candidates as a stream: read part by part, encoded, and trained on from scratch files."""

from __future__ import annotations

import os
import zlib
from array import array
from collections.abc import Iterator
from functools import cached_property

from sapwood import _core
from sapwood.errors import DataError
from sapwood.io.lists import CandidateList, parse_lists
from sapwood.tasks.ranking.data import Lists, distances_of, examples_of
from sapwood.training.streams import Stream, StreamedText

_DISTANCES = 1 << 17  # read at once


class ListStream(Stream):
    """Lists of candidates in a file, which are read part by part. Raises DataError while they are read."""

    def __init__(self, path: os.PathLike[str], scratch: str) -> None:
        self.scratch = scratch
        self._text = StreamedText(path, scratch)
        self.lists = self.candidates = 0  # how many there are
        self.kinds: set[str] = set()
        self._distances = _core.SpooledText(scratch)
        self._crc = zlib.crc32(b"[")

    @cached_property
    def first(self) -> Lists:
        """The first part that is not empty; afterwards all is known but the features."""
        found: list[CandidateList] = []
        for part in self._parts():
            found = found or part
            for each in part:
                self._crc = zlib.crc32((", " * (self.lists > 0) + repr(each)).encode(), self._crc)
                self.lists += 1
                self.candidates += len(each.candidates)
                self.kinds.add(each.kind)
            self._distances.add(array("d", distances_of(part)).tobytes())
        if not found:
            raise DataError(f"{self._text.name}: there is no list of candidates to train on")
        return Lists(found)

    @property
    def checksum(self) -> int:
        """A hash of the lists, as that of lists in memory."""
        return zlib.crc32(b"]", self._crc)

    def distance(self) -> float:
        """Return what `distance_of` would give for all lists."""
        return sum(distance / self.candidates for distance in self._all_distances()) or 1.0

    def feed(self, trainer: _core.RankerTrainer, scale: float) -> None:
        """Add all lists to a trainer; `scale` is the unit of the base model's scores."""
        for part in self._parts():
            trainer.add(*examples_of(part, scale))

    def _all_distances(self) -> Iterator[float]:
        place = 0
        while some := self._distances.read(place, 8 * _DISTANCES):
            yield from memoryview(some).cast("d")
            place += len(some)

    def _parts(self) -> Iterator[list[CandidateList]]:
        """Yield the lists of each part of the text."""
        self._text.read_all()
        ends = "line" if self._text.begins_with(b"{", b"[") else "sentence"
        for text, line in self._text.parts(ends):
            if part := list(parse_lists(text, self._text.name, line)):
                yield part
