"""``sapwood reproduce table3``: guided learning, easy-first parsing."""

from typing import Any

from sapwood.cli.app import Parser
from sapwood.cli.reproduce import add_measuring, add_treebanks, run_experiment

__all__ = ["parser", "run"]

_DESCRIPTION = """Table 3 of "Learning Sparser Perceptron Models": guided learning, easy-first parsing,
attachment against size, with the paper's figures beside those measured here.

Examples:
  sapwood reproduce table3 --data corpora --corpus ewt --json table3.json
  sapwood reproduce table3 --only "Avg. Percep" --only SAP10
"""


def parser() -> Parser:
    """Return the parser of ``sapwood reproduce table3``."""
    result = Parser("reproduce table3", _DESCRIPTION)
    add_measuring(result, "ewt/ and wsj_sample/")
    add_treebanks(result)
    return result


def run(**choices: Any) -> None:
    """Measure the rows and print the table."""
    run_experiment("table3", **choices)
