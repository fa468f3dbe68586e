"""Beam search over transitions, trained with early update (Collins & Roark 2004; Zhang & Clark 2011).

::

    B <- {the configuration in which nothing is done}
    while the configurations in B are not done:
        B <- the best k of all successors of B,
             by the sum of w . phi(c, t) over the transitions t so far
        if the gold derivation is not in B:                            early update
            w <- w + phi(gold derivation so far) - phi(best of B)
            go on with the next sentence

Where the gold derivation stays in the beam but does not lead it all the time, the update is made at the step at which
the best one is ahead of it by most. With ``update="max"`` all updates are made there, and no search ends early
(max-violation; Huang, Fayong & Guo 2012). With a margin each wrong arc is scored gamma higher, or, if the cost is
constant, each derivation but the gold one, from the transition on by which it leaves it. Ties go to the successor of
the configuration that ranks higher, then to shift, left, right, and to the relation that the data have first. The
averaging clock ticks once a sentence. The atoms (section ``[transitions]``) are::

    S0 S1 S2  N0 N1 N2   the stack from its top, and the next words, with attributes
    S0l S0r S0l2 S0r2    outermost and second outermost children (of N0 only N0l, N0l2),
                         with attributes and d, the relation; also of S1
    S0vl S0vr            numbers of children; also of S1; N0vl
    S0sl S0sr            sets of the children's relations; also of S1; N0sl
    S1-S0 S0-N0          distances

>>> parser = BeamParser("[transitions]\\nS0t N0t\\n", beam=2, epochs=5, seed=None)
>>> words = [[("the", "D"), ("dog", "N"), ("barks", "V")]]
>>> trees = [([2, 3, 0], ["det", "nsubj", "root"])]
>>> for step in parser.steps(words, trees):
...     print(step.guess, "should be", step.gold, sep="\\n")
shift, shift, shift
should be
shift, left det, shift
shift, left det, shift, left det
should be
shift, left det, shift, left nsubj
>>> parser.parse(Sentence(words[0])) == Tree(*map(tuple, trees[0]))
True
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from sapwood.errors import OptionError
from sapwood.lab.arc_hybrid import Configuration, Transition, configurations
from sapwood.lab.losses import is_of_structures
from sapwood.lab.parsing import Parser, Sentence, Template, Tree, bucket, count
from sapwood.lab.step import Step, Weight


class Item(NamedTuple):
    """A configuration in the beam: how it came about, and its score."""

    c: Configuration
    derivation: tuple[Transition, ...]
    score: float


Successor = tuple[float, Item, Transition]  # its score, and the configuration and transition that it comes from


class Beams(NamedTuple):
    """A search: the successors of each step, the best first, and the two derivations that were compared."""

    beam: int  # of the successors so many are kept
    successors: list[list[tuple[float, tuple[Transition, ...]]]]
    gold: tuple[Transition, ...]  # as far as it was followed
    guess: tuple[Transition, ...]


def free(item: Item, t: Transition) -> float:
    """Return the cost of a transition if there is no margin."""
    return 0.0


class BeamParser(Parser):
    """The best k derivations, from left to right.

    beam : configurations that are kept, at least 2 (the core trains a beam of 1 in another way)
    update : where to update, "early" or "max"
    """

    def __init__(self, template: str, *, beam: int = 8, update: str = "early", **options: Any) -> None:
        if beam < 2 or update not in ("early", "max"):
            raise OptionError("beam is at least 2, and update is early or max")
        super().__init__(template, **options)
        self.beam, self.update, self.early = beam, update, update == "early"
        self.transitions = Template(template, "transitions")

    def possible(self, c: Configuration) -> list[Transition]:
        """Return the transitions that are possible, in the order in which ties are broken."""
        labels = {"left": self.of_root if c.at_end else self.of_left, "right": self.of_right, "shift": [""]}
        return [Transition(move, label) for move in c.moves() for label in labels[move]]

    def f(self, c: Configuration, texts: Sequence[str], t: Transition) -> Counter[Weight]:
        """Return the features of a transition, given those of its configuration."""
        move = "root" if t.move == "left" and c.at_end else t.move
        output = f"{move} {t.label}".rstrip() if self.labelled else move
        return Counter((text, output) for text in texts)

    def phi(self, x: Sentence, derivation: Sequence[Transition]) -> Counter[Weight]:
        """Return the features of a derivation."""
        phi: Counter[Weight] = Counter()
        for c, t in zip(configurations(x, derivation), derivation, strict=True):
            phi.update(self.f(c, self._texts(c), t))
        return phi

    def successors(self, B: Sequence[Item], cost: Callable[[Item, Transition], float] = free) -> list[Successor]:
        """Return all successors, the best first; while training, the cost of a transition is added to its score."""
        scored = []
        for item in B:
            texts = self._texts(item.c)
            for t in self.possible(item.c):
                score = item.score + self.score(self.f(item.c, texts, t)) + cost(item, t)
                scored.append((score, item, t))
        return sorted(scored, key=lambda each: -each[0])  # keeps the order of those that are equal

    def best_of(self, successors: Sequence[Successor]) -> list[Item]:
        """Return the configurations of the best k successors."""
        return [Item(item.c.after(t), (*item.derivation, t), score) for score, item, t in successors[: self.beam]]

    def cost_of(self, gold: Tree, right: Item, next: Transition) -> Callable[[Item, Transition], float]:
        """Return the costs of the transitions of a step: after `right`, the gold derivation so far, `next` is gold."""
        if is_of_structures(self.loss):
            return lambda item, t: self.loss(next, t) if item.derivation == right.derivation else 0.0
        return lambda item, t: 0.0 if t.move == "shift" else self.loss(*item.c.arcs_of(t, gold))

    def parse(self, sentence: Sentence) -> Tree:
        """Return the tree of the best derivation."""
        B = [Item(Configuration(sentence), (), 0.0)]
        while not B[0].c.done:
            B = self.best_of(self.successors(B))
        return B[0].c.arcs.tree()

    def learn(self, example: tuple[Sentence, Tree]) -> Iterator[Step]:
        """Present the derivation of a sentence."""
        x, gold = example
        B = [Item(Configuration(x), (), 0.0)]
        right = B[0]  # the gold derivation
        y = guess = B[0].derivation  # both up to the step of the update,
        violation = -1.0  # where the guess is ahead by so much
        in_beam, every = True, []
        while not right.c.done and (in_beam or not self.early):
            t = right.c.oracle(gold)
            score = right.score + self.score(self.f(right.c, self._texts(right.c), t))
            every.append(self.successors(B, self.cost_of(gold, right, t)))
            B = self.best_of(every[-1])
            right = Item(right.c.after(t), (*right.derivation, t), score)
            in_beam = in_beam and any(item.derivation == right.derivation for item in B)
            ahead = B[0].score - right.score
            if B[0].derivation != right.derivation and (ahead > violation or (self.early and not in_beam)):
                y, guess, violation = right.derivation, B[0].derivation, ahead
        if violation < 0:
            y = guess = right.derivation
        steps = [[(score, (*item.derivation, t)) for score, item, t in scored] for scored in every]
        self.search = Beams(self.beam, steps, right.derivation, guess)
        yield from self.present(x.words, _named(y), _named(guess), self.phi(x, y), self.phi(x, guess), violation)

    def _texts(self, c: Configuration) -> list[str]:
        return list(self.transitions.features(atoms(c)))


def atoms(c: Configuration) -> dict[str, str | None]:
    """Return the context of a configuration."""
    x, arcs = c.x, c.arcs
    stack = [*reversed(c.stack), None, None, None][:3]
    buffer = [word if word <= x.n else 0 if word == x.n + 1 else -1 for word in range(c.next, c.next + 3)]
    context: dict[str, str | None] = {}
    for k, word in enumerate(stack):
        outside = None if k == 2 else -1  # S2 has no value where there is none
        context |= x.atoms(f"S{k}", outside if word is None else word)
    for k, word in enumerate(buffer):
        context |= x.atoms(f"N{k}", word)
    for name, word in (("S0", stack[0]), ("S1", stack[1]), ("N0", buffer[0])):
        for side, children in (("l", arcs.left), ("r", arcs.right)):
            if name == "N0" and side == "r":
                continue
            mine = () if word is None else children[word]
            context |= arcs.child(x, name + side, mine, 0) | arcs.child(x, f"{name}{side}2", mine, 1)
            context |= {f"{name}v{side}": count(mine), f"{name}s{side}": arcs.relations(mine)}
    s0, s1, _ = stack
    context["S1-S0"] = None if s0 is None or s1 is None else bucket(s0 - s1)
    context["S0-N0"] = None if s0 is None else bucket(c.next - s0)
    return context


def _named(derivation: Sequence[Transition]) -> str:
    return ", ".join(f"{move} {label}".rstrip() for move, label in derivation)
