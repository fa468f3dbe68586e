"""Dependency trees as SVG: words side by side, arcs above them.

An arc goes up from its head, along and down to its modifier, where it has an arrow head. It runs one level above
all arcs whose spans overlap its own and that are shorter, so arcs of a projective tree never touch: at a word,
the arcs to the left stand in order of length, then the root's arrow, then those to the right, longest first. Arcs
that cross have different levels, and their labels keep clear of the other's legs.

The width of text is estimated, for there is no font to ask.
"""

from bisect import bisect_left, bisect_right, insort
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from html import escape
from itertools import accumulate, pairwise
from operator import add
from pathlib import Path
from typing import NamedTuple

from ..heads import NO_DEPREL
from .sentence import Tree, cells, check_sentence, escaped, printable

# Lengths are in pixels.
FORM_SIZE = 16  # height of letters
SMALL_SIZE = 11  # height of the letters of tags and deprels
MARGIN = 18  # around a picture
WORD_GAP = 18  # between two words
PORT_GAP = 9  # between the ends of two arcs at a word
LEVEL = 22  # between two levels of arcs
TAG_DROP = 17  # from the words' baseline to the tags'
RADIUS = 7  # radius of an arc's corners
ARROW = 7  # length of an arrow head


def style_sheet(file: str, name: str) -> str:
    """Return a style sheet of the folder ``styles`` beside a file."""
    return Path(file).with_name("styles").joinpath(name).read_text(encoding="utf-8")


TREE_STYLE = (
    style_sheet(__file__, "tree.css").replace("FORM_SIZE", f"{FORM_SIZE}").replace("SMALL_SIZE", f"{SMALL_SIZE}")
)
STYLE = f"<style>\n{TREE_STYLE}</style>"


class Arc(NamedTuple):
    """An arc of a picture. The arrow to the root is an arc with the modifier at both ends."""

    left: int
    right: int
    modifier: int
    label: str


class Picture(NamedTuple):
    """The SVG elements of one drawn sentence, and its size in pixels."""

    elements: list[str]
    width: float
    height: float


def svg_tree(
    forms: Sequence[str], heads: Sequence[int], deprels: Sequence[str], tags: Sequence[str] | None = None
) -> str:
    """Draw a dependency tree as a self-contained SVG: words, arcs above them, tags beneath.

    ``heads`` are word numbers from 1, or 0 for the root. Deprels that are ``_`` are left out. The picture has its own
    background, light or dark as the reader prefers. Raises ``DataError`` if the lengths differ or heads are not a tree.
    """
    return svg_page([(forms, heads, deprels, tags)])


def svg_inline(tree: Tree, wrong: Collection[int], title: str, link: str = "") -> str:
    """Draw a tree for a page that has `STYLE` once, with the arcs to these words (from 1) marked as wrong.

    `title` describes the picture for those who cannot see it. With `link` the label of each arc leads to an element
    of the page, whose name is `link` and the word's number. Raises ``DataError`` as ``svg_tree`` does.
    """
    picture = _picture(tree, wrong, link)
    role = "group" if link else "img"
    head = _head(picture.width, picture.height).replace(">", f' role="{role}" aria-label="{escaped(title)}">')
    return "\n".join([head, _PAPER, *picture.elements, "</svg>"])


def svg_page(trees: Iterable[Tree]) -> str:
    """Draw several trees beneath each other in one SVG.

    >>> page = svg_page([(["Go", "!"], [0, 1], ["root", "punct"], None), (["No"], [0], ["root"], ["INTJ"])])
    >>> page.count("root"), page.count("INTJ")
    (2, 1)
    """
    pictures = list(map(_picture, trees))
    width = max((picture.width for picture in pictures), default=0.0)
    height = sum(picture.height for picture in pictures)
    lines = [_head(width, height), STYLE, _PAPER]
    top = 0.0
    for picture in pictures:
        lines += [f'<g transform="translate(0 {px(top)})">', *picture.elements, "</g>"]
        top += picture.height
    return "\n".join([*lines, "</svg>"])


_PAPER = '<rect class="paper" width="100%" height="100%" rx="6"/>'


def _head(width: float, height: float) -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" class="sapwood-tree" {size_attributes(width, height)}>'


def _picture(tree: Tree, wrong: Collection[int] = (), link: str = "") -> Picture:
    """Draw one sentence of n words; `wrong` are the words whose arcs are marked, `link` is where labels lead."""
    check_sentence(*tree)
    forms, heads, deprels, tags = tree
    n = len(forms)
    labels = ["" if deprel == NO_DEPREL else printable(deprel) for deprel in deprels]
    trios = enumerate(zip(heads, labels, strict=True), start=1)
    arcs = [Arc(min(h or m, m), max(h, m), m, label) for m, (h, label) in trios]
    arcs.sort(key=lambda arc: (arc.left == arc.right, arc.right - arc.left, arc.left))  # the root's arrow comes last
    level = _levels(arcs, n)  # [n + 1] of the arc to each word
    ports = _ports(arcs, n)

    words = [""] + [printable(form) for form in forms]
    small = [""] + [printable(tag) for tag in tags or [""] * n]
    widths = [max(text_width(a, FORM_SIZE), text_width(b, SMALL_SIZE)) for a, b in zip(words, small, strict=True)]
    middle, width = _middles(arcs, ports, widths)

    floor = MARGIN + SMALL_SIZE / 2 + LEVEL * max(level)  # where arcs end
    baseline = floor + FORM_SIZE + 2
    ends = [(middle[a.left] + ports[a.left][a.modifier], middle[a.right] + ports[a.right][a.modifier]) for a in arcs]
    middle_of = _label_places(arcs, ends, level)
    lines: list[str] = []
    texts: list[str] = []
    for arc, (start, stop) in zip(arcs, ends, strict=True):
        arrow = start if arc.left == arc.modifier else stop
        mark = "wrong " if arc.modifier in wrong else ""
        lines += _line(start, stop, floor, level[arc.modifier], arrow, mark)
        if arc.label:
            label = _label(middle_of[arc.modifier], floor - LEVEL * level[arc.modifier], arc.label, mark)
            texts += _linked(label, link, arc, words) if link else label
    for x, word, tag in zip(middle[1:], words[1:], small[1:], strict=True):
        texts.append(f'<text class="form" x="{px(x)}" y="{px(baseline)}">{escape(word)}</text>')
        if tag:
            texts.append(f'<text class="tag" x="{px(x)}" y="{px(baseline + TAG_DROP)}">{escape(tag)}</text>')
    return Picture(lines + texts, width, baseline + (TAG_DROP if tags is not None else 4) + MARGIN)


def _levels(arcs: Sequence[Arc], n: int) -> list[int]:
    """Return the level of the arc to each word, from 1. Each arc comes after those beneath it."""
    level = [0] * (n + 1)  # [n + 1]
    begins, highest = [0, n], [0, 0]  # word from which an arc is the highest one over the gaps, and its level
    for left, right, m, _ in arcs:
        if left == right:  # the root's arrow stands between two gaps
            at = bisect_right(begins, m)
            level[m] = 1 + max(highest[bisect_right(begins, m - 1) - 1 : at])
            continue
        for word in (left, right):
            if begins[at := bisect_left(begins, word)] != word:
                begins.insert(at, word)
                highest.insert(at, highest[at - 1])
        under = slice(bisect_left(begins, left), bisect_left(begins, right))
        level[m] = 1 + max(highest[under])
        begins[under], highest[under] = [left], [level[m]]
    return level


def _label_places(arcs: Sequence[Arc], ends: Sequence[tuple[float, float]], level: Sequence[int]) -> dict[int, float]:
    """Return the place of each arc's label, by the arc's modifier: in the widest gap between the higher arcs' ends."""
    places: dict[int, float] = {}
    higher: list[float] = []  # ends of higher arcs, from left to right
    for arc, (start, stop) in sorted(zip(arcs, ends, strict=True), key=lambda each: -level[each[0].modifier]):
        crossed = higher[bisect_right(higher, start) : bisect_left(higher, stop)]
        left, right = max(pairwise([start, *crossed, stop]), key=lambda gap: gap[1] - gap[0])
        places[arc.modifier] = (left + right) / 2
        insort(higher, start)
        insort(higher, stop)
    return places


def _ports(arcs: Sequence[Arc], n: int) -> list[dict[int, float]]:
    """Return, for each word, the distance from its middle to the end of each arc, by the arc's modifier."""
    order: list[list[int]] = [[] for _ in range(n + 1)]  # [n + 1] modifiers, from left to right
    for left, right, m, _ in arcs:
        if left < right:
            order[right].append(m)
    for left, _, m, _ in reversed(arcs):
        order[left].append(m)
    return [{m: PORT_GAP * (i - (len(at) - 1) / 2) for i, m in enumerate(at)} for at in order]


def _middles(
    arcs: Sequence[Arc], ports: Sequence[dict[int, float]], widths: Sequence[float]
) -> tuple[list[float], float]:
    """Return the middle of each word and the width of the picture, with room for words and for labels in arcs."""
    reach = [(width / 2, width / 2) for width in widths]  # [n + 1] of a word, to the left and to the right
    for word, at in enumerate(ports):
        for x in at.values():
            reach[word] = (max(reach[word][0], -x), max(reach[word][1], x))
    for left, right, m, label in arcs:
        if left == right:
            x, half = ports[m][m], text_width(label, SMALL_SIZE) / 2
            reach[m] = (max(reach[m][0], half - x), max(reach[m][1], half + x))

    middle = [0.0] * len(widths)  # [n + 1]
    end = float(MARGIN - WORD_GAP)
    for word, (to_left, to_right) in enumerate(reach[1:], start=1):
        middle[word] = end + WORD_GAP + to_left
        end = middle[word] + to_right
    stretch = [0.0] * len(middle)  # [n + 1] by how much the gap behind each word grows, so that labels have room
    for left, right, m, label in arcs:
        room = middle[right] + ports[right][m] - middle[left] - ports[left][m]
        missing = text_width(label, SMALL_SIZE) + 4 * RADIUS - room
        if left < right and missing > 0 and (missing := missing - sum(stretch[left:right])) > 0:
            stretch[left:right] = [gap + missing / (right - left) for gap in stretch[left:right]]
    middle = list(map(add, middle, accumulate(stretch, initial=0.0)))
    return middle, middle[-1] + reach[-1][1] + MARGIN


def _line(start: float, stop: float, floor: float, level: int, arrow: float, mark: str) -> list[str]:
    """Return an arc from start to stop with its arrow head at one of them, or a vertical line if they are equal.

    `mark` is empty or a class with a space behind it.
    """
    top = floor - LEVEL * level
    foot = floor - ARROW / 2  # the line ends inside the arrow head
    if start == stop:
        path = f"M{px(start)} {px(top)}V{px(foot)}"
    else:
        path = (
            f"M{px(start)} {px(foot if arrow == start else floor)}V{px(top + RADIUS)}q0 -{RADIUS} {RADIUS} -{RADIUS}"
            f"H{px(stop - RADIUS)}q{RADIUS} 0 {RADIUS} {RADIUS}V{px(foot if arrow == stop else floor)}"
        )
    return [
        f'<path class="{mark}arc" d="{path}"/>',
        f'<path class="{mark}arrow" d="M{px(arrow)} {px(floor)}l-{ARROW / 2} -{ARROW}h{ARROW}z"/>',
    ]


def _label(x: float, y: float, label: str, mark: str) -> list[str]:
    """Return a label in the middle of a line, on a background that interrupts the line."""
    width = text_width(label, SMALL_SIZE) + 6
    return [
        f'<rect class="paper" x="{px(x - width / 2)}" y="{px(y - 7)}" width="{px(width)}" height="14"/>',
        f'<text class="{mark}deprel" x="{px(x)}" y="{px(y + 4)}">{escape(label)}</text>',
    ]


def _linked(label: list[str], link: str, arc: Arc, words: Sequence[str]) -> list[str]:
    name = escape(f"{arc.label}, arc to {words[arc.modifier]}: why?")
    return [f'<a class="why-link" href="{escape(link)}{arc.modifier}" aria-label="{name}">', *label, "</a>"]


def size_attributes(width: float, height: float) -> str:
    """Return the attributes of a picture of that size."""
    return f'width="{px(width)}" height="{px(height)}" viewBox="0 0 {px(width)} {px(height)}"'


def px(length: float) -> str:
    """Return a length with at most one decimal."""
    return f"{length:.1f}".removesuffix(".0")


def text_width(text: str, size: int) -> float:
    """Return the estimated width of a text in a sans-serif font of that size."""
    return size * sum(map(_letter_width, text))


@lru_cache(maxsize=1024)
def _letter_width(letter: str) -> float:
    """Return the estimated width of a letter, as a part of the font's size."""
    columns = cells(letter)
    if columns != 1:
        return columns / 2
    if letter in "iljtfrI.,:;'|!()[] ":
        return 0.36
    return 0.95 if letter in "mwMW@%…—" else 0.72 if letter.isupper() or not letter.isascii() else 0.58
