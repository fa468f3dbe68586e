"""``sapwood reproduce early-stopping``: training and held-out error after every pass."""

from typing import Any

from sapwood.cli.app import Parser
from sapwood.cli.reproduce import add_experiment, run_experiment

__all__ = ["parser", "run"]

_DESCRIPTION = """Training and held-out error after every pass.

Examples:
  sapwood reproduce early-stopping --data corpora --json early-stopping.json
  sapwood reproduce early-stopping --data corpora --figure early-stopping.png
"""


def parser() -> Parser:
    """Return the parser of ``sapwood reproduce early-stopping``."""
    result = Parser("reproduce early-stopping", _DESCRIPTION)
    add_experiment(result, "interest/ and movie_reviews/", figure=True)
    return result


def run(**choices: Any) -> None:
    """Measure and print the table."""
    run_experiment("early_stopping", needs="sklearn", **choices)
