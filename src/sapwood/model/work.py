"""The work on one file of a run, here or on a worker: it is read, annotated and written, whole or not at all."""

from __future__ import annotations

import hashlib
import os
import resource
import socket
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from sapwood import __version__
from sapwood.base.writing import explained, replacing
from sapwood.errors import DataError, SapwoodError
from sapwood.io.manifest import NAME
from sapwood.io.source import chunks, shown
from sapwood.model.base import AnyModel, with_listener
from sapwood.model.capabilities import require_capability

_AT_ONCE = 1 << 21  # bytes of a text that is read part by part


class Job(NamedTuple):
    """The work on every file of a run."""

    folder: str
    options: Mapping[str, object]  # options of the writer's `written`
    table: str  # format of which a Parquet file is made; empty: the bytes are written as they are
    version: str  # version of sapwood at the client


class FileTask(NamedTuple):
    """A file of a run."""

    name: str  # in messages
    path: str
    output: str  # name in the folder
    input: str | None  # SHA-256 of the input from which the present output was made; None: there is no output
    checksum: str = ""  # SHA-256 of that output; empty: not known


class FileResult(NamedTuple):
    """The result of a task: figures of the work, or an error."""

    task: FileTask
    error: str = ""
    fatal: bool = False  # the error would come with every file
    written: bool = False  # False: an earlier run made the output from the same input
    warnings: tuple[str, ...] = ()  # warnings of unfamiliar texts
    input: str = ""  # SHA-256
    bytes_out: int = 0
    checksum: str = ""  # SHA-256 of the output
    text_bytes: int = 0  # size of the input, decompressed; 0 if nothing was written
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    worker: str = ""  # host and process
    peak_memory: int = 0  # largest number of bytes that the worker's process had since its start


def work_on(model: Callable[[], AnyModel], job: Job, task: FileTask) -> FileResult:
    """Annotate a file. An error is returned and not raised, so that Dask does not try the file again."""
    began, cpu = time.perf_counter(), time.thread_time()
    folder = Path(job.folder)
    target = folder / task.output
    if job.version != __version__:
        return _failed(task, f"{_worker()} has sapwood {__version__}, not {job.version}; install the same", fatal=True)
    if not (folder / NAME).exists():
        why = "it must be on a file system that all machines share"
        return _failed(task, f"{shown(folder)}: {_worker()} does not see this folder; {why}", fatal=True)
    counts = [0]
    warnings: list[str] = []
    try:
        with explained(target, "written"), suppress(FileNotFoundError):
            target.lstat()  # a name with another ending may be too long
        status, checksum = _checksum(task.path, task.name)
        if checksum == task.input and task.checksum in ("", made := _checksum(target, shown(target))[1]):
            return FileResult(task, input=checksum, bytes_out=target.stat().st_size, checksum=made)
        writer = require_capability(with_listener(model(), warnings.append), "writer")
        blocks = writer.written(_counted(task, counts), name=task.name, **job.options)
        with explained(target, "written", _WriteError), replacing(folder / task.output, named=False) as file:
            if job.table:
                from sapwood.io.tables import write_table

                write_table(file, blocks, job.table)
            else:
                for block in blocks:
                    file.write(block)
            if _changed(status, task):
                raise DataError(f"{task.name}: it changed while it was read; run again")
        written, made = target.stat().st_size, _checksum(target, shown(target))[1]
    except _WriteError as error:
        return _failed(task, str(error), fatal=True)
    except SapwoodError as error:
        return _failed(task, str(error))
    except MemoryError:
        return _failed(task, f"{task.name}: out of memory; split it")
    return FileResult(
        task,
        written=True,
        warnings=tuple(warnings),
        input=checksum,
        bytes_out=written,
        checksum=made,
        text_bytes=counts[0],
        seconds=time.perf_counter() - began,
        cpu_seconds=time.thread_time() - cpu,
        worker=_worker(),
        peak_memory=_peak_memory(),
    )


class _WriteError(DataError):
    """The output cannot be written."""


def _failed(task: FileTask, error: str, *, fatal: bool = False) -> FileResult:
    return FileResult(task, error=error, fatal=fatal, worker=_worker())


def _worker() -> str:
    return f"{socket.gethostname()}:{os.getpid()}"


def _peak_memory() -> int:
    """Return the peak memory of this process. getrusage would include the peak of the process that started it."""
    try:
        [line] = [line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM:")]
        return 1024 * int(line.split()[1])
    except (OSError, ValueError):
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def _counted(task: FileTask, counts: list[int]) -> Iterator[bytes]:
    for chunk in chunks(task.path, task.name, at_once=_AT_ONCE):
        counts[0] += len(chunk)
        yield chunk


def _checksum(path: str | Path, name: str) -> tuple[os.stat_result, str]:
    try:
        with Path(path).open("rb") as file:
            return os.fstat(file.fileno()), hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise DataError(f"{name}: cannot read it: {error.strerror or error}") from None


def _changed(before: os.stat_result, task: FileTask) -> bool:
    try:
        now = Path(task.path).stat()
    except OSError:
        return True
    return (before.st_size, before.st_mtime_ns, before.st_ino) != (now.st_size, now.st_mtime_ns, now.st_ino)
