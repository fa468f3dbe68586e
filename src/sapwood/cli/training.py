"""What ``sapwood train TASK`` is for every task: the learner's options, the progress, the model file."""

import argparse
import os
import sys
from typing import TYPE_CHECKING

from sapwood.cli.app import Parser, whole_number

if TYPE_CHECKING:
    from sapwood.models.classifier import Classifier
    from sapwood.models.parser import DependencyParser
    from sapwood.models.reranker import Reranker
    from sapwood.models.tagger import SequenceTagger

__all__ = ["add_data", "add_learning", "train"]


def add_data(parser: Parser, kind: str) -> None:
    """Add the arguments for data and model; `kind` is the kind of file that they come in."""
    add = parser.add_argument
    add("source", metavar="TRAIN", help="the training data")
    add("-o", "--output", required=True, metavar="MODEL", help="the model file to write")
    add("--dev", metavar="FILE", help=f"held-out {kind}: each epoch is scored, the best one kept")
    add("--dev-fraction", type=float, metavar="F", help="hold out this part of the training data instead")


def add_learning(
    parser: Parser,
    wrong: str,
    *,
    gamma: float | None,
    min_updates: int,
    shrink: float,
    bits: int = 8,
    rivals: tuple[str, ...] = (),
    named: bool = True,
) -> None:
    """Add the learner's options with a task's defaults.

    wrong : what a margin sets a cost on; rivals : updates besides; named : whether features have names to keep
    """
    add = parser.add_argument
    updates = ["perceptron", "margin", "pa", *rivals]
    others = "; the last two are its rivals, logistic regression with an L1 penalty" if rivals else ""
    kinds = f"what happens at a mistake, pa is passive-aggressive{others}"
    add("--update", choices=updates, default="margin", help=kinds)
    add("--gamma", type=float, default=gamma, metavar="G", help=f"cost of a wrong {wrong}, for margin and pa")
    average = "average the weights over all examples, or keep the last ones"
    add("--average", action=argparse.BooleanOptionalAction, default=True, help=average)
    sparse = "updates that a feature takes part in before it counts (the sparse averaged perceptron)"
    add("--min-updates", type=whole_number(1), default=min_updates, metavar="K", help=sparse)
    add("--epochs", type=whole_number(1), default=10, metavar="N", help="passes over the data, at most")
    add("--patience", type=whole_number(1), metavar="N", help="stop after so many epochs without a better score")
    add("--seed", type=whole_number(0), default=1, metavar="S", help="of the shuffling")
    add("--bits", type=int, choices=[8, 16, 32], default=bits, help="of a weight in the model")
    small = "drop the weights that are smaller than this part of the largest"
    add("--shrink", type=float, default=shrink, metavar="F", help=small)
    if named:
        add("--names", action="store_true", help="keep the features' texts, for 'inspect'")
        add("--threads", type=whole_number(1, 1024), default=1, metavar="N", help="for scoring held-out data")
    add("-q", "--quiet", action="store_true", help="show no progress")


def train(
    estimator: "SequenceTagger | DependencyParser | Classifier | Reranker",
    source: str | os.PathLike[str],
    output: str,
    dev: str | None,
    dev_fraction: float | None,
    quiet: bool,
) -> None:
    """Train, showing progress, and write the model."""
    from sapwood.cli.outputs import learned_by
    from sapwood.cli.progress import show_progress
    from sapwood.modelfile.container import check_writable

    check_writable(output)
    with show_progress(quiet) as report:
        estimator.fit(source, dev=dev, dev_fraction=dev_fraction, on_event=report)
        size = estimator.save(output)
    if not quiet:
        print(f"{output}: {learned_by(estimator)}, {size:,} bytes", file=sys.stderr)
