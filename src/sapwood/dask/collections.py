"""On Dask: texts in bags, in data frames and by futures, with any model that annotates, and files to files."""

from __future__ import annotations

import json
import os
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import dask
from distributed import Client, Future, KilledWorker, warn

from sapwood.batch.runs import FileDone, FileResult, FileTask, Job, Summary, check_writer_options, run_files, work_on
from sapwood.dask.shared import SharedModel, UnderWay, result_of, sent
from sapwood.errors import DataError, OptionError, UnfamiliarWarning
from sapwood.frames import annotate_frame, checked_columns, columns_of
from sapwood.io.memory import called
from sapwood.io.source import encoded
from sapwood.model.base import AnyModel, with_listener
from sapwood.model.parts import require_capability

if TYPE_CHECKING:
    from dask.bag import Bag
    from dask.dataframe import DataFrame as DaskFrame
    from dask.delayed import Delayed
    from pandas import DataFrame

    AnyFrame = TypeVar("AnyFrame", DaskFrame, DataFrame)

Written = str | list[dict[str, object]]  # about one text

_FOR_EACH = 2  # batches for each thread of the workers under way
_RETRIES = 3  # attempts at a file after failures of the cluster


def annotate_bag(texts: Bag, model: AnyModel | str = "en", **options: object) -> Bag:
    """Return a dask.bag of what the model writes about each text of a bag, in their order.

    Each text is what the model's verb reads from a file. What comes out is a string; with ``format="json"`` of a
    pipeline a list of records, a sentence each. options : as `annotate_files` has them. Raises OptionError, ModelError;
    computing raises DataError with the number of the text in its partition.
    """
    if not hasattr(texts, "map_partitions"):
        raise DataError(f"texts come in a dask.bag, not in {called(texts)}; dask.bag.from_sequence makes one of a list")
    shared = SharedModel(model)
    check_writer_options(shared.model(), options)
    return texts.map_partitions(_annotated, _delayed(shared), options)


def annotate_texts(
    client: Client, model: AnyModel | str, texts: Iterable[str], *, batch: int = 64, **options: object
) -> Iterator[Written]:
    """Annotate each text of an iterable as `annotate_bag` does, in order; it is read as far as workers are free.

    batch : texts in a task
    """
    shared = SharedModel(model)
    check_writer_options(shared.model(), options)
    rest = iter(texts)
    model_there = sent(client, shared)
    under_way: deque[Future] = deque()
    try:
        while True:
            room = max(2, _FOR_EACH * sum(client.nthreads().values()))
            while len(under_way) < room and (part := list(islice(rest, batch))):
                under_way.append(client.submit(_annotated, part, model_there, options, pure=False, retries=3))
            if not under_way:
                return
            yield from under_way.popleft().result()
    finally:
        client.cancel(list(under_way), force=True)


def annotate_column(
    frame: AnyFrame, column: str, model: AnyModel | str = "en", *, columns: str | Iterable[str] = ()
) -> AnyFrame:
    """Return a frame with columns behind those of a frame: what the model says about a column of texts.

    frame : a dask.dataframe, of which each partition is a task; or one of pandas, which is annotated here
    columns : as `sapwood.annotate_frame` has them

    A missing text has missing answers. Raises OptionError.
    """
    import pandas as pd

    is_here = isinstance(frame, pd.DataFrame)
    if not is_here and not hasattr(frame, "map_partitions"):
        raise OptionError(f"a frame of dask.dataframe or pandas is needed, not {type(frame).__name__}")
    shared = SharedModel(model)
    names = checked_columns(shared.model(), list(frame.columns), column, columns)
    if is_here:
        return _with_columns(frame, column, shared, names)
    dtypes = columns_of(shared.model()).dtypes
    meta = frame._meta.assign(**{name: pd.Series([], dtype=dtypes[name]) for name in names})
    return frame.map_partitions(_with_columns, column, _delayed(shared), names, meta=meta)


def _delayed(shared: SharedModel) -> Delayed:
    """Return the model as one entry of Dask's graphs, on which tasks depend: it is sent to each worker once."""
    return dask.delayed(shared, name=f"sapwood-model-{shared.checksum}", pure=True)


@contextmanager
def _warning_the_client(model: AnyModel) -> Iterator[AnyModel]:
    """Warn the client of what a task's model was not made for: once, however many of its texts are strange."""
    warned: list[str] = []
    yield with_listener(model, warned.append)
    if warned:
        warn(warned[0] + (f" (one of {len(warned):,} such texts of a task)" if warned[1:] else ""), UnfamiliarWarning)


def _annotated(texts: Iterable[str], shared: SharedModel, options: Mapping[str, object]) -> list[Written]:
    found: list[Written] = []
    with _warning_the_client(shared.model()) as model:
        writer = require_capability(model, "writer")
        as_records = writer.output_format(**options) == "json"
        for number, text in enumerate(texts, 1):
            name = f"text {number}"
            written = b"".join(writer.written([encoded(text, name)], name=name, **options)).decode()
            found.append([json.loads(line) for line in written.splitlines()] if as_records else written)
    return found


def _with_columns(part: DataFrame, column: str, shared: SharedModel, names: list[str]) -> DataFrame:
    with _warning_the_client(shared.model()) as model:
        return annotate_frame(part, column, model, columns=names)


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

    here: Any = {"model_file": model if isinstance(model, str) else model_file, "parquet": parquet} | options
    return run_files(shared.model(), files, output, workers=workers, on_event=on_event, **here)


def _work(task: FileTask, shared: SharedModel, job: Job) -> FileResult:
    return work_on(shared.model, job, task)


def _results(client: Client, shared: SharedModel, job: Job, tasks: list[FileTask]) -> Generator[FileResult, None, None]:
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
