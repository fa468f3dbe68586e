"""``sapwood calibrate``: confidences that can be trusted."""

import sys
from argparse import ArgumentParser, ArgumentTypeError
from inspect import signature
from math import nan
from pathlib import Path
from typing import Any

from sapwood.base.command.files import Input, OutputFile
from sapwood.base.command.terminal import show
from sapwood.base.command.verb import Verb
from sapwood.cli.base.inputs import input_list
from sapwood.cli.base.verb import add_model
from sapwood.errors import OptionError
from sapwood.loading import load
from sapwood.model.file.bundled import model_path
from sapwood.model.file.container import check_writable
from sapwood.model.parts import require_capability

CALIBRATE = """Fit a model's confidences on held-out data.

DEV has gold answers that training did not see: labelled examples for a classifier, sentences for a tagger, trees for a
parser, a treebank for a pipeline. The calibration is stored in the model. 'sapwood classify' then gives confidences
instead of margins; 'sapwood tag', 'parse' and 'annotate' add them with --confidence. How far they are from the truth is
printed, by cross-validation over DEV in five folds.

With --precision or --coverage a model abstains: the least confidence is fitted with which answers reach that precision,
or with which so many are given. 'sapwood classify' and 'tag' then answer '_' where the model is less sure ('O' of
chunks), records and the API say "abstained". A pipeline abstains from names, which are Abstained= in MISC then, and
"abstained" in records. Printed are the share of answers that are
given, their precision, and its 95 % interval. If labels of DEV are wrong, there is a warning that says about how many,
and the precision is corrected for them. Calibrating again without these options ends it.

Examples:
  sapwood calibrate reviews.sap dev.txt
  sapwood calibrate reviews.sap dev.txt --method isotonic -o calibrated.sap
  sapwood calibrate tickets.sap dev.jsonl --precision 0.95
  sapwood calibrate names.sap dev.jsonl --precision 0.9
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
    add("--precision", type=_share, metavar="SHARE", help="abstain, so that this share of the answers given is right")
    add("--coverage", type=_share, metavar="SHARE", help="abstain, so that this share of all answers is given")
    add("--by-label", action="store_true", help="reach it for each label, with a threshold of its own")
    noise = "share of wrong labels in DEV; without, it is estimated"
    add("--noise", type=_share, metavar="SHARE", help=noise)
    output = "write the model there; without, MODEL is replaced"
    add("-o", "--output", type=OutputFile("model", over=["model"]), metavar="FILE", help=output)
    add("-q", "--quiet", action="store_true", help="print nothing")


def _share(text: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = nan
    if not 0 <= share <= 1:
        raise ArgumentTypeError(f"{text!a} is not a share from 0 to 1")
    return share


def _calibrate(
    model: str,
    dev: str,
    method: str | None,
    names: list[str] | None,
    precision: float | None,
    coverage: float | None,
    by_label: bool,
    noise: float | None,
    output: str | None,
    quiet: bool,
) -> None:
    if output is None and model_path(model) is not model:
        raise OptionError(f"{model} is part of a package; name the calibrated model by --output")
    check_writable(output or model)
    fitted: Any = load(model)
    require_capability(fitted, "confidence")
    given = {"method": method, "names": names}
    options: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    taken = signature(fitted.calibrate).parameters.keys()
    for name in options.keys() - taken:
        raise OptionError(f"--{name} is not for a {fitted._noun}: classifiers take a method, pipelines take names")
    abstain = {"precision": precision, "coverage": coverage, "by_label": by_label or None, "noise": noise}
    if wanted := {name: value for name, value in abstain.items() if value is not None}:
        if "abstain" not in taken:
            raise OptionError(
                f"--{min(wanted)} is for classifiers, taggers and names; a {fitted._noun} does not abstain"
            )
        options |= wanted
    fitted.calibrate(Path(dev), **options)
    fitted.save(output or model)
    if not quiet:
        show(f"{output or model}: calibrated on {dev}; {fitted.confidence.report}", sys.stderr)


VERBS = {"calibrate": Verb(CALIBRATE, _calibrate_options, _calibrate)}
