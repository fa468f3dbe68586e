"""``sapwood train classify``: labelled examples in, a classifier out."""

import argparse
import sys
from typing import Any

from sapwood.cli.app import Parser, whole_number
from sapwood.cli.training import add_data, add_learning, train

__all__ = ["add_layout", "parser", "run"]

_DESCRIPTION = """Train a classifier of texts, of marked words in context, or of features.

TRAIN has an example a line with its label, in one of these formats, told by its name (.jsonl, .csv, .tsv, .svm, .pos)
or by --format:
  fasttext   __label__NAME text ...
  svmlight   NAME 3:0.5 17:1
  jsonl      {"label": ..., "text": ...}, or "tokens" and "marked", or "features"
  csv        a header with the columns label and text
  senseval   Senseval 2's files: tagged words, the target inside <head>
Texts are cut into words at spaces and at punctuation, which is a word of its own; what's, e-mail and 3.5 stay whole.
TRAIN may be compressed (.xz, .gz, .bz2) or '-' for standard input. Ctrl-C finishes the epoch and keeps the model;
twice, or during cross-validation, it stops at once.

Examples:
  sapwood train classify reviews.txt -o reviews.sap --dev-fraction 0.1 --patience 3
  sapwood train classify reviews.csv -o reviews.sap --label stars --text review --class-weight balanced
  sapwood train classify interest.pos -o interest.sap --template wsd --cv 10
  sapwood train classify reviews.txt -o reviews.sap --voted --min-updates 1
  sapwood train classify names.txt -o languages.sap --template characters --names
"""


def add_layout(parser: Parser) -> None:
    """Add what tells how examples are written in a file."""
    from sapwood.io.examples import FORMATS

    add = parser.add_argument
    add("--format", choices=FORMATS, help="of the files; without, what their names tell, or fasttext")
    add("--label", default="label", metavar="NAME", help="what csv and jsonl call the label")
    add("--text", default="text", metavar="NAME", help="what csv and jsonl call the text")
    joint = "learn the marked word's tag and its sense as one label (senseval)"
    add("--tag-in-label", action="store_true", help=joint)


def parser() -> Parser:
    """Return the parser of ``sapwood train classify``."""
    result = Parser("train classify", _DESCRIPTION)
    add = result.add_argument
    add_data(result, "examples")
    add_layout(result)
    template = "text, characters, wsd, lecture, or a file"
    add("--template", default="text", metavar="NAME|FILE", help=template)
    folds = "choose the number of passes by cross-validation in so many folds, then train on everything"
    add("--cv", type=whole_number(2, 1000), metavar="K", help=folds)
    voted = "let every vector of training vote, instead of averaging; keeps examples, and wants --min-updates 1"
    add("--voted", action="store_true", help=voted)
    weights = "balanced: examples of rare classes count more"
    add("--class-weight", choices=["balanced", "none"], default="none", help=weights)
    order = "a new order of the examples for every pass, or that of the file"
    add("--shuffle", action=argparse.BooleanOptionalAction, default=True, help=order)
    add("--prune-below", type=whole_number(1), default=1, metavar="N", help="drop features of fewer examples")
    rivals = ("l1-cumulative", "truncated-gradient")
    add_learning(result, "label, in mean squared lengths", gamma=1.0, min_updates=5, shrink=0.0, rivals=rivals)
    add("--penalty", type=float, default=1.0, metavar="C", help="strength of the L1 penalty over a pass")
    add("--eta", type=float, default=0.1, metavar="E", help="first step of gradient descent under an L1 penalty")
    return result


def run(
    source: str,
    output: str,
    dev: str | None,
    dev_fraction: float | None,
    quiet: bool,
    class_weight: str,
    **options: Any,
) -> None:
    """Train, showing progress, and write the model."""
    from sapwood.models.classifier import Classifier

    classifier = Classifier(class_weight="balanced" if class_weight == "balanced" else None, **options)
    train(classifier, source, output, dev, dev_fraction, quiet)
    if classifier.cv is not None and not quiet:
        result = classifier.cross_validation_
        accuracy = max(result.accuracies)
        print(
            f"{classifier.cv}-fold cross-validation: {accuracy:.2f}% after {result.best_epochs} passes", file=sys.stderr
        )
