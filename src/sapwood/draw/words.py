"""A sentence's words as a table for a terminal.

>>> for line in word_table({"id": ["1", "2"], "text": ["Dogs", "bark"], "upos": ["NOUN", "VERB"], "xpos": ["_", "_"]}):
...     print(line)
id  text  upos
1   Dogs  NOUN
2   bark  VERB
"""

from collections.abc import Mapping, Sequence

from sapwood.draw.sentence import cells, fitted, printable

_FIRST_OUT = ("feats", "xpos", "lemma")  # where there is no room for all columns
_NARROWEST = 8  # terminal columns that a cell keeps when it is cut


def word_table(columns: Mapping[str, Sequence[str]], width: int | None = None) -> list[str]:
    """Return the lines of a table of n words, the heading first; columns that are empty or ``_`` are left out.

    The table is at most `width` terminal columns wide: first features, XPOS and lemmas are left out, then long cells
    are cut. With many columns it can still be too wide.
    """
    texts = {
        name: [name, *("" if value == "_" and name != "text" else printable(value) for value in values)]
        for name, values in columns.items()
    }
    texts = {name: column for name, column in texts.items() if any(column[1:])}
    widths = {name: max(map(cells, column)) for name, column in texts.items()}
    if width is not None:
        for name in _FIRST_OUT:
            if _total(widths) > width:
                widths.pop(name, None)
        limit = max(widths.values(), default=0)
        while limit > _NARROWEST and _total(widths) > width:
            limit -= 1
            widths = {name: min(limit, w) for name, w in widths.items()}
    rows = zip(*(texts[name] for name in widths), strict=True)
    return ["  ".join(fitted(text, w) for text, w in zip(row, widths.values(), strict=True)).rstrip() for row in rows]


def _total(widths: Mapping[str, int]) -> int:
    return sum(widths.values()) + 2 * (len(widths) - 1)
