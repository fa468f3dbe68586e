"""The options of a segmenter."""

from __future__ import annotations

import os
from typing import Literal

from sapwood.options import option
from sapwood.tasks.tagging.options import RowOptions

PLACES = "places"  # name of the array with the table of places


class SegmenterOptions(RowOptions):
    """The options of a segmenter."""

    python_only = (
        "search", "order", "prune_below", "update", "gamma", "patience", "bits", "names", "shards", "clusters", "seed",
    )  # fmt: skip
    template: str | os.PathLike[str] = option(default="segment")
    search: str = option(default="greedy")
    history: Literal["gold", "own"] = option(default="own")
    min_updates: int = 3
    drop_below: float = 0.02
