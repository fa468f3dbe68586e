"""Pictures of confusion matrices."""

import os

from sapwood.base.drawing.figure import save_figure
from sapwood.base.drawing.sentence import cells, printable
from sapwood.errors import DataError
from sapwood.metrics import Confusion
from sapwood.metrics.confusion import shortened

_MANY = 25  # with more labels, cells are small
_MOST = 60  # labels in a picture


def draw_confusion(confusion: Confusion, path: str | os.PathLike[str], title: str = "") -> None:
    """Write a picture, .png, .svg or .pdf, with a row for each gold label and a column for each guess.

    A cell shows its count. Its darkness is the square root of its share of the row, so that rare confusions are visible
    too. Of more than 60 labels, the picture has those that were confused most often.

    Raises OptionError if the file has another ending or matplotlib is missing, DataError if there are no labels or the
    file cannot be written.
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
