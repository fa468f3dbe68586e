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
(max-violation; Huang, Fayong & Guo 2012). With a loss each wrong arc is scored higher by what it costs, or, if the loss
is constant, each derivation but the gold one, from the transition on by which it leaves it. Ties go to the successor of
the configuration that ranks higher, then to shift, left, right, and to the relation that the data have first. The
averaging clock ticks once a sentence. `sapwood_lab.arc_hybrid` has the transitions and the atoms of features.

>>> parser = BeamParser("[transitions]\\nS0t N0t\\n", beam=2, epochs=5, seed=None)
>>> words, trees = [[("the", "D"), ("dog", "N"), ("barks", "V")]], [([2, 3, 0], ["det", "nsubj", "root"])]
>>> for step in parser.steps(words, trees):
...     print(step.guess, "should be", step.gold)
shift, shift, shift should be shift, left det, shift
shift, left det, shift, left det should be shift, left det, shift, left nsubj
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from sapwood_lab.arc_hybrid import Configuration, Transition
from sapwood_lab.atoms import Sentence, Template
from sapwood_lab.errors import OptionError
from sapwood_lab.losses import is_of_structures
from sapwood_lab.parsing import Parser, Tree
from sapwood_lab.step import Step, Weight

Derivation = tuple[Transition, ...]
Successor = tuple[float, "Item", Transition]  # its score, and the item and transition that it comes from


class Item(NamedTuple):
    """A configuration in the beam: how it came about, and its score."""

    c: Configuration
    derivation: Derivation
    score: float


class Beams(NamedTuple):
    """A search: the successors of each step, the best first, and the two derivations that were compared."""

    beam: int  # of the successors so many are kept
    successors: list[list[tuple[float, Derivation]]]
    gold: Derivation  # as far as it was followed
    guess: Derivation


class BeamParser(Parser):
    """The best k derivations: `beam` is k, at least 2; `update` says where to update, "early" or "max"."""

    def __init__(self, template: str, *, beam: int = 8, update: str = "early", **options: Any) -> None:
        if beam < 2 or update not in ("early", "max"):
            raise OptionError("beam is at least 2, and update is early or max")
        super().__init__(template, **options)
        self.beam, self.update = beam, update
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

    def texts(self, c: Configuration) -> list[str]:
        """Return the features of a configuration."""
        return list(self.transitions.features(c.atoms()))

    def phi(self, x: Sentence, derivation: Derivation) -> Counter[Weight]:
        phi: Counter[Weight] = Counter()
        c = Configuration(x)
        for t in derivation:
            phi.update(self.f(c, self.texts(c), t))
            c = c.after(t)
        return phi

    def successors(self, B: Sequence[Item], cost: Callable[[Item, Transition], float] | None = None) -> list[Successor]:
        """Return all successors, the best first; while training, with the costs of their transitions."""
        scored = []
        for item in B:
            texts = self.texts(item.c)
            for t in self.possible(item.c):
                score = item.score + self.score(self.f(item.c, texts, t))
                scored.append((score + cost(item, t) if cost else score, item, t))
        return sorted(scored, key=lambda each: -each[0])  # keeps the order of those that are equal

    def kept(self, successors: Sequence[Successor]) -> list[Item]:
        """Return the best k."""
        return [Item(item.c.after(t), (*item.derivation, t), score) for score, item, t in successors[: self.beam]]

    def best(self, x: Sentence, gold: Tree | None = None) -> Tree:
        B = [Item(Configuration(x), (), 0.0)]
        while not B[0].c.done:
            B = self.kept(self.successors(B))
        return B[0].c.arcs.tree()

    def learn(self, example: tuple[Sentence, Tree]) -> Iterator[Step]:
        x, gold = example
        right = Item(Configuration(x), (), 0.0)  # the gold derivation so far
        B, every = [right], []
        y, guess, ahead = right.derivation, right.derivation, -1.0  # by so much the guess is ahead of y
        while not right.c.done:
            t = right.c.oracle(gold)
            every.append(self.successors(B, self.cost_of(gold, right, t)))
            B = self.kept(every[-1])
            score = right.score + self.score(self.f(right.c, self.texts(right.c), t))
            right = Item(right.c.after(t), (*right.derivation, t), score)
            fell_off = self.update == "early" and all(item.derivation != right.derivation for item in B)
            if B[0].derivation != right.derivation and (B[0].score - score > ahead or fell_off):
                y, guess, ahead = right.derivation, B[0].derivation, B[0].score - score
            if fell_off:
                break
        if y == guess:
            y = guess = right.derivation
        seen = [[(score, (*item.derivation, t)) for score, item, t in scored] for scored in every]
        self.search = Beams(self.beam, seen, right.derivation, guess)
        yield from self.present(x, _named(y), _named(guess), self.phi(x, y), self.phi(x, guess), ahead)

    def cost_of(self, gold: Tree, right: Item, next: Transition) -> Callable[[Item, Transition], float]:
        """Return the costs of the transitions of a step: after `right`, the gold derivation so far, `next` is gold."""
        if is_of_structures(self.loss):
            return lambda item, t: self.loss(next, t) if item.derivation == right.derivation else 0.0
        return lambda item, t: 0.0 if t.move == "shift" else self.loss(*item.c.arcs_of(t, gold))


def _named(derivation: Derivation) -> str:
    return ", ".join(f"{move} {label}".rstrip() for move, label in derivation)
