"""``sapwood reproduce stability``: the held-out error of vanilla, voted and averaged perceptrons."""

from typing import Any

from sapwood.cli.app import Parser, whole_number
from sapwood.cli.reproduce import run_experiment

__all__ = ["parser", "run"]

_DESCRIPTION = """The figure of Freund & Schapire (1999): held-out error of vanilla, voted and averaged perceptrons over
passes, with its spread over shuffles of the training examples. Needs NumPy.

Examples:
  sapwood reproduce stability --data corpora --figure stability.png
  sapwood reproduce stability --data corpora --corpus interest --shuffles 50
"""


def parser() -> Parser:
    """Return the parser of ``sapwood reproduce stability``."""
    result = Parser("reproduce stability", _DESCRIPTION)
    add = result.add_argument
    data = "folder with movie_reviews/ or interest/; without, SAPWOOD_DATA, else a generated problem serves"
    add("--data", metavar="DIR", help=data)
    corpus = "movie reviews, or the most frequent sense of the word 'interest' against the others"
    add("--corpus", choices=["reviews", "interest"], default="reviews", help=corpus)
    add("--json", metavar="FILE", help="also write the errors to this file")
    add("--figure", metavar="FILE", help="draw the errors as a .png or .svg")
    add("--epochs", type=whole_number(1, 1000), default=10, metavar="N", help="passes over the data")
    add("--shuffles", type=whole_number(1, 10_000), default=20, metavar="N", help="orders of the training examples")
    add("--seed", type=whole_number(0), default=1, metavar="S", help="of the shuffling")
    return result


def run(**choices: Any) -> None:
    """Measure and print the table."""
    run_experiment("stability", needs="numpy", purpose="the laboratory", **choices)
