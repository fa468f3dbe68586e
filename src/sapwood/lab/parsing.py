"""What the parsers of the laboratory share: sentences, trees, and features as conjunctions of atoms.

A word is its form with its tags, as `DependencyParser` takes it: (form, tag, second tag, morphological features). At
each decision a parser has a context: a dict of atoms, such as ``S0w``, the word on top of the stack. An atom ends in::

    w  form          p  first five letters    t  tag          f  morphological features
    l  lower-cased   s  last three letters    c  second tag

A line of the template conjoins some atoms: ``S0t N0w`` becomes the feature ``S0t=NN N0w=saw``. A tag that is ``_`` is
none, and a line with an atom that has no value gives no feature. Lines that look at word clusters (x, y, z) are left
out.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from sapwood.errors import DataError, TemplateError
from sapwood.lab.learner import Learner

Context = Mapping[str, str | None]  # the value of each atom
Word = str | Sequence[str]
Words = Sequence[Word]  # of a sentence
Arcs = tuple[Sequence[int], Sequence[str]]  # the head and the relation of each word

ATTRIBUTES = "wlpstcf"
ROOT: Context = dict.fromkeys(ATTRIBUTES, "<root>")
OUTSIDE: Context = dict.fromkeys(ATTRIBUTES, "<outside>")


class Tree(NamedTuple):
    """A dependency tree over n words."""

    heads: tuple[int, ...]  # [n] words count from 1, 0 is the root
    deprels: tuple[str, ...]  # [n]


class Sentence:
    """The words of a sentence by their positions: 0 is the root, 1 to n the words; what is beyond is outside."""

    def __init__(self, words: Sequence[Word]) -> None:
        self.words = [(word,) if isinstance(word, str) else tuple(word) for word in words]
        self.n = len(words)
        self._rows: list[Context] = [ROOT, *(_attributes(*word) for word in self.words)]

    def __getitem__(self, position: int) -> Context:
        """Return the attributes of a word."""
        return self._rows[position] if 0 <= position <= self.n else OUTSIDE

    def atoms(self, place: str, position: int | None) -> dict[str, str | None]:
        """Return the atoms of a place where that word stands, or none: {"S0w": "saw", "S0t": "VBD", ...}."""
        if position is None:
            return {place + a: None for a in ATTRIBUTES}
        return {place + a: value for a, value in self[position].items()}


class Template:
    """The lines of one section of a template, such as ``[arcs]``. Raises TemplateError if it is not there."""

    def __init__(self, text: str, section: str) -> None:
        if f"[{section}]" not in text:
            raise TemplateError(f"the template has no section [{section}]")
        lines = text.partition(f"[{section}]")[2].partition("\n[")[0].split("\n")
        rows = [line.partition("#")[0].split() for line in lines]
        self.lines = [row for row in rows if row and not any(atom[-1] in "xyz" for atom in row)]

    def features(self, context: Context) -> Iterator[str]:
        """Yield the features of a decision's context. Raises TemplateError if it does not have an atom.

        >>> list(Template("[arcs]\\nhw ht\\nmw", "arcs").features({"hw": "saw", "ht": "VBD", "mw": None}))
        ['hw=saw ht=VBD']
        """
        for line in self.lines:
            try:
                values = [context[atom] for atom in line]
            except KeyError as error:
                raise TemplateError(f"there is no atom {error} in this search") from None
            if None not in values:
                yield " ".join(f"{atom}={value}" for atom, value in zip(line, values, strict=True))


class PartialTree:
    """The arcs that a parser has made so far. The children of a word are attached from the inside out."""

    def __init__(self, n: int) -> None:
        self.heads, self.deprels = [0] * (n + 1), [""] * (n + 1)
        self.left: list[tuple[int, ...]] = [()] * (n + 1)  # [n + 1] children, the outermost first
        self.right: list[tuple[int, ...]] = [()] * (n + 1)
        self.size = [1] * (n + 1)  # words under each word, with itself

    def copy(self) -> "PartialTree":
        """Return a tree to which other arcs can be added."""
        other = PartialTree(0)
        for name, column in vars(self).items():
            setattr(other, name, column.copy())
        return other

    def attach(self, head: int, modifier: int, left: bool, deprel: str) -> None:
        """Add an arc. `left` says on which side of the head the modifier stands; of the root, the search says it."""
        self.heads[modifier], self.deprels[modifier] = head, deprel
        children = self.left if left else self.right
        children[head] = (modifier, *children[head])
        self.size[head] += self.size[modifier]

    def tree(self) -> Tree:
        """Return the whole tree."""
        return Tree(tuple(self.heads[1:]), tuple(self.deprels[1:]))

    def child(self, sentence: Sentence, place: str, children: Sequence[int], k: int) -> dict[str, str | None]:
        """Return the atoms of the k-th outermost of some children, with its relation: {"S0lw": ..., "S0ld": ...}."""
        child = children[k] if k < len(children) else None
        relation = None if child is None else self.deprels[child]
        return {**sentence.atoms(place, child), place + "d": relation}

    def relations(self, children: Iterable[int]) -> str:
        """Return the set of the children's relations, as text."""
        return "{" + " ".join(sorted({self.deprels[child] for child in children})) + "}"


class Parser(Learner):
    """The base class of parsers: reads sentences and their trees, which must be projective, with one root each.

    template : the text of a template
    labelled : give arcs their relations; otherwise all are ``_``

    Further options are those of `Learner`.
    """

    def __init__(self, template: str, *, labelled: bool = True, **options: Any) -> None:
        super().__init__(**options)
        self.template, self.labelled = template, labelled

    def read(self, sentences: Sequence[Words], trees: Sequence[Arcs]) -> list[tuple[Sentence, Tree]]:
        """Return the sentences with their trees. Raises DataError unless these are projective, with one root."""
        if len(sentences) != len(trees):
            raise DataError(f"{len(sentences)} sentences have {len(trees)} trees")
        read = []
        for number, (words, (heads, deprels)) in enumerate(zip(sentences, trees, strict=True), 1):
            if len(words) != len(heads) or len(heads) != len(deprels) or not is_projective(heads):
                raise DataError(f"sentence {number}: the laboratory learns from projective trees with one root only")
            relations = tuple(deprels) if self.labelled else ("_",) * len(heads)
            read.append((Sentence(words), Tree(tuple(heads), relations)))
        labels = list(dict.fromkeys(label for _, tree in read for label in tree.deprels))

        def among(chosen: set[str]) -> list[str]:
            return [label for label in labels if label in chosen or not chosen]

        arcs = [(m, *arc) for _, tree in read for m, arc in enumerate(zip(*tree, strict=True), 1)]
        self.of_root = among({label for _, h, label in arcs if h == 0})  # relations of the root's child
        self.of_left = among({label for m, h, label in arcs if m < h})  # of words to the left of their heads
        self.of_right = among({label for m, h, label in arcs if 0 < h < m})
        return read

    def predict(self, inputs: Iterable[Sequence[Word]]) -> list[Tree]:
        """Return the tree of each sentence. Raises NotFittedError if nothing was learned yet."""
        self.check_is_fitted()
        return [self.parse(Sentence(words)) for words in inputs]

    def parse(self, sentence: Sentence) -> Tree:
        """Return the tree of a sentence."""
        raise NotImplementedError


def is_projective(heads: Sequence[int]) -> bool:
    """Return whether heads are a tree with one root in which all arcs are projective.

    >>> is_projective([2, 0, 2]), is_projective([3, 4, 4, 0]), is_projective([2, 1, 0])
    (True, False, False)
    """
    if list(heads).count(0) != 1 or any(not 0 <= h <= len(heads) for h in heads):
        return False
    is_tree = all(ancestors(heads, m)[-1] == 0 for m in range(1, len(heads) + 1))
    return is_tree and not non_projective(heads)


def ancestors(heads: Sequence[int], word: int) -> list[int]:
    """Return the words above a word, nearest first, then 0; in a cycle, some of the words in it."""
    above = [heads[word - 1]]
    while above[-1] != 0 and len(above) < len(heads):
        above.append(heads[above[-1] - 1])
    return above


def non_projective(heads: Sequence[int]) -> list[int]:
    """Return the words whose arc passes over a word that is not under their head. The heads must be a tree.

    >>> non_projective([2, 0, 5, 2, 2])  # 5 -> 3 passes over 4, which hangs on 2
    [3]
    """
    arcs = enumerate(heads, 1)
    return [m for m, h in arcs if any(h not in ancestors(heads, b) for b in range(min(h, m) + 1, max(h, m)))]


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
