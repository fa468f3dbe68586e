"""The charts of Eisner's and of Cocke, Kasami and Younger's algorithm as SVG: a cell for each span of words.

The row of a cell is the first word of its span, the column the last. Of more than `WORDS` words, those are drawn where
gold's and the guess's items differ.
"""

from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from typing import Any

from sapwood.draw.columns import Column, Node, draw_columns, marked, number, others, short
from sapwood.draw.svg import Picture

WORDS = 10

Span = tuple[int, int]  # first and last word, from 1; (0, m): the whole tree whose root is m
Item = tuple[str, str]  # of a cell: its text, and its marks


def draw_eisner(
    words: Sequence[str], tables: Mapping[str, Mapping[Span, float]], gold: Sequence[int], guess: Sequence[int]
) -> list[Picture]:
    """Draw a table of scores for each kind of item: I→, I←, C→, C←, root, and of order 2 also S, for siblings.

    The items of which the trees with gold's and the guess's heads [n] are made are marked.
    """
    of_gold, of_guess = (items_of(heads, "S" in tables) for heads in (gold, guess))
    cells: dict[Span, list[Item]] = {}
    for name, scores in tables.items():
        for span, score in scores.items():
            if span[0] < span[1]:
                marks = marked((name, span) in of_gold, (name, span) in of_guess)
                cells.setdefault(span, []).append((f"{name} {number(score)}", marks))
    return _draw_cells(words, cells, {word for _, span in of_gold ^ of_guess for word in span})


def items_of(heads: Sequence[int], order_2: bool = False) -> set[tuple[str, Span]]:
    """Return the items of a chart that a tree is made of, without those of a single word.

    >>> sorted(items_of([2, 0, 2]))
    [('C←', (1, 2)), ('C→', (2, 3)), ('I←', (1, 2)), ('I→', (2, 3)), ('root', (0, 2))]
    """
    n = len(heads)
    ends = {word: [word] for word in range(n + 1)}  # the words below each, with itself
    for word in range(1, n + 1):
        above = heads[word - 1]
        while above:
            ends[above].append(word)
            above = heads[above - 1]
    items = {("root", (0, m)) for m, h in enumerate(heads, 1) if h == 0}
    for h in range(1, n + 1):
        for side in (range(h - 1, 0, -1), range(h + 1, n + 1)):
            children = [m for m in side if heads[m - 1] == h]
            items |= {("I→", (h, m)) if h < m else ("I←", (m, h)) for m in children}
            for m in children[-1:] if order_2 else children:
                items.add(("C→", (h, max(ends[m]))) if h < m else ("C←", (min(ends[m]), h)))
            items |= {("S", (min(pair), max(pair))) for pair in pairwise(children) if order_2}
    return items


def draw_cky(words: Sequence[str], top: Mapping[Span, Mapping[str, Any]], root: str, most: int = 3) -> list[Picture]:
    """Draw the `most` best states of each span, the words i to j - 1, and those of the best tree below the root.

    The chart has an entry for each state, with its `score`, a logarithm, and its `trees`.
    """
    whole = top.get((0, len(words)), {})
    used: dict[Span, list[str]] = {}  # the labels of the best tree
    if root in whole:
        _walk(whole[root].trees[0], 0, used)
    cells: dict[Span, list[Item]] = {}
    for (i, j), states in top.items():
        ranked = sorted(states, key=lambda state: -states[state].score)
        on = [state.partition(" ^")[0] in used.get((i, j), ()) for state in ranked]
        shown = [k for k in range(len(ranked)) if k < most or on[k]]
        items = [(f"{short(ranked[k])} {number(states[ranked[k]].score)}", marked(on[k], False)) for k in shown]
        cells[i + 1, j] = items + [(f"and {len(ranked) - len(shown)} more", "")] * (len(ranked) > len(shown))
    return _draw_cells(words, cells, ())


def _walk(tree: Any, i: int, labels: dict[Span, list[str]]) -> int:
    """Add the labels of a tree that begins at word i; return where it ends."""
    label, below = tree
    j = i + isinstance(below, str)
    for child in () if isinstance(below, str) else below:
        j = _walk(child, j, labels)
    labels.setdefault((i, j), []).append(label)
    return j


def _draw_cells(words: Sequence[str], cells: Mapping[Span, Sequence[Item]], first: Collection[int]) -> list[Picture]:
    """Draw the cells of some words: of all, if they are not too many, otherwise of those that come first."""
    shown = sorted(sorted(range(1, len(words) + 1), key=lambda word: word not in first)[:WORDS])
    names, rows, row = ["whole tree", *map(short, words)], {}, 0.0
    for s in [0, *shown]:
        if tall := max(len(cells.get((s, t), ())) for t in shown):
            rows[s] = row
            row += tall + 0.3
    columns = []
    for t in shown:
        items = [(rows[s] + k, item) for s in rows for k, item in enumerate(cells.get((s, t), ()))]
        columns.append(Column(names[t], [Node(place, [content], marks) for place, (content, marks) in items]))
    picture = draw_columns(columns, {place: names[s] for s, place in rows.items()}, gaps=(12, 2))
    return [picture, *others(len(words) - len(shown), "words")]
