"""``sapwood reproduce wsd``: word senses by cross-validation, beside other learners on the same features and folds."""

from typing import Any

from sapwood.cli.app import Parser
from sapwood.cli.reproduce import add_experiment, run_experiment

__all__ = ["parser", "run"]

_DESCRIPTION = """Word senses by cross-validation, beside other learners on the same features and folds.

Examples:
  sapwood reproduce wsd --data corpora --json wsd.json
  sapwood reproduce wsd
"""


def parser() -> Parser:
    """Return the parser of ``sapwood reproduce wsd``."""
    result = Parser("reproduce wsd", _DESCRIPTION)
    add_experiment(result, "interest/")
    return result


def run(**choices: Any) -> None:
    """Measure and print the table."""
    run_experiment("wsd", needs="sklearn", **choices)
