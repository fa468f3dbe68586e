"""What the taggers of the laboratory share: the features of a token and its labels, by a template of CRF++'s kind.

A line such as ``U01:%x[-1,0]`` becomes text at each token, in which the column 0 of the word before stands, lower-cased
with ``%X``. The core knows more macros, which the laboratory refuses. A line that
begins with B, or has ``%y[-1]``, also looks at the label before; ``%y[-2]`` at that before it, ``%y[+1]`` and
``%y[+2]`` at those behind the token, where a search gives labels in any order. Features have the names that the core
gives them, and the value 1. A cell may also be a dict of features with their values: f(x, i, y_i, y_(i-1)) is in R^d.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Unpack

from sapwood.errors import TemplateError
from sapwood.lab.learner import Learner, Learning

Rows = Sequence[Sequence[str]]  # [tokens][columns]; while training, the last column is the label

_MACRO = re.compile(r"%([xX])\[(-?\d+),(\d+)\]")
_LABEL = re.compile(r"%y\[[-+][12]\]")


def expand(line: str, rows: Rows, i: int) -> str:
    """Return the text that a template line expands to at token i.

    >>> expand("U01:%x[-1,0]/%x[0,1]", [("the", "DT"), ("dog", "NN")], 1)
    'U01:the/NN'
    """

    def cell(match: re.Match[str]) -> str:
        at, column = i + int(match[2]), int(match[3])
        if at < 0:
            return f"_B{at}"
        if at >= len(rows):
            return f"_B+{at - len(rows) + 1}"
        return rows[at][column].lower() if match[1] == "X" else rows[at][column]

    return _MACRO.sub(cell, line)


def features_of(line: str, rows: Rows, i: int) -> dict[str, float]:
    """Return the features that a line has at token i, and their values: one, or one for each of a dict of features.

    >>> features_of("U:%x[0,0]", [("dog", "NN")], 0)
    {'U:dog': 1.0}
    >>> features_of("U:%x[0,0]", [({"word:dog": 1, "length": 0.3}, "NN")], 0)
    {'U:word:dog': 1, 'U:length': 0.3}
    """
    for match in _MACRO.finditer(line):
        at, column = i + int(match[2]), int(match[3])
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
            raise TemplateError(f"the laboratory knows the macros %x, %X and %y only: {line}")
    return [line for line in lines if line]


class Tagger(Learner[[Sequence[Rows]], Rows]):
    """The base class of taggers. Further options are those of `Learner`."""

    lines: list[str]  # of the template
    labels: list[str]  # in the order in which the data have them; of labels that score the same, the first wins

    def __init__(self, template: str, **options: Unpack[Learning]) -> None:
        super().__init__(**options)
        self.lines = [line for line in lines_of(template) if ahead(line) == 0]

    def read(self, sentences: Sequence[Rows]) -> list[Rows]:
        """Return the sentences, each of rows whose last column is the label."""
        self.labels = list(dict.fromkeys(row[-1] for rows in sentences for row in rows))
        return list(sentences)

    def predict(self, sentences: Iterable[Rows]) -> list[list[str]]:
        """Return the labels of each sentence."""
        return [self.label(rows) for rows in sentences]

    def label(self, rows: Rows) -> list[str]:
        """Return the labels of a sentence."""
        raise NotImplementedError
