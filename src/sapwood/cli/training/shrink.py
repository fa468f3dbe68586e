"""``sapwood shrink``: a smaller model, trained again on the data that it was trained on."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from sapwood.base.command.files import Input, InputFolder, OutputFile
from sapwood.base.command.terminal import show
from sapwood.base.command.verb import Verb, whole_number
from sapwood.cli.base.inputs import input_list
from sapwood.cli.base.progress import show_progress
from sapwood.cli.base.verb import add_held_out, add_model, held_out
from sapwood.errors import OptionError
from sapwood.events import Shrunk
from sapwood.loading import load_model
from sapwood.model.file.bundled import model_path
from sapwood.model.small import LEVELS, Small
from sapwood.options import options_of

SHRINK = """Make a model smaller, and say what that costs.

The model is trained again on TRAIN, with its own options. Then, in rounds, its smallest weights are dropped and the
remaining ones trained on: until the model has at most --bytes bytes, or as long as its score on held-out data is at
most --loss points below that of the whole model. With --below there are no rounds: small weights are dropped once. In a
pipeline this is done to each model. Word clusters are taken from the model. Other files that a model does not keep have
to be named again: --lexicon and --names for a pipeline, --word-lists for a template, --silver.

Examples:
  sapwood shrink chunker.sap -o small.sap --data train.txt --bytes 64000
  sapwood shrink parser.sap -o small.sap --data train.conllu --dev dev.conllu --loss 0.3 --figure curve.png
  sapwood shrink my.sap -o small.sap --data train.conllu --dev dev.conllu --bytes 1500000 --names names.iob2
"""


def _options(parser: ArgumentParser) -> None:
    add_model(parser)
    add = parser.add_argument
    add("-o", "--output", type=OutputFile("model"), required=True, metavar="SMALL", help="the model file to write")
    data = "the data that the model was trained on; '-': standard input"
    add("--data", type=Input, required=True, metavar="TRAIN", help=data)
    add_held_out(add, "held-out data; after each round the model is scored on them")
    goal = parser.add_mutually_exclusive_group(required=True)
    goal.add_argument("--bytes", type=whole_number(1), metavar="N", help="bytes of the model file, at most")
    goal.add_argument("--loss", type=float, metavar="POINTS", help="percentage points of the score that may be lost")
    below = "drop the weights that are smaller than this part of the largest, in one step"
    goal.add_argument("--below", type=float, metavar="F", help=below)
    add("--levels", choices=LEVELS, default=LEVELS[0], help="round weights to levels with short codes, or evenly")
    add("--no-retraining", action="store_false", dest="retrain", help="drop weights once, without training on")
    figure = "draw scores against bytes, as .png, .svg or .pdf"
    add("--figure", type=OutputFile("picture"), metavar="FILE", help=figure)
    add("--lexicon", type=Input, metavar="FILE", help="the lexicon that a pipeline was trained with")
    names = "the files of names that a pipeline was trained with"
    add("--names", type=input_list, metavar="FILE,...", help=names)
    add("--silver", type=input_list, metavar="FILE,...", help="the silver data that the model was trained with")
    add("--word-lists", type=InputFolder, metavar="DIR", help="folder of the word lists that the template names")
    add("-q", "--quiet", action="store_true", help="show no progress")


def _shrink(
    model: str, output: str, data: str, figure: str | None, bytes: int | None, loss: float | None,
    below: float | None, levels: str, retrain: bool, quiet: bool, dev: str | float | None, **given: Any,
) -> None:  # fmt: skip
    from sapwood.base.drawing.figure import check_figure

    if figure is not None:
        check_figure(figure)
        if below is not None:
            raise OptionError("--figure draws the models of all rounds, and --below has none")
    loaded = load_model(model)
    settings = {name: value for name, value in given.items() if value is not None}
    known = {name for name, declared in options_of(loaded).items() if declared.kind != "switch"}
    if foreign := [name for name in settings if name not in known]:
        raise OptionError(f"--{foreign[0].replace('_', '-')}: a {loaded._noun} has no such option")
    before = Path(model_path(model)).stat().st_size
    with show_progress(quiet) as report:
        small = loaded.set_params(**settings).shrink(
            Path(data), bytes=bytes, loss=loss, below=below, levels=levels, retrain=retrain,
            on_event=report, **held_out(dev),
        )  # fmt: skip
        size = small.save(output)
    for name, found in small.recipe.shrunk().items():
        show("\n".join(curve_table(name, found)))
    show(f"{output}: {size:,} bytes; {model} has {before:,}")
    if figure is not None:
        draw(small.recipe.shrunk(), figure)
        show(f"{figure}: scores against bytes", sys.stderr)


def curve_table(name: str, small: Small) -> list[str]:
    """Return a line for the whole model and for those of each round, with a star at the one that was kept.

    The bits are those of the value of a weight in the file, on average.
    """
    heading = f"  {'bytes':>12} {'features':>10} {'levels':>7} {'bits':>5} {'score':>7}"
    lines = [f"{name}: {small.reason}", heading]
    for k, point in enumerate(small.curve):
        kept = "*" if k == small.chosen else " "
        score = "" if point.score is None else f"{point.score:7.2f}"
        values = f"{point.levels:>7} {point.value_bits:5.2f}"
        lines.append(f"{kept} {point.bytes:12,} {point.features:10,} {values} {score:>7}".rstrip())
    return lines


def draw(found: dict[str, Small], path: str) -> None:
    """Write a figure with the curves of each model, one for each kind of levels. Raises OptionError or DataError."""
    from sapwood.base.drawing.figure import label_axes, save_figure

    with save_figure(path, (4.4 * len(found), 3.6), columns=len(found)) as panels:
        for axes, (name, small) in zip(panels, found.items(), strict=True):
            is_scored = small.curve[0].score is not None
            y = "score on held-out data, %" if is_scored else "features"

            def places(points: list[Shrunk]) -> tuple[list[int], list[float]]:
                heights = [float(point.features if point.score is None else point.score) for point in points]
                return [point.bytes for point in points], heights

            kinds = sorted({point.levels for point in small.curve}, key=["even", "uneven", "coarse"].index)
            for levels in kinds:
                points = [point for point in small.curve if point.levels == levels]
                axes.plot(*places(points), marker="o", markersize=4, label=f"{levels} levels")
            axes.plot(*places([small.curve[small.chosen]]), marker="*", color="black", markersize=14)
            if len(kinds) > 1:
                axes.legend()
            axes.set_xscale("log")
            label_axes(axes, name, "bytes", y)


VERBS = {"shrink": Verb(SHRINK, _options, _shrink)}
