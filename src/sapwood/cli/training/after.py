"""``sapwood shrink``, ``calibrate`` and ``package``: a trained model made smaller, with confidences, installable."""

import sys
from argparse import ArgumentParser
from inspect import signature
from pathlib import Path
from typing import Any

from sapwood.base.command.files import Input, InputFolder, OutputFile, OutputFolder
from sapwood.base.command.terminal import show
from sapwood.base.command.verb import Verb, number, whole_number
from sapwood.base.writing import make_folder, shown, write_bytes
from sapwood.cli.base.progress import show_progress
from sapwood.cli.base.verb import add_held_out, add_model, held_out, help_of, input_list
from sapwood.errors import OptionError, warn
from sapwood.events import Shrunk
from sapwood.loading import load, load_model
from sapwood.model.abstention import Abstain
from sapwood.model.file.bundled import BUNDLED, model_path
from sapwood.model.file.container import check_writable
from sapwood.model.parts import require_capability
from sapwood.model.small import LEVELS, Small
from sapwood.options import options_of


def _shrink_options(parser: ArgumentParser) -> None:
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
    add("--no-retraining", action="store_false", dest="retrain", help="drop weights without learning the others anew")
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


_share = number("a share from 0 to 1", lambda share: 0 <= share <= 1)


def _calibrate_options(parser: ArgumentParser) -> None:
    from sapwood.tasks.classifying.confidence import METHODS

    add_model(parser)
    add = parser.add_argument
    add("dev", type=Input, metavar="DEV", help="data with gold answers, in the format of the training data")
    methods = "; ".join(f"{name}: {help}" for name, (_, help) in METHODS.items())
    add("--method", choices=list(METHODS), help=f"of a classifier: how confidences follow from scores. {methods}")
    names = "of a pipeline: files of names for DEV, as 'train pipeline' takes them; without, NER= in MISC"
    add("--names", type=input_list, metavar="FILE,...", help=names)
    add("--precision", type=_share, metavar="SHARE", help="abstain, so that this share of the answers given is right")
    add("--coverage", type=_share, metavar="SHARE", help="abstain, so that this share of all answers is given")
    add("--by-label", action="store_true", help="reach it for each label, with a threshold of its own")
    noise = "share of wrong labels in DEV; without, it is estimated"
    add("--noise", type=_share, metavar="SHARE", help=noise)
    output = "write the model there; without, MODEL is replaced"
    add("-o", "--output", type=OutputFile("model", over=["model"]), metavar="FILE", help=output)
    add("-q", "--quiet", action="store_true", help="print nothing")


def _calibrate(model: str, dev: str, output: str | None, quiet: bool, **given: Any) -> None:
    if output is None and model_path(model) is not model:
        raise OptionError(f"{model} is part of a package; name the calibrated model by --output")
    check_writable(output or model)
    fitted: Any = load(model)
    require_capability(fitted, "confidence")
    options = {name: value for name, value in given.items() if value is not None and value is not False}
    taken, abstain = signature(fitted.calibrate).parameters.keys(), options.keys() & Abstain.__annotations__.keys()
    for name in options.keys() - abstain - taken:
        raise OptionError(f"--{name} is not for a {fitted._noun}: classifiers take a method, pipelines take names")
    if abstain and "abstain" not in taken:
        raise OptionError(f"--{min(abstain)} is for classifiers, taggers and names; a {fitted._noun} does not abstain")
    fitted.calibrate(Path(dev), **options)
    fitted.save(output or model)
    if not quiet:
        show(f"{output or model}: calibrated on {dev}; {fitted.confidence.report}", sys.stderr)


def _package_options(parser: ArgumentParser) -> None:
    add_model(parser)
    add = parser.add_argument
    folder = "the folder to write the wheel to"
    add("-o", "--output", type=OutputFolder("other"), required=True, metavar="DIR", help=folder)
    add("--name", metavar="NAME", help="name of the package, by which the model is loaded; without, that of the file")
    add("--version", default="1.0", metavar="V", help="version of the package (1.0)")
    add("--license", metavar="NAME", help="licence of the model, where its card names none, or another")


def _package(model: str, output: str, name: str | None, version: str, license: str | None) -> None:
    from sapwood.model.file.wheel import checked_name, checked_version, licence_in, wheel

    name, version = checked_name(Path(model).stem if name is None else name), checked_version(version)
    file = load_model(model, contents_only=True).model_
    licence = license or licence_in(file.card)
    file_name, data = wheel(file, name, version, licence)
    path = make_folder(output) / file_name
    if path.exists() and not (path.is_file() and path.read_bytes() == data):
        raise OptionError(f"{shown(path)}: there is another package of this version; give --version, or remove it")
    if name in BUNDLED:
        warn(f"{name}: the model of this name that comes with sapwood is loaded, not this one; give another --name")
    if licence is None:
        warn("the model has no licence, so that nobody knows what is allowed; name one by --license, or in its card")
    write_bytes(path, data)
    show(f"{shown(path)}: {name} {version}, {licence or 'no licence'}, {len(data):,} bytes", sys.stderr)


VERBS = {
    "shrink": Verb(help_of("shrink"), _shrink_options, _shrink),
    "calibrate": Verb(help_of("calibrate"), _calibrate_options, _calibrate),
    "package": Verb(help_of("package"), _package_options, _package),
}
