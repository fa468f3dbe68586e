"""A run: files to files in a folder, with a record of what is done, so that a run that was stopped goes on.

A file is the unit of work. It is not cut, as offsets and numbers of sentences go through the whole file; users who
have a few huge files split them. The work is done in threads of this process, or by Dask workers (sapwood.dask.files).
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple

from sapwood import __version__
from sapwood.base.optional import require
from sapwood.errors import DataError, OptionError, warn_unfamiliar
from sapwood.io.manifest import FileRecord, Manifest
from sapwood.io.source import ENDINGS, shown
from sapwood.model.base import AnyModel
from sapwood.model.capabilities import require_capability
from sapwood.model.work import FileResult, FileTask, Job, work_on

_ENDINGS = {  # endings of files, by their format
    "conllu": ".conllu",
    "json": ".jsonl",
    "html": ".html",
    "text": ".txt",
    "columns": ".txt",
    "labels": ".tsv",
}
_TABLES = ("conllu", "columns", "labels")  # formats of which tables are made

Workers = Callable[[Job, list[FileTask]], Generator[FileResult, None, None]]  # yields a result when its task ends


class FileDone(NamedTuple):
    """The event that work on a file has ended."""

    done: int  # number of files whose work has ended, with this one
    files: int
    result: FileResult


class Summary(NamedTuple):
    """Counts of what a run has done."""

    files: int  # written by this run
    kept: int  # written by an earlier run
    failed: list[str]  # a line for each file that failed, which says why
    text_bytes: int  # bytes of the annotated texts, decompressed
    bytes_out: int
    seconds: float
    cpu_seconds: float  # time of the workers' threads
    peak_memory: dict[str, int]  # bytes, by worker


def run_files(
    model: AnyModel,
    checksum: str,
    files: Iterable[str | Path],
    output: str | Path,
    workers: Workers,
    options: Mapping[str, object],
    *,
    parquet: bool = False,
    on_event: Callable[[FileDone], object] | None = None,
) -> Summary:
    """Annotate files, each into a file of its name in a folder.

    checksum : SHA-256 of the model's bytes
    output : the folder, which is made if it is not there
    workers : does the tasks
    options : those of the writer's `written`
    parquet : write tables: a row for each word, or each example

    A run that was stopped goes on when it is called again. A file with an error is left out; the summary has
    the error. Raises OptionError, ModelError, and DataError if output cannot be written.
    """
    began = time.perf_counter()
    kind = check_writer_options(model, options)
    table = _table(kind) if parquet else ""
    folder = Path(output).absolute()
    tasks = list(_tasks(files, folder, ".parquet" if parquet else _ENDINGS[kind]))
    run = {
        "sapwood": __version__,
        "model": f"{model.task} {checksum}",
        "options": {**dict(sorted(options.items())), "parquet": parquet},
    }
    with Manifest(folder, run, [task.output for task in tasks]) as manifest:
        job = Job(str(folder), options, table, __version__)
        kept = ((task, manifest.finished(task.output)) for task in tasks)
        todo = [
            task if record is None else task._replace(input=record.input, checksum=record.checksum)
            for task, record in kept
        ]
        results: list[FileResult] = []
        with closing(workers(job, todo)) as ended:
            for result in ended:
                if result.fatal:
                    raise DataError(result.error)
                for message in result.warnings:
                    warn_unfamiliar(message)
                if not result.error:
                    manifest.add(FileRecord(result.task.output, result.input, result.bytes_out, result.checksum))
                results.append(result)
                if on_event is not None:
                    on_event(FileDone(len(results), len(tasks), result))
        manifest.close_sorted()
    return _summary(results, time.perf_counter() - began)


def annotate_here(
    model: AnyModel,
    files: Iterable[str | Path],
    output: str | Path,
    *,
    parquet: bool = False,
    on_event: Callable[[FileDone], object] | None = None,
    **options: object,
) -> Summary:
    """Annotate files in this process, as `run_files` does: as many at a time as the model has threads."""

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

    model.check_fitted()
    checksum = hashlib.sha256(model.model_.dump()).hexdigest()
    return run_files(model, checksum, files, output, in_threads, options, parquet=parquet, on_event=on_event)


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


def _tasks(files: Iterable[str | Path], folder: Path, ending: str) -> Iterator[FileTask]:
    """Yield the files of a run. Raises OptionError if two of them have the same name, or would be overwritten."""
    seen: dict[str, str] = {}
    paths = [(str(file), Path(file).absolute()) for file in files]
    inputs = {_identity(path) for _, path in paths}
    for name, path in paths:
        stem = path.name
        for compressed in ENDINGS:
            stem = stem.removesuffix(compressed)
        output = (Path(stem).stem or stem) + ending
        if output in seen:
            raise OptionError(f"{shown(seen[output])} and {shown(name)} would both be written to {shown(output)}")
        if _identity(folder / output) in inputs:
            raise OptionError(f"{shown(folder / output)} would be overwritten by output; name another folder")
        seen[output] = name
        yield FileTask(shown(name), str(path), output, None)


def _identity(path: Path) -> tuple[int, int] | Path:
    """Return the identity of a file, by whatever links it is reached; its path if it is not there."""
    with suppress(OSError):
        status = path.stat()
        return status.st_dev, status.st_ino
    return path


def _summary(results: list[FileResult], seconds: float) -> Summary:
    memory: dict[str, int] = {}
    for result in results:
        if result.peak_memory:
            memory[result.worker] = max(memory.get(result.worker, 0), result.peak_memory)
    return Summary(
        files=sum(result.written for result in results),
        kept=sum(not result.written and not result.error for result in results),
        failed=[result.error for result in results if result.error],
        text_bytes=sum(result.text_bytes for result in results),
        bytes_out=sum(result.bytes_out for result in results if result.written),
        seconds=seconds,
        cpu_seconds=sum(result.cpu_seconds for result in results),
        peak_memory=memory,
    )
