"""Training's events on the screen: a live bar on a terminal, a line an epoch elsewhere, nothing if quiet."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from sapwood.learning.events import Callback, EpochDone, Event, Finished, MemoryNeeded, Preparing, Started, Step

__all__ = ["show_progress"]


@contextmanager
def show_progress(quiet: bool) -> Iterator[Callback]:
    """Give a callback that draws training's events on standard error."""
    if quiet:
        yield lambda event: None
    elif sys.stderr.isatty():
        with _live() as report:
            yield report
    else:
        describe = _Descriptions()

        def report(event: Event) -> None:
            if (line := describe(event)) is not None:
                print(line, file=sys.stderr, flush=True)

        yield report


class _Descriptions:
    """Events as lines of text; remembers what is counted."""

    unit = "tokens"
    learned = "features"

    def __call__(self, event: Event) -> str | None:
        match event:
            case Preparing():
                return f"{event.what}{f' {event.done + 1}/{event.parts}' if event.parts > 1 else ''} ..."
            case Started():
                self.unit, self.learned = event.unit, event.learned
                sentences = f"{event.sentences:,} sentences, " if event.unit == "tokens" else ""
                labels = f", {event.labels} labels" if event.labels else ""
                return f"{sentences}{event.tokens:,} {event.unit}{labels} (read in {event.seconds:.1f} s)"
            case MemoryNeeded():
                used, learner = (round(size / 1e6) for size in (event.used, event.learner))
                return f"memory: {used + learner:,} MB at most: {used:,} now, {learner:,} for learning"
            case EpochDone():
                dev = "" if event.dev_score is None else f"  dev {event.dev_score:6.2f}{' *' if event.best else '  '}"
                wrong = 100 * event.mistakes / event.tokens
                epoch = f"epoch {event.epoch:>{len(str(event.epochs))}}/{event.epochs}"
                mistakes = f"mistakes {event.mistakes:>9,} ({wrong:5.2f} %){dev}"
                speed = f"{event.tokens_per_second:>11,.0f} {self.unit}/s"
                return f"{epoch}  {mistakes}  {self.learned} {event.features:>9,}  {speed}"
            case Finished(reason="patience"):
                kept = f"kept epoch {event.best_epoch}"
                return f"no better score for a while: stopped after {event.epochs} epochs, {kept}"
            case Finished(reason="interrupted"):
                return f"interrupted: kept the model of epoch {event.best_epoch}"
        return None


@contextmanager
def _live() -> Iterator[Callback]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    console = Console(stderr=True, highlight=False)
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[detail]}"),
        console=console,
        transient=True,
    ) as progress:
        task = progress.add_task("reading", total=None, detail="")
        describe = _Descriptions()

        def report(event: Event) -> None:
            if (line := describe(event)) is not None:
                progress.console.print(line)
            if isinstance(event, Step):
                done = (event.epoch - 1) * event.tokens + event.examples
                progress.update(
                    task,
                    description=f"epoch {event.epoch}/{event.epochs}",
                    completed=done,
                    total=event.epochs * event.tokens,
                    detail=f"{event.mistakes:,} mistakes  {done / max(event.seconds, 1e-9):,.0f} {describe.unit}/s",
                )

        yield report
