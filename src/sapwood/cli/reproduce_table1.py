"""``sapwood reproduce table1``: text chunking."""

from typing import Any

from sapwood.cli.app import Parser
from sapwood.cli.reproduce import add_measuring, run_experiment

__all__ = ["parser", "run"]

_DESCRIPTION = """Table 1 of "Learning Sparser Perceptron Models": text chunking,
accuracy against size, with the paper's figures beside those measured here.

Examples:
  sapwood reproduce table1 --data corpora --json table1.json
  sapwood reproduce table1 --only "Avg. Percep" --only SAP10
"""


def parser() -> Parser:
    """Return the parser of ``sapwood reproduce table1``."""
    result = Parser("reproduce table1", _DESCRIPTION)
    add_measuring(result, "conll2000/")
    return result


def run(**choices: Any) -> None:
    """Measure the rows and print the table."""
    run_experiment("table1", **choices)
