"""``sapwood-lab steps``: training that is walked through, update by update."""

from __future__ import annotations

import shutil
import sys
from argparse import SUPPRESS, ArgumentParser
from collections.abc import Iterator, Sequence
from functools import partial
from html import escape
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sapwood_lab.base.command.files import Input, OutputFile, OutputFolder, Written
from sapwood_lab.base.command.terminal import paint, show, show_drawn
from sapwood_lab.base.command.verb import Verb, add_json, whole_number
from sapwood_lab.base.table import write_rows
from sapwood_lab.base.writing import make_folder, write_text
from sapwood_lab.errors import OptionError

if TYPE_CHECKING:
    from sapwood_lab import Step

STEPS = """Walk through training, update by update, on a few examples.

The algorithms are those of sapwood_lab, which are written in plain Python to be read. Each update
shows what was right and what was guessed, and the features whose weights it changed: before and after, with the number
of updates that the feature took part in. Pictures show also what the search saw: a trellis, a chart, a beam, an order,
a line. The examples and their algorithms, the first being the default:

  chunking        viterbi, viterbi-2, greedy, easiest-first
  parsing         eisner, eisner-2, easy-first, beam
  ranking         primal, dual
  classification  perceptron
  averaging       perceptron
  plane           perceptron
  overlap         perceptron

Classification has two texts with a lecture's weights and scores, then learns from them; averaging adds up the
weights after each of four updates, in two ways. Plane and overlap have points of two classes, which a line parts or
does not part.

An example of one's own is a FILE: columns with the label in the last one (as chunking), a treebank in CoNLL-U (as
parsing; its tags with --algorithm viterbi), or points, a line 'x1 x2 LABEL' each (as plane; 'x1 x2 1 LABEL' lets lines
pass the origin). At most 200 sentences of 40 words, or 200 points.

Examples:
  sapwood-lab steps --example chunking
  sapwood-lab steps --example parsing --algorithm easy-first --enter
  sapwood-lab steps --example train.conllu --algorithm beam --pictures beam.html
  sapwood-lab steps --example plane --pictures plane.pdf
  sapwood-lab steps --example averaging
"""


class _Example(Input):
    """The name of an example, or of a file that has one."""

    def files(self) -> Iterator[Path]:
        """Yield the file."""
        yield Path(self)


def _options(parser: ArgumentParser) -> None:
    add = parser.add_argument
    example = "what is learned: the name of an example, or a file"
    add("--example", type=_Example, metavar="NAME|FILE", default="chunking", help=example)
    add("--algorithm", metavar="NAME", help="how it is learned; without, the first algorithm of the example")
    epochs = "passes over the data; without, 5, and 1 for averaging"
    add("--epochs", type=whole_number(1, 1000), default=SUPPRESS, metavar="N", help=epochs)
    add("--gamma", type=float, default=0.0, metavar="G", help="margin: cost of a wrong part; 0 for none")
    add("--min-updates", type=whole_number(0, 1000), default=1, metavar="N", help="updates before a feature is scored")
    add("--updates", type=whole_number(1), metavar="N", help="stop after N updates")
    add("--top", type=whole_number(0), default=8, metavar="N", help="weights to show of each update")
    add("--enter", action="store_true", help="wait for the Enter key after each update (on a terminal)")
    pictures = (
        "draw each update: in a folder, which is made, as DIR/step-01.svg and so on; in a page, FILE.html, that steps "
        "forward and back without a network; or in a FILE.pdf, a page each"
    )
    add("--pictures", type=_pictures, metavar="DIR|FILE", help=pictures)
    add_json(parser)


def _pictures(text: str) -> Written:
    kind = {".html": "HTML", ".pdf": "picture"}.get(Path(text).suffix.lower())
    return (OutputFile(kind) if kind else OutputFolder("picture", "step-*.svg", "three-perceptrons.svg"))(text)


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
    from sapwood_lab.draw.pdf import check_pdf
    from sapwood_lab.draw.steps import text_step
    from sapwood_lab.walks.walk import as_rows, make_walk

    if enter and not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise OptionError("--enter needs a terminal as standard input and output")
    walk = make_walk(example, algorithm, **options)
    suffix = Path(pictures or "").suffix.lower()
    if suffix == ".pdf":
        check_pdf()
    elif pictures is not None and suffix != ".html":
        make_folder(pictures)
    width = min(shutil.get_terminal_size().columns, 80) if sys.stdout.isatty() else 80
    shown = []
    if walk.before:
        show(walk.before, end="\n\n")
    for step in islice(walk.steps(), updates):
        show_drawn(text_step(step, top, max(width, 60), partial(paint, stream=sys.stdout)), end="\n\n")
        shown.append(step)
        if enter and not _go_on():
            break
    if after := walk.after(shown):
        show(after, end="\n\n")
    right, count = walk.right()
    done = f"{len(shown)} update{'s' * (len(shown) != 1)}"
    show(f"{done}: with the weights as they are now, {right} of {count} answers are right")
    if json is not None:
        write_rows(json, as_rows(shown))
    if pictures is not None:
        _draw(pictures, suffix, f"{Path(example).name}: {type(walk.learner).__name__}", shown, walk.picture(), after)


def _draw(path: str, suffix: str, title: str, steps: Sequence[Step], last: str, after: str) -> None:
    """Write the pictures of updates, the one of them all if there is one, and on a page the text after them."""
    from sapwood_lab.draw.pdf import write_pdf
    from sapwood_lab.draw.step_pictures import svg_step
    from sapwood_lab.draw.stepper import html_steps

    if suffix == ".html":
        end = f"<figure>{last}</figure><pre>{escape(after)}</pre>" if last or after else ""
        write_text(path, html_steps(title, steps, end))
    elif suffix == ".pdf":
        write_pdf(path, [*map(svg_step, steps), *([last] if last else [])])
    else:
        pictures = {f"step-{step.number:02}.svg": svg_step(step) for step in steps}
        for name, svg in (pictures | ({"three-perceptrons.svg": last} if last else {})).items():
            write_text(Path(path, name), svg, named=False)


def _go_on() -> bool:
    """Wait for Enter, on a line that is then overwritten; False at the end of input."""
    show("Enter: the next update; Ctrl-D: the end ", end="")
    sys.stdout.flush()
    line = sys.stdin.readline()
    show_drawn("\x1b[A\r\x1b[K" if line else "\r\x1b[K", end="")
    return bool(line)


VERBS = {"steps": Verb(STEPS, _options, _run)}
