"""The options of a segmenter."""

from __future__ import annotations

import os
from typing import Literal

from sapwood.options import option
from sapwood.tasks.tagging.options import PYTHON_ONLY, RowOptions

PLACES = "places"  # name of the array with the table of places


class SegmenterOptions(RowOptions):
    """The options of a segmenter."""

    python_only = PYTHON_ONLY
    template: str | os.PathLike[str] = option(default="segment")
    search: str = option(default="greedy")
    history: Literal["gold", "own"] = option(default="own")
    min_updates: int = 3
    drop_below: float = 0.02
