"""Files to files on Dask: each is a task of its own, a few for each worker under way at any time."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from itertools import islice
from pathlib import Path

from distributed import Client, KilledWorker

from sapwood.dask.shared import SharedModel, UnderWay, result_of, sent
from sapwood.model.base import AnyModel
from sapwood.model.runs import FileDone, Summary, run_files
from sapwood.model.work import FileResult, FileTask, Job, work_on

_FOR_EACH = 2  # files for each thread of the workers under way: one that is worked on, one that waits
_AT_LEAST = 4  # files under way where there are no workers yet, so that a cluster that adapts sees that there is work
_RETRIES = 3  # attempts at a file after failures of the cluster


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
    shared = SharedModel(model)

    def workers(job: Job, tasks: list[FileTask]) -> Generator[FileResult, None, None]:
        return _results(client, shared, job, tasks)

    loaded, checksum = shared.model(), shared.checksum
    return run_files(loaded, checksum, files, output, workers, options, parquet=parquet, on_event=on_event)


def _work(shared: SharedModel, job: Job, task: FileTask) -> FileResult:
    return work_on(shared.model, job, task)


def _results(client: Client, shared: SharedModel, job: Job, tasks: list[FileTask]) -> Generator[FileResult, None, None]:
    """Yield the result of each task, in the order in which they end. No more are sent than are wanted soon."""
    waiting = iter(tasks)
    model = sent(client, shared)
    under_way = UnderWay[FileTask]()
    suspected: set[FileTask] = set()

    def send(task: FileTask) -> None:
        under_way.add(client.submit(_work, model, job, task, pure=False, retries=_RETRIES), task)

    def send_more() -> None:
        room = max(_AT_LEAST, _FOR_EACH * sum(client.nthreads().values())) - len(under_way)
        for task in islice(waiting, max(room, 0)):
            send(task)

    try:
        send_more()
        for future, task in under_way:
            try:
                result: FileResult = result_of(future, task.name, "what is written stays: run again to go on")
            except KilledWorker as error:
                if task not in suspected:  # Dask counts the deaths of workers at which a task only waited, too
                    suspected.add(task)
                    send(task)
                    continue
                died = 2 * (error.allowed_failures + 1)
                why = f"{died} workers died while they had it; it may need more memory than they have: split it"
                result = FileResult(task, error=f"{task.name}: {why}")
            send_more()
            yield result
    finally:
        under_way.cancel(client)
        model.release()
