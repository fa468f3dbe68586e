"""A confusion matrix as a picture."""

import os
from typing import TYPE_CHECKING

from sapwood.draw.figure import save_figure
from sapwood.draw.sentence import cells, printable
from sapwood.errors import DataError
from sapwood.metrics.confusion import shortened

if TYPE_CHECKING:
    from sapwood.metrics import Confusion

__all__ = ["draw_confusion"]

_MANY = 25  # labels beyond which cells are small
_MOST = 60  # labels of a picture


def draw_confusion(confusion: "Confusion", path: str | os.PathLike[str], title: str = "") -> None:
    """Write a picture, .png or .svg: gold labels down, guesses across, counts in the cells.

    A cell is as dark as the root of its share of the row, for a rare confusion is to be seen beside what is right. Of
    more than 60 labels those are drawn that were confused most often.

    Raises OptionError if matplotlib is missing or the ending is another, DataError if there are no labels or the file
    cannot be written.
    """
    every = len(confusion.labels)
    if every == 0:
        raise DataError("there are no labels to draw the confusions of")
    confusion = confusion.of_most_confused(_MOST)
    n = len(confusion.labels)
    labels = [printable(shortened(label)) for label in confusion.labels]
    cell, small, large = (0.5, 8, 10) if n <= _MANY else (0.25, 5, 7)
    side = max(3.2, cell * n)
    room = 0.7 + 0.009 * large * max(map(cells, labels))
    with save_figure(path, (side + room, side + room)) as [axes]:
        shades = [[(count / max(sum(row), 1)) ** 0.5 for count in row] for row in confusion.counts]
        axes.imshow(shades, cmap="Blues", vmin=0, vmax=1)
        axes.set_xticks(range(n), labels, fontsize=large, parse_math=False)
        if n > 2:
            for name in axes.get_xticklabels():
                name.set(rotation=45, ha="right", rotation_mode="anchor")
        axes.set_yticks(range(n), labels, fontsize=large, parse_math=False)
        axes.set_xlabel("guess")
        axes.set_ylabel("gold" if n == every else f"gold (of {every:,} labels the {n} that were confused most)")
        axes.set_title(title, parse_math=False)
        for row, counts in enumerate(confusion.counts):
            for column, count in enumerate(counts):
                if count:
                    ink = "white" if shades[row][column] > 0.5 else "black"
                    axes.text(column, row, f"{count}", ha="center", va="center", color=ink, fontsize=small)
