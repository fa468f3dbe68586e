"""``sapwood calibrate``: confidences for a classifier, fitted on examples that training did not see."""

import sys

from sapwood.cli.app import Parser

__all__ = ["parser", "run"]

_DESCRIPTION = """Fit the confidences of a classifier on DEV: labelled examples that training did not see.

The calibration is stored in the model; 'sapwood classify' then gives confidences instead of margins. How well they do
is printed, by cross-validation over DEV in five folds. The methods sigmoid and isotonic need scikit-learn.

Examples:
  sapwood calibrate reviews.sap dev.txt
  sapwood calibrate reviews.sap dev.txt --method isotonic -o calibrated.sap
"""


def parser() -> Parser:
    """Return the parser of ``sapwood calibrate``."""
    result = Parser("calibrate", _DESCRIPTION)
    result.add_argument("model", metavar="MODEL", help="a model file")
    result.add_argument("dev", metavar="DEV", help="labelled examples, in the format of the training data")
    methods = "one temperature; a curve a label (Platt); or a step function a label, for a thousand examples or more"
    kinds = ["temperature", "sigmoid", "isotonic"]
    result.add_argument("--method", choices=kinds, default="temperature", help=methods)
    result.add_argument("-o", "--output", metavar="FILE", help="write the model there; without, MODEL is replaced")
    result.add_argument("-q", "--quiet", action="store_true", help="print nothing")
    return result


def run(model: str, dev: str, method: str, output: str | None, quiet: bool) -> None:
    """Fit, store, and say how good the confidences are."""
    from sapwood.modelfile.container import check_writable
    from sapwood.models.load import load_classifier

    classifier = load_classifier(model)
    check_writable(output or model)
    classifier.calibrate(dev, method=method)  # type: ignore[arg-type]
    classifier.save(output or model)
    if quiet:
        return
    found = classifier.reliability_
    print(
        f"{output or model}: {method}; on {dev}: log loss {found.log_loss:.4f}, Brier {found.brier:.4f}, "
        f"calibration error {100 * found.calibration_error:.2f} %",
        file=sys.stderr,
    )
