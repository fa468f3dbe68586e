"""Features in words: "the word before is 'refund'" for ``U01:refund``, by the line of the template that made it.

docs/templates.md describes templates. A feature whose values cannot be told for sure keeps its code, as "and/or/not" of
a line with a slash between two words.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

_MACRO = re.compile(r'%([A-Za-z]+)(?:\[((?:"(?:\\.|[^"\\])*"|[^\]"])*)\])?')
_ARGUMENT = re.compile(r'"(?:\\.|[^"\\])*"|[^,]+')
_LABELS = re.compile(r" y\[([-+]\d+)\]=")  # labels around, behind a feature's own text
_NO_VALUE = ("before", "after", "offset", "tokens", "y")  # macros that stay as they are in a feature's text
_WORD = ("word", "form", "token", "0")  # names of the column of words
_SAID: Mapping[str, str] = {  # macro -> what it says of a cell
    "x": "{cell} is '{value}'", "lower": "{cell} is '{value}'", "d": "the field {cell} is '{value}'",
    "prefix": "{cell} begins with '{value}'", "suffix": "{cell} ends in -{value}",
    "shape": "the letters of {cell} are like {value}", "digit": "a digit is {negated}in {cell}",
    "hyphen": "a hyphen is {negated}in {cell}", "capital": "the first letter of {cell} is {negated}a capital",
    "t": "{more} is {negated}found in {cell}", "m": "{more} matches '{value}' in {cell}",
    "in": "{cell} is {inside}a phrase of {more}", "cluster": "{cell} is of the cluster {value}",
    "lexicon": "{cell} is {value} in the lexicon", "chars": "the letters '{value}' are in {cell}",
}  # fmt: skip
_OUTSIDE, _BEYOND = "outside of the text", ("_B-", "_B+")
_NEGATED: Mapping[str, str] = {"false": "not ", "…": "(or not) "}
_INSIDE: Mapping[str, str] = {"O": "not in ", "B": "at the beginning of ", "I": "within ", "…": "in "}
_ATOM = re.compile(r"([SN]\d|p-?\d|[hmbgios])([lr]2?|[-+]1)?(v[lr]|s[lr]|c[lr]|nc|len|pp|[wlpstcfdxyz])")
_NODES: Mapping[str, str] = {
    "S0": "the top of the stack", "S1": "the second word of the stack", "S2": "the third word of the stack",
    "N0": "the next word", "N1": "the next word but one", "N2": "the next word but two", "h": "the head",
    "m": "the modifier", "b": "a word between", "g": "the head of the head", "i": "the next child inside",
    "o": "the next child outside", "s": "the child beside", "": "",
    "l": "the first child of ", "r": "the last child of ", "l2": "the second child of ",
    "r2": "the last child but one of ", "-1": "the word before ", "+1": "the word after ",
}  # fmt: skip
_PROPERTIES: Mapping[str, str] = {
    "w": "form", "l": "form in small letters", "p": "beginning", "s": "ending", "t": "tag", "c": "second tag",
    "f": "morphology", "d": "relation", "x": "cluster in short", "y": "longer cluster", "z": "cluster",
    "vl": "number of left children", "vr": "number of right children", "sl": "relations of left children",
    "sr": "relations of right children", "cl": "tags of left children", "cr": "tags of right children",
    "nc": "lack of children", "len": "number of words below", "pp": "preposition",
}  # fmt: skip


class Wording(NamedTuple):
    """A feature in words."""

    said: str
    codes: dict[str, str]  # the codes in its text, with what they mean
    rows: list[int]  # the words that it looks at, counted from the one that is decided about
    words: list[str]  # instead of rows: words one after the other, at any place of a text


class _Line(NamedTuple):
    """A line of a template for sequences or texts."""

    code: str
    literals: list[str]  # the text around the macros
    macros: list[tuple[str, list[str]]]  # macros that have a value, and their arguments

    @property
    def anywhere(self) -> bool:
        """True if the line is about any place of a text."""
        return self.code[:1] in ("A", "C")

    @property
    def is_run(self) -> bool:
        """True if the line is about words, one after the other, at any place of a text."""
        rows = [arguments[:2] for name, arguments in self.macros if name in ("x", "lower")]
        in_order = rows == [[str(k), "0"] for k in range(len(self.macros))]
        return self.anywhere and bool(rows) and in_order

    def said(self, columns: Sequence[str], values: Sequence[str]) -> str:
        """Return the line in words with these values."""
        facts = [_fact(macro, columns, value) for macro, value in zip(self.macros, values, strict=True)]
        if self.is_run:
            return "the text has " + ", then ".join(f"'{value}'" for value in values)
        if self.code[:1] in ("B", "*"):
            facts.append("the label before counts")
        return "somewhere in the text " * self.anywhere + " and ".join(facts) if facts else "it is always so"

    def wording(self, columns: Sequence[str], values: list[str]) -> Wording:
        code = self.code.removesuffix(":")
        codes = {code: self.said(columns, ["…"] * len(self.macros))} if code else {}
        if self.anywhere:
            return Wording(self.said(columns, values), codes, [], values if self.is_run else [])
        rows = [int(arguments[0]) for name, arguments in self.macros if name != "d" and "@" not in arguments[0]]
        return Wording(self.said(columns, values), codes, rows, [])


def wording_of(template: str, columns: Sequence[str]) -> Callable[[str], Wording]:
    r"""Return a function that says a feature in words, by its text.

    columns : the names of the columns that the template looks at

    >>> word = wording_of("U01:%X[-1,0]\nU02:%suffix[0,0,3]\nA1:%X[0,0]/%X[1,0]\nU:bias\n", ["word", "label"])
    >>> word("U01:refund").said, word("U02:ing").said, word("U:bias").said
    ("the word before is 'refund'", 'the word ends in -ing', 'it is always so')
    >>> word("A1:too/late").said
    "the text has 'too', then 'late'"
    >>> word("A1:and/or/not").said
    'A1:and/or/not'
    >>> word("S0t=NN N0w=dog").said
    "the tag of the top of the stack is 'NN' and the form of the next word is 'dog'"
    >>> word("S0t=NN N0w=dog").codes
    {'S0t': 'the tag of the top of the stack', 'N0w': 'the form of the next word'}
    """
    lines = [_read(line) for line in map(str.strip, template.splitlines()) if line and line[0] not in "#["]

    def wording(feature: str) -> Wording:
        text, *labels = _LABELS.split(feature)
        around = list(map(_label, labels[::2], labels[1::2]))
        read = [(line, values) for line in lines if (values := _values(line.literals, text)) is not None]
        if len(read) != 1:  # a feature of no line, or maybe of several
            return _of_atoms(feature)
        [(line, values)] = read
        found = line.wording(columns, values)
        said = [found.said] if values or not around else []
        return found._replace(said=" and ".join([*said, *around]))

    return wording


def _read(line: str) -> _Line:
    literals, macros, end = [""], list[tuple[str, list[str]]](), 0
    for macro in _MACRO.finditer(line):
        literals[-1] += line[end : macro.start()]
        end = macro.end()
        if macro[1].lower() in _NO_VALUE:
            literals[-1] += macro[0]
        else:
            macros.append((macro[1].lower(), _ARGUMENT.findall(macro[2] or "") or ["0"]))
            literals.append("")
    literals[-1] += line[end:]
    code, colon, _ = line.partition(":")
    return _Line(code + colon, literals, macros)


def _values(literals: Sequence[str], text: str) -> list[str] | None:
    """Return the texts between the literals in a text; None if they are not in it, or if there are two readings."""
    if len(literals) == 1:
        return [] if [text] == literals else None
    first, *middle, last = literals
    end = len(text) - len(last)
    if not (text.startswith(first) and text.endswith(last) and len(first) <= end):
        return None
    from_left, from_right = [(0, len(first))], [(end, len(text))]
    for literal in middle:
        at = text.find(literal, from_left[-1][1], end)
        from_left.append((at, at + len(literal)))
    for literal in reversed(middle):
        at = text.rfind(literal, len(first), from_right[-1][0])
        from_right.append((at, at + len(literal)))
    places = [*from_left, (end, len(text))]
    if min(places)[0] < 0 or places != [(0, len(first)), *reversed(from_right)]:
        return None
    return [text[before[1] : behind[0]] for before, behind in pairwise(places)]


def _fact(macro: tuple[str, list[str]], columns: Sequence[str], value: str) -> str:
    name, (row, *others) = macro
    column = others[0] if others and name != "d" else ""
    if column.isdigit() and int(column) < len(columns):
        column = columns[int(column)]
    cell = row if name == "d" else _place("word", int(row)) if "@" not in row else f"the word {row}"
    if name != "d" and column not in _WORD:
        cell = f"the {column} of {cell}"
    if value[:3] in _BEYOND:
        return f"{cell} is {_OUTSIDE}"
    negated, inside, more = _NEGATED.get(value, ""), _INSIDE.get(value, ""), ", ".join(others[1:])
    said = _SAID.get(name, f"%{name} of {{cell}} is {{value}}")
    return said.format(cell=cell, value=value, negated=negated, inside=inside, more=more)


def _label(row: str, label: str) -> str:
    return f"{_place('label', int(row))} is {_OUTSIDE if label[:3] in _BEYOND else label}"


def _place(what: str, row: int) -> str:
    far = "" if abs(row) == 1 else f" {abs(row)} places"
    return f"the {what}" if row == 0 else f"the {what}{far} {'before' if row < 0 else 'after'}"


def _of_atoms(feature: str) -> Wording:
    """Say the feature of a parser, a conjunction of atoms, in words."""
    facts, codes = list[str](), dict[str, str]()
    for fact in feature.split(" "):
        code, _, value = fact.partition("=")
        if (atom := _ATOM.fullmatch(code)) is None or not value:
            facts.append(fact)
            continue
        node = _NODES.get(atom[1], f"the word at {atom[1]}")
        codes[code] = f"the {_PROPERTIES[atom[3]]} of {_NODES[atom[2] or '']}{node}"
        facts.append(f"{codes[code]} is '{value}'")
    return Wording(" and ".join(facts) if codes else feature, codes, [], [])
