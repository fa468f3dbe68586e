"""``sapwood reproduce early-stopping``: training and held-out error after every pass."""

from typing import Any

from sapwood.cli.app import Parser
from sapwood.cli.reproduce import add_classification, measure_classification

__all__ = ["parser", "run"]

_DESCRIPTION = """Training and held-out error after every pass.

Examples:
  sapwood reproduce early-stopping --data corpora --json early-stopping.json
  sapwood reproduce early-stopping --data corpora --figure early-stopping.png
"""


def parser() -> Parser:
    """Return the parser of ``sapwood reproduce early-stopping``."""
    result = Parser("reproduce early-stopping", _DESCRIPTION)
    add_classification(result, "interest/ and movie_reviews/", figure=True)
    return result


def run(**choices: Any) -> None:
    """Measure and print the table."""
    from sapwood.optional import require

    require("sklearn", "this experiment")
    from sapwood.experiments import early_stopping

    measure_classification(early_stopping, **choices)
