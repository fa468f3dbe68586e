"""Plots in one file, by matplotlib, which is imported when a picture is asked for."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sapwood.errors import DataError, OptionError, shown
from sapwood.optional import require

__all__ = ["check_figure", "save_figure"]

_ENDINGS = (".png", ".svg")


def check_figure(path: str | os.PathLike[str]) -> None:
    """Raise OptionError if a picture cannot be drawn or its name does not end in .png or .svg: before long work."""
    if Path(path).suffix.lower() not in _ENDINGS:
        raise OptionError(f"{shown(path)}: a figure is a .png or .svg file")
    require("matplotlib", "drawing a figure")


@contextmanager
def save_figure(
    path: str | os.PathLike[str], size: tuple[float, float], columns: int = 1, rows: int = 1
) -> Iterator[list[Any]]:
    """Give axes to draw on, row by row, in `size` inches; write them to a file that depends on them alone.

    Raises OptionError or DataError if that cannot be.
    """
    check_figure(path)
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context({"svg.hashsalt": "sapwood", "svg.fonttype": "none"}):
        figure = Figure(figsize=size, layout="constrained")
        yield list(figure.subplots(rows, columns, squeeze=False).flat)
        try:
            suffix = Path(path).suffix.lower()[1:]
            metadata = {"Date": None} if suffix == "svg" else {"Software": None}
            figure.savefig(path, dpi=150, format=suffix, metadata=metadata)
        except OSError as error:
            raise DataError(f"{shown(path)}: cannot write it: {error.strerror or error}") from None
