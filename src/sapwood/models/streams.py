"""Training data that are read once, part by part: files larger than memory, and pipes.

What is learned from is encoded into scratch files (core/base/store.hpp), and so is the text, until its checksum is
known. The files have no names: no folder shows them, and they are gone when the process ends, however it ends.
"""

from __future__ import annotations

import os
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from sapwood import _core
from sapwood.errors import DataError, OptionError, shown
from sapwood.io.source import chunks, whole_blocks

if TYPE_CHECKING:
    from collections.abc import Iterator

    Folder = str | os.PathLike[str] | None

_AT_ONCE = 1 << 22  # bytes of text that are encoded at once

Part = TypeVar("Part")
Added = TypeVar("Added", contravariant=True)


class PartTrainer(Protocol[Added]):
    """A trainer of the core to which data are added in parts."""

    def add(self, data: Added, /) -> None:
        """Add a part. Raises DataError."""

    def finish(self) -> None:
        """Take note that all parts are added. Raises DataError, OptionError."""


class Stream(Generic[Part]):
    """A file that is read once, in parts, whose checksum is then known. Raises DataError while it is read."""

    ends = "line"  # a part ends with one, or with a "sentence"

    def __init__(self, path: str | os.PathLike[str], scratch: Folder) -> None:
        self.name = shown(path)
        self.scratch = scratch_folder(scratch)
        self._path = path
        self._parts = self._read()

    def feed(self, trainer: PartTrainer[Part]) -> None:
        """Add all parts to a trainer."""
        for part in chain([self.first], self._parts):
            trainer.add(part)
        trainer.finish()

    @cached_property
    def first(self) -> Part:
        """The first part that is not empty."""
        raise NotImplementedError

    @cached_property
    def checksum(self) -> int:
        """A hash of the text, once it is read."""
        return self._text.checksum

    def _parse(self, text: bytes, line: int, before: Part | None) -> Part:
        """Return the part of the data that a text is; `line` is the number of its first line."""
        raise NotImplementedError

    def _read(self) -> Iterator[Part]:
        self._text = _core.SpooledText(self.scratch)
        before, line = None, 1
        for text in whole_blocks(chunks(self._path, self.name, _AT_ONCE), self.ends, self.name):
            self._text.add(text)
            before = self._parse(text, line, before)
            line += text.count(b"\n")
            yield before


class ColumnStream(Stream[_core.Columns]):
    """A column file."""

    ends = "sentence"

    @cached_property
    def first(self) -> _core.Columns:
        """The first part that is not empty."""
        for part in self._parts:
            if part.tokens:
                return part
        raise DataError(f"{self.name}: there is no sentence to train on")

    def _parse(self, text: bytes, line: int, before: _core.Columns | None) -> _core.Columns:
        return _core.Columns.read(text, self.name, line, before)


Kind = TypeVar("Kind", bound=Stream[Any])


def stream_of(
    kind: type[Kind], source: object, answers: object, scratch: Folder, dev_fraction: float | None, *, stream: bool
) -> Kind | None:
    """Return the training data as a stream, if they are to be one. Raises OptionError if they cannot."""
    if not stream:
        if scratch is not None:
            raise OptionError("scratch is the folder where stream keeps the examples; give stream, too")
        return None
    if not isinstance(source, os.PathLike):
        raise OptionError("stream reads a file, whose path is a pathlib.Path; train on data in memory without it")
    if answers is not None:
        raise OptionError("labels beside a file: a file has them in it")
    if dev_fraction is not None:
        raise OptionError("dev_fraction needs all data in memory; with stream give dev, a file to score each epoch on")
    return kind(source, scratch)


def scratch_folder(given: Folder) -> str:
    """Return the folder for scratch files: the one that is given, $TMPDIR, or one that is on a disk.

    /tmp is in memory on some machines, /var/tmp is not.
    """
    if given is not None:
        return os.fspath(given)
    if folder := os.environ.get("TMPDIR"):
        return folder
    disk = Path("/var/tmp")
    if disk.is_dir() and os.access(disk, os.W_OK):
        return str(disk)
    import tempfile

    return tempfile.gettempdir()
