"""The macros of a template, ``%x``, ``%lower``, ``%prefix`` and so on: what they take of a cell."""

import re
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

Rows = Sequence[Sequence[Any]]  # [tokens][columns]: texts, or dicts of features; while training, the last is the label

MACRO = re.compile(
    r"%(?i:(x|lower|shape|digit|hyphen|capital|(?P<part>prefix|suffix)))\[(-?[0-9]+),([0-9]+)(?(part),([1-9][0-9]*))\]"
)


class Macro(NamedTuple):
    """A macro: what it takes of the cell in a column, of the word so many rows from the token."""

    name: str
    row: int
    column: int
    length: int  # of %prefix and %suffix
    text: str

    def take(self, rows: Rows, i: int) -> str | Mapping[str, float]:
        """Return what the macro takes at token i; a dict of features as it is."""
        at = i + self.row
        if at < 0:
            return f"_B{at}"
        if at >= len(rows):
            return f"_B+{at - len(rows) + 1}"
        cell = rows[at][self.column]
        return taken(self.name, cell, self.length) if isinstance(cell, str) else dict(cell)


def macros_of(line: str) -> list[Macro]:
    """Return the macros of a template line.

    >>> [macro.take([("dog", "NN"), ("barked", "VBD")], 0) for macro in macros_of("U:%x[0,1]/%suffix[1,0,2]")]
    ['NN', 'ed']
    """
    return [Macro(m[1], int(m[3]), int(m[4]), int(m[5] or 0), m[0]) for m in MACRO.finditer(line)]


def taken(macro: str, cell: str, length: int) -> str:
    """Return the text that a macro takes from a cell.

    >>> taken("capital", "Rome", 0), taken("SUFFIX", "ROME", 2)
    ('true', 'me')
    """
    match macro.lower():
        case "shape":
            return "".join(kind for kind, _ in groupby(map(kind_of, cell)))
        case "digit":
            return str("d" in map(kind_of, cell)).lower()
        case "hyphen":
            return str("-" in cell).lower()
        case "capital":
            return str(kind_of(cell[:1]) == "X").lower()
        case "prefix":
            cell = cell[:length]
        case "suffix":
            cell = cell[-length:]
    return cell.lower() if macro[0].isupper() or macro == "lower" else cell


def kind_of(character: str) -> str:
    """Return d for a digit from 0 to 9, X for a capital, x for a small letter, and other characters as they are."""
    if character in set("0123456789"):
        return "d"
    return "X" if character.lower() != character else "x" if character.islower() else character
