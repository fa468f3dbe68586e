"""The list of pending trees of easy-first parsing, and the features of a place in it (Goldberg & Elhadad 2010).

At first the pending trees are the words, with the root at the left end. An attachment makes one of two neighbours a
child of the other. The features of the place between p0 and p1 are conjunctions of atoms (section ``[attachments]``)::

    p-2 p-1 p0 p1 p2 p3   the neighbours of the place, with attributes
    p0l p0r p0l2 p0r2     outermost and second outermost children; also d, the relation
    p0pp                  the word, if it is a preposition by its tag
    p0nc p0len            whether it has children; how many words are under it
    p0vl p0vr             how many children it has to the left, and to the right
    p0sl p0sr p0cl p0cr   sets of the children's relations, and of their second tags
    p0-p1                 the distance to the next item

>>> pending = Pending(Sentence(["the", "dog", "barks"]))
>>> pending.make(Action(1, "right", "det"))
>>> pending.items, pending.atoms(1)["p0lw"]
([0, 2, 3], 'the')
"""

from itertools import pairwise
from typing import NamedTuple

from sapwood_lab.atoms import Sentence, bucket, count
from sapwood_lab.parsing import PartialTree, Tree

_WINDOW = ("p-2", "p-1", "p0", "p1", "p2", "p3")
_NUMBERS = ("nc", "len", "vl", "vr", "sl", "sr", "cl", "cr")


class Action(NamedTuple):
    """An attachment: where, which of the two neighbours is the head, and the relation."""

    i: int  # place in the list: between p_i and p_(i+1)
    side: str  # where the head is, "left" or "right"
    label: str


class Pending:
    """The list of pending trees, and the arcs made so far."""

    def __init__(self, x: Sentence) -> None:
        self.x, self.items, self.arcs = x, list(range(x.n + 1)), PartialTree(x.n)
        self.made: list[tuple[int, int, str]] = []  # the arcs in order: head, modifier, relation

    def arc(self, action: Action) -> tuple[int, int]:
        """Return head and modifier of an action."""
        p_i, p_next = self.items[action.i], self.items[action.i + 1]
        return (p_i, p_next) if action.side == "left" else (p_next, p_i)

    def make(self, action: Action) -> None:
        """Attach one tree to its neighbour."""
        head, modifier = self.arc(action)
        self.arcs.attach(head, modifier, modifier < head, action.label)
        self.items.remove(modifier)
        self.made.append((head, modifier, action.label))

    def is_valid(self, action: Action, gold: Tree) -> bool:
        """Return true if the arc is in the gold tree, and the modifier has all its children."""
        head, modifier = self.arc(action)
        waiting = any(h == modifier and m in self.items for m, h in enumerate(gold.heads, 1))
        return not waiting and (head, action.label) == (gold.heads[modifier - 1], gold.deprels[modifier - 1])

    def named(self, action: Action) -> str:
        """Return an action in words."""
        words = ["<root>", *(word[0] for word in self.x)]
        pair = ", ".join(words[item] for item in self.items[action.i : action.i + 2])
        return f"{action.side} ({pair}) {action.label}"

    def atoms(self, i: int) -> dict[str, str | None]:
        """Return the context of the place i."""
        context: dict[str, str | None] = {}
        window = dict(zip(_WINDOW, [None, None, *self.items, None, None, None, None][i:], strict=False))
        for place, item in window.items():
            context |= self._item(place, item)
        for (place, item), (next_place, after) in pairwise(window.items()):
            context[f"{place}-{next_place}"] = None if item is None or after is None else bucket(after - item)
        return context

    def _item(self, place: str, item: int | None) -> dict[str, str | None]:
        x, arcs = self.x, self.arcs
        left, right = ((), ()) if item is None else (arcs.left[item], arcs.right[item])
        context = x.atoms(place, x.n + 1 if item is None else item)
        for name, children in (("l", left), ("r", right)):
            context |= arcs.outermost(x, place + name, children)
        if item is None:
            return context | {place + "pp": "<outside>"} | {place + a: None for a in _NUMBERS}
        preposition = context[place + "t"] in ("IN", "TO") or context[place + "c"] == "ADP"
        context[place + "pp"] = context[place + "w"] if preposition else None
        tags = [" ".join(sorted({str(x.at(child)["c"]) for child in side})) for side in (left, right)]
        sets = (arcs.relations(left), arcs.relations(right), *tags)
        numbers = ("2" if left or right else "1", bucket(arcs.size[item]), count(left), count(right))
        return context | {place + a: value for a, value in zip(_NUMBERS, (*numbers, *sets), strict=True)}
