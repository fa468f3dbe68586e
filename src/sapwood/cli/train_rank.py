"""``sapwood train rank``: lists of candidates in, a reranker out."""

from typing import Any

from sapwood.cli.app import Parser
from sapwood.cli.training import add_data, add_learning, train

__all__ = ["parser", "run"]

_DESCRIPTION = """Train a reranker: it chooses among the structures that another model proposes, by features of all.

TRAIN has lists of candidates ('sapwood nbest' writes them): JSON lines, or a log-probability and a tree in brackets a
line, with a blank line after each list and the gold tree alone in front. A candidate's loss is given, or counted
beside gold.

Examples:
  sapwood nbest chunker.sap train.txt -n 20 --folds 10 > train.jsonl
  sapwood train rank train.jsonl -o reranker.sap --dev-fraction 0.1
"""


def parser() -> Parser:
    """Return the parser of ``sapwood train rank``."""
    result = Parser("train rank", _DESCRIPTION)
    add_data(result, "lists")
    base = "what the base model's score weighs before training"
    result.add_argument("--base-weight", type=float, default=30.0, metavar="W", help=base)
    add_learning(
        result, "candidate, for a unit of its loss", gamma=10.0, min_updates=1, shrink=0.0, bits=16, named=False
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
    from sapwood.rank import Reranker

    train(Reranker(**options), source, output, dev, dev_fraction, quiet)
