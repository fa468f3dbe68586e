"""Easy-first parsing: the surest attachment of two neighbours first (Goldberg & Elhadad 2010).

A sentence is a list of pending partial trees (`sapwood_lab.pending`), at first its words, with the root at the left
end. Algorithm 1::

    while more than one tree is pending:
        attach left  (i): p_i is the head of p_(i+1)      p_(i+1) leaves the list
        attach right (i): p_(i+1) is the head of p_i      p_i leaves the list
        the action and the place i are the argmax of w . phi(action, i)

The root takes its child when only one other tree is left. Algorithm 3, guided learning::

    valid: the arc is in the gold tree, and the modifier has all its children
    while more than one tree is pending:
        repeat:
            y  <- argmax over valid actions;  y' <- argmax over invalid actions
            if w . phi(y') + cost(y') < w . phi(y):  leave the loop
            w <- w + phi(y) - phi(y')
        make y

This is ``guided="repeat"`` (`sapwood_lab.guided`); with ``guided="once"`` y is made after one presentation. Ties go to
the leftmost place, then to the attachment to the left, then to the relation that the data have first. The averaging
clock ticks once a presentation.

>>> parser = EasyFirstParser("[attachments]\\np0t p1t\\n", epochs=2, seed=None)
>>> words, trees = [[("the", "D"), ("dog", "N"), ("barks", "V")]], [([2, 3, 0], ["det", "nsubj", "root"])]
>>> for step in parser.steps(words, trees):
...     print(step.guess, "should be", step.gold)
left (the, dog) det should be right (the, dog) det
left (dog, barks) det should be right (dog, barks) nsubj
right (dog, barks) nsubj should be right (the, dog) det
left (dog, barks) nsubj should be right (dog, barks) nsubj
"""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from sapwood_lab.atoms import Sentence, Template
from sapwood_lab.guided import Guided
from sapwood_lab.parsing import Parser, Tree
from sapwood_lab.pending import Action, Pending
from sapwood_lab.step import Step, Vector


class Scored(NamedTuple):
    """An attachment with its score and its features."""

    score: float
    action: Action
    phi: Vector


class Attachments(NamedTuple):
    """A decision: the arcs (h, m, relation) in the order in which they were made, and what may come next."""

    arcs: list[tuple[int, int, str]]
    items: list[int]  # that are pending
    scores: dict[Action, float]  # with the cost of what is not valid
    gold: Action
    guess: Action


class EasyFirstParser(Parser):
    """The surest attachment first. `guided`: a decision is presented "once", or "repeat", until it is right."""

    structured = False
    has_constant_loss = False

    def __init__(self, template: str, *, guided: str = "once", **options: Any) -> None:
        self.guided = guided
        super().__init__(template, **options)
        self.attachments = Template(template, "attachments")

    def forget(self) -> None:
        super().forget()
        self.presentations = Guided(self.guided)

    def scored(self, pending: Pending) -> Iterator[Scored]:
        """Yield the possible attachments with their scores, from left to right."""
        for i in range(0 if len(pending.items) == 2 else 1, len(pending.items) - 1):
            texts = list(self.attachments.features(pending.atoms(i)))
            actions = [Action(i, "left", label) for label in (self.of_root if i == 0 else self.of_right)]
            actions += [Action(i, "right", label) for label in self.of_left if i > 0]
            for action in actions:
                output = f"attach {action.side} {action.label}" if self.labelled else f"attach {action.side}"
                phi: Vector = {(text, output): 1.0 for text in texts}
                yield Scored(self.score(phi), action, phi)

    def learn(self, example: tuple[Sentence, Tree]) -> Iterator[Step]:
        x, gold = example
        pending = Pending(x)
        while len(pending.items) > 1:
            for _ in self.presentations:
                y, guess = self.duel(pending, gold)
                words = pending.named(y.action), pending.named(guess.action)
                changed = yield from self.present(x, *words, y.phi, guess.phi, guess.score - y.score)
                if not changed:
                    break
            self.presentations.end(guess is y)
            pending.make(y.action)

    def duel(self, pending: Pending, gold: Tree) -> tuple[Scored, Scored]:
        """Return the best valid action, and the best invalid one with its cost, or y again if that is not ahead."""
        scored = list(self.scored(pending))
        valid = [each for each in scored if pending.is_valid(each.action, gold)]
        y = first_best(valid)
        wrong = (each for each in scored if each not in valid)
        costly = [each._replace(score=each.score + self.loss(y.action, each.action)) for each in wrong]
        guess = first_best(costly) if costly else y
        scores = {each.action: each.score for each in (*valid, *costly)}
        self.search = Attachments([*pending.made], [*pending.items], scores, y.action, guess.action)
        return y, y if guess.score < y.score else guess

    def best(self, x: Sentence, gold: Tree | None = None) -> Tree:
        pending = Pending(x)
        while len(pending.items) > 1:
            pending.make(first_best(self.scored(pending)).action)
        return pending.arcs.tree()


def first_best(scored: Iterable[Scored]) -> Scored:
    """Return the attachment of highest score, the first of those that are equal."""
    return max(scored, key=lambda each: each.score)
