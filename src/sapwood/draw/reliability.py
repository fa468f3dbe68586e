"""Reliability diagrams: pictures of confidences and the accuracies that go with them (Guo et al. 2017)."""

import os
from collections.abc import Sequence

from sapwood.base.drawing.figure import label_axes, save_figure


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
