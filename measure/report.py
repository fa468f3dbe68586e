"""The kinds that experiments and benchmarks share: rows of figures, and a report with the same figures as text."""

import os
from collections.abc import Callable, Sequence
from itertools import groupby
from operator import itemgetter
from statistics import median
from typing import Any, NamedTuple

__all__ = ["SEEDS", "Data", "OnStart", "Options", "Report", "Row", "by_corpus", "over_seeds", "silent"]

Data = str | os.PathLike[str] | None  # the folder with the corpora; None: that of SAPWOOD_DATA, or generated ones
Options = dict[str, Any]  # of a model, by name
Row = dict[str, Any]  # a row of a --json file: names of figures and their values, which are text, numbers or lists
OnStart = Callable[[str, str], None]  # is given the corpus and what will be measured on it, before each measurement
SEEDS = range(1, 6)  # of what is compared with other libraries, on both sides


class Report(NamedTuple):
    """The result of an experiment: its tables as text, and the same figures as rows for ``--json``."""

    text: str
    rows: list[Row]


def silent(corpus: str, name: str) -> None:
    """Ignore the start of a measurement. This is the `OnStart` of a caller that shows no progress."""


def by_corpus(rows: Sequence[Row]) -> dict[str, list[Row]]:
    """Return the rows of each corpus, in their order.

    >>> by_corpus([{"corpus": "a", "f1": 1}, {"corpus": "b", "f1": 2}])
    {'a': [{'corpus': 'a', 'f1': 1}], 'b': [{'corpus': 'b', 'f1': 2}]}
    """
    return {corpus: list(here) for corpus, here in groupby(rows, key=itemgetter("corpus"))}


def over_seeds(name: str, values: Sequence[float]) -> Row:
    """Return the median of a figure over seeds, and how far it spreads.

    >>> over_seeds("f1", [91, 95, 92])
    {'f1': 92, 'f1_least': 91, 'f1_most': 95}
    """
    return {name: median(values), f"{name}_least": min(values), f"{name}_most": max(values)}
