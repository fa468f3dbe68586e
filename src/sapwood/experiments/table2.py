"""Table 2 of Goldberg & Elhadad (2011): structured prediction, first-order projective parsing.

Eisner's algorithm over the features of McDonald (2006), ten passes: the averaged perceptron and the sparse
one. Below them what the paper does not have: margin updates, second order, and transitions with a beam.
"""

import os
from collections.abc import Iterator
from typing import Any

from sapwood.experiments import parsing
from sapwood.experiments.table import Experiment, Paper, Row

__all__ = ["NOTE", "experiments", "run"]

NOTE = f"""\
{parsing.NOTE};
a feature of the paper, joined with direction and distance, is one weight here, of a row of 15"""

_EISNER: dict[str, Any] = {"search": "eisner", **parsing.PERCEPTRON}


def experiments() -> list[Experiment]:
    """Return the rows of the table: the paper's three, then margin updates and other searches."""
    return [
        Experiment("Avg. Percep", _EISNER, Paper(89.7, 5_265_583, 209)),
        Experiment("SAP5", {**_EISNER, "min_updates": 5}, Paper(89.7, 1_719_432, 66)),
        Experiment("SAP10", {**_EISNER, "min_updates": 10}, Paper(89.6, 1_018_336, 38)),
        Experiment("margin SAP10", {**parsing.MARGIN, "search": "eisner"}),
        Experiment("order 2 margin SAP10", {**parsing.MARGIN, "search": "eisner", "order": 2}),
        Experiment("beam 8 margin SAP10", {**parsing.MARGIN, "search": "beam", "beam": 8}),
        Experiment("beam 1 margin SAP10", {**parsing.MARGIN, "search": "beam", "beam": 1}),
    ]


def run(folder: str | os.PathLike[str] | None = None, **choices: Any) -> Iterator[Row]:
    """Train and score each row; `choices` are those of ``sapwood.experiments.parsing.run``."""
    return parsing.run(experiments(), folder, **choices)
