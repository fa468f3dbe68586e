"""Plots by matplotlib, which is imported when a picture is asked for; one file a picture, and one style for all."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from ...errors import OptionError
from ..optional import require
from ..writing import shown, write_bytes

if TYPE_CHECKING:
    from matplotlib.axes import Axes


_ENDINGS = (".png", ".svg", ".pdf")


def check_figure(path: str | os.PathLike[str]) -> None:
    """Check, before long work begins, that a figure can be drawn.

    Raises OptionError if its name does not end in .png, .svg or .pdf, or if matplotlib is not installed.
    """
    if Path(path).suffix.lower() not in _ENDINGS:
        raise OptionError(f"{shown(path)}: a figure is a .png, .svg or .pdf file")
    require("matplotlib", "drawing a figure")


@contextmanager
def save_figure(
    path: str | os.PathLike[str], size: tuple[float, float], columns: int = 1, rows: int = 1
) -> Iterator[list["Axes"]]:
    """Give the axes of each panel to draw on, row by row; then write the file. `size` is in inches.

    The bytes of the file depend on nothing but the drawing. Raises OptionError as `check_figure` does, and DataError if
    the file cannot be written.
    """
    check_figure(path)
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context({"svg.hashsalt": "sapwood", "svg.fonttype": "none", "pdf.fonttype": 42}):
        figure = Figure(figsize=size, layout="constrained")
        yield list(figure.subplots(rows, columns, squeeze=False).flat)
        suffix = Path(path).suffix.lower()[1:]
        metadata = {"png": {"Software": None}, "svg": {"Date": None}, "pdf": {"CreationDate": None}}[suffix]
        picture = BytesIO()
        figure.savefig(picture, dpi=150, format=suffix, metadata=metadata)
        write_bytes(path, picture.getvalue())


def label_axes(axes: "Axes", title: str, x: str, y: str) -> None:
    """Write the title and what the axes show, and draw a light grid."""
    axes.set_title(title, fontsize=10)
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.grid(alpha=0.3)


def log_ticks(axes: "Axes", ticks: Sequence[float], form: str) -> None:
    """Make the x axis logarithmic, with ticks at these places only; `form` is the format of their numbers."""
    axes.set_xscale("log")
    axes.set_xticks(ticks, [format(tick, form) for tick in ticks])
    axes.set_xticks([], minor=True)
