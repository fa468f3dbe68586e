"""What both kinds of picture need to know of a sentence.

Text comes from files: what is not printable (control characters, bidirectional overrides) is shown as U+FFFD, so
that it steers neither a terminal nor a reader of XML.
"""

import unicodedata
from collections.abc import Sequence

from sapwood.errors import DataError
from sapwood.metrics.heads import check_heads

__all__ = ["NO_DEPREL", "cells", "check_sentence", "printable"]

NO_DEPREL = "_"


def check_sentence(
    forms: Sequence[str], heads: Sequence[int], deprels: Sequence[str], tags: Sequence[str] | None
) -> None:
    """Raise ``DataError`` unless there is one of each a word, and heads are a tree."""
    for name, column in {"heads": heads, "deprels": deprels, "tags": tags}.items():
        if column is not None and len(column) != len(forms):
            raise DataError(
                f"cannot draw {len(forms)} words with {len(column)} {name}; there must be one of each a word"
            )
    check_heads(heads, "cannot draw the tree")


def printable(text: str) -> str:
    """The text with U+FFFD for what is not printable; other spaces become plain ones.

    >>> printable("red\\x1b[31m"), printable("10\\N{NO-BREAK SPACE}000")
    ('red�[31m', '10 000')
    """
    return "".join(
        c if c.isprintable() else " " if unicodedata.category(c) == "Zs" else "\N{REPLACEMENT CHARACTER}" for c in text
    )


def cells(text: str) -> int:
    """How many columns of a terminal a text takes.

    >>> cells("word"), cells("単語"), cells("cafe\\N{COMBINING ACUTE ACCENT}")
    (4, 4, 4)
    """
    return sum(
        0 if unicodedata.category(c) in ("Mn", "Me") else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )
