"""``sapwood train rank``: lists of candidates in, a reranker out."""

from typing import Any

from sapwood.cli.app import Parser, whole_number
from sapwood.cli.training import add_data, add_learning, train

__all__ = ["parser", "run"]

_DESCRIPTION = """Train a reranker: it chooses among the structures that another model proposes, by features of all.

TRAIN has lists of candidates ('sapwood nbest' writes them): JSON lines, or a log-probability and a tree in brackets a
line, with a blank line after each list and the gold tree alone in front. A candidate's loss is given, or counted
beside gold.

With --kernel, or --voted, the reranker has no weights of features, but support candidates: those that took part in
updates. It compares a candidate with each of them.

Examples:
  sapwood nbest chunker.sap train.txt -n 20 --folds 10 > train.jsonl
  sapwood train rank train.jsonl -o reranker.sap --dev-fraction 0.1
  sapwood train rank trees.txt -o reranker.sap --kernel tree --decay 0.4
"""


def parser() -> Parser:
    """Return the parser of ``sapwood train rank``."""
    result = Parser("train rank", _DESCRIPTION)
    add_data(result, "lists")
    add = result.add_argument
    kernels = ["linear", "tree", "subsequence", "polynomial"]
    add("--kernel", choices=kernels, default="linear", help="what compares candidates; linear: weights of features")
    add("--decay", type=float, default=0.4, metavar="L", help="of the kernels tree and subsequence, above 0, up to 1")
    add("--length", type=whole_number(1), default=3, metavar="N", help="symbols of a subsequence")
    add("--degree", type=whole_number(1), default=2, metavar="P", help="of the polynomial of the features")
    voted = "let every vector of training vote, instead of averaging"
    add("--voted", action="store_true", help=voted)
    add("--cache", type=whole_number(1), default=512, metavar="MB", help="memory for kernels that are used again")
    threads = "for kernels and held-out data"
    add("--threads", type=whole_number(1, 1024), default=1, metavar="N", help=threads)
    base = "what the base model's score weighs, without a kernel before training (default: 30; with a kernel 0.1)"
    add("--base-weight", type=float, metavar="W", help=base)
    add_learning(
        result,
        "candidate, for a unit of its loss (default: 10; with a kernel 0.03)",
        gamma=None,
        min_updates=1,
        shrink=0.0,
        bits=16,
        named=False,
    )
    return result


def run(
    source: str,
    output: str,
    dev: str | None,
    dev_fraction: float | None,
    quiet: bool,
    **options: Any,
) -> None:
    """Train, showing progress, and write the model."""
    from sapwood.models.reranker import Reranker

    train(Reranker(**options), source, output, dev, dev_fraction, quiet)
