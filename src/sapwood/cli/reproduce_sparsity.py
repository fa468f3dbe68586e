"""``sapwood reproduce sparsity``: accuracy against size."""

from typing import Any

from sapwood.cli.app import Parser
from sapwood.cli.reproduce import add_experiment, run_experiment

__all__ = ["parser", "run"]

_DESCRIPTION = """Accuracy against size: the sparse averaged perceptron, pruning, and two L1 penalties.

Examples:
  sapwood reproduce sparsity --data corpora --json sparsity.json
  sapwood reproduce sparsity --data corpora --figure sparsity.png
"""


def parser() -> Parser:
    """Return the parser of ``sapwood reproduce sparsity``."""
    result = Parser("reproduce sparsity", _DESCRIPTION)
    add_experiment(result, "interest/ and movie_reviews/", figure=True)
    return result


def run(**choices: Any) -> None:
    """Measure and print the table."""
    run_experiment("sparsity", needs="sklearn", **choices)
