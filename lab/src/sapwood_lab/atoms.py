"""Features of a parser's decisions: conjunctions of atoms, by a template.

A word is its form with its tags, as `DependencyParser` takes it: (form, tag, second tag, morphological features). At
each decision a parser has a context: a dict of atoms, such as ``S0w``, the word on top of the stack. An atom ends in::

    w  form          p  first five letters    t  tag          f  morphological features
    l  lower-cased   s  last three letters    c  second tag

A line of the template conjoins some atoms: ``S0t N0w`` becomes the feature ``S0t=NN N0w=saw``. A tag that is ``_`` is
none, and a line with an atom that has no value gives no feature. Lines that look at word clusters (x, y, z) are left
out.

>>> x = Sentence([("the", "D"), ("dog", "N")])
>>> context = x.atoms("S0", 1) | x.atoms("N0", 2)
>>> list(Template("[transitions]\\nS0t N0w\\nS0c\\n", "transitions").features(context))
['S0t=D N0w=dog']
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Self

from sapwood_lab.errors import TemplateError

Context = Mapping[str, str | None]  # the value of each atom
Words = Sequence[str | Sequence[str]]  # of a sentence

ATTRIBUTES = "wlpstcf"
ROOT: Context = dict.fromkeys(ATTRIBUTES, "<root>")
OUTSIDE: Context = dict.fromkeys(ATTRIBUTES, "<outside>")


class Sentence(tuple[tuple[str, ...], ...]):
    """The n words of a sentence. By position 0 is the root, 1 to n are the words, and what is beyond is outside."""

    def __new__(cls, words: Words) -> Self:  # words that are texts have no tags
        return super().__new__(cls, ((word,) if isinstance(word, str) else tuple(word) for word in words))

    def __init__(self, words: Words) -> None:
        self.n = len(self)
        self._rows: list[Context] = [ROOT, *(_attributes(*word) for word in self)]

    def at(self, position: int) -> Context:
        """Return the attributes of what is at a position."""
        return self._rows[position] if 0 <= position <= self.n else OUTSIDE

    def atoms(self, place: str, position: int | None) -> dict[str, str | None]:
        """Return the atoms of a place where that word stands, or none: {"S0w": "saw", "S0t": "VBD", ...}."""
        if position is None:
            return {place + a: None for a in ATTRIBUTES}
        return {place + a: value for a, value in self.at(position).items()}


class Template:
    """The lines of one section of a template, such as ``[arcs]``. Raises TemplateError if it is not there."""

    def __init__(self, text: str, section: str) -> None:
        if f"[{section}]" not in text:
            raise TemplateError(f"the template has no section [{section}]")
        lines = text.partition(f"[{section}]")[2].partition("\n[")[0].split("\n")
        rows = [line.partition("#")[0].split() for line in lines]
        self.lines = [row for row in rows if row and not any(atom[-1] in "xyz" for atom in row)]

    def features(self, context: Context) -> Iterator[str]:
        """Yield the features of a context. Raises TemplateError if it does not have an atom."""
        for line in self.lines:
            try:
                values = [context[atom] for atom in line]
            except KeyError as error:
                raise TemplateError(f"there is no atom {error} in this search") from None
            if None not in values:
                yield " ".join(f"{atom}={value}" for atom, value in zip(line, values, strict=True))


def bucket(distance: int) -> str:
    """Return a distance as a feature has it: 1 to 4; 5 and 6; 7 to 9; more."""
    return str(distance if distance <= 4 else 5 if distance <= 6 else 6 if distance <= 9 else 7)


def count(children: Sequence[int]) -> str:
    """Return a number of children as a feature has it: one more than it is, at most 5; 0 would be no value."""
    return str(min(len(children), 4) + 1)


def _attributes(form: str, tag: str = "_", second: str = "_", feats: str = "_") -> Context:
    lower = form.lower()
    tags = (None if cell == "_" else cell for cell in (tag, second, feats))
    return dict(zip(ATTRIBUTES, (form, lower, lower[:5], lower[-3:], *tags), strict=True))
