"""A new file beside the one that it will replace, which leaves nothing behind: not by errors, signals or kills."""

import errno
import fcntl
import os
import re
import signal
import stat
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import BinaryIO

from sapwood.signals import handled

SCRATCH = ".sapwood-"  # what their names begin with
_SCRATCH_NAME = re.compile(r"\.sapwood-[0-9a-f]{16}\.tmp")
_ABANDONED = 3600  # seconds without a change
_open: set[Path] = set()  # the scratch files of this process


@contextmanager
def replacing(path: str | os.PathLike[str], alone: bool = False) -> Iterator[BinaryIO]:
    """Open a file that takes the place of `path` when the block has ended well and all is on disk.

    alone : nobody else writes to `path`, so what killed writers left is removed at once, not after an hour
    """
    if not _is_replaceable(path):
        with Path(path).open("wb") as file:
            yield file
        return
    target = Path(os.path.realpath(path))
    with _scratch_file(target, alone) as file:
        if target.exists():
            os.fchmod(file.fileno(), stat.S_IMODE(target.stat().st_mode))
        yield file
        file.flush()
        os.fsync(file.fileno())
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
        with _scratch_file(Path(os.path.realpath(path)), alone):
            pass


def _is_replaceable(path: str | os.PathLike[str]) -> bool:
    """Tell a file, there or not yet, from a device or pipe; refuse what ``open`` refuses to write."""
    try:
        mode = Path(path).stat().st_mode
    except FileNotFoundError:
        return True
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, "is a directory")
    if not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, "is write-protected")
    return stat.S_ISREG(mode)


@contextmanager
def _scratch_file(target: Path, alone: bool) -> Iterator[BinaryIO]:
    """Open a new file beside a target; it is gone when the block ends, unless renamed, or a signal ends the process."""
    beginning = f".sapwood-{zlib.crc32(os.fsencode(target.name)):08x}"
    sweep(target.parent, beginning if alone else None)
    path = target.with_name(f"{beginning}{os.urandom(4).hex()}.tmp")

    def end(number: int, frame: FrameType | None) -> None:
        for scratch in tuple(_open):  # a process may write several files at once
            with suppress(OSError):
                scratch.unlink()
        signal.signal(number, signal.SIG_DFL)
        signal.raise_signal(number)

    with handled(end, signal.SIGTERM, signal.SIGHUP):
        _open.add(path)
        try:
            with _locked(path) as file:
                yield file
        finally:
            with suppress(OSError):
                path.unlink()
            _open.discard(path)


def _locked(path: Path) -> BinaryIO:
    """Make a file and lock it. A sweeper may take it for abandoned in between; then it is made again."""
    while True:
        file = path.open("xb")
        with suppress(OSError):  # some network file systems have no locks
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.fstat(file.fileno()).st_nlink > 0:
            return file
        file.close()


def sweep(folder: Path, beginning: str | None = SCRATCH) -> None:
    """Remove the scratch files of writers that were killed: locked by nobody, and unchanged for an hour or named so."""
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if _SCRATCH_NAME.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
                with suppress(OSError), Path(entry.path).open("rb") as file:
                    fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)  # fails while its writer lives
                    is_old = time.time() - os.fstat(file.fileno()).st_mtime > _ABANDONED
                    if is_old or (beginning is not None and entry.name.startswith(beginning)):
                        Path(entry.path).unlink()
