"""Table 3 of Goldberg & Elhadad (2011): guided learning, easy-first non-directional parsing.

The most confident attachment first, with the features of Goldberg & Elhadad (2010), ten passes: the averaged
perceptron and the sparse one. Below them what the paper does not have: margin updates and more features.
"""

import os
from collections.abc import Iterator
from typing import Any

from sapwood.experiments import parsing
from sapwood.experiments.table import Experiment, Paper, Row

__all__ = ["NOTE", "experiments", "run"]

NOTE = parsing.NOTE

_GUIDED: dict[str, Any] = {"search": "easy-first", "template": "easy-first-2010", **parsing.PERCEPTRON}


def experiments() -> list[Experiment]:
    """Return the rows of the table: the paper's three, then margin updates."""
    return [
        Experiment("Avg. Percep", _GUIDED, Paper(89.5, 2_988_660, 121)),
        Experiment("SAP5", {**_GUIDED, "min_updates": 5}, Paper(89.6, 1_095_898, 47)),
        Experiment("SAP10", {**_GUIDED, "min_updates": 10}, Paper(89.4, 644_264, 28)),
        Experiment("margin SAP10", {**parsing.MARGIN, "search": "easy-first"}),
    ]


def run(folder: str | os.PathLike[str] | None = None, **choices: Any) -> Iterator[Row]:
    """Train and score each row; `choices` are those of ``sapwood.experiments.parsing.run``."""
    return parsing.run(experiments(), folder, **choices)
