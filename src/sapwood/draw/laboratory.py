"""Pictures of the laboratory's experiments."""

import os
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from sapwood.draw.figure import save_figure

if TYPE_CHECKING:
    from sapwood.experiments.stability import Score

__all__ = ["draw_growth", "draw_stability"]

_COLOURS = ("#333333", "#b5482a", "#e0894a", "#1f5f8b", "#5a93bd", "#3f8f5a", "#7a4f9a")


def draw_growth(costs: Mapping[str, Sequence[tuple[int, int]]], path: str | os.PathLike[str]) -> None:
    """Draw space against time: for each algorithm a line of (operations, bytes), as the examples grow.

    Raises OptionError if matplotlib is missing or the ending is another, DataError if the file cannot be written.
    """
    with save_figure(path, (7.2, 4.8)) as [axes]:
        for (name, points), colour in zip(costs.items(), _COLOURS, strict=True):
            operations, held = zip(*points, strict=True)
            axes.plot(operations, held, color=colour, marker="o", markersize=3.5, linewidth=1.4)
            first = (
                name == "voted, improved"
            )  # it lies on the line of "voted, naive", so its name stands where it begins
            end, side, shift = (0, "right", -7) if first else (-1, "left", 7)
            place = (operations[end], held[end])
            style = {"color": colour, "va": "center", "ha": side, "fontsize": 9}
            axes.annotate(name, place, (shift, 0), textcoords="offset points", **style)
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.margins(x=0.28, y=0.12)
        axes.set_xlim(left=0.6 * min(points[0][0] for points in costs.values()))
        axes.set_xlabel("time: elements of weight vectors set, copied, added or multiplied")
        axes.set_ylabel("space: bytes of vectors held")
        axes.set_title("One pass over 100 to 1,600 examples, d = 4,000, d' = 16", fontsize=10)
        axes.spines[["top", "right"]].set_visible(False)


def draw_stability(scores: Sequence["Score"], title: str, path: str | os.PathLike[str]) -> None:
    """Draw held-out error over passes: each method's mean over the shuffles as a line, least to most as a band.

    Raises OptionError if matplotlib is missing or the ending is another, DataError if the file cannot be written.
    """
    with save_figure(path, (7.2, 4.6)) as [axes]:
        styles = iter((("#8a8a8a", "-"), ("#b5482a", "-"), ("#1f5f8b", (0, (4, 2)))))
        for name, group in groupby(scores, key=lambda score: score.method):
            colour, dashes = next(styles)
            curve = list(group)
            passes = [score.passes for score in curve]
            means = [score.errors.mean() for score in curve]
            axes.plot(passes, means, color=colour, linestyle=dashes, linewidth=1.6, label=name)
            least, most = [score.errors.min() for score in curve], [score.errors.max() for score in curve]
            axes.fill_between(passes, least, most, color=colour, alpha=0.18, linewidth=0)
        ticks = [t for t in (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100) if t <= passes[-1]]
        axes.set_xscale("log")
        axes.set_xticks(ticks, [f"{t:g}" for t in ticks])
        axes.set_xticks([], minor=True)
        axes.set_xlim(passes[0], passes[-1])
        axes.set_ylim(bottom=0)
        axes.set_xlabel("passes over the training examples")
        axes.set_ylabel("held-out error in %: mean, least to most")
        axes.set_title(title, fontsize=10)
        axes.legend(frameon=False)
        axes.spines[["top", "right"]].set_visible(False)
