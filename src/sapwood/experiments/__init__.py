"""The experiments of ``sapwood reproduce``: tables and figures of the papers and lectures, measured again.

An experiment is a module with a function ``run(data, on_start, **options)`` that returns a `Report`. One with a figure
also has a function ``draw(rows, path)``, which draws the rows of the report.
"""

import os
from collections.abc import Callable, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

__all__ = ["Data", "OnStart", "Report", "Row", "by_corpus", "silent"]

Data = str | os.PathLike[str] | None  # the folder with the corpora; None: that of SAPWOOD_DATA, or generated ones
Options = dict[str, Any]  # of a model, by name
Row = dict[str, Any]  # a row of a --json file: names of figures and their values, which are text, numbers or lists
OnStart = Callable[[str, str], None]  # is given the corpus and what will be measured on it, before each measurement


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
