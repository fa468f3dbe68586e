"""``sapwood reproduce table2``: structured prediction, parsing by Eisner's algorithm."""

from typing import Any

from sapwood.cli.app import Parser
from sapwood.cli.reproduce import add_measuring, add_treebanks, run_experiment

__all__ = ["parser", "run"]

_DESCRIPTION = """Table 2 of "Learning Sparser Perceptron Models": structured prediction, parsing by Eisner's algorithm,
attachment against size, with the paper's figures beside those measured here.

Examples:
  sapwood reproduce table2 --data corpora --corpus ewt --json table2.json
  sapwood reproduce table2 --only "beam 8 margin SAP10" --tags jackknife
"""


def parser() -> Parser:
    """Return the parser of ``sapwood reproduce table2``."""
    result = Parser("reproduce table2", _DESCRIPTION)
    add_measuring(result, "ewt/ and wsj_sample/")
    add_treebanks(result)
    return result


def run(**choices: Any) -> None:
    """Measure the rows and print the table."""
    run_experiment("table2", **choices)
