"""Checks and text widths for pictures of sentences, in the terminal and as SVG.

Text comes from files and is not trusted. Characters that are not printable (control characters, bidirectional
overrides) are shown as U+FFFD, so that they can control neither a terminal nor an XML reader.
"""

import unicodedata
from collections.abc import Callable, Iterable, Sequence
from html import escape

from ...errors import DataError
from ..heads import check_heads

Paint = Callable[[str, str], str]  # gives a text a style, "bold", "green" or "red"
Tree = tuple[Sequence[str], Sequence[int], Sequence[str], Sequence[str] | None]  # forms, heads, relations, tags
_NARROWEST = 8  # terminal columns that a column of text keeps when it is cut


def unpainted(text: str, style: str) -> str:
    """Return the text without a style."""
    return text


def check_sentence(
    forms: Sequence[str], heads: Sequence[int], deprels: Sequence[str], tags: Sequence[str] | None
) -> None:
    """Raise ``DataError`` unless every word has one of each, and the heads are a tree."""
    for name, column in {"heads": heads, "deprels": deprels, "tags": tags}.items():
        if column is not None and len(column) != len(forms):
            raise DataError(
                f"cannot draw {len(forms)} words with {len(column)} {name}; there must be one of each a word"
            )
    check_heads(heads, "cannot draw the tree")


def printable(text: str) -> str:
    """Return the text with U+FFFD for characters that are not printable, and with plain spaces for all other spaces.

    >>> printable("red\\x1b[31m"), printable("10\\N{NO-BREAK SPACE}000")
    ('red�[31m', '10 000')
    """
    if text.isprintable():  # nearly every text
        return text
    return "".join(
        c if c.isprintable() else " " if unicodedata.category(c) == "Zs" else "\N{REPLACEMENT CHARACTER}" for c in text
    )


def escaped(text: str) -> str:
    """Return the text for HTML and SVG, as `printable` shows it."""
    return escape(printable(text))


def on_one_line(text: str) -> str:
    """Return the text with a plain space for each line end and the like, as `printable` shows it."""
    return printable("".join(" " if c.isspace() else c for c in text))


def marked(text: str, spans: Iterable[tuple[int, int, str]]) -> list[tuple[str, str]]:
    """Return a text in pieces, each with its label or an empty one; of two spans that overlap the first is marked.

    A span is its begin and end in the text, and its label; spans are in order.

    >>> marked("Ada wrote.", [(0, 3, "PER")])
    [('Ada', 'PER'), (' wrote.', '')]
    """
    pieces, at = [], 0
    for begin, end, label in spans:
        if begin >= at:
            pieces += [(text[at:begin], ""), (text[begin:end], label)]
            at = end
    return [piece for piece in [*pieces, (text[at:], "")] if piece[0]]


def cells(text: str) -> int:
    """Return the number of terminal columns that a text takes.

    >>> cells("word"), cells("単語"), cells("cafe\\N{COMBINING ACUTE ACCENT}")
    (4, 4, 4)
    """
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.category(c) in ("Mn", "Me") else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )


def narrowed(widths: Sequence[int], room: int) -> list[int]:
    """Return the widths of columns, the widest cut as far as they must be to fit into the room, but not below 8."""
    limit = max(widths, default=0)
    while limit > _NARROWEST and sum(min(limit, width) for width in widths) > room:
        limit -= 1
    return [min(limit, width) for width in widths]


def fitted(text: str, width: int) -> str:
    """Return the text in exactly that many terminal columns: padded, or cut with an ellipsis.

    >>> fitted("word", 6), fitted("words", 4)
    ('word  ', 'wor…')
    """
    if cells(text) <= width:
        return text + " " * (width - cells(text))
    kept, room = 0, width - 1
    while cells(text[kept]) <= room:
        room -= cells(text[kept])
        kept += 1
    return text[:kept] + "…" + " " * room
