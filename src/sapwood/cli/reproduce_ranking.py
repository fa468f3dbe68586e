"""``sapwood reproduce ranking``: what reranking gains on trees and chunks."""

from typing import Any

from sapwood.cli.app import Parser
from sapwood.cli.reproduce import add_experiment, run_experiment

__all__ = ["parser", "run"]

_DESCRIPTION = """Rerank the n best trees of a treebank grammar and the n best chunkings of the tagger.

Prints the F1 of the base model's first candidate, of the rerankers' choices with the significance of their gain, and
of the best candidate (the oracle), then how they grow with the training lists and with the length of the lists.

Examples:
  sapwood reproduce ranking --data corpora --json ranking.json
  sapwood reproduce ranking --data corpora --figure ranking.png
"""


def parser() -> Parser:
    """Return the parser of ``sapwood reproduce ranking``."""
    result = Parser("reproduce ranking", _DESCRIPTION)
    add_experiment(result, "treebank/ and conll2000/", figure=True)
    return result


def run(**choices: Any) -> None:
    """Measure and print the tables."""
    run_experiment("ranking", needs="numpy", **choices)
