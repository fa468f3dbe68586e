"""The checkers of lesson 1: the guess, the vanilla perceptron, its votes and its average."""

from collections.abc import Callable, Iterator
from functools import partial
from random import Random
from typing import Any

from sapwood_lab.binary.averaged import averaged_naive
from sapwood_lab.binary.vanilla import vanilla as vanilla_of_the_lab
from sapwood_lab.binary.vectors import Vector
from sapwood_lab.binary.vectors import sign as sign_of
from sapwood_lab.binary.voted import voted_improved
from sapwood_lab.lessons import data
from sapwood_lab.lessons.check.means import mistaken
from sapwood_lab.lessons.check.verdict import checker, differs, instance, shown, slip

CASES = 200  # random ones

Numbers = list[float]
Case = tuple[list[data.Text], int]  # examples, and epochs


@checker
def guess(score: Callable[..., Any], mine: Callable[..., Any]) -> str:
    """Compare scores and guesses with w . x and its sign, on weights of which many give 0."""
    random = Random(1).random
    for _ in range(CASES):
        w, x = ([int(random() * 5) - 2 for _ in range(3)] for _ in range(2))
        right = sum(a * b for a, b in zip(w, x, strict=True))
        where = f"for w = {w} and x = {x}"
        value = instance(score(w, x), float, f"{where} the score")
        if value != right:
            remark = ""
            if value == sum(w) * sum(x):
                remark = ": it is the sum of w times the sum of x; multiply first, number by number, then add"
            elif value == sum(w) + sum(x):
                remark = ": it is the sum of all numbers; each number of x is multiplied by its weight"
            elif value == right - w[2] * x[2]:
                remark = ": the third number, which is the constant, has a weight, too"
            differs(f"{where} your score is {value:g}, which is too {'large' if value > right else 'small'}{remark}")
        label = instance(mine(w, x), int, f"{where} the guess")
        if label not in (-1, 1) or isinstance(label, bool):
            differs(f"{where} your guess is {label!r}; a guess is 1 or -1")
        if label != (1 if right > 0 else -1):
            tie = ": the score is exactly 0, and such a tie goes to -1" if right == 0 else ""
            differs(f"{where}, whose score is {right}, your guess is {label}{tie}")
    return f"{CASES} scores and guesses"


def _cases() -> list[Case]:
    """Return a few texts each, the fewest first, and more of which no line separates."""
    return [(data.texts(n, seed=n, noise=2.0), epochs) for n in (1, 2, 3, 5, 8, 20) for epochs in (1, 3)]


def _examples(case: Case) -> list[tuple[Vector, int]]:
    """Return the texts as the laboratory's vectors."""
    return [(Vector({str(k): v for k, v in enumerate(x)}), y) for x, y in case[0]]


def _numbers(w: Vector) -> Numbers:
    return [w.get(str(k), 0.0) for k in range(3)]


def _perceptron(
    case: Case, *, always: bool = False, sign: int = 1, late: bool = False, labels: bool = True
) -> Iterator[tuple[Numbers, bool]]:
    """Yield the weights after each example, and whether there was an update; perhaps with a mistake.

    always : update when the guess is right, too; sign : -1 to move away; late : yield the weights before the update;
    labels : False to move towards all
    """
    w = [0.0, 0.0, 0.0]
    for _ in range(case[1]):
        for x, y in case[0]:
            before, wrong = w, sign_of(sum(a * b for a, b in zip(w, x, strict=True))) != y
            if wrong or always:
                w = [a + sign * (y if labels else 1) * b for a, b in zip(w, x, strict=True)]
            yield before if late else w, wrong


def _last(case: Case, **mistake: Any) -> Numbers:
    return _rounded(list(_perceptron(case, **mistake))[-1][0])


def _mean(case: Case, **mistake: Any) -> Numbers:
    """Return the mean of the weights after each example, perhaps with a mistake."""
    columns = zip(*(w for w, _ in _perceptron(case, **mistake)), strict=True)
    return _rounded(sum(column) / (len(case[0]) * case[1]) for column in columns)


def _rounded(w: Any) -> Numbers:
    return [round(float(each), 6) + 0.0 for each in w]


def _same_numbers(mine: Callable[..., Any], name: str, right: Callable[[Case], Numbers], slips: dict[str, Any]) -> None:
    """Compare lists of three weights with those of the laboratory."""
    cases = _cases()
    for case in cases:
        texts, epochs = case
        where = f"for {_counted(len(texts), 'text')} and {_counted(epochs, 'epoch')}"
        given = list(texts)
        w = list(instance(mine(texts, epochs), list, f"what {name} returns"))
        if texts != given:
            differs(f"{where} {name} has changed the list of examples")
        if len(w) != 3 or not all(isinstance(each, int | float) for each in w):
            differs(f"{where} {name} returns {shown(w)}, and not three numbers")
        wanted = right(case)
        if _rounded(w) != wanted:
            k = next(k for k in range(3) if _rounded(w)[k] != wanted[k])
            size = "large" if w[k] > wanted[k] else "small"
            remark = slip(lambda case: _rounded(mine(*case)), cases, slips)
            said = f"{where} weight {k + 1} is {w[k]:.4g}, which is too {size}"
            texts_shown = "".join(f"\n    x = {x}, y = {y}" for x, y in texts) if len(texts) <= 3 else ""
            differs(f"{said}. {remark}".rstrip() + (f"\nThe texts are{texts_shown}" if texts_shown else ""))


def _counted(n: int, noun: str) -> str:
    return f"{n} {noun}{'s' * (n != 1)}"


@checker
def vanilla(mine: Callable[..., Any]) -> str:
    """Compare the weights with those of the laboratory."""
    slips = {
        "You update when the guess is right, too": partial(_last, always=True),
        "The update goes the wrong way: away from spoken texts": partial(_last, sign=-1),
        "There is only one epoch": lambda case: _last((case[0], 1)),
        "You return the weights before the last example": partial(_last, late=True),
        "You return the mean of all weights; that comes later": _mean,
        "y does not count: the weights always move towards x": partial(_last, labels=False),
    }
    _same_numbers(mine, "vanilla", lambda case: _rounded(_numbers(vanilla_of_the_lab(_examples(case), case[1]))), slips)
    return f"the weights of {len(_cases())} trainings, compared with those of the laboratory"


@checker
def voted(mine: Callable[..., Any]) -> str:
    """Compare all weights and votes with those of the laboratory."""
    for case in _cases():
        texts, epochs = case
        where = f"for {_counted(len(texts), 'text')} and {_counted(epochs, 'epoch')}"
        returned = instance(mine(texts, epochs), tuple, "what voted returns")
        if len(returned) != 2:
            differs(f"voted returns {len(returned)} things, and not two, W and v")
        W, v = (instance(each, list, name) for each, name in zip(returned, "Wv", strict=True))
        if len(W) != len(v):
            differs(f"{where} there are {len(W)} weight vectors and {len(v)} votes; both lists have the same length")
        right_W, right_v = voted_improved(_examples(case), epochs)
        each = [_rounded(w) for w, _ in _perceptron(case)]
        if len(W) != len(right_W) and [_rounded(w) for w in W] in (each, [_rounded([0, 0, 0]), *each]):
            differs(f"{where} W has the weights after each example; it should have new ones after each update only")
        if len(W) == len(right_W) - 1:
            differs(f"{where} one weight vector is missing: [0, 0, 0], with which it begins, stays in W")
        if len({id(w) for w in W}) < len(W):
            differs(f"{where} W has the same list several times, which changes everywhere at once: append a new list")
        if len(W) != len(right_W):
            differs(f"{where} there are {len(W)} weight vectors; one at the beginning, and one more for each mistake")
        if sum(v) != len(texts) * epochs:
            remark = ": only wrong ones gave a vote?" if sum(v) == len(W) - 1 else ""
            differs(
                f"{where} there are {sum(v)} votes; each of {len(texts) * epochs} presented texts gives one{remark}"
            )
        for k, (w, right) in enumerate(zip(W, right_W, strict=True)):
            if _rounded(w) != _rounded(_numbers(right)):
                differs(f"{where} W[{k}] is not what the perceptron has after {_counted(k, 'update')}")
        if v != right_v:
            remark = ": the vote of a text is for the weights after it, and not for those before" if v[0] else ""
            differs(f"{where} the votes are {shown(v)}{remark}")
    return f"the weights and votes of {len(_cases())} trainings, compared with those of the laboratory"


@checker
def majority(mine: Callable[..., Any]) -> str:
    """Compare majorities with a count of the guesses."""
    random = Random(3).random
    cases = []
    for number in range(CASES):
        W = [[int(random() * 7) - 3 for _ in range(3)] for _ in range(1 + number % 4)]
        v, x = [int(random() * 4) for _ in W], [int(random() * 5) - 2 for _ in range(2)]
        cases.append((W, v, [*x, 1]))
    slips = {
        "The scores were added up; but each vector has its votes, however high its score is": _of_scores,
        "Every vector had one vote; v says how many it has": lambda case: _count(case[0], [1] * len(case[1]), case[2]),
        "Ties go to -1": lambda case: -_count(case[0], [-n for n in case[1]], case[2]),
    }
    for W, v, x in cases:
        label = instance(mine(W, v, x), int, "what majority returns")
        if label != _count(W, v, x):
            votes = [sum(n for w, n in zip(W, v, strict=True) if _guess(w, x) == y) for y in (1, -1)]
            remark = slip(lambda case: mine(*case), cases, slips)
            differs(
                f"for W = {W}, v = {v} and x = {x} your label is {label}, but {votes[0]} votes are for 1, "
                f"and {votes[1]} for -1. {remark}".rstrip()
            )
    return f"{len(cases)} votes, counted"


def _guess(w: Any, x: Any) -> int:
    return sign_of(sum(a * b for a, b in zip(w, x, strict=True)))


def _count(W: Any, v: Any, x: Any) -> int:
    return sign_of(sum(n * _guess(w, x) for w, n in zip(W, v, strict=True)))


def _of_scores(case: Any) -> int:
    W, v, x = case
    return sign_of(sum(n * sum(a * b for a, b in zip(w, x, strict=True)) for w, n in zip(W, v, strict=True)))


@checker
def averaged(mine: Callable[..., Any]) -> str:
    """Compare the mean with the sum of the laboratory, divided by the number of presented texts."""
    slips = {f"{said[0].upper()}{said[1:]}": partial(_mistaken, said) for said in mistaken([({}, True)] * 2, "texts")}
    slips["You update when the guess is right, too"] = partial(_mean, always=True)

    def right(case: Case) -> Numbers:
        n = len(case[0]) * case[1]
        return _rounded(each / n for each in _numbers(averaged_naive(_examples(case), case[1])))

    _same_numbers(mine, "averaged", right, slips)
    return f"the means of {len(_cases())} trainings, compared with those of the laboratory"


def _mistaken(said: str, case: Case) -> Numbers:
    """Return what a mistake in averaging makes of a case."""
    W = [(dict(enumerate(w)), wrong) for w, wrong in _perceptron(case)]
    mean = mistaken(W, "texts", case[1]).get(said, {})
    return _rounded(mean.get(k, 0.0) for k in range(3))
