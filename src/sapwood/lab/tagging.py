"""What the taggers of the laboratory share: the features of a token and its labels, by a template of CRF++'s kind.

A line such as ``U01:%x[-1,0]`` becomes text at each token, in which the column 0 of the word before stands. The macros
take something of a cell; those that begin with a capital, such as ``%X`` and ``%SUFFIX``, lower-case what they take::

    %x %lower                   the cell, as it is and in lower case
    %prefix[0,0,3] %suffix      its first and its last three characters
    %shape                      IBM-PC -> X-X, 3rd -> dx: kinds of characters, of each run one
    %digit %hyphen %capital     true or false: it has a digit, has a hyphen, begins with a capital

The core knows more (patterns, word lists, tables of words), which the laboratory refuses, and has its own table of
capitals, which is Python's for living alphabets. A line that begins with B, or has ``%y[-1]``, also looks at the label
before; ``%y[-2]`` at that before it, ``%y[+1]`` and ``%y[+2]`` at those behind the token, where a search gives labels
in any order. Features have the names that the core gives them, and the value 1. A cell may also be a dict of features
with their values: f(x, i, y_i, y_(i-1)) is in R^d.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from sapwood.errors import TemplateError
from sapwood.lab.learner import Learner

Rows = Sequence[Sequence[str]]  # [tokens][columns]; while training, the last column is the label

_MACRO = re.compile(
    r"%(?i:(x|lower|shape|digit|hyphen|capital|(?P<part>prefix|suffix)))\[(-?\d+),(\d+)(?(part),([1-9]\d*))\]"
)
_KNOWN = "%x %lower %prefix %suffix %shape %digit %hyphen %capital %y"
_LABEL = re.compile(r"%y\[[-+][12]\]")


def expand(line: str, rows: Rows, i: int) -> str:
    """Return the text that a template line expands to at token i.

    >>> expand("U01:%x[-1,0]/%x[0,1]", [("the", "DT"), ("dog", "NN")], 1)
    'U01:the/NN'
    >>> expand("U02:%suffix[0,0,2] %shape[0,0]", [("3rd",)], 0)
    'U02:rd dx'
    """

    def cell(match: re.Match[str]) -> str:
        at, column = i + int(match[3]), int(match[4])
        if at < 0:
            return f"_B{at}"
        if at >= len(rows):
            return f"_B+{at - len(rows) + 1}"
        return taken(match[1], rows[at][column], int(match[5] or 0))

    return _MACRO.sub(cell, line)


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


def features_of(line: str, rows: Rows, i: int) -> dict[str, float]:
    """Return the features that a line has at token i, and their values: one, or one for each of a dict of features.

    >>> features_of("U:%x[0,0]", [("dog", "NN")], 0)
    {'U:dog': 1.0}
    >>> features_of("U:%x[0,0]", [({"word:dog": 1, "length": 0.3}, "NN")], 0)
    {'U:word:dog': 1, 'U:length': 0.3}
    """
    for match in _MACRO.finditer(line):
        at, column = i + int(match[3]), int(match[4])
        if 0 <= at < len(rows) and isinstance(cell := rows[at][column], Mapping):
            return {line.replace(match[0], name): value for name, value in cell.items()}
    return {expand(line, rows, i): 1.0}


def reach(line: str) -> int:
    """Return how many labels to the left a line looks at."""
    return 2 if "%y[-2]" in line else 1 if line.startswith("B") or "%y[-1]" in line else 0


def ahead(line: str) -> int:
    """Return how many labels to the right a line looks at."""
    return 2 if "%y[+2]" in line else 1 if "%y[+1]" in line else 0


def lines_of(template: str) -> list[str]:
    """Return the lines of a template. Raises TemplateError for a macro that the laboratory does not know."""
    lines = [line.partition("#")[0].strip() for line in template.split("\n")]
    for line in lines:
        if "%" in _LABEL.sub("", _MACRO.sub("", line)):
            raise TemplateError(f"the laboratory knows the macros {_KNOWN} only: {line}")
    return [line for line in lines if line]


class Tagger(Learner):
    """The base class of taggers. Further options are those of `Learner`."""

    lines: list[str]  # of the template
    labels: list[str]  # in the order in which the data have them; of labels that score the same, the first wins

    def __init__(self, template: str, **options: Any) -> None:
        super().__init__(**options)
        self.template = template
        self.lines = [line for line in lines_of(template) if ahead(line) == 0]

    def read(self, sentences: Sequence[Rows]) -> list[Rows]:
        """Return the sentences, each of rows whose last column is the label."""
        self.labels = list(dict.fromkeys(row[-1] for rows in sentences for row in rows))
        return list(sentences)

    def predict(self, inputs: Iterable[Rows]) -> list[list[str]]:
        """Return the labels of each sentence. Raises NotFittedError if nothing was learned yet."""
        return [list(labels) for labels in super().predict(inputs)]
