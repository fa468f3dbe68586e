"""Features of a token by a template of CRF++'s kind: text with macros, for which something of a cell is put in.

A line such as ``U01:%x[-1,0]`` becomes text at each token, in which the column 0 of the word before stands. Macros that
begin with a capital, such as ``%X`` and ``%SUFFIX``, lower-case what they take::

    %x %lower                   the cell, as it is and in lower case
    %prefix[0,0,3] %suffix      its first and its last three characters
    %shape                      IBM-PC -> X-X, 3rd -> dx: kinds of characters, of each run one
    %digit %hyphen %capital     true or false: it has a digit, has a hyphen, begins with a capital

A line that begins with B, or has ``%y[-1]``, also looks at the label before; ``%y[-2]`` beside it at that before, and
``%y[+1]`` and ``%y[+2]`` at those behind the token, where a search gives labels in any order. The core knows more
(patterns, word lists, tables of words), which the laboratory refuses; its capitals are Python's in most alphabets.

>>> Line("U02:%suffix[0,0,2]/%shape[0,0]/%x[1,1]").features([("3rd", "JJ"), ("dog", "NN")], 0)
[('U02:rd/dx/NN', 1.0)]
"""

import re
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from sapwood_lab.errors import TemplateError

Rows = Sequence[Sequence[Any]]  # [tokens][columns]: texts, or dicts of features; while training, the last is the label

_NAMES = "x|lower|shape|digit|hyphen|capital|(?P<part>prefix|suffix)"
_MACRO = re.compile(rf"%(?i:({_NAMES}))\[(-?[0-9]+),([0-9]+)(?(part),([1-9][0-9]*))\]")
_LABEL = re.compile(r"%y\[[-+][12]\]")
_NEARLY = re.compile(rf"\b(y|{_NAMES})\s*\[", re.IGNORECASE)


class Macro(NamedTuple):
    """A macro: what it takes of the cell in a column, of the word so many rows from the token."""

    name: str
    row: int
    column: int
    length: int  # the letters that %prefix and %suffix take
    text: str

    def take(self, rows: Rows, i: int) -> str | Mapping[str, float]:
        """Return the text that the macro takes at token i; a dict of features as it is."""
        at = i + self.row
        if at < 0:
            return f"_B{at}"
        if at >= len(rows):
            return f"_B+{at - len(rows) + 1}"
        cell = rows[at][self.column]
        return taken(self.name, cell, self.length) if isinstance(cell, str) else dict(cell)


class Line:
    """A line. It looks at `reach` labels to the left of its token, and `ahead` to the right. Raises TemplateError."""

    def __init__(self, text: str) -> None:
        rest = _LABEL.sub("", _MACRO.sub("", text))
        if "%" in rest:
            known = "%x %lower %prefix %suffix %shape %digit %hyphen %capital %y"
            raise TemplateError(f"the laboratory knows the macros {known} only: {text}")
        if text[0] not in "UB" or _NEARLY.search(rest):
            raise TemplateError(f"a line begins with U or B, and a macro with %, as in U01:%x[-1,0]: {text}")
        self.reach = 2 if "%y[-2]" in text else 1 if text[0] == "B" or "%y[-1]" in text else 0
        self.ahead = 2 if "%y[+2]" in text else 1 if "%y[+1]" in text else 0
        if (self.reach == 2 and "%y[-1]" not in text) or (self.ahead == 2 and "%y[+1]" not in text):
            raise TemplateError(f"a line that looks at two labels looks at the nearer one, too: {text}")
        self.text, self.form = text, _MACRO.sub("{}", text.replace("{", "{{").replace("}", "}}"))
        self.macros = [Macro(m[1], int(m[3]), int(m[4]), int(m[5] or 0), m[0]) for m in _MACRO.finditer(text)]

    def features(self, rows: Rows, i: int) -> list[tuple[str, float]]:
        """Return the features at token i with their values: one, or one for each of a dict of features."""
        cells = [macro.take(rows, i) for macro in self.macros]
        for macro, cell in zip(self.macros, cells, strict=True):
            if not isinstance(cell, str):
                return [(self.text.replace(macro.text, name), value) for name, value in cell.items()]
        return [(self.form.format(*cells), 1.0)]


def lines_of(template: str) -> list[Line]:
    """Return the lines of a template, without its comments. Raises TemplateError as `Line` does."""
    return [Line(line) for text in template.split("\n") if (line := text.partition("#")[0].strip())]


def taken(macro: str, cell: str, length: int) -> str:
    """Return the text that a macro takes from a cell."""
    kinds = list(map(kind_of, cell))
    match macro.lower():
        case "shape":
            return "".join(kind for kind, _ in groupby(kinds))
        case "digit":
            return str("d" in kinds).lower()
        case "hyphen":
            return str("-" in cell).lower()
        case "capital":
            return str(kinds[:1] == ["X"]).lower()
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
