"""The perceptron for two classes in the plane: the line w . x = 0 as it turns, and where each form of it says 1.

A point is (x1, x2), and lines go through the origin, or (x1, x2, b) with the same b for all points, and they go
anywhere. The weights of a training are W [n, 2 or 3], and their votes v [n] are the examples that each saw, as
`sapwood_lab.VotedImproved` has them as ``output`` and ``votes``. Positive points are filled; points on the wrong side
have a red ring.

>>> points, labels, W, v = [(1, 0), (0, 1)], [1, -1], [(0, 0), (1, 0)], [0, 2]
>>> svg_side_by_side(points, labels, W, v).count('class="positive"')
3
>>> averaged(W, v), margin(points, labels, W[-1]), mistakes(points, labels, W, v)
([2, 0], 0.0, 0)
"""

from collections.abc import Mapping, Sequence
from math import hypot
from operator import mul
from typing import NamedTuple

from sapwood_lab.base.drawing.svg import MARGIN, Picture, px
from sapwood_lab.draw.parts import paragraph, stacked, svg_text

Vector = Sequence[float]
Names = Sequence[str]  # names of the classes -1 and 1
Line = tuple[float, float, float]  # (a, b, c), where a x + b y + c = 0

SIGNS = ("-1", "1")
SIZE = 300  # pixels of a panel's side
_OLD = 12  # earlier lines that are drawn


class Turned(NamedTuple):
    """An update in the plane: points, labels, all weights with their votes; the point `updated` gets a broken ring."""

    points: Sequence[Vector]
    labels: Sequence[int]
    W: Sequence[Vector]
    v: Sequence[int]
    updated: int | None = None
    classes: Names = SIGNS


def averaged(W: Sequence[Vector], v: Sequence[int]) -> list[float]:
    """Return the sum of v_i w_i, whose line is that of the average."""
    return [sum(map(mul, column, v)) for column in zip(*W, strict=True)]


def three_forms(W: Sequence[Vector], v: Sequence[int]) -> dict[str, tuple[Sequence[Vector], Sequence[int]]]:
    """Return the weights, and the votes of each, by which the three perceptrons of one training decide."""
    return {"vanilla": (W[-1:], [1]), "averaged": ([averaged(W, v)], [1]), "voted": (W, v)}


def margin(points: Sequence[Vector], labels: Sequence[int], w: Vector) -> float:
    """Return the smallest y (w . x), by the length of (w1, w2): how far the nearest point is from the line."""
    nearest: float = min(y * sum(map(mul, w, x)) for x, y in zip(points, labels, strict=True))
    return nearest / (hypot(*w[:2]) or 1.0)


def mistakes(points: Sequence[Vector], labels: Sequence[int], W: Sequence[Vector], v: Sequence[int]) -> int:
    """Return the number of points that are on the wrong side of weights, each with its votes."""
    return sum(_vote(x, W, v) != y for x, y in zip(points, labels, strict=True))


def _vote(x: Vector, W: Sequence[Vector], v: Sequence[int]) -> int:
    """Return the sign of the sum of v_i sign(w_i . x), where the sign of 0 is -1."""
    return 1 if sum(n if sum(map(mul, w, x)) > 0 else -n for w, n in zip(W, v, strict=True)) > 0 else -1


def svg_turning(
    points: Sequence[Vector], labels: Sequence[int], W: Sequence[Vector], v: Sequence[int], updated: int | None = None
) -> str:
    """Draw the line of the last weights with its margin, the lines before it, and the line of the average."""
    return stacked("a line in the plane", draw_turning(Turned(points, labels, W, v, updated)))


def draw_turning(seen: Turned) -> list[Picture]:
    """Draw a picture of `svg_turning` as parts of another one."""
    points, labels, W, v, updated, classes = seen
    panel = _Panel(points, labels)
    w, old, average = W[-1], W[:-1][-_OLD:], averaged(W, v)
    lines = [panel.line("old", each, opacity=(k + 2) / (len(old) + 1)) for k, each in enumerate(old)]
    lines += [panel.line("average", average), panel.line("line", w)]
    if (delta := margin(points, labels, w)) > 0:
        lines += [panel.line("margin", w, -delta), panel.line("margin", w, delta)]
    notes = []
    for name, each in (("solid: w", w), ("dashed: the average", average)):
        wrong = mistakes(points, labels, [each], [1])
        quality = f"{wrong} of {len(points)} wrong" if wrong else f"margin {margin(points, labels, each):.3f}"
        notes.append(("note", f"{name}, {quality}"))
    notes += [("note", "grey: the lines before, the last one strongest"), _legend(classes)]
    ring = "" if updated is None else panel.circle("updated", points[updated], 11)
    drawn = panel.drawn([w], [1], "".join(lines)) + ring
    return [_side_by_side({f"the line after update {len(W) - 1}": drawn}), paragraph(notes)]


def _legend(classes: Names) -> tuple[str, str]:
    return "note", f"filled: {classes[1]}, which is said where it is shaded; hollow: {classes[0]}; red ring: wrong"


def svg_side_by_side(
    points: Sequence[Vector], labels: Sequence[int], W: Sequence[Vector], v: Sequence[int], classes: Names = SIGNS
) -> str:
    """Draw where the vanilla, the averaged and the voted perceptron of one training say 1, each with its mistakes."""
    panel = _Panel(points, labels)
    panels = {}
    for name, (each, votes) in three_forms(W, v).items():
        line = panel.line("line", each[0]) if name != "voted" else ""
        title = f"{name}: {mistakes(points, labels, each, votes)} of {len(points)} wrong"
        panels[title] = panel.drawn(each, votes, line)
    return stacked("; ".join(panels), [_side_by_side(panels), paragraph([_legend(classes)])])


def _side_by_side(panels: Mapping[str, str]) -> Picture:
    """Return panels, each with its title above."""
    elements = []
    for k, (title, drawn) in enumerate(panels.items()):
        elements.append(f'<g transform="translate({MARGIN + k * (SIZE + MARGIN)} {MARGIN + 8})">{drawn}')
        elements.append(f'<rect class="frame" width="{SIZE}" height="{SIZE}"/>{svg_text(0, -7, "title", title)}</g>')
    return Picture(elements, MARGIN + (SIZE + MARGIN) * len(panels), SIZE + MARGIN + 8)


class _Panel:
    """A square of the plane that has the origin and the points in it, drawn in `SIZE` pixels."""

    def __init__(self, points: Sequence[Vector], labels: Sequence[int]) -> None:
        self.points, self.labels = points, labels
        columns = [[0.0, *column] for column in list(zip(*points, strict=True))[:2]]
        self.unit = 1.12 * max(max(column) - min(column) for column in columns) / SIZE or 1.0  # the side of a pixel
        self.x, self.y = ((min(column) + max(column)) / 2 for column in columns)  # the middle

    def drawn(self, W: Sequence[Vector], v: Sequence[int], lines: str) -> str:
        """Draw where the votes of weights say 1, lines, and the points, with rings around those that are wrong."""
        both = list(zip(self.points, self.labels, strict=True))
        dots = [self.circle("dot" if y > 0 else "dot hollow", x, 4) for x, y in both]
        wrong = [self.circle("wrong", x, 8) for x, y in both if _vote(x, W, v) != y]
        inside = "".join([self._positive(W, v), self._axes(), lines, *dots, *wrong])
        return f'<svg width="{SIZE}" height="{SIZE}">{inside}</svg>'

    def line(self, style: str, w: Vector, shift: float = 0.0, opacity: float = 1.0) -> str:
        """Draw the line of weights, moved by a distance, from side to side or from above to below."""
        a, b, c = self._in_pixels(w)
        if a == b == 0:
            return ""
        c += shift * hypot(*w[:2])
        ends = (
            [(-(b * y + c) / a, y) for y in (0, SIZE)]
            if abs(a) > abs(b)
            else [(x, -(a * x + c) / b) for x in (0, SIZE)]
        )
        d = "L".join(f"{px(x)} {px(y)}" for x, y in ends)
        return f'<path class="{style}" stroke-opacity="{opacity:.2f}" d="M{d}"/>'

    def _axes(self) -> str:
        """Draw the axes, with their names at the ends, and 0 where they cross."""
        x, y = self._place((0.0, 0.0))
        names = svg_text(SIZE - 16, y - 4, "side", "x1") + svg_text(x + 4, 12, "side", "x2")
        path = f"M0 {px(y)}H{SIZE}M{px(x)} 0V{SIZE}"
        return f'<path class="axis" d="{path}"/>{names}{svg_text(x + 4, y + 12, "side", "0")}'

    def _place(self, point: Vector) -> tuple[float, float]:
        return (point[0] - self.x) / self.unit + SIZE / 2, SIZE / 2 - (point[1] - self.y) / self.unit

    def circle(self, style: str, point: Vector, radius: int) -> str:
        """Draw a circle around a point."""
        x, y = self._place(point)
        return f'<circle class="{style}" cx="{px(x)}" cy="{px(y)}" r="{radius}"/>'

    def _in_pixels(self, w: Vector) -> Line:
        """Return the line of weights in pixels, with y downwards."""
        a, b = w[0] * self.unit, -w[1] * self.unit
        c = w[2] * self.points[0][2] if len(w) > 2 else 0.0
        return a, b, c + w[0] * self.x + w[1] * self.y - (a + b) * SIZE / 2

    def _positive(self, W: Sequence[Vector], v: Sequence[int]) -> str:
        """Draw where the votes of weights say 1, by rows of pixels: an area goes on while its sides are the same."""
        lines = [*map(self._in_pixels, W), (1.0, 0.0, 0.0), (1.0, 0.0, -float(SIZE))]  # the last two are the frame's
        begun: dict[tuple[int, int], int] = {}
        d = ""
        for y in range(SIZE + 1):
            sides = _sides(lines, v, y + 0.5) if y < SIZE else []
            for left, right in [each for each in begun if each not in sides]:
                top = begun.pop((left, right))
                corners = ((left, top), (right, top), (right, y), (left, y))
                d += f"M{'L'.join(f'{px(_crossing(lines[k], at))} {at}' for k, at in corners)}Z"
            begun = dict.fromkeys(sides, y) | begun
        return f'<path class="positive" d="{d}"/>'


def _sides(lines: Sequence[Line], v: Sequence[int], y: float) -> list[tuple[int, int]]:
    """Return the numbers of the lines between which the votes say 1 at a height."""
    total = sum(n if b * y + c > 0 else -n for (_, b, c), n in zip(lines, v, strict=False))
    crossings = [(_crossing(line, y), k) for k, line in enumerate(lines[: len(v)]) if line[0] != 0]
    found, left = [], len(v)
    for _, k in sorted((x, k) for x, k in crossings if 0 < x < SIZE):
        turned = total + (2 * v[k] if lines[k][0] > 0 else -2 * v[k])
        if total <= 0 < turned:
            left = k
        elif turned <= 0 < total:
            found.append((left, k))
        total = turned
    return [*found, (left, len(v) + 1)] if total > 0 else found


def _crossing(line: Line, y: float) -> float:
    a, b, c = line
    return -(b * y + c) / a
