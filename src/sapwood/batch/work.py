"""The work on one file of a run, here or on a worker: it is read, annotated and written, whole or not at all."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from sapwood import __version__
from sapwood.base.writing import explained, replacing
from sapwood.errors import DataError, SapwoodError
from sapwood.io.source import chunks, shown
from sapwood.model.base import AnyModel, with_listener
from sapwood.model.parts import require_capability

_AT_ONCE = 1 << 21  # bytes of a text that is read part by part


class Job(NamedTuple):
    """The work on every file of a run."""

    mark: str  # path of a file that the client holds in the folder of output while the run lasts
    options: Mapping[str, object]  # options of the writer's `written`
    table: str  # format of which a Parquet file is made; empty: the bytes are written as they are
    version: str  # version of sapwood at the client


class FileTask(NamedTuple):
    """A file of a run."""

    name: str  # in messages
    path: str
    output: str  # path


class FileResult(NamedTuple):
    """The result of a task: the size of the text, or an error."""

    task: FileTask
    error: str = ""
    fatal: bool = False  # the error would come with every file
    warnings: tuple[str, ...] = ()  # warnings of unfamiliar texts
    text_bytes: int = 0  # size of the input, decompressed


def work_on(model: Callable[[], AnyModel], job: Job, task: FileTask) -> FileResult:
    """Annotate a file. An error is returned and not raised, so that Dask does not try the file again."""
    worker = f"{socket.gethostname()}:{os.getpid()}"
    if job.version != __version__:
        error = f"{worker} has sapwood {__version__}, not {job.version}; install the same"
        return FileResult(task, error, fatal=True)
    if not Path(job.mark).exists():
        error = f"{worker} does not see this folder; it must be on a file system that all machines share"
        return FileResult(task, f"{shown(Path(job.mark).parent)}: {error}", fatal=True)
    sizes: list[int] = []
    warnings: list[str] = []
    try:
        with explained(task.output, "written"), suppress(FileNotFoundError):
            Path(task.output).lstat()  # a name with another ending may be too long
        writer = require_capability(with_listener(model(), warnings.append), "writer")
        before = _identity(task)
        blocks = writer.written(_measured(task, sizes), name=task.name, **job.options)
        with explained(task.output, "written", _WriteError), replacing(task.output, named=False) as file:
            if job.table:
                from sapwood.io.tables import write_table

                write_table(file, blocks, job.table)
            else:
                for block in blocks:
                    file.write(block)
            file.flush()  # after this the time of the output stays
            if _identity(task) != before:
                raise DataError(f"{task.name}: it changed while it was read; run again")
    except _WriteError as error:
        return FileResult(task, str(error), fatal=True)
    except SapwoodError as error:
        return FileResult(task, str(error))
    except MemoryError:
        return FileResult(task, f"{task.name}: out of memory; split it")
    return FileResult(task, warnings=tuple(warnings), text_bytes=sum(sizes))


class _WriteError(DataError):
    """The output cannot be written."""


def _measured(task: FileTask, sizes: list[int]) -> Iterator[bytes]:
    for chunk in chunks(task.path, task.name, at_once=_AT_ONCE):
        sizes.append(len(chunk))
        yield chunk


def _identity(task: FileTask) -> tuple[int, int, int]:
    """Return size, time and number of the input, of which one changes with it. Raises DataError if it is gone."""
    try:
        status = Path(task.path).stat()
    except OSError as error:
        raise DataError(f"{task.name}: cannot read it: {error.strerror or error}") from None
    return status.st_size, status.st_mtime_ns, status.st_ino
