"""The learning curve of a training as an inline SVG: the score on held-out data after each epoch."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

_WIDTH, _HEIGHT = 420, 120  # of the plot, in pixels
_LEFT, _BELOW = 60, 40  # for the numbers of the axes


def svg_curve(scores: Sequence[float], title: str) -> str:
    """Draw the scores, in percent. The best one, whose weights are kept, is marked; the title is read out.

    >>> picture = svg_curve([70.0, 80.0, 75.0], "the model")
    >>> picture.count("<circle"), "80.00 after 2 of 3 epochs" in picture
    (3, True)
    """
    low, high = min(scores), max(scores)
    best = scores.index(high)

    def point(epoch: int, score: float) -> tuple[float, float]:
        x = _LEFT + _WIDTH * (epoch / (len(scores) - 1) if len(scores) > 1 else 0.5)
        return x, 10 + _HEIGHT * ((high - score) / (high - low) if high > low else 0.5)

    points = [point(*each) for each in enumerate(scores)]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    circles = "".join(
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{5 if k == best else 2.5}">'
        f"<title>epoch {k + 1}: {scores[k]:.2f}</title></circle>"
        for k, (x, y) in enumerate(points)
    )
    texts = [(_LEFT - 10.0, point(0, s)[1] + 4, "end", f"{s:.2f}") for s in dict.fromkeys((high, low))]
    ends = [(0, "1"), (len(scores) - 1, str(len(scores)))]
    texts += [(points[k][0], _HEIGHT + 30, "middle", text) for k, text in dict(ends).items()]
    words = "".join(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{at}">{text}</text>' for x, y, at, text in texts)
    label = f"{title}: {high:.2f} after {best + 1} of {len(scores)} epochs"
    width, height = _LEFT + _WIDTH + 20, _HEIGHT + _BELOW
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    return (
        f'<svg class="curve" role="img" {size} aria-label="{escape(label, quote=True)}">'
        f'<polyline points="{line}"/>{circles}{words}</svg>'
    )
