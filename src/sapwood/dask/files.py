"""Files to files: each is a task of its own, a few for each worker under way at any time.

A file is the unit. Cutting a file would have to give the same bytes as reading it at once: offsets and numbers of
sentences go through a whole file, and what has no paragraphs cannot be cut. Whoever has a few huge files splits them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from distributed import Client, KilledWorker

from sapwood import __version__
from sapwood.dask.shared import SharedModel, UnderWay, check_options, result_of, sent
from sapwood.dask.worker import Done, Job, Task, work_on
from sapwood.errors import DataError, OptionError, tell
from sapwood.io.manifest import Manifest, Record
from sapwood.io.source import ENDINGS, shown
from sapwood.model.base import AnyModel
from sapwood.optional import require
from sapwood.tasks.pipeline.output import FORMATS

_FOR_EACH = 2  # files for each thread of the workers under way: one that is worked on, one that waits
_AT_LEAST = 4  # files under way where there are no workers yet, so that a cluster that adapts sees that there is work
_RETRIES = 3  # of a file whose task fails for reasons that are not the file's
_ENDINGS = {name: each.ending for name, each in FORMATS.items()} | {"columns": ".txt", "labels": ".tsv"}
_TABLES = ("conllu", "columns", "labels")  # what tables can be made of


class FileDone(NamedTuple):
    """A file has come to its end."""

    done: int  # so many files now, with this one
    files: int
    result: Done


class Summary(NamedTuple):
    """What a run has done."""

    files: int  # written by this run
    kept: int  # written by an earlier run
    failed: list[str]  # a line for each file that failed, which says why
    text_bytes: int  # of what was written, decompressed
    bytes_out: int
    seconds: float
    cpu_seconds: float  # of the workers' threads
    peak_memory: dict[str, int]  # bytes, by worker


def annotate_files(
    client: Client,
    model: AnyModel | str,
    files: Iterable[str | Path],
    output: str | Path,
    *,
    parquet: bool = False,
    on_event: Callable[[FileDone], object] | None = None,
    **options: object,
) -> Summary:
    """Annotate files on Dask's workers: an output file for each, the same bytes as in one process.

    model : a pipeline, tagger, parser or classifier; its path, or "en"
    output : a folder that the client and all workers share; made if it is not there
    parquet : write tables: a row for each word, or each example
    options : those of the model's verb: `format`, `input`, `errors`, `confidence` of pipelines, `confidence` of taggers
        and parsers, `format` and `top` of classifiers

    A run that was stopped goes on when it is called again. Files with something wrong are left out; the summary says
    why. Raises OptionError, ModelError, and DataError if output cannot be written or the scheduler is gone.
    """
    began = time.perf_counter()
    shared = SharedModel(model)
    kind = check_options(shared.model(), options)
    table = _table(kind) if parquet else ""
    folder = Path(output).absolute()
    tasks = list(_tasks(files, folder, ".parquet" if parquet else _ENDINGS[kind]))
    run = {
        "sapwood": __version__,
        "model": f"{shared.model().task} {shared.checksum}",
        "options": {**dict(sorted(options.items())), "parquet": parquet},
    }
    with Manifest(folder, run, [task.output for task in tasks]) as manifest:
        job = Job(str(folder), options, table, __version__)
        kept = ((task, manifest.finished(task.output)) for task in tasks)
        todo = [task._replace(input=record.input) if record is not None else task for task, record in kept]
        results: list[Done] = []
        for result in _results(client, shared, job, todo):
            if not result.error:
                manifest.add(Record(result.task.output, result.input, result.bytes_out))
            results.append(result)
            if on_event is not None:
                on_event(FileDone(len(results), len(tasks), result))
        manifest.close_sorted()
    return _summary(results, time.perf_counter() - began)


def _results(client: Client, shared: SharedModel, job: Job, tasks: list[Task]) -> Iterator[Done]:
    """Yield what becomes of each task, in the order in which they end. No more are sent than are wanted soon."""
    waiting = iter(tasks)
    model = sent(client, shared)
    under_way = UnderWay[Task]()
    suspected: set[Task] = set()

    def send(task: Task) -> None:
        under_way.add(client.submit(work_on, model, job, task, pure=False, retries=_RETRIES), task)

    def send_more() -> None:
        room = max(_AT_LEAST, _FOR_EACH * sum(client.nthreads().values())) - len(under_way)
        for task in islice(waiting, max(room, 0)):
            send(task)

    try:
        send_more()
        for future, task in under_way:
            try:
                result: Done = result_of(future, task.name, "what is written stays: run again to go on")
            except KilledWorker as error:
                if task not in suspected:  # Dask counts the deaths of workers at which a task only waited, too
                    suspected.add(task)
                    send(task)
                    continue
                died = 2 * (error.allowed_failures + 1)
                why = f"{died} workers died while they had it; it may need more memory than they have: split it"
                result = Done(task, error=f"{task.name}: {why}")
            if result.fatal:
                raise DataError(result.error)
            for message in result.told:
                tell(message)
            send_more()
            yield result
    finally:
        under_way.cancel(client)
        model.release()


def _table(kind: str) -> str:
    require("pyarrow", "writing Parquet")
    if kind not in _TABLES:
        raise OptionError(f"Parquet is made of words or examples, not of {kind}; leave the format out")
    return kind


def _tasks(files: Iterable[str | Path], folder: Path, ending: str) -> Iterator[Task]:
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
        yield Task(shown(name), str(path), output, None)


def _identity(path: Path) -> tuple[int, int] | Path:
    """Return which file this is, by whatever links it is reached; its path if it is not there."""
    with suppress(OSError):
        status = path.stat()
        return status.st_dev, status.st_ino
    return path


def _summary(results: list[Done], seconds: float) -> Summary:
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
