"""The ground of the parsers of the laboratory: dependency trees, whole and in the making, and the reading of treebanks.

Words count from 1, and 0 is the root. Trees are projective: an arc from h to m passes over no word that is not under h.

>>> is_projective([2, 0, 2]), is_projective([3, 4, 4, 0]), is_projective([2, 1, 0])
(True, False, False)
>>> non_projective([2, 0, 5, 2, 2])  # 5 -> 3 passes over 4, which hangs on 2
[3]
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from sapwood_lab.atoms import Sentence, Words
from sapwood_lab.errors import DataError
from sapwood_lab.learner import Learner

Arcs = tuple[Sequence[int], Sequence[str]]  # the head and the relation of each word


class Tree(NamedTuple):
    """A dependency tree over n words."""

    heads: tuple[int, ...]  # [n]
    deprels: tuple[str, ...]  # [n]


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
        vars(other).update({name: column.copy() for name, column in vars(self).items()})
        return other

    def attach(self, head: int, modifier: int, left: bool, deprel: str) -> None:
        """Add an arc. `left` says on which side of the head the modifier stands."""
        self.heads[modifier], self.deprels[modifier] = head, deprel
        children = self.left if left else self.right
        children[head] = (modifier, *children[head])
        self.size[head] += self.size[modifier]

    def tree(self) -> Tree:
        """Return the whole tree."""
        return Tree(tuple(self.heads[1:]), tuple(self.deprels[1:]))

    def outermost(self, sentence: Sentence, place: str, children: Sequence[int]) -> dict[str, str | None]:
        """Return the atoms of the two outermost of some children, with their relations: {"S0lw": ..., "S0l2d": ...}."""
        atoms: dict[str, str | None] = {}
        for name, child in zip((place, place + "2"), (*children, None, None), strict=False):
            atoms |= sentence.atoms(name, child) | {name + "d": None if child is None else self.deprels[child]}
        return atoms

    def relations(self, children: Iterable[int]) -> str:
        """Return the set of the children's relations, as text."""
        return "{" + " ".join(sorted({self.deprels[child] for child in children})) + "}"


class Parser(Learner):
    """The base class of parsers. If they are not `labelled`, all relations are ``_``."""

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
        arcs = [(m, *arc) for _, tree in read for m, arc in enumerate(zip(*tree, strict=True), 1)]
        labels = dict.fromkeys(label for *_, label in arcs)  # in the order of the data
        of_root = {label for _, h, label in arcs if h == 0}
        of_left, of_right = ({label for m, h, label in arcs if h and (m < h) == left} for left in (True, False))
        self.of_root = [label for label in labels if label in of_root]  # relations of the root's child
        self.of_left = [label for label in labels if label in of_left or not of_left]  # of words before their heads
        self.of_right = [label for label in labels if label in of_right or not of_right]
        return read

    def predict(self, inputs: Iterable[Words]) -> list[Tree]:
        return super().predict(map(Sentence, inputs))


def is_projective(heads: Sequence[int]) -> bool:
    """Return true if heads are a tree with one root in which all arcs are projective."""
    if list(heads).count(0) != 1 or not all(0 <= h <= len(heads) for h in heads):
        return False
    return all(ancestors(heads, m)[-1] == 0 for m in range(1, len(heads) + 1)) and not non_projective(heads)


def ancestors(heads: Sequence[int], word: int) -> list[int]:
    """Return the words above a word, nearest first, then 0; in a cycle, some of the words in it."""
    above = [heads[word - 1]]
    while above[-1] != 0 and len(above) < len(heads):
        above.append(heads[above[-1] - 1])
    return above


def non_projective(heads: Sequence[int]) -> list[int]:
    """Return the words whose arc passes over a word that is not under their head. The heads must be a tree."""
    arcs = enumerate(heads, 1)
    return [m for m, h in arcs if any(h not in ancestors(heads, b) for b in range(min(h, m) + 1, max(h, m)))]
