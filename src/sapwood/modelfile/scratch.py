"""A new file beside the one that it will replace, which leaves nothing behind: not by errors, signals or kills."""

import fcntl
import os
import re
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import BinaryIO

from sapwood.signals import handled

_SCRATCH_NAME = re.compile(r"\.sapwood-[0-9a-f]{16}\.tmp")
_ABANDONED = 3600  # seconds without a change


@contextmanager
def scratch_file(folder: Path) -> Iterator[BinaryIO]:
    """Open a new file in a folder; it is gone when the block ends, unless renamed, or a signal ends the process."""
    _sweep(folder)
    path = folder / f".sapwood-{os.urandom(8).hex()}.tmp"

    def end(number: int, frame: FrameType | None) -> None:
        with suppress(OSError):
            path.unlink()
        signal.signal(number, signal.SIG_DFL)
        signal.raise_signal(number)

    with handled(end, signal.SIGTERM, signal.SIGHUP):
        try:
            with path.open("xb") as file:
                with suppress(OSError):  # some network file systems have no locks
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                yield file
        finally:
            with suppress(OSError):
                path.unlink()


def _sweep(folder: Path) -> None:
    """Remove the scratch files of writers that were killed: unchanged for an hour, and locked by nobody."""
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if _SCRATCH_NAME.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
                with suppress(OSError), Path(entry.path).open("rb") as file:
                    fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)  # fails while its writer lives
                    if time.time() - os.fstat(file.fileno()).st_mtime > _ABANDONED:
                        Path(entry.path).unlink()
