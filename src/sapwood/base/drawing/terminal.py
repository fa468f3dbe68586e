"""Sentences for a terminal: tables of words, and dependency trees in box-drawing characters, one word a line.

Each head has a bus: a vertical line that joins the head's own line and those of its modifiers. The line of a word runs
left to the bus of its head, that of the root to the left edge. The bus of a word is always to the right of the bus of
its head, so in a projective tree no two lines cross, and the column shows the depth:

>>> forms = ["The", "old", "dog", "barks", "at", "cats", "."]
>>> heads = [3, 3, 4, 0, 6, 4, 4]
>>> deprels = ["det", "amod", "nsubj", "root", "case", "obl", "punct"]
>>> print(text_tree(forms, heads, deprels))
    ┌─► The    det
    ├─► old    amod
  ┌─┴─► dog    nsubj
──┼───► barks  root
  │ ┌─► at     case
  ├─┴─► cats   obl
  └───► .      punct

In other trees a line may have to pass a bus that it does not join. It is then interrupted by the bus: ``─│─``.
"""

from collections.abc import Mapping, Sequence

from ..heads import NO_DEPREL
from .sentence import cells, check_sentence, fitted, narrowed, printable

# Index into BOX: the sum of the sides to which the character has a line.
UP, DOWN, LEFT, RIGHT = 1, 2, 4, 8
BOX = " ╵╷│╴┘┐┤─└┌├─┴┬┼"
FIRST_OUT = ("feats", "xpos", "lemma")  # columns that a table of words leaves out first where it has no room


def text_tree(
    forms: Sequence[str],
    heads: Sequence[int],
    deprels: Sequence[str],
    tags: Sequence[str] | None = None,
    width: int | None = None,
) -> str:
    """Draw a dependency tree with box-drawing characters, one line a word, without a newline at the end.

    ``heads`` are word numbers from 1, or 0 for the root. If all deprels are ``_``, they are left out. The text is at
    most ``width`` terminal columns wide: first the vertical lines are drawn closer, then long words, tags and deprels
    are cut. A very deep tree can still be too wide. Raises ``DataError`` if the lengths differ or heads are no tree.

    >>> print(text_tree(["I", "know"], [2, 0], ["nsubj", "root"], ["PRON", "VERB"]))
      ┌─► I     PRON  nsubj
    ──┴─► know  VERB  root
    """
    check_sentence(forms, heads, deprels, tags)
    if not forms:
        return ""
    columns = [forms, *([tags] if tags is not None else []), *([deprels] if set(deprels) - {NO_DEPREL} else [])]
    texts = [[printable(text) for text in column] for column in columns]
    widths = [max(map(cells, column)) for column in texts]
    lines = _bus_lines(heads, gap=1)
    if width is not None:
        separators = 2 * (len(texts) - 1)
        if len(lines[0]) + separators + sum(widths) > width:
            lines = _bus_lines(heads, gap=0)
        widths = narrowed(widths, width - len(lines[0]) - separators)
    rows = zip(*texts, strict=True)
    return "\n".join(
        (line + "  ".join(fitted(text, w) for text, w in zip(row, widths, strict=True))).rstrip()
        for line, row in zip(lines, rows, strict=True)
    )


def _bus_lines(heads: Sequence[int], gap: int) -> list[str]:
    """Return the drawing before each word, all of one length, with ``gap`` columns between two buses."""
    n = len(heads)
    modifiers: list[list[int]] = [[] for _ in range(n + 1)]
    for m, h in enumerate(heads, start=1):
        modifiers[h].append(m)

    track = [-1] * (n + 1)  # [n + 1] the column of each head's bus; -1: no bus
    buses: list[list[tuple[int, int]]] = []  # [columns] the first and last row of each bus
    agenda = [0]
    for head in agenda:  # heads come before their modifiers
        if not modifiers[head]:
            continue
        rows = modifiers[head] + ([head] if head else [])
        first, last = min(rows), max(rows)
        column = track[heads[head - 1]] + 1 if head else 0
        while column < len(buses) and any(first <= end and start <= last for start, end in buses[column]):
            column += 1
        if column == len(buses):
            buses.append([])
        buses[column].append((first, last))
        track[head] = column
        agenda += modifiers[head]

    sides = [[0] * len(buses) for _ in range(n + 1)]  # [n + 1][columns]
    for column, spans in enumerate(buses):
        for first, last in spans:
            for row in range(first, last + 1):
                sides[row][column] |= (UP if row > first else 0) | (DOWN if row < last else 0)
    lines = []
    for word in range(1, n + 1):
        joined = (track[heads[word - 1]], track[word])
        line = ""
        for column, side in enumerate(sides[word]):
            if column == joined[0]:
                side |= RIGHT
            elif column > joined[0] and (column == joined[1] or not side):
                side |= LEFT | RIGHT
            line += BOX[side] + ("─" if column >= joined[0] else " ") * gap
        lines.append(line + "► ")
    return lines


def word_table(columns: Mapping[str, Sequence[str]], width: int | None = None) -> list[str]:
    """Return the lines of a table of n words, the heading first; columns that are empty or ``_`` are left out.

    The table is at most `width` terminal columns wide: first features, XPOS and lemmas are left out, then long cells
    are cut. With many columns it can still be too wide.

    >>> columns = {"id": ["1", "2"], "text": ["Dogs", "bark"], "upos": ["NOUN", "VERB"], "xpos": ["_", "_"]}
    >>> print("\\n".join(word_table(columns)))
    id  text  upos
    1   Dogs  NOUN
    2   bark  VERB
    """
    texts = {
        name: [name, *("" if value == "_" and name != "text" else printable(value) for value in values)]
        for name, values in columns.items()
    }
    texts = {name: column for name, column in texts.items() if any(column[1:])}
    widths = {name: max(map(cells, column)) for name, column in texts.items()}
    if width is not None:
        for name in FIRST_OUT:
            if sum(widths.values()) + 2 * (len(widths) - 1) > width:
                widths.pop(name, None)
        room = width - 2 * (len(widths) - 1)
        widths = dict(zip(widths, narrowed(list(widths.values()), room), strict=True))
    rows = zip(*(texts[name] for name in widths), strict=True)
    return ["  ".join(fitted(text, w) for text, w in zip(row, widths.values(), strict=True)).rstrip() for row in rows]
