"""Training's events on the screen: a live bar on a terminal, a line for each epoch elsewhere, nothing if quiet."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from sapwood.base.command.terminal import show
from sapwood.events import Callback, EpochDone, Event, Finished, MemoryNeeded, Preparing, Shrunk, Started, Step

_WIDTH = 80  # characters of a line, at most


@contextmanager
def show_progress(quiet: bool) -> Iterator[Callback]:
    """Give a callback that draws training's events on standard error."""
    if quiet:
        yield lambda event: None
    elif sys.stderr.isatty():
        with _live() as draw:

            def draw_or_not(event: Event) -> None:
                try:
                    draw(event)
                except OSError:  # the terminal was closed, which must not cost the model
                    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())

            yield draw_or_not
    else:
        describe = _Descriptions()

        def report(event: Event) -> None:
            if (line := describe(event)) is not None:
                show(line, sys.stderr)

        yield report


def _short(count: float) -> str:
    """Return a count in at most five characters: 812, 2.4 k, 24 k, 2.4 M."""
    for size, letter in ((1e6, " M"), (1e3, " k")):
        if count >= 0.9995 * size:
            return f"{count / size:.{1 if count < 9.95 * size else 0}f}{letter}"
    return f"{count:.0f}"


class _Descriptions:
    """Events as lines of text that fit into 80 columns; remembers what is counted."""

    unit = "tokens"
    learned = "features"

    def __call__(self, event: Event) -> str | None:
        match event:
            case Preparing(share=0.0):
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
                epoch = f"epoch {event.epoch:>{len(str(event.epochs))}}/{event.epochs}"
                wrong = f"{100 * event.mistakes / event.tokens:6.2f} % wrong"
                dev = "" if event.dev_score is None else f"  dev {event.dev_score:6.2f} {'*' if event.best else ' '}"
                line = f"{epoch} {wrong}{dev}  {event.features:>9,} {self.learned}"
                speed = f"  {_short(event.tokens_per_second):>5} {self.unit}/s"
                return line + (speed if len(line + speed) <= _WIDTH else "")
            case Shrunk():
                score = "" if event.score is None else f"  dev {event.score:6.2f}"
                return f"{event.bytes:>12,} bytes  {event.features:>9,} features{score}"
            case Finished(reason="patience"):
                kept = f"kept epoch {event.best_epoch}"
                return f"no better score for a while: stopped after {event.epochs} epochs, {kept}"
            case Finished(reason="interrupted"):
                return f"interrupted: kept the model of epoch {event.best_epoch}"
            case Finished(repeated=repeated) if repeated:
                return f"decisions were presented again {repeated:,} times; {event.given_up:,} stayed wrong"
        return None


@contextmanager
def _live() -> Iterator[Callback]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    console = Console(stderr=True, highlight=False, markup=False)
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(bar_width=None),  # it takes the rest of the line
        TaskProgressColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[detail]}"),
        console=console,
        transient=True,
        expand=True,
    ) as progress:
        task = progress.add_task("reading", total=None, detail="")
        describe = _Descriptions()

        def report(event: Event) -> None:
            line = describe(event)
            if isinstance(event, Preparing):
                if event.done + event.share == 0:
                    progress.reset(task)  # otherwise the time that remains stays 0 after all epochs
                progress.update(task, description=event.what, completed=event.done + event.share, total=event.parts)
            elif line is not None:
                progress.console.print(line, soft_wrap=True)
            match event:
                case Started():
                    progress.update(task, description="epoch 1", completed=0, total=event.epochs * event.tokens)
                case Step():
                    done = (event.epoch - 1) * event.tokens + event.examples
                    wrong = 100 * event.mistakes / max(event.examples, 1)
                    detail = f"{wrong:.2f} % wrong  {_short(done / max(event.seconds, 1e-9))} {describe.unit}/s"
                    progress.update(
                        task, description=f"epoch {event.epoch}/{event.epochs}", completed=done, detail=detail
                    )

        yield report
