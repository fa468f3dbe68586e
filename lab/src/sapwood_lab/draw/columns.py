"""Nodes in columns, joined by edges, as SVG: what trellises, beams, charts and choices are drawn as.

Gold has a solid line, the guess a broken one, and what is wrong has corners and a cross, so that the three differ on
grey paper, too. Columns that are wider together than a page go on beneath, after the last one once more.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple, TypeVar

from sapwood_lab.base.drawing.sentence import fitted, printable
from sapwood_lab.base.drawing.svg import MARGIN, Picture, px, text_width
from sapwood_lab.draw.parts import paragraph, svg_text

SIZE, LINE, WIDTH = 13, 15, 1000  # in pixels: letters, lines of a node, and a page

Row = TypeVar("Row")
Edge = tuple[float, float, str]  # from a row of the column before to a row of this one: back, gold or guess


class Node(NamedTuple):
    """A node of a column: its place from above, its text, and which of gold, guess, wrong and fell it is."""

    row: float
    lines: Sequence[str]
    marks: str = ""


class Column(NamedTuple):
    """The text above a column, its nodes, the edges that lead to them, and the text below."""

    head: str
    nodes: Sequence[Node]
    edges: Sequence[Edge] = ()
    foot: str = ""


def draw_columns(columns: Sequence[Column], rows: Mapping[float, str], gaps: tuple[int, int] = (34, 16)) -> Picture:
    """Draw columns, with names of rows at the left; `gaps` are pixels between columns, and between rows."""
    nodes = [node for column in columns for node in column.nodes]
    high = 6 + LINE * max(len(node.lines) for node in nodes)
    tall, top = high + gaps[1], 30 + high / 2  # from one row to the next, and from above to the middle of the first
    left = MARGIN + 10 + max(map(_width, rows.values()), default=0.0)
    height = top + tall * (0.5 + max([*rows, *(node.row for node in nodes)])) + LINE
    texts = [[each.head, each.foot, *(line for node in each.nodes for line in node.lines)] for each in columns]
    widths = [12 + max(map(_width, each)) for each in texts]
    elements, first, y, widest = [], 0, 0.0, 0.0
    while first < len(columns) - 1 or first == 0:
        elements.append(f'<g transform="translate(0 {px(y)})">')
        elements += [svg_text(left - 10, top + tall * row + 4, "row", name) for row, name in rows.items()]
        k, x = first, left  # the next column, and its left side
        while k < len(columns) and (k < first + 2 or x + widths[k] <= WIDTH):
            head, own, edges, foot = columns[k]
            for start, stop, marks in sorted(edges, key=lambda edge: edge[2]) if k > first else ():
                path = f"M{px(x - gaps[0])} {px(top + tall * start)}L{px(x)} {px(top + tall * stop)}"
                elements.append(f'<path class="edge {marks}" d="{path}"/>')
            middle = x + widths[k] / 2
            elements += [svg_text(middle, 18, "head", head), svg_text(middle, height - 6, "foot", foot)]
            for node in own:
                elements += _node(node, x, top + tall * node.row, widths[k])
            k, x = k + 1, x + widths[k] + gaps[0]
        elements.append("</g>")
        first, y, widest = max(k - 1, 1), y + height, max(widest, x - gaps[0])
    return Picture(elements, widest + MARGIN, y)


def marked(gold: bool, guess: bool) -> str:
    """Return the marks of a node that is a part of gold, of the guess, of both or of none."""
    return " ".join(["gold"] * gold + ["guess"] * guess + ["wrong"] * (guess > gold))


def short(name: str, most: int = 20) -> str:
    """Return a name that is cut after so many columns of a terminal."""
    return fitted(printable(name), most).rstrip()


def chosen(scores: Mapping[Row, float], needed: Collection[Row], most: int = 8) -> list[Row]:
    """Return the `most` rows of highest score, and all that are needed, in the order of the scores."""
    ranked = sorted(scores, key=lambda row: (row not in needed, -scores[row]))
    kept = set(ranked[: max(most, len(needed))])
    return [row for row in scores if row in kept]


def others(left_out: int, thing: str) -> list[Picture]:
    """Return a remark on what is not drawn, if there is any."""
    return [paragraph([("side", f"and {left_out} other {thing}{'s' * (left_out > 1)}")])] if left_out else []


def _node(node: Node, x: float, y: float, width: float) -> list[str]:
    """Draw a node, x being its left side and y its middle."""
    top, wrong = y - LINE * len(node.lines) / 2 - 3, "wrong" in node.marks
    place = f'x="{px(x)}" y="{px(top)}" width="{px(width)}" height="{LINE * len(node.lines) + 6}"'
    elements = [f'<rect class="node {node.marks}" {place} rx="{0 if wrong else 10}"/>']
    elements += [svg_text(x + width / 2, top + LINE * (k + 1), "value", line) for k, line in enumerate(node.lines)]
    return elements + [f'<path class="cross" d="M{px(x + width - 4)} {px(top - 4)}l8 8m0 -8l-8 8"/>'] * wrong


def _width(content: str) -> float:
    return text_width(printable(content), SIZE)
