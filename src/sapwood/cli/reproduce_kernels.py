"""``sapwood reproduce kernels``: what kernels cost, and what they gain."""

from typing import Any

from sapwood.cli.app import Parser
from sapwood.cli.reproduce import add_experiment, run_experiment

__all__ = ["parser", "run"]

_DESCRIPTION = """What kernels cost, and what they gain.

Prints what one evaluation of the tree kernel costs over the size of trees, beside the table of all pairs of nodes; then
the F1 of rerankers in dual form with tree, subsequence and polynomial kernels, beside explicit features.

Examples:
  sapwood reproduce kernels --data corpora --json kernels.json
  sapwood reproduce kernels --data corpora --figure kernels.png
"""


def parser() -> Parser:
    """Return the parser of ``sapwood reproduce kernels``."""
    result = Parser("reproduce kernels", _DESCRIPTION)
    add_experiment(result, "treebank/", figure=True)
    return result


def run(**choices: Any) -> None:
    """Measure and print the tables."""
    run_experiment("kernels", needs="numpy", **choices)
