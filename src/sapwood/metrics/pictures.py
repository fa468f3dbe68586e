"""Pictures of confusions, of the precision of the surest answers, and of reliability (Guo et al. 2017)."""

import os
from collections.abc import Sequence

from sapwood.base.drawing.figure import label_axes, save_figure
from sapwood.base.drawing.sentence import cells, printable
from sapwood.errors import DataError
from sapwood.metrics.confusion import Confusion, shortened
from sapwood.metrics.reliability import Coverage

_MANY = 25  # with more labels, cells are small
_MOST = 60  # labels in a picture


def draw_confusion(
    confusion: Confusion, path: str | os.PathLike[str], title: str = "", coverage: Sequence[Coverage] = ()
) -> None:
    """Write a picture, .png, .svg or .pdf, with a row for each gold label and a column for each guess.

    A cell shows its count. Its darkness is the square root of its share of the row, so that rare confusions are visible
    too. Of more than 60 labels, the picture has those that were confused most often. A second panel shows the precision
    of the surest answers by their share of all, if there is one (`coverage`).

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
    panels = 2 if coverage else 1
    with save_figure(path, (panels * (side + room), side + room), panels) as [axes, *others]:
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
        for curve in others:
            shares = [[100 * value for value in (each.coverage, each.precision)] for each in coverage]
            curve.plot(*zip(*shares, strict=True), color="#1f5f8b", marker="o", markersize=4)
            curve.set_xlim(0, 105)
            label_axes(curve, "if only the surest are given", "answered, percent", "right, percent")


def draw_reliability(bins: Sequence[tuple[float, float, int]], path: str | os.PathLike[str], title: str = "") -> None:
    """Write a picture (.png, .svg, .pdf): a dot for decisions of about the same confidence, at confidence and accuracy.

    `bins` are those of `reliability_bins` (sapwood.metrics.reliability): mean confidence, accuracy and
    number of decisions. A dot's area grows with the number. On the diagonal, confidences are what they say: of
    decisions that are 0.8 sure, 8 of 10 are right. Raises OptionError if the file has another ending or matplotlib is
    missing, DataError if it cannot be written.
    """
    most = max((size for *_, size in bins), default=1)
    with save_figure(path, (4.2, 3.8)) as [axes]:
        axes.plot([0, 1], [0, 1], color="#8a8a8a", linestyle="--", linewidth=1)
        confidences, accuracies = [each[0] for each in bins], [each[1] for each in bins]
        axes.plot(confidences, accuracies, color="#1f5f8b", linewidth=1)
        axes.scatter(
            confidences, accuracies, s=[20 + 180 * size / most for *_, size in bins], color="#1f5f8b", zorder=3
        )
        for confidence, accuracy, size in bins:
            place = (confidence, accuracy)
            axes.annotate(f"{size:,}", place, (0, -14), textcoords="offset points", ha="center", va="top", fontsize=8)
        axes.set_xlim(0, 1.05)
        axes.set_ylim(0, 1.05)
        label_axes(axes, title, "confidence", "share that is right")
