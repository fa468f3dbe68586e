"""The arc-hybrid transition system (Kuhlmann, Gomez-Rodriguez & Satta 2011).

A projective tree over n words is built by 2n transitions between a stack and a buffer, whose last item is the root::

    shift    (s | s0, b0 | b)  ->  (s | s0 | b0, b)
    left     (s | s0, b0 | b)  ->  (s, b0 | b)          the head of s0 is b0
    right    (s | s1 | s0, b)  ->  (s | s1, b)          the head of s0 is s1

The root may take only one child, which is the last transition. The oracle says which transition leads to a gold tree:
left or right as soon as s0 has all its children and its head is there, otherwise shift. Features are conjunctions of
the atoms of a configuration (section ``[transitions]``)::

    S0 S1 S2  N0 N1 N2   the stack from its top, and the next words, with attributes
    S0l S0r S0l2 S0r2    outermost and second outermost children (of N0 only N0l, N0l2),
                         with attributes and d, the relation; also of S1
    S0vl S0vr            numbers of children; also of S1; N0vl
    S0sl S0sr            sets of the children's relations; also of S1; N0sl
    S1-S0 S0-N0          distances

>>> x = Sentence(["the", "dog", "barks"])
>>> gold = Tree((2, 3, 0), ("det", "nsubj", "root"))
>>> c = Configuration(x)
>>> while not c.done:
...     t = c.oracle(gold)
...     print(*t, end=";")
...     c = c.after(t)
shift ;left det;shift ;left nsubj;shift ;left root;
"""

from typing import NamedTuple, Self

from sapwood_lab.atoms import Sentence, bucket, count
from sapwood_lab.parsing import PartialTree, Tree


class Transition(NamedTuple):
    """A move, and the relation of the arc that it makes."""

    move: str  # "shift", "left" or "right"
    label: str = ""


class Configuration:
    """A stack (its top last), the next word of the buffer (n + 1: the root is next), and the arcs made so far."""

    def __init__(self, x: Sentence) -> None:
        self.x, self.next, self.arcs = x, 1, PartialTree(x.n)
        self.stack: list[int] = []

    @property
    def at_end(self) -> bool:
        """Return true if only the root is left in the buffer."""
        return self.next > self.x.n

    @property
    def done(self) -> bool:
        """Return true if the tree is finished."""
        return self.at_end and not self.stack

    def moves(self) -> list[str]:
        """Return the moves that are possible."""
        moves = [] if self.at_end else ["shift"]
        if len(self.stack) == 1 or (self.stack and not self.at_end):
            moves.append("left")
        if len(self.stack) >= 2:
            moves.append("right")
        return moves

    def head(self, move: str) -> int:
        """Return the head that a move gives to s0."""
        return self.stack[-2] if move == "right" else 0 if self.at_end else self.next

    def after(self, t: Transition) -> Self:
        """Return the configuration after a transition; this one stays as it is."""
        c = type(self)(self.x)
        c.stack, c.next, c.arcs = self.stack.copy(), self.next, self.arcs.copy()
        if t.move == "shift":
            c.stack.append(c.next)
            c.next += 1
        else:
            head = c.head(t.move)
            c.arcs.attach(head, c.stack.pop(), t.move == "left", t.label)
        return c

    def oracle(self, gold: Tree) -> Transition:
        """Return the next transition to a gold tree. No transition before it may have been wrong."""
        if self.stack:
            s0 = self.stack[-1]
            complete = all(gold.heads[b - 1] != s0 for b in range(self.next, self.x.n + 1))
            for move in self.moves():
                if move != "shift" and complete and gold.heads[s0 - 1] == self.head(move):
                    return Transition(move, gold.deprels[s0 - 1])
        return Transition("shift")

    def arcs_of(self, t: Transition, gold: Tree) -> tuple[tuple[int, str], tuple[int, str]]:
        """Return head and relation of s0 in the gold tree, and those that a transition gives it, left or right."""
        s0 = self.stack[-1] - 1
        return (gold.heads[s0], gold.deprels[s0]), (self.head(t.move), t.label)

    def atoms(self) -> dict[str, str | None]:
        """Return the context of a decision."""
        x, arcs = self.x, self.arcs
        s0, s1, s2 = stack = [*reversed(self.stack), None, None, None][:3]
        buffer = [word if word <= x.n else 0 if word == x.n + 1 else -1 for word in range(self.next, self.next + 3)]
        context = x.atoms("S2", s2)  # which has no value where there is none
        for place, word in zip(("S0", "S1", "N0", "N1", "N2"), [*stack[:2], *buffer], strict=True):
            context |= x.atoms(place, -1 if word is None else word)
        for place, word in (("S0", s0), ("S1", s1), ("N0", buffer[0])):
            for side, children in (("l", arcs.left), ("r", arcs.right)):
                if (place, side) != ("N0", "r"):
                    mine = () if word is None else children[word]
                    context |= arcs.outermost(x, place + side, mine)
                    context |= {f"{place}v{side}": count(mine), f"{place}s{side}": arcs.relations(mine)}
        context["S1-S0"] = None if s0 is None or s1 is None else bucket(s0 - s1)
        context["S0-N0"] = None if s0 is None else bucket(self.next - s0)
        return context
