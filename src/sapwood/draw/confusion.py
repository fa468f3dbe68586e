"""A confusion matrix as a picture."""

import os
from typing import TYPE_CHECKING

from sapwood.draw.figure import save_figure

if TYPE_CHECKING:
    from sapwood.metrics import Confusion

__all__ = ["draw_confusion"]

_MOST_NUMBERED = 25  # labels up to which the counts are written into the cells


def draw_confusion(confusion: "Confusion", path: str | os.PathLike[str], title: str = "") -> None:
    """Write a picture, .png or .svg: gold labels down, guesses across, each row's shares as shades.

    Raises OptionError if matplotlib is missing or the ending is another, DataError if the file cannot be written.
    """
    n = len(confusion.labels)
    side = max(3.2, 0.5 * n if n <= _MOST_NUMBERED else 0.25 * n)
    with save_figure(path, (side + 1.6, side + 0.9)) as [axes]:
        shares = [[count / max(sum(row), 1) for count in row] for row in confusion.counts]
        axes.imshow(shares, cmap="Blues", vmin=0, vmax=1)
        axes.set_xticks(range(n), confusion.labels, rotation=45 if n > 2 else 0, ha="right" if n > 2 else "center")
        axes.set_yticks(range(n), confusion.labels)
        axes.set_xlabel("guess")
        axes.set_ylabel("gold")
        axes.set_title(title)
        if n > _MOST_NUMBERED:
            axes.tick_params(labelsize=7)
            return
        for row, counts in enumerate(confusion.counts):
            for column, count in enumerate(counts):
                if count:
                    shade = "white" if shares[row][column] > 0.5 else "black"
                    axes.text(column, row, f"{count}", ha="center", va="center", color=shade, fontsize=8)
