"""Easy-first parsing: the surest attachment of two neighbours first (Goldberg & Elhadad 2010).

It builds trees. Easiest-first tagging (``sapwood.lab.easiest_first``, Shen, Satta & Joshi 2007) labels tokens in the
order of confidence. In training, the best valid action of the whole sentence competes with the best invalid one here;
there, the gold label of the surest token competes with that token's other labels.

A sentence is a list of pending partial trees, at first its words, with the root at the left end. Algorithm 1::

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

This is ``guided="repeat"``. A decision is presented 100 times at most, and not again if phi(y) = phi(y'); then y is
made all the same. With ``guided="once"`` y is made after one presentation. Ties go to the leftmost place, then to the
attachment to the left, then to the relation that the data have first. The averaging clock ticks once a presentation.
The atoms (section ``[attachments]``) are::

    p-2 p-1 p0 p1 p2 p3   the neighbours of the place between p0 and p1, with attributes
    p0l p0r p0l2 p0r2     outermost and second outermost children; also d, the relation
    p0pp                  the word, if it is a preposition by its tag
    p0nc p0len            whether it has children; how many words are under it
    p0vl p0vr             how many children it has to the left, and to the right
    p0sl p0sr p0cl p0cr   sets of the children's relations, and of their second tags
    p0-p1                 the distance to the next item

>>> parser = EasyFirstParser("[attachments]\\np0t p1t\\n", epochs=2, seed=None)
>>> words = [[("the", "D"), ("dog", "N"), ("barks", "V")]]
>>> trees = [([2, 3, 0], ["det", "nsubj", "root"])]
>>> for step in parser.steps(words, trees):
...     print(step.guess, "should be", step.gold)
left (the, dog) det should be right (the, dog) det
left (dog, barks) det should be right (dog, barks) nsubj
right (dog, barks) nsubj should be right (the, dog) det
left (dog, barks) nsubj should be right (dog, barks) nsubj
>>> parser.parse(Sentence(words[0])) == Tree(*map(tuple, trees[0]))
True
"""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from sapwood.lab.guided import Decision, Guided
from sapwood.lab.parsing import Parser, PartialTree, Sentence, Template, Tree, bucket, count
from sapwood.lab.step import Step, Vector

_WINDOW = ("p-2", "p-1", "p0", "p1", "p2", "p3")


class Action(NamedTuple):
    """An attachment: where, which of the two neighbours is the head, and the relation."""

    i: int  # place in the list: between p_i and p_(i+1)
    side: str  # where the head is, "left" or "right"
    label: str


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


class Pending:
    """The list of pending trees, and the arcs made so far."""

    def __init__(self, x: Sentence) -> None:
        self.x, self.items, self.arcs = x, list(range(x.n + 1)), PartialTree(x.n)
        self.made: list[tuple[int, int, str]] = []  # the arcs, in order

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

    def atoms(self, i: int) -> dict[str, str | None]:
        """Return the context of the place i."""
        context: dict[str, str | None] = {}
        for k, place in enumerate(_WINDOW, i - 2):
            item = self.items[k] if 0 <= k < len(self.items) else None
            after = self.items[k + 1] if 0 <= k < len(self.items) - 1 else None
            context |= self._item(place, item)
            if place != "p3":
                distance = None if item is None or after is None else bucket(after - item)
                context[f"{place}-{_WINDOW[k - i + 3]}"] = distance
        return context

    def _item(self, place: str, item: int | None) -> dict[str, str | None]:
        x, arcs = self.x, self.arcs
        left, right = ((), ()) if item is None else (arcs.left[item], arcs.right[item])
        context = x.atoms(place, x.n + 1 if item is None else item)
        for name, children in (("l", left), ("r", right)):
            context |= arcs.child(x, place + name, children, 0) | arcs.child(x, f"{place}{name}2", children, 1)
        if item is None:
            return context | {place + "pp": "<outside>"} | {place + a: None for a in _NUMBERS}
        preposition = context[place + "t"] in ("IN", "TO") or context[place + "c"] == "ADP"
        context[place + "pp"] = context[place + "w"] if preposition else None
        tags = [" ".join(sorted({str(x[child]["c"]) for child in side})) for side in (left, right)]
        sets = (arcs.relations(left), arcs.relations(right), *tags)
        numbers = ("2" if left or right else "1", bucket(arcs.size[item]), count(left), count(right))
        return context | {place + a: value for a, value in zip(_NUMBERS, (*numbers, *sets), strict=True)}


_NUMBERS = ("nc", "len", "vl", "vr", "sl", "sr", "cl", "cr")


class EasyFirstParser(Parser):
    """The surest attachment first.

    guided : how often a decision is presented, "once", or "repeat", until it is right
    """

    structured = False
    has_constant_loss = False

    def __init__(self, template: str, *, guided: str = "once", **options: Any) -> None:
        self.guided = guided
        super().__init__(template, **options)
        self.attachments = Template(template, "attachments")

    def forget(self) -> None:
        """Set w, U and the counts of presentations to 0."""
        super().forget()
        self.presentations = Guided(self.guided)

    def actions(self, pending: Pending) -> Iterator[tuple[Action, Vector]]:
        """Yield the possible attachments with their features, from left to right."""
        for i in range(0 if len(pending.items) == 2 else 1, len(pending.items) - 1):
            texts = list(self.attachments.features(pending.atoms(i)))
            rights = self.of_root if i == 0 else self.of_right
            actions = [Action(i, "left", label) for label in rights]
            actions += [Action(i, "right", label) for label in self.of_left if i > 0]
            for action in actions:
                output = f"attach {action.side} {action.label}" if self.labelled else f"attach {action.side}"
                yield action, {(text, output): 1.0 for text in texts}

    def learn(self, example: tuple[Sentence, Tree]) -> Iterator[Step]:
        """Present each attachment, and make the valid one."""
        x, gold = example
        pending = Pending(x)
        y = Action(0, "left", "")

        def decide() -> Decision:
            nonlocal y
            right, guess = self.duel(pending, gold)
            y, named = right.action, [_named(pending, each.action) for each in (right, guess)]
            ahead = guess.score - right.score
            changed = yield from self.present(x.words, named[0], named[1], right.phi, guess.phi, ahead)
            return guess is right, changed

        while len(pending.items) > 1:
            yield from self.presentations.present(decide)
            pending.make(y)

    def duel(self, pending: Pending, gold: Tree) -> tuple[Scored, Scored]:
        """Return the best valid action, and the best invalid one with its cost, or y again if that is not ahead."""
        valid: list[Scored] = []
        invalid: list[Scored] = []
        for action, phi in self.actions(pending):
            where = valid if self._is_valid(pending, action, gold) else invalid
            where.append(Scored(self.score(phi), action, phi))
        y = first_best(valid)
        costly = [each._replace(score=each.score + self.loss(y.action, each.action)) for each in invalid]
        guess = first_best(costly) if costly else y
        scores = {each.action: each.score for each in (*valid, *costly)}
        self.search = Attachments(list(pending.made), list(pending.items), scores, y.action, guess.action)
        return y, y if guess.score < y.score else guess

    def parse(self, sentence: Sentence) -> Tree:
        """Return the tree that the surest attachments make."""
        pending = Pending(sentence)
        while len(pending.items) > 1:
            scored = (Scored(self.score(phi), action, phi) for action, phi in self.actions(pending))
            pending.make(first_best(scored).action)
        return pending.arcs.tree()

    def _is_valid(self, pending: Pending, action: Action, gold: Tree) -> bool:
        head, modifier = pending.arc(action)
        waiting = [m for m, h in enumerate(gold.heads, 1) if h == modifier and m in pending.items]
        return not waiting and (head, action.label) == (gold.heads[modifier - 1], gold.deprels[modifier - 1])


def first_best(scored: Iterable[Scored]) -> Scored:
    """Return the attachment of highest score, the first of those that are equal."""
    return max(scored, key=lambda each: each.score)


def _named(pending: Pending, action: Action) -> str:
    """Return an action in words: ``left (saw, dog) obj``."""
    words = ["<root>", *(word[0] for word in pending.x.words)]
    pair = ", ".join(words[item] for item in pending.items[action.i : action.i + 2])
    return f"{action.side} ({pair}) {action.label}"
