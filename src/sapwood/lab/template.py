"""Features of a token by a template of CRF++'s kind: text with macros, for which something of a cell is put in.

A line such as ``U01:%x[-1,0]`` becomes text at each token, in which the column 0 of the word before stands. The macros
take something of a cell; those that begin with a capital, such as ``%X`` and ``%SUFFIX``, lower-case what they take::

    %x %lower                   the cell, as it is and in lower case
    %prefix[0,0,3] %suffix      its first and its last three characters
    %shape                      IBM-PC -> X-X, 3rd -> dx: kinds of characters, of each run one
    %digit %hyphen %capital     true or false: it has a digit, has a hyphen, begins with a capital

A line that begins with B, or has ``%y[-1]``, also looks at the label before; ``%y[-2]`` beside it at that before, and
``%y[+1]`` and ``%y[+2]`` at those behind the token, where a search gives labels in any order. The core knows more
(patterns, word lists, tables of words), which the laboratory refuses, and has its own table of capitals, which is
Python's for living alphabets.

>>> suffix = Line("U02:%suffix[0,0,2]/%shape[0,0]")
>>> suffix.features([("3rd", "JJ")], 0)
[('U02:rd/dx', 1.0)]
"""

import re

from sapwood.errors import TemplateError
from sapwood.lab.macros import MACRO, Rows, macros_of

_KNOWN = "%x %lower %prefix %suffix %shape %digit %hyphen %capital %y"
_LABEL = re.compile(r"%y\[[-+][12]\]")
_NEARLY = re.compile(r"\b(x|y|lower|prefix|suffix|shape|digit|hyphen|capital)\s*\[", re.IGNORECASE)


class Line:
    """A line of a template. Raises TemplateError for what the laboratory does not know.

    reach, ahead : how many labels it looks at, to the left and to the right of its token
    """

    def __init__(self, text: str) -> None:
        rest = _LABEL.sub("", MACRO.sub("", text))
        if "%" in rest:
            raise TemplateError(f"the laboratory knows the macros {_KNOWN} only: {text}")
        if text[0] not in "UB" or _NEARLY.search(rest):
            raise TemplateError(f"a line begins with U or B, and a macro with %, as in U01:%x[-1,0]: {text}")
        self.reach = 2 if "%y[-2]" in text else 1 if text[0] == "B" or "%y[-1]" in text else 0
        self.ahead = 2 if "%y[+2]" in text else 1 if "%y[+1]" in text else 0
        if (self.reach == 2 and "%y[-1]" not in text) or (self.ahead == 2 and "%y[+1]" not in text):
            raise TemplateError(f"a line that looks at two labels looks at the nearer one, too: {text}")
        self.text = text
        self.macros = macros_of(text)
        self.form = MACRO.sub("{}", text.replace("{", "{{").replace("}", "}}"))

    def features(self, rows: Rows, i: int) -> list[tuple[str, float]]:
        """Return the features at token i with their values: one, or one for each of a dict of features.

        >>> Line("U01:%x[-1,0]/%x[0,1]").features([("the", "DT"), ("dog", "NN")], 1)
        [('U01:the/NN', 1.0)]
        >>> Line("U:%x[0,0]").features([({"word:dog": 1, "length": 0.3}, "NN")], 0)
        [('U:word:dog', 1), ('U:length', 0.3)]
        """
        cells = [macro.take(rows, i) for macro in self.macros]
        for macro, cell in zip(self.macros, cells, strict=True):
            if not isinstance(cell, str):
                return [(self.text.replace(macro.text, name), value) for name, value in cell.items()]
        return [(self.form.format(*cells), 1.0)]


def lines_of(template: str) -> list[Line]:
    """Return the lines of a template, without its comments. Raises TemplateError as `Line` does."""
    return [Line(line) for text in template.split("\n") if (line := text.partition("#")[0].strip())]
