"""Files to files by Dask's workers: progress on standard error, and what came of it."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from sapwood.cli.base.terminal import show
from sapwood.errors import DataError, OptionError
from sapwood.io.writing import escape_controls, sweep
from sapwood.optional import require
from sapwood.signals import handled

if TYPE_CHECKING:
    from dask.distributed import Client

    from sapwood.cli.base.verb import Where
    from sapwood.dask.files import FileDone, Summary
    from sapwood.model.base import AnyModel


def run(model: AnyModel, files: list[str], where: Where, **options: Any) -> None:
    """Annotate files by workers on this machine or in a cluster. Raises SapwoodError."""
    if not files or "-" in files:
        raise OptionError("--output needs files; standard input cannot be sent to workers")
    require_dask("--output")
    from sapwood.dask import annotate_files

    assert where["output"] is not None and where["workers"] is not None
    output = where["output"]
    with (
        handled(_stop, signal.SIGTERM, signal.SIGHUP),
        _swept(Path(output)),
        connect(where["workers"]) as client,
        _progress(len(files)) as on_event,
    ):
        if not client.nthreads():
            show("sapwood: the cluster has no workers yet; waiting for them", sys.stderr)
        summary = annotate_files(client, model, files, output, parquet=where["parquet"], on_event=on_event, **options)
    show(_described(summary), sys.stderr)
    if summary.failed:
        many = len(summary.failed)
        raise DataError(f"{many:,} of {len(files):,} files are not done; mend or leave out what is named above")


def connect(where: int | str) -> AbstractContextManager[Client]:
    """Return a client of so many processes of this machine, or of the scheduler at an address. Raises OptionError."""
    require_dask("--workers")
    from sapwood.dask import connected

    return connected(cluster=where) if isinstance(where, str) else connected(where)


def require_dask(option: str) -> None:
    """Raise OptionError if a library that the option needs is not installed."""
    for library in ("dask", "distributed"):
        require(library, option)


def _stop(number: int, frame: object) -> NoReturn:
    raise KeyboardInterrupt(number)


@contextmanager
def _swept(folder: Path) -> Iterator[None]:
    """Remove what workers have begun to write, when they have ended with the block."""
    try:
        yield
    finally:
        sweep(folder)


def _described(summary: Summary) -> str:
    kept = f" ({summary.kept:,} more were done before)" if summary.kept else ""
    megabytes = summary.text_bytes / 1e6
    speed = megabytes / max(summary.seconds, 1e-9)
    done = f"{megabytes:,.1f} MB of text in {summary.seconds:,.1f} s, {speed:,.2f} MB/s"
    lines = [f"{summary.files:,} files{kept}, {done}"]
    if summary.peak_memory:
        most = max(summary.peak_memory.values()) / 1e6
        lines.append(f"{len(summary.peak_memory):,} workers with at most {most:,.0f} MB of memory each")
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
            progress.update(bar, completed=event.done)
            _complain(event, lambda line: progress.console.print(line, end="", soft_wrap=True))

        yield draw


def _complain(event: FileDone, write: Callable[[str], object]) -> None:
    if event.result.error:
        write(escape_controls(f"sapwood: {event.result.error}\n"))
