"""``sapwood calibrate``: confidences that can be trusted."""

import sys
from argparse import ArgumentParser
from pathlib import Path

from sapwood.cli.base.files import Input, Output, input_list
from sapwood.cli.base.terminal import show
from sapwood.cli.base.verb import Verb, add_model
from sapwood.errors import OptionError
from sapwood.model.capabilities import Calibrates, able
from sapwood.model.file.bundled import BUNDLED
from sapwood.model.file.container import check_writable
from sapwood.model.load import load

CALIBRATE = """Fit a model's confidences on held-out data.

DEV has gold answers that training did not see: labelled examples for a classifier, sentences for a tagger, trees for a
parser, a treebank for a pipeline. The calibration is stored in the model. 'sapwood classify' then gives confidences
instead of margins; 'sapwood tag', 'parse' and 'annotate' add them with --confidence. How far they are from the truth is
printed, by cross-validation over DEV in five folds. All methods but temperature need scikit-learn.

Examples:
  sapwood calibrate reviews.sap dev.txt
  sapwood calibrate reviews.sap dev.txt --method isotonic -o calibrated.sap
  sapwood calibrate parser.sap dev.conllu
  sapwood calibrate english.sap dev.conllu --names dev-names.iob2
"""


def _calibrate_options(parser: ArgumentParser) -> None:
    add_model(parser)
    add = parser.add_argument
    add("dev", type=Input, metavar="DEV", help="data with gold answers, in the format of the training data")
    methods = (
        "of a classifier: one temperature, which is the default; a curve a label (Platt); or a step function a label, "
        "for a thousand examples or more; of other models: isotonic"
    )
    add("--method", choices=["temperature", "sigmoid", "isotonic"], help=methods)
    names = "of a pipeline: files of names for DEV, as 'train pipeline' takes them; without, NER= in MISC"
    add("--names", type=input_list, metavar="FILE,...", help=names)
    output = "write the model there; without, MODEL is replaced"
    add("-o", "--output", type=Output("model", over=["model"]), metavar="FILE", help=output)
    add("-q", "--quiet", action="store_true", help="print nothing")


def _calibrate(
    model: str, dev: str, method: str | None, names: list[str] | None, output: str | None, quiet: bool
) -> None:
    if output is None and model in BUNDLED:
        raise OptionError(f"{model} is part of the package; name the calibrated model by --output")
    check_writable(output or model)
    fitted = load(model)
    found = able(fitted, Calibrates).calibrate_on(Path(dev), method=method, names=names or ())
    fitted.save(output or model)
    if not quiet:
        show(f"{output or model}: calibrated on {dev}; {found}", sys.stderr)


VERBS = {"calibrate": Verb(CALIBRATE, _calibrate_options, _calibrate)}
