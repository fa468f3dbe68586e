"""Training data that are read once, part by part: files larger than memory, and pipes.

What is learned from is encoded into scratch files (core/base/store.hpp), and so is the text, until it is not needed any
more. The files have no names: no folder shows them, and they are gone when the process ends, however it ends.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import sapwood._core as _core
from sapwood.errors import OptionError
from sapwood.io.source import chunks, lines_of, paths_in, shown, whole_blocks, with_lines

Folder = str | os.PathLike[str] | None
BOM = b"\xef\xbb\xbf"
_AT_ONCE = 1 << 22  # bytes of text that are encoded at once


class StreamedText:
    """A text that is read once, in parts of whole lines or sentences, and kept in a scratch file to be read again.

    behind : a text whose scratch file this one is added to, when that is read, as if both were one file
    """

    def __init__(self, path: object, folder: str, behind: StreamedText | None = None) -> None:
        self._path, *others = paths_in(path)
        self.name = shown(self._path)
        if others:
            raise OptionError(f"{self.name} is one of several files; a stream of these examples reads one")
        self._behind = behind
        self._end = b""  # its last bytes
        self._text: _core.SpooledText = _core.SpooledText(folder) if behind is None else behind._text
        self._size: int | None = None  # once it is read

    def parts(self, ends: str) -> Iterator[tuple[bytes, int]]:
        """Yield parts that end with a "line" or "sentence", with the number of their first line. Raises DataError."""
        return with_lines(whole_blocks(self._read() if self._size is None else self._again(), ends, self.name))

    def read_all(self) -> None:
        """Read the text to its end, if that was not done. Raises DataError."""
        if self._size is None:
            for _ in self._read():
                pass

    def begins_with(self, *marks: bytes) -> bool:
        """Return true if the text, once it is read, begins with one of these bytes but for spaces."""
        for chunk in self._again():
            if text := chunk.removeprefix(BOM).lstrip():
                return text.startswith(marks)
        return False

    @property
    def checksum(self) -> int:
        """A hash of the text, once it is read."""
        return self._text.checksum

    def _read(self) -> Iterator[bytes]:
        size = 0
        for chunk in lines_of(chunks(self._path, self.name, _AT_ONCE)):
            if size == 0 and self._behind is not None:
                self._text.add(_core.end_of_sentence(self._behind._end))
                chunk = chunk.removeprefix(BOM)
            self._text.add(chunk)
            self._end = (self._end + chunk)[-3:]
            size += len(chunk)
            yield chunk
        self._size = size

    def _again(self) -> Iterator[bytes]:
        assert self._size is not None
        return (self._text.read(place, _AT_ONCE) for place in range(0, self._size, _AT_ONCE))


def check_streamed(source: object, answers: object = None) -> None:
    """Raise OptionError if training data are no files, which can be read as a stream."""
    if not paths_in(source):
        raise OptionError("stream reads a file, whose path is a pathlib.Path; train on data in memory without it")
    if answers is not None:
        raise OptionError("labels beside a file: a file has them in it")


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
    import tempfile  # late, as whoever loads a model imports this file

    return tempfile.gettempdir()
