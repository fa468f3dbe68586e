"""``sapwood reproduce steps``: training that is walked through, update by update."""

from __future__ import annotations

import shutil
import sys
from argparse import SUPPRESS, ArgumentParser
from functools import partial
from itertools import islice
from typing import Any

from sapwood.cli.base.files import OutputFolder
from sapwood.cli.base.terminal import paint, show, show_drawn
from sapwood.cli.base.verb import Verb, add_json, whole_number
from sapwood.errors import OptionError
from sapwood.io.rows import write_rows
from sapwood.io.writing import make_folder, write_text

STEPS = """Walk through training, update by update, on a few examples.

The algorithms come from the laboratory, sapwood.lab, and are written in plain Python to be read. Each update
shows what was right and what was guessed, and the features whose weights it changed: before and after, with the number
of updates that the feature took part in. The examples and their algorithms, the first being the default:

  chunking        viterbi, viterbi-2, greedy, easiest-first
  parsing         eisner, eisner-2, easy-first, beam
  ranking         primal, dual
  classification  perceptron
  averaging       perceptron

Classification has two texts with a lecture's weights and scores, then learns from them; averaging adds up the
weights after each of four updates, in two ways.

Examples:
  sapwood reproduce steps --example chunking
  sapwood reproduce steps --example parsing --algorithm easy-first --enter
  sapwood reproduce steps --example ranking --pictures figures
  sapwood reproduce steps --example averaging
"""


def _options(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "--example",
        choices=["chunking", "parsing", "ranking", "classification", "averaging"],
        default="chunking",
        help="what is learned",
    )
    add("--algorithm", metavar="NAME", help="how it is learned; without, the first algorithm of the example")
    epochs = "passes over the data; without, 5, and 1 for averaging"
    add("--epochs", type=whole_number(1, 1000), default=SUPPRESS, metavar="N", help=epochs)
    add("--gamma", type=float, default=0.0, metavar="G", help="margin: cost of a wrong part; 0 for none")
    add("--min-updates", type=whole_number(0, 1000), default=1, metavar="N", help="updates before a feature is scored")
    add("--updates", type=whole_number(1), metavar="N", help="stop after N updates")
    add("--top", type=whole_number(0), default=8, metavar="N", help="weights to show of each update")
    add("--enter", action="store_true", help="wait for the Enter key after each update (on a terminal)")
    pictures = "draw each update, as DIR/step-01.svg and so on; the folder is made"
    add("--pictures", type=OutputFolder("picture", "step-*.svg"), metavar="DIR", help=pictures)
    add_json(parser)


def _run(
    example: str,
    algorithm: str | None,
    updates: int | None,
    top: int,
    enter: bool,
    pictures: str | None,
    json: str | None,
    **options: Any,
) -> None:
    from sapwood.draw.step_pictures import svg_step
    from sapwood.draw.steps import text_step
    from sapwood.experiments.steps import as_rows, make_walk

    if enter and not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise OptionError("--enter needs a terminal as standard input and output")
    walk = make_walk(example, algorithm, **options)
    folder = None if pictures is None else make_folder(pictures)
    width = min(shutil.get_terminal_size().columns, 80) if sys.stdout.isatty() else 80
    shown = []
    if walk.before:
        show(walk.before, end="\n\n")
    for step in islice(walk.steps(), updates):
        show_drawn(text_step(step, top, max(width, 60), partial(paint, stream=sys.stdout)), end="\n\n")
        shown.append(step)
        if folder is not None:
            write_text(folder / f"step-{step.number:02}.svg", svg_step(step), named=False)
        if enter and not _go_on():
            break
    if after := walk.after(shown):
        show(after, end="\n\n")
    right, count = walk.right()
    done = f"{len(shown)} update{'s' * (len(shown) != 1)}"
    show(f"{done}: with the weights as they are now, {right} of {count} answers are right")
    if json is not None:
        write_rows(json, as_rows(shown))


def _go_on() -> bool:
    """Wait for Enter, on a line that is then overwritten; False at the end of input."""
    show("Enter: the next update; Ctrl-D: the end ", end="")
    sys.stdout.flush()
    line = sys.stdin.readline()
    show_drawn("\x1b[A\r\x1b[K" if line else "\r\x1b[K", end="")
    return bool(line)


VERBS = {"reproduce steps": Verb(STEPS, _options, _run)}
