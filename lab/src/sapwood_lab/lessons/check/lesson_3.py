"""The checkers of lesson 3: costs, a search that adds them, the hinge, a tagger with a margin, prices, steps."""

from collections.abc import Callable, Sequence
from itertools import product
from random import Random
from typing import Any

from sapwood_lab.learner import Learner
from sapwood_lab.lessons import data
from sapwood_lab.lessons.check.tables import Case, in_words, tables
from sapwood_lab.lessons.check.verdict import checker, differs, instance, same_weights, shown, slip
from sapwood_lab.losses import Loss, hamming
from sapwood_lab.losses import cost as cost_of
from sapwood_lab.passive_aggressive import PassiveAggressive
from sapwood_lab.viterbi import ViterbiTagger

Against = tuple[Case, tuple[str, ...]]  # a table, and gold

LABELS = ["DT", "IN", "JJ", "MD", "NN", "NNS", "PRP", "RB", "VB", "VBD", "VBG", "VBP", "VBZ"]
C = 0.5  # that of the lesson


def _loss(gold: str, guess: str) -> float:
    """Return an asymmetric loss: it matters which label is gold."""
    return 0.0 if gold == guess else 2.0 if gold < guess else 1.0


_LOSS = "(a loss that is 2 if the gold label stands before the guess in the alphabet, 1 if behind, 0 if right)"


@checker
def cost(mine: Callable[..., Any]) -> str:
    """Compare costs of random sequences."""
    random = Random(4).random
    cases = [[["ABC"[int(random() * 3)] for _ in range(1 + k % 5)] for _ in range(2)] for k in range(60)]
    slips: dict[str, Callable[[Any], Any]] = {
        "The loss is asked for guess and gold; gold comes first": lambda c: cost_of(_loss, c[1], c[0]),
        "Wrong labels are counted; the loss says what each costs": lambda c: sum(
            a != b for a, b in zip(*c, strict=True)
        ),
        "This is the mean; the cost is the sum": lambda c: cost_of(_loss, *c) / len(c[0]),
        "This is the loss of the last word only": lambda c: _loss(c[0][-1], c[1][-1]),
        "This is the loss of the first word only": lambda c: _loss(c[0][0], c[1][0]),
    }
    for gold, guess in cases:
        value = instance(mine(_loss, gold, guess), float, "what cost returns")
        right = cost_of(_loss, gold, guess)
        if value != right:
            remark = slip(lambda case: mine(_loss, *case), cases, slips)
            differs(
                f"for gold {' '.join(gold)} and guess {' '.join(guess)} {_LOSS} your cost is {value:g}, "
                f"which is too {'high' if value > right else 'low'}. {remark}".rstrip()
            )
    return f"{len(cases)} costs"


def _against() -> list[Against]:
    """Return tables with a gold sequence each, which is seldom the best one."""
    random = Random(5).random
    return [(case, tuple(case.labels[int(random() * len(case.labels))] for _ in range(case.n))) for case in tables()]


def _worst(case: Case, gold: Sequence[str], loss: Loss) -> float:
    """Return the highest score plus cost of all sequences."""
    return max(case.score(path) + cost_of(loss, gold, path) for path in case.paths())


@checker
def augmented(mine: Callable[..., Any]) -> str:
    """Compare the scores of all words and labels with s plus the loss."""
    cases = [(case, gold, *key) for case, gold in _against() for key in case.table]
    slips: dict[str, Callable[[Any], Any]] = {
        "The cost is subtracted; wrong labels have to look better than they are": lambda c: (
            c[0].table[c[2:]] - _loss(c[1][c[2]], c[4])
        ),
        "The loss is asked for the label and gold, in this order; gold comes first": lambda c: (
            c[0].table[c[2:]] + _loss(c[4], c[1][c[2]])
        ),
        "The loss is that of h, the label before; each label costs at its own word": lambda c: (
            c[0].table[c[2:]] + _loss(c[1][c[2]], c[3])
        ),
        "Nothing is added": lambda c: c[0].table[c[2:]],
        "This is the cost alone; s is missing": lambda c: _loss(c[1][c[2]], c[4]),
        "Gold has a cost, too, or wrong labels all have the same; ask the loss": lambda c: c[0].table[c[2:]] + 1,
        "Every wrong label costs 1; but the loss says what it costs": lambda c: (
            c[0].table[c[2:]] + (c[1][c[2]] != c[4])
        ),
    }
    for case, gold, i, h, y in cases:
        function = mine(case.s, list(gold), _loss)
        if not callable(function):
            differs(f"augmented returns {shown(function)}; it should return a function of i, h and y")
        value = instance(function(i, h, y), float, "what your function of i, h and y returns")
        right = case.table[i, h, y] + _loss(gold[i], y)
        if value != right:
            remark = slip(lambda c: mine(c[0].s, list(c[1]), _loss)(*c[2:]), cases, slips)
            differs(
                f"where s({i}, {h!r}, {y!r}) is {case.table[i, h, y]}, the gold label of word {i} is {gold[i]} "
                f"{_LOSS}, yours is {value:g}, too {'high' if value > right else 'low'}. {remark}".rstrip()
            )
    return f"{len(cases)} scores"


@checker
def hinge(mine: Callable[..., Any]) -> str:
    """Compare hinges with the highest score plus cost of all sequences."""
    cases = _against()
    slips: dict[str, Callable[[Against], Any]] = {
        "That is the difference of scores without any cost": lambda c: c[0].score(c[0].best()) - c[0].score(c[1]),
        "The cost of the best sequence is in the search, but not in the result": _without_cost,
        "The sign is the wrong way round: gold is subtracted": lambda c: c[0].score(c[1]) - _worst(*c, _loss),
        "The score of gold has not been subtracted": lambda c: _worst(*c, _loss),
        "The search does not add the cost; it is added to its answer afterwards": lambda c: (
            c[0].score(c[0].best()) + cost_of(_loss, c[1], c[0].best()) - c[0].score(c[1])
        ),
    }
    for case, gold in cases:
        value = instance(mine(case.s, list(gold), case.labels, _loss), float, "what hinge returns")
        right = _worst(case, gold, _loss) - case.score(gold)
        if value != right:
            remark = slip(lambda c: mine(c[0].s, list(c[1]), c[0].labels, _loss), cases, slips)
            negative = (
                ", and a hinge is never below 0, because gold itself is one of the sequences" if value < 0 else ""
            )
            differs(
                f"{case}and gold is {' '.join(gold)} {_LOSS}: your hinge is {value:g}{negative}; "
                f"it is too {'high' if value > right else 'low'}. {remark}".rstrip()
            )
    return f"{len(cases)} hinges, each compared with the costs and scores of all label sequences"


def _without_cost(against: Against) -> float:
    """Return the score of the best sequence with its cost, without the cost, less that of gold."""
    case, gold = against
    ordered = sorted(case.paths(), key=lambda path: [case.labels.index(y) for y in reversed(path)])
    return case.score(max(ordered, key=lambda path: case.score(path) + cost_of(_loss, gold, path))) - case.score(gold)


@checker
def MarginTagger(mine: Callable[..., Any]) -> str:
    """Compare weights with those of the laboratory's tagger, with and without a loss, and then the answers."""
    sentences = data.sentences(12, seed=6)
    labels = list(dict.fromkeys(label for sentence in sentences for _, label in sentence))
    pairs = [([word for word, _ in sentence], [label for _, label in sentence]) for sentence in sentences]
    for loss in (None, hamming(1), hamming(4), _loss):
        named = f"with the loss {loss.__name__.strip('_')}" if loss else "without a loss"
        learner = instance(mine(labels, loss=loss, epochs=2, seed=None, average=False), Learner, "MarginTagger(...)")
        answer = instance(learner.best(*pairs[0]), list, "what best returns")
        if len(answer) != len(pairs[0][0]):
            differs(f"for {len(pairs[0][0])} words best returns {len(answer)} labels")
        learner.fit(pairs)
        right = {each: _trained(each, labels, sentences) for each in (loss, None)}
        if said := same_weights(learner.w, in_words(right[loss].w)):
            remark = ""
            if loss and not same_weights(learner.w, in_words(right[None].w)):
                remark = ". These are the weights without any loss: where does best look at gold?"
            differs(f"{named} the weights after 2 epochs differ: {said}{remark}")
        for words, _ in pairs:
            if learner.best(words) != list(right[loss].best([(word,) for word in words])):
                differs(
                    f"{named} the weights are right, but best(words), without gold, gives other labels than Viterbi"
                )
    return "the weights of 4 trainings, each equal to that of sapwood's own tagger"


def _trained(loss: Loss | None, labels: list[str], sentences: list[Any]) -> ViterbiTagger:
    """Return the laboratory's tagger with the features of the lesson."""
    tagger = ViterbiTagger("Uword %x[0,0]\nUending %suffix[0,0,2]\nB\n", loss=loss, epochs=2, seed=None, average=False)
    return tagger.fit(sentences)


@checker
def prices(mine: Callable[..., Any]) -> str:
    """Look at the prices of all pairs of labels."""
    for gold, guess in product(LABELS, repeat=2):
        price = instance(mine(gold, guess), float, "what prices returns")
        where = f"to take {gold} for {guess} costs {price:g}"
        if gold == guess and price != 0:
            differs(f"{where}; but that is right, and costs 0")
        if gold != guess and gold[:2] == guess[:2] and price != 1:
            differs(f"{where}; these are of one word class ({gold[:2]}), and it should cost 1")
        if gold[:2] != guess[:2] and not 1 < price <= 10:
            differs(f"{where}; these are of different word classes, and it should cost more than 1, and at most 10")
    return f"the prices of {len(LABELS) ** 2} pairs of labels"


@checker
def step(mine: Callable[..., Any]) -> str:
    """Compare steps with PA-I."""
    rule, random = PassiveAggressive(C), Random(7).random
    cases = [(0.0, 4.0), (1.0, 4.0), *((int(random() * 12) / 4, float(1 + int(random() * 8))) for _ in range(60))]
    slips: dict[str, Callable[[Any], Any]] = {
        "It is never longer than C": lambda c: c[0] / c[1],
        "Divide by the sum of squares itself, not by its root": lambda c: min(C, c[0] / c[1] ** 0.5),
        "Divide by the sum of squares itself, not by its square": lambda c: min(C, c[0] / c[1] ** 2),
        "The larger one of both has been taken": lambda c: max(C, c[0] / c[1]),
        "That is the square over the hinge": lambda c: min(C, c[1] / c[0]),
        "It has not been divided by the sum of squares": lambda c: min(C, c[0]),
        "It is always C; but it may be shorter": lambda c: C,
    }
    for loss, square in cases:
        tau = instance(mine(loss, square), float, "what step returns")
        right = rule(loss, square, 1.0)
        if abs(tau - right) > 1e-9:
            remark = slip(lambda case: mine(*case), cases, slips)
            differs(
                f"for the hinge {loss:g} and the square {square:g} tau is {tau:.4g}: the score of gold rises by "
                f"{tau * square:.4g}, and {'at most ' if right == C else ''}{right * square:.4g} was asked for. "
                f"{remark}".rstrip()
            )
    return f"{len(cases)} steps, compared with those of the laboratory"
