"""A run: files to files in a folder, of which those that are newer than their input and the model are kept.

A file is the unit of work, here or on a worker: it is read, annotated and written, whole or not at all. It is not cut,
as offsets and numbers of sentences go through the whole file; users who have a few huge files split them. The work is
done in threads of this process, or by Dask workers (sapwood.dask).

There is no record of a run: what a run that was stopped leaves are whole files, and the next one writes the others. An
older file under the name of an output is never written over, as it may be anybody's: the gold treebank beside its text,
say. The time of an input or model is that of the last change of its content or its name, so that a file that was moved
into the place of another one, with the time that it had elsewhere, is new. Equal times, as of clocks that tick slowly,
are not newer.
"""

import os
import socket
import stat
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import NamedTuple

from sapwood.base.optional import require
from sapwood.base.writing import explained, identity_of, make_folder, replacing, scratch_file, sweep
from sapwood.errors import DataError, OptionError, SapwoodError, warn_unfamiliar
from sapwood.io.source import ENDINGS, chunks, shown
from sapwood.model.base import AnyModel, with_listener
from sapwood.model.file.bundled import model_path
from sapwood.model.parts import require_capability
from sapwood.version import __version__

_AT_ONCE = 1 << 21  # bytes of a text that is read part by part
_ENDINGS = {  # endings of files, by their format
    "conllu": ".conllu", "json": ".jsonl", "html": ".html", "text": ".txt", "columns": ".txt", "labels": ".tsv",
    "jsonl": ".jsonl", "csv": ".csv", "parquet": ".parquet",
}  # fmt: skip
_TABLES = ("conllu", "columns", "labels")  # formats of which tables are made


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
        before = _input_state(task)
        blocks = writer.written(_measured(task, sizes, tables=writer.reads_tables), name=task.name, **job.options)
        with explained(task.output, "written", _WriteError), replacing(task.output, named=False) as file:
            if job.table:
                from sapwood.io.tables import write_table

                write_table(file, blocks, job.table)
            else:
                file.writelines(blocks)
            file.flush()  # after this the time of the output stays
            if _input_state(task) != before:
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


def _measured(task: FileTask, sizes: list[int], *, tables: bool) -> Iterator[bytes]:
    for chunk in chunks(task.path, task.name, at_once=_AT_ONCE, tables=tables):
        sizes.append(len(chunk))
        yield chunk


def _input_state(task: FileTask) -> tuple[int, int, int]:
    """Return size, time and number of the input, of which one changes with it. Raises DataError if it is gone."""
    try:
        status = Path(task.path).stat()
    except OSError as error:
        raise DataError(f"{task.name}: cannot read it: {error.strerror or error}") from None
    return status.st_size, status.st_mtime_ns, status.st_ino


Workers = Callable[[Job, list[FileTask]], Generator[FileResult, None, None]]  # yields a result when its task ends


class FileDone(NamedTuple):
    """The event that work on a file has ended."""

    done: int  # number of files whose work has ended, with this one
    files: int
    result: FileResult


class Summary(NamedTuple):
    """Counts of what a run has done."""

    files: int  # written by this run
    kept: int  # newer than their input and the model
    failed: list[str]  # a line for each file that failed, which says why
    text_bytes: int  # bytes of the annotated texts, decompressed
    seconds: float


def run_files(
    model: AnyModel,
    files: Iterable[str | Path],
    output: str | Path,
    *,
    workers: Workers | None = None,
    model_file: str | os.PathLike[str] | None = None,
    parquet: bool = False,
    on_event: Callable[[FileDone], object] | None = None,
    **options: object,
) -> Summary:
    """Annotate files, each into a file of its name in a folder.

    output : the folder, which is made if it is not there
    workers : does the tasks; without, threads of this process do, as many files at a time as the model has threads
    model_file : the file of the model; None if it has none, and then the times of the inputs alone count
    options : those of the writer's `written`
    parquet : write tables: a row for each word, or each example

    A run that was stopped goes on when it is called again. A file with an error is left out; the summary has
    the error. Raises OptionError, also for an output that is there and not newer than its input and the model,
    ModelError, and DataError if output cannot be written.
    """
    began = time.perf_counter()
    model.check_fitted()
    kind = check_writer_options(model, options)
    table = _table(kind) if parquet else ""
    folder = Path(output).absolute()
    tasks = _tasks(files, folder, ".parquet" if parquet else _ENDINGS[kind])
    model_time = 0
    if model_file is not None:
        with explained(model_file, "read"):
            model_time = _changed(model_path(model_file))
    todo = [task for task in tasks if not _is_done(task, model_time)]
    if older := [task.output for task in todo if os.path.lexists(task.output)]:
        others = f" (and {len(older) - 1:,} more files)" if len(older) > 1 else ""
        why = "is there already, and not newer than its input and the model"
        raise OptionError(f"{shown(older[0])}{others} {why}; remove it, or name another folder")
    results: list[FileResult] = []
    sweep(make_folder(folder))
    with ExitStack() as held:
        with explained(folder, "written"):
            mark = held.enter_context(scratch_file(folder / "mark"))
        job = Job(mark.name, options, table, __version__)
        for result in held.enter_context(closing((workers or _threads_of(model))(job, todo))):
            if result.fatal:
                raise DataError(result.error)
            for message in result.warnings:
                warn_unfamiliar(message)
            results.append(result)
            if on_event is not None:
                on_event(FileDone(len(results), len(todo), result))
    sweep(folder)
    failed = [result.error for result in results if result.error]
    size = sum(result.text_bytes for result in results)
    kept = len(tasks) - len(todo)
    return Summary(len(results) - len(failed), kept, failed, size, time.perf_counter() - began)


def _threads_of(model: AnyModel) -> Workers:
    def in_threads(job: Job, tasks: list[FileTask]) -> Generator[FileResult, None, None]:
        threads = model.threads
        at_once = max(min(threads, len(tasks)), 1)
        model.set_params(threads=max(threads // at_once, 1))
        pool = ThreadPoolExecutor(at_once)
        try:
            for future in as_completed([pool.submit(work_on, lambda: model, job, task) for task in tasks]):
                yield future.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            model.set_params(threads=threads)

    return in_threads


def check_writer_options(model: AnyModel, options: Mapping[str, object]) -> str:
    """Return the format that the model writes with these options. Raises OptionError and ModelError."""
    try:
        writer = require_capability(model, "writer")
        for _ in writer.written([], name="nothing", **options):
            pass
    except TypeError:
        raise OptionError(f"a {model._noun} has not all of the options {', '.join(sorted(options))}") from None
    kind: str = writer.output_format(**options)
    return kind


def _table(kind: str) -> str:
    require("pyarrow", "writing Parquet")
    if kind not in _TABLES:
        raise OptionError(f"Parquet is made of words or examples, not of {kind}; leave the format out")
    return kind


def _tasks(files: Iterable[str | Path], folder: Path, ending: str) -> list[FileTask]:
    """Return the files of a run. Raises OptionError if two have the same name, or something else would be lost."""
    tasks: dict[str, FileTask] = {}
    paths = [(str(file), Path(file).absolute()) for file in files]
    inputs = {identity_of(path) or path for _, path in paths}
    for name, path in paths:
        stem = path.name
        for compressed in ENDINGS:
            stem = stem.removesuffix(compressed)
        target = folder / ((Path(stem).stem or stem) + ending)
        output = str(target)
        if output in tasks:
            both = f"{tasks[output].name} and {shown(name)}"
            raise OptionError(f"{both} would both be written to {shown(target.name)}")
        if (identity_of(target) or target) in inputs:
            raise OptionError(f"{shown(target)} would be overwritten by output; name another folder")
        if os.path.lexists(target) and not stat.S_ISREG(target.lstat().st_mode):
            raise OptionError(f"{shown(target)} is a link, or no file; name another folder, or remove it")
        tasks[output] = FileTask(shown(name), str(path), output)
    return list(tasks.values())


def _is_done(task: FileTask, model_time: int) -> bool:
    """Return true if the output is newer than input and model, and only that of an empty file is empty."""
    with suppress(OSError):
        output = Path(task.output).lstat()
        is_whole = output.st_size > 0 or Path(task.path).stat().st_size == 0
        return is_whole and output.st_mtime_ns > max(_changed(task.path), model_time)
    return False


def _changed(path: str | os.PathLike[str]) -> int:
    """Return when the content or the name of a file last changed, in nanoseconds."""
    status = Path(path).stat()
    return max(status.st_mtime_ns, status.st_ctime_ns)
