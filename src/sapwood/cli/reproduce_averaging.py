"""``sapwood reproduce averaging``: what voting and averaging cost."""

from typing import Any

from sapwood.cli.app import Parser
from sapwood.cli.reproduce import run_experiment

__all__ = ["parser", "run"]

_DESCRIPTION = """Vanilla, voted and averaged perceptrons, seven algorithms: the space and time they take over growing
numbers of examples, updates and features, as exponents beside the bounds in the lecture's table. Needs NumPy.

Examples:
  sapwood reproduce averaging
  sapwood reproduce averaging --json averaging.json --figure averaging.png
"""


def parser() -> Parser:
    """Return the parser of ``sapwood reproduce averaging``."""
    result = Parser("reproduce averaging", _DESCRIPTION)
    result.add_argument("--json", metavar="FILE", help="also write the exponents to this file")
    figure = "draw space against time, as the examples grow, as a .png or .svg"
    result.add_argument("--figure", metavar="FILE", help=figure)
    return result


def run(**choices: Any) -> None:
    """Measure and print the table."""
    run_experiment("averaging", needs="numpy", purpose="the laboratory", **choices)
