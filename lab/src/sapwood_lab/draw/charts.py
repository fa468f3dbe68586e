"""The charts of Eisner's and of Cocke, Kasami and Younger's algorithm as SVG: a cell for each span of words.

The row of a cell is the first word of its span, the column the last. Of more than `WORDS` words, those are drawn at
which gold's and the guess's trees differ, and those beside them.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from sapwood_lab.base.drawing.svg import Picture
from sapwood_lab.draw.columns import Column, Node, draw_columns, marked, others, short
from sapwood_lab.draw.steps import number, step_words

WORDS = 10
TABLES = {"root": "roots", "I→": "I_right", "I←": "I_left", "C→": "C_right", "C←": "C_left", "S": "siblings"}

Span = tuple[int, int]  # first and last word, from 1; (0, m): the whole tree whose root is m
Item = tuple[str, str]  # the text of an entry of a cell, and its marks


def draw_eisner(step: Any) -> list[Picture]:
    """Draw the scores of all spans of two words or more, and what gold's and the guess's trees are made of."""
    cells: dict[Span, list[Item]] = {}
    trees, order_2 = (step.gold.heads, step.guess.heads), bool(step.search.siblings)
    for name, field in TABLES.items():
        for (s, t), entry in getattr(step.search, field).items():
            if s < t:
                marks = marked(*(is_part(name, s, t, heads, order_2) for heads in trees))
                cells.setdefault((s, t), []).append((f"{name} {number(entry.score)}", marks))
    differ = [(m, *heads) for m, heads in enumerate(zip(*trees, strict=True), 1) if len(set(heads)) > 1]
    return _draw_cells(step_words(step), cells, {word for words in differ for word in words})


def is_part(name: str, s: int, t: int, heads: Sequence[int], order_2: bool = False) -> bool:
    """Return true if an item is one of those that a projective tree is made of.

    >>> [is_part("C→", 2, t, [2, 0, 2, 2]) for t in (3, 4)], is_part("C→", 2, 3, [2, 0, 2, 2], order_2=True)
    ([True, True], False)
    """
    if name in ("root", "I→"):
        return heads[t - 1] == s
    if name == "I←":
        return heads[s - 1] == t
    if name == "S":
        return heads[s - 1] == heads[t - 1] != 0 and not s < heads[s - 1] < t and heads[s - 1] not in heads[s : t - 1]
    head, below = (s, range(s + 1, t + 1)) if name == "C→" else (t, range(s, t))
    beyond = heads[t:] if name == "C→" else heads[: s - 1]
    inside = all(s <= heads[m - 1] <= t for m in below)
    return inside and not any(h in below or (order_2 and h == head) for h in beyond)


def draw_cky(words: Sequence[str], chart: Mapping[Span, Mapping[str, Any]], root: str) -> list[Picture]:
    """Draw the three best states of each span, the words i to j - 1, and those of the best tree below the root."""
    whole = chart.get((0, len(words)), {})
    used: dict[Span, list[str]] = {}  # the labels of the best tree
    if root in whole:
        _add_labels(whole[root].trees[0], 0, used)
    cells: dict[Span, list[Item]] = {}
    for (i, j), states in chart.items():
        ranked = sorted(states, key=lambda state: -states[state].score)
        on = [state.partition(" ^")[0] in used.get((i, j), ()) for state in ranked]
        shown = [k for k in range(len(ranked)) if k < 3 or on[k]]
        items = [(f"{short(ranked[k])} {number(states[ranked[k]].score)}", marked(on[k], False)) for k in shown]
        cells[i + 1, j] = items + [(f"and {len(ranked) - len(shown)} more", "")] * (len(ranked) > len(shown))
    return _draw_cells(words, cells, ())


def _add_labels(tree: Any, i: int, labels: dict[Span, list[str]]) -> int:
    """Add the labels of a tree that begins at word i; return where it ends."""
    label, below = tree
    j = i + isinstance(below, str)
    for child in () if isinstance(below, str) else below:
        j = _add_labels(child, j, labels)
    labels.setdefault((i, j), []).append(label)
    return j


def _draw_cells(words: Sequence[str], cells: Mapping[Span, Sequence[Item]], first: Collection[int]) -> list[Picture]:
    """Draw the cells of all words, or, if they are too many, of those that are nearest to the first ones."""
    near = {word: min((abs(word - each) for each in first), default=0) for word in range(1, len(words) + 1)}
    shown = sorted(sorted(near, key=near.__getitem__)[:WORDS])
    names, rows, row = ["whole tree", *map(short, words)], dict[int, float](), 0.0
    for s in [0, *shown]:
        if tall := max(len(cells.get((s, t), ())) for t in shown):
            rows[s] = row
            row += tall + 0.3
    columns = []
    for t in shown:
        items = [(rows[s] + k, item) for s in rows for k, item in enumerate(cells.get((s, t), ()))]
        columns.append(Column(names[t], [Node(place, [content], marks) for place, (content, marks) in items]))
    picture = draw_columns(columns, {place: names[s] for s, place in rows.items()}, gaps=(12, 2))
    return [picture, *others(len(words) - len(shown), "word")]
