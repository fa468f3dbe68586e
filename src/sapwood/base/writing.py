"""Writing: a file appears whole or not at all, and no byte of standard output is lost.

A new file lies beside the one that it will replace, and leaves nothing behind: not by errors, signals or kills.

Of a write to standard output the system may take a part only: where a disk becomes full, at a limit of file sizes
(ulimit -f), in a pipe that does not block. Python's own buffer writes the rest. With PYTHONUNBUFFERED=1 there is no
buffer, and the rest would be lost without a word; and a pipe that does not block and is full is an error to Python.

`written_kind` says what kind of file is there, by its first bytes: a command writes only over files of the kind that it
makes.

===========  ==================================================================
model        a container of sapwood's, of any version
checkpoint   the state of a training, in the same container
HTML         a page
picture      SVG or PNG
JSON         one value, or one on each line
text         any other: columns, CoNLL-U, trees in brackets, a template
other        what is no text: an archive, a document, another program's model
===========  ==================================================================
"""

import errno
import io
import os
import re
import select
import signal
import stat
import sys
import threading
import time
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import BinaryIO

from ..errors import DataError, SapwoodError
from .signals import HANGUP, handled

Identity = tuple[int, int]  # device, and number of a file on it, whatever path or link leads to it
MODEL = re.compile(rb'(?s).{8}\{"__metadata__":\{"checksum":')  # the beginning of a file of sapwood's
SCRATCH = ".sapwood-"  # the beginning of their names
_SCRATCH_NAME = re.compile(r"\.sapwood-[0-9a-f]{16}\.tmp")
_ABANDONED = 3600  # seconds without a change
_open: set[Path] = set()  # the scratch files of this process
_opening = threading.RLock()  # held while one is made; `remove_scratch` keeps it, and none is made any more
_REMEDIES = {
    errno.ENOTDIR: "its parent is not a directory; choose another path",
    errno.EEXIST: "there is a file of this name; name a folder",
    errno.EISDIR: "it is a directory; name a file in it",
    errno.EACCES: "permission denied; change the permissions or choose another path",
    errno.EPERM: "permission denied; change the permissions or choose another path",
    errno.EROFS: "the file system is read-only; choose another path",
    errno.ENOSPC: "the disk is full; free some space or choose another path",
    errno.EDQUOT: "the disk quota is used up; free some space or choose another path",
    errno.EFBIG: "it would be larger than a file may be here (ulimit -f); allow more or choose another path",
}
_MISSING = {"written": "no such directory; make it first", "read": "no such file; check the path"}


def shown(path: str | os.PathLike[str]) -> str:
    """Return a path fit for a message or an output: on one line, in characters that can be printed, in UTF-8.

    >>> shown("odd\\nname.txt")
    "'odd\\\\nname.txt'"
    """
    text = os.fspath(path)
    return text if text.isprintable() and text == text.strip() else ascii(text)


def identity_of(file: Path | int) -> Identity | None:
    """Return the identity of a file or descriptor; None if it is no regular file, closed, or cannot be seen."""
    try:
        status = os.stat(file)  # noqa: PTH116
    except (OSError, ValueError):
        return None
    return (status.st_dev, status.st_ino) if stat.S_ISREG(status.st_mode) else None


def make_folder(path: str | os.PathLike[str]) -> Path:
    """Make a folder to write to, if it is not there, and return its path. Raises DataError."""
    with explained(path, "written"):
        Path(path).mkdir(parents=True, exist_ok=True)
    return Path(path)


def write_bytes(path: str | os.PathLike[str], data: bytes) -> int:
    """Write a file and return its size in bytes. Raises DataError if it cannot be written."""
    with explained(path, "written"), replacing(path) as file:
        file.write(data)
    return len(data)


def write_text(path: str | os.PathLike[str], text: str, named: bool = True) -> None:
    """Write a text file in UTF-8, `named` as `replacing` has it. Raises DataError if it cannot be written."""
    with explained(path, "written"), replacing(path, named=named) as file:
        file.write(text.encode())


def write_blocks(path: str | os.PathLike[str], blocks: Iterable[bytes]) -> int:
    """Write blocks of lines to a file as they come, and return the number of lines.

    Raises DataError if it cannot be written.
    """
    lines = 0
    with explained(path, "written"), replacing(path) as file:
        for block in blocks:
            lines += block.count(b"\n")
            file.write(block)
    return lines


@contextmanager
def explained(path: str | os.PathLike[str], done: str, raised: type[SapwoodError] = DataError) -> Iterator[None]:
    """Turn an OSError of the block into a `raised` that names the path and says what to do.

    done : "written" or "read", what the block does with the file
    """
    try:
        yield
    except OSError as error:
        remedies = _REMEDIES | {errno.ENOENT: _MISSING[done]}
        why = remedies.get(error.errno or 0, f"{error.strerror or error}; choose another path")
        raise raised(f"{shown(path)}: cannot be {done}: {why}") from error


@contextmanager
def replacing(path: str | os.PathLike[str], alone: bool = False, named: bool = True) -> Iterator[BinaryIO]:
    """Open a file that takes the place of `path` when the block has ended well and all is on disk.

    alone : nobody else writes to `path`, so what killed writers left is removed at once, not after an hour
    named : the user has named this path, so that a link is followed, and a device or pipe is written to; otherwise, as
        in a folder that was named, nothing but a file may be there
    """
    if not _is_replaceable(path, named):
        with Path(path).open("wb") as file:
            yield file
        return
    target = Path(os.path.realpath(path) if named else path)
    with scratch_file(target, alone) as file:
        if target.exists():
            Path(file.name).chmod(stat.S_IMODE(target.stat().st_mode))
        yield file
        file.flush()
        os.fsync(file.fileno())
        if sys.platform == "win32":  # where a file that is open keeps its name
            file.close()
        Path(file.name).replace(target)
    with suppress(OSError):  # the file is whole and in place; some file systems cannot sync a directory
        directory = os.open(target.parent, os.O_RDONLY)
        try:
            os.fsync(directory)
        finally:
            os.close(directory)


def check_replaceable(path: str | os.PathLike[str], alone: bool = False) -> None:
    """Raise the OSError that `replacing` would raise for this path."""
    if _is_replaceable(path):
        with scratch_file(Path(os.path.realpath(path)), alone):
            pass


def _is_replaceable(path: str | os.PathLike[str], named: bool = True) -> bool:
    """Tell a file, there or not yet, from a device or pipe; refuse what ``open`` refuses to write."""
    try:
        mode = Path(path).stat(follow_symlinks=named).st_mode
    except FileNotFoundError:
        return True
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, "is a directory")
    if not named and not stat.S_ISREG(mode):
        raise FileExistsError(errno.EEXIST, "a link, device or pipe is there")
    if not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, "is write-protected")
    return stat.S_ISREG(mode)


@contextmanager
def scratch_file(target: Path, alone: bool = False) -> Iterator[BinaryIO]:
    """Open a new file beside a target; it is gone when the block ends, unless renamed, or a signal ends the process."""
    beginning = f".sapwood-{zlib.crc32(os.fsencode(target.name)):08x}"
    sweep(target.parent, beginning if alone else None)
    path = target.with_name(f"{beginning}{os.urandom(4).hex()}.tmp")

    def end(number: int, frame: FrameType | None) -> None:
        remove_scratch()
        signal.signal(number, signal.SIG_DFL)
        signal.raise_signal(number)

    with handled(end, signal.SIGTERM, HANGUP):
        try:
            with _locked(path) as file:
                yield file
        finally:
            with suppress(OSError):
                path.unlink()
            _open.discard(path)


def remove_scratch() -> None:
    """Remove what this process has begun to write, before it ends; none of its threads begins to write any more."""
    _opening.acquire()
    for scratch in tuple(_open):
        with suppress(OSError):
            scratch.unlink()


def _locked(path: Path) -> BinaryIO:
    """Make a file and lock it. A sweeper may take it for abandoned in between; then it is made again."""
    while True:
        with _opening:
            _open.add(path)
            file = path.open("xb")
        with suppress(OSError, ImportError):  # some network file systems have no locks; Windows and browsers neither
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.fstat(file.fileno()).st_nlink > 0:
            return file
        file.close()


def sweep(folder: Path, beginning: str | None = SCRATCH) -> None:
    """Remove the scratch files of writers that were killed: locked by nobody, and unchanged for an hour or named so."""
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if _SCRATCH_NAME.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
                with suppress(OSError, ImportError), Path(entry.path).open("rb") as file:
                    import fcntl

                    fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)  # fails while its writer lives
                    is_old = time.time() - os.fstat(file.fileno()).st_mtime > _ABANDONED
                    if is_old or (beginning is not None and entry.name.startswith(beginning)):
                        Path(entry.path).unlink()


def finish_writes() -> None:
    """Replace the process's `sys.stdout` by one that finishes every write. Characters it cannot encode are escaped."""
    output = sys.stdout
    if output is not sys.__stdout__ or not isinstance(output, io.TextIOWrapper):  # a program took it over: its affair
        return
    if sys.platform == "win32":  # its console takes characters, not bytes
        output.reconfigure(errors="backslashreplace")
        os.system("")  # lets it obey colours
        return
    output.flush()
    at_once = output.line_buffering or output.write_through  # a terminal, or PYTHONUNBUFFERED
    buffer = io.BufferedWriter(_Descriptor(output.fileno()))
    sys.stdout = io.TextIOWrapper(buffer, output.encoding, "backslashreplace", line_buffering=at_once)


_STEERING = re.compile(
    r"(?!\r\n)[\x00-\x08\x0b-\x1f\x7f-\x9f]|[\u202a-\u202e\u2066-\u2069]"  # the second: of bidirectional text
)


def escape_controls(text: str) -> str:
    """Return a text in which no character steers a terminal: control and bidirectional characters become escapes.

    Line ends and tabs stay, and so does everything that letters need, such as joiners.

    >>> print(escape_controls("red\\x1b[31m"))
    red\\x1b[31m
    """
    return text if text.isprintable() else _STEERING.sub(lambda found: ascii(found[0])[1:-1], text)


def discard_output() -> None:
    """Let what is still in the buffer of standard output go nowhere, instead of failing again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class _Descriptor(io.RawIOBase):
    """A file descriptor whose `write` returns when all has been written, or raises."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._descriptor

    def isatty(self) -> bool:
        return os.isatty(self._descriptor)

    def write(self, data: object) -> int:
        rest = memoryview(data).cast("B")  # type: ignore[arg-type]
        size = len(rest)
        while rest:
            try:
                rest = rest[os.write(self._descriptor, rest) :]
            except BlockingIOError:  # a pipe that does not block, and is full
                select.select([], [self._descriptor], [])
        return size


_START = 1 << 12  # bytes that are looked at
_CHECKPOINT = re.compile(rb'"format":"sapwood checkpoint/')
_AHEAD = re.compile(
    rb"\s+|<!--.*?-->|<\?xml[^>]*>|<!DOCTYPE svg[^>]*>", re.DOTALL
)  # the head of a page or picture, before its first tag
_BEGINNINGS = {
    "picture": re.compile(rb"\x89PNG|<svg\b|%PDF-"),
    "HTML": re.compile(rb"<(!doctype html|html)\b", re.IGNORECASE),
    "JSON": re.compile(rb'\{\s*["}]|\[\s*["{\[\]]'),
}
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def written_kind(path: str | os.PathLike[str]) -> str:
    """Return the kind of a file, or "" where there is none: no file, an empty one, a device, pipe or folder.

    Raises OSError if the file cannot be read.
    """
    try:
        if not stat.S_ISREG(Path(path).stat().st_mode):
            return ""
        with Path(path).open("rb") as file:
            start = file.read(_START)
            if MODEL.match(start):
                header = start[8:] + file.read(int.from_bytes(start[:8], "little") % (1 << 24))
                return "checkpoint" if _CHECKPOINT.search(header) else "model"
    except FileNotFoundError:
        return ""
    start = start.removeprefix(_BYTE_ORDER_MARK)
    if not start:
        return ""
    begin = 0
    while ahead := _AHEAD.match(start, begin):
        begin = ahead.end()
    text = "other" if b"\0" in start else "text"
    return next((kind for kind, beginning in _BEGINNINGS.items() if beginning.match(start, begin)), text)
