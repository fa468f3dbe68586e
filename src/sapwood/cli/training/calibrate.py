"""``sapwood calibrate``: confidences that can be trusted."""

import sys
from argparse import ArgumentParser
from inspect import signature
from pathlib import Path
from typing import Any

from sapwood.base.command.files import Input, OutputFile
from sapwood.base.command.terminal import show
from sapwood.base.command.verb import Verb
from sapwood.cli.base.inputs import input_list
from sapwood.cli.base.verb import add_model
from sapwood.errors import OptionError
from sapwood.model.capabilities import require_capability
from sapwood.model.file.bundled import model_path
from sapwood.model.file.container import check_writable
from sapwood.model.load import load

CALIBRATE = """Fit a model's confidences on held-out data.

DEV has gold answers that training did not see: labelled examples for a classifier, sentences for a tagger, trees for a
parser, a treebank for a pipeline. The calibration is stored in the model. 'sapwood classify' then gives confidences
instead of margins; 'sapwood tag', 'parse' and 'annotate' add them with --confidence. How far they are from the truth is
printed, by cross-validation over DEV in five folds.

Examples:
  sapwood calibrate reviews.sap dev.txt
  sapwood calibrate reviews.sap dev.txt --method isotonic -o calibrated.sap
  sapwood calibrate parser.sap dev.conllu
  sapwood calibrate english.sap dev.conllu --names dev-names.iob2
"""


def _calibrate_options(parser: ArgumentParser) -> None:
    from sapwood.tasks.classifying.confidence import METHODS

    add_model(parser)
    add = parser.add_argument
    add("dev", type=Input, metavar="DEV", help="data with gold answers, in the format of the training data")
    methods = "; ".join(f"{name}: {help}" for name, (_, help) in METHODS.items())
    add("--method", choices=list(METHODS), help=f"of a classifier: how confidences follow from scores. {methods}")
    names = "of a pipeline: files of names for DEV, as 'train pipeline' takes them; without, NER= in MISC"
    add("--names", type=input_list, metavar="FILE,...", help=names)
    output = "write the model there; without, MODEL is replaced"
    add("-o", "--output", type=OutputFile("model", over=["model"]), metavar="FILE", help=output)
    add("-q", "--quiet", action="store_true", help="print nothing")


def _calibrate(
    model: str, dev: str, method: str | None, names: list[str] | None, output: str | None, quiet: bool
) -> None:
    if output is None and model_path(model) is not model:
        raise OptionError(f"{model} is part of a package; name the calibrated model by --output")
    check_writable(output or model)
    fitted: Any = load(model)
    require_capability(fitted, "confidence")
    options = {name: value for name, value in (("method", method), ("names", names)) if value is not None}
    for name in options.keys() - signature(fitted.calibrate).parameters.keys():
        raise OptionError(f"--{name} is not for a {fitted._noun}: classifiers take a method, pipelines take names")
    fitted.calibrate(Path(dev), **options)
    fitted.save(output or model)
    if not quiet:
        show(f"{output or model}: calibrated on {dev}; {fitted.confidence.report}", sys.stderr)


VERBS = {"calibrate": Verb(CALIBRATE, _calibrate_options, _calibrate)}
