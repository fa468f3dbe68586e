"""Files to files on Dask: each is a task, and Dask decides which worker does it, and when."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable
from pathlib import Path

from distributed import Client, KilledWorker

from sapwood.batch.runs import FileDone, Summary, run_files
from sapwood.batch.work import FileResult, FileTask, Job, work_on
from sapwood.dask.shared import SharedModel, UnderWay, result_of, sent
from sapwood.model.base import AnyModel

_RETRIES = 3  # attempts at a file after failures of the cluster


def annotate_files(
    client: Client,
    model: AnyModel | str,
    files: Iterable[str | Path],
    output: str | Path,
    *,
    model_file: str | os.PathLike[str] | None = None,
    parquet: bool = False,
    on_event: Callable[[FileDone], object] | None = None,
    **options: object,
) -> Summary:
    """Annotate files on Dask's workers: an output file for each, the same bytes as in one process.

    model : a pipeline, tagger, parser or classifier; its path, or "en"
    output : a folder that the client and all workers share; made if it is not there
    model_file : the file of a `model` that is an object; without, output is not held against the time of a model
    parquet : write tables: a row for each word, or each example
    options : those of the model's verb: `format`, `input`, `errors`, `confidence` of pipelines, `confidence` of taggers
        and parsers, `format` and `top` of classifiers

    Output that is newer than its input and the model's file is kept, so that a run that was stopped goes on when it is
    called again. Other options with the same ending of files are not noticed: name another folder for them. Files with
    something wrong are left out; the summary says why. Raises OptionError, ModelError, and DataError if output cannot
    be written or the scheduler is gone.
    """
    shared = SharedModel(model)

    def workers(job: Job, tasks: list[FileTask]) -> Generator[FileResult, None, None]:
        return _results(client, shared, job, tasks)

    file = model if isinstance(model, str) else model_file
    return run_files(shared.model(), file, files, output, workers, options, parquet=parquet, on_event=on_event)


def _work(task: FileTask, shared: SharedModel, job: Job) -> FileResult:
    return work_on(shared.model, job, task)


def _results(client: Client, shared: SharedModel, job: Job, tasks: list[FileTask]) -> Generator[FileResult, None, None]:
    """Yield the result of each task, in the order in which they end."""
    model = sent(client, shared)
    under_way = UnderWay[FileTask]()
    futures = client.map(_work, tasks, shared=model, job=job, pure=False, retries=_RETRIES)
    for future, task in zip(futures, tasks, strict=True):
        under_way.add(future, task)
    try:
        for future, task in under_way:
            try:
                result: FileResult = result_of(future, task.name, "what is written stays: run again to go on")
            except KilledWorker as error:
                died = f"{error.allowed_failures + 1} workers died while they had it"
                result = FileResult(task, f"{task.name}: {died}; it may need more memory than they have: split it")
            yield result
    finally:
        under_way.cancel(client)
        model.release()
