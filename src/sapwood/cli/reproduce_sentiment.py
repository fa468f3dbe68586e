"""``sapwood reproduce sentiment``: movie reviews, beside other learners on the same features."""

from typing import Any

from sapwood.cli.app import Parser
from sapwood.cli.reproduce import add_experiment, run_experiment

__all__ = ["parser", "run"]

_DESCRIPTION = """Sentiment of movie reviews by cross-validation, beside other learners on the same features.

Examples:
  sapwood reproduce sentiment --data corpora --json sentiment.json
  sapwood reproduce sentiment
"""


def parser() -> Parser:
    """Return the parser of ``sapwood reproduce sentiment``."""
    result = Parser("reproduce sentiment", _DESCRIPTION)
    add_experiment(result, "movie_reviews/")
    return result


def run(**choices: Any) -> None:
    """Measure and print the table."""
    run_experiment("sentiment", needs="sklearn", **choices)
