"""Standard output of which nothing is lost: every write is finished, or it fails.

The system may take a part of a write only: where a disk becomes full, at a limit of file sizes (ulimit -f), in a pipe
that does not block. Python's own buffer writes the rest. With PYTHONUNBUFFERED=1 there is no buffer, and the rest would
be lost without a word; and a pipe that does not block and is full is an error to Python.
"""

from __future__ import annotations

import io
import os
import select
import sys


def finish_writes() -> None:
    """Replace the process's `sys.stdout` by one that finishes every write. Characters it cannot encode are escaped."""
    output = sys.stdout
    if output is not sys.__stdout__ or not isinstance(output, io.TextIOWrapper):  # a program took it over: its affair
        return
    output.flush()
    at_once = output.line_buffering or output.write_through  # a terminal, or PYTHONUNBUFFERED
    buffer = io.BufferedWriter(_Descriptor(output.fileno()))
    sys.stdout = io.TextIOWrapper(buffer, output.encoding, "backslashreplace", line_buffering=at_once)


def write_out(data: bytes) -> None:
    """Write bytes on standard output, so that they have left the process when this returns."""
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


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
