"""Files to files, here or by Dask's workers: progress on standard error, and what came of it."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from sapwood.base.command.terminal import show
from sapwood.base.optional import require
from sapwood.base.signals import handled
from sapwood.base.writing import escape_controls, remove_scratch, sweep
from sapwood.cli.base.verb import Where, elsewhere
from sapwood.errors import DataError, OptionError
from sapwood.io.source import shown

if TYPE_CHECKING:
    from dask.distributed import Client

    from sapwood.batch.runs import FileDone, Summary
    from sapwood.model.base import AnyModel


def annotate_into_folder(model: AnyModel, file: str, files: list[str], where: Where, **options: Any) -> bool:
    """Annotate files into a folder, here or by workers in processes or in a cluster; return false if none is named.

    file : the name of the model's file

    Raises SapwoodError.
    """
    if not elsewhere(where):
        return False
    if not files or "-" in files:
        raise OptionError("--output needs files, after whose names those in the folder are called")
    assert where["output"] is not None
    output, workers = where["output"], where["workers"]
    options |= {"model_file": file, "parquet": where["parquet"]}
    with handled(_stop, signal.SIGTERM, signal.SIGHUP), ExitStack() as ending:
        ending.callback(sweep, Path(output))  # removes the files that workers have begun
        if workers is None:
            summary = _run_here(model, files, output, options)
        else:
            summary = _run_on_dask(workers, model, files, output, options)
    show(_described(summary, output), sys.stderr)
    if summary.failed:
        many = len(summary.failed)
        raise DataError(f"{many:,} of {len(files):,} files are not done; mend or leave out what is named above")
    return True


def _run_here(model: AnyModel, files: list[str], output: str, options: dict[str, Any]) -> Summary:
    from sapwood.batch.runs import run_files

    try:
        with _progress(len(files)) as on_event:
            return run_files(model, files, output, on_event=on_event, **options)
    except KeyboardInterrupt as interrupt:  # threads are in the core still, which no other thread can ask to stop
        remove_scratch()
        show("sapwood: interrupted; run it again to go on", sys.stderr)
        os._exit(128 + next(iter(interrupt.args), 2))


def _run_on_dask(
    workers: int | str, model: AnyModel, files: list[str], output: str, options: dict[str, Any]
) -> Summary:
    require_dask()
    from sapwood.dask import annotate_files

    with connect(workers) as client, _progress(len(files)) as on_event:
        if not client.nthreads():
            show("sapwood: the cluster has no workers yet; waiting for them", sys.stderr)
        return annotate_files(client, model, files, output, on_event=on_event, **options)


def connect(where: int | str) -> AbstractContextManager[Client]:
    """Return a client of so many processes of this machine, or of the scheduler at an address. Raises OptionError."""
    require_dask()
    from sapwood.dask import connected

    return connected(cluster=where) if isinstance(where, str) else connected(where)


def require_dask() -> None:
    """Raise OptionError if a library that --workers needs is not installed."""
    for library in ("dask", "distributed"):
        require(library, "--workers")


def _stop(number: int, frame: object) -> NoReturn:
    raise KeyboardInterrupt(number)


def _described(summary: Summary, output: str) -> str:
    megabytes = summary.text_bytes / 1e6
    speed = megabytes / max(summary.seconds, 1e-9)
    done = f"{megabytes:,.1f} MB of text in {summary.seconds:,.1f} s, {speed:,.2f} MB/s"
    lines = [f"{summary.files:,} file{'s' * (summary.files != 1)}, {done}"]
    if summary.kept:
        how = f"remove {shown(output)}, or name another folder, to write them anew"
        lines.append(f"kept: {summary.kept:,}, newer than their FILE and the model, whatever the options; {how}")
    return "\n".join(lines)


@contextmanager
def _progress(files: int) -> Iterator[Callable[[FileDone], object]]:
    """Give a callback that draws a bar on a terminal, and prints what is wrong with files anywhere."""
    if not sys.stderr.isatty():
        yield lambda event: _complain(event, sys.stderr.write)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (BarColumn(bar_width=None), MofNCompleteColumn(), TextColumn("files"), TimeRemainingColumn())
    console = Console(stderr=True, highlight=False, markup=False)
    with Progress(*columns, console=console, transient=True, expand=True) as progress:
        bar = progress.add_task("", total=files)

        def draw(event: FileDone) -> None:
            progress.update(bar, completed=event.done, total=event.files)
            _complain(event, lambda line: progress.console.print(line, end="", soft_wrap=True))

        yield draw


def _complain(event: FileDone, write: Callable[[str], object]) -> None:
    if event.result.error:
        write(escape_controls(f"sapwood: {event.result.error}\n"))
