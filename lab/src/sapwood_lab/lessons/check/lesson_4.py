"""The checkers of lesson 4: averages beside the sum of all vectors, sparse perceptrons beside the laboratory's."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from numbers import Real
from random import Random
from typing import Any

from sapwood_lab.lessons.check.means import mean, mistaken
from sapwood_lab.lessons.check.slips import Tried, compare
from sapwood_lab.lessons.check.verdict import checker, differs, instance, same_weights, shown

Vector = dict[Any, Any]  # of numbers
Updates = list[tuple[int, Vector]]  # how many examples had been presented before each, and the update
Examples = list[Vector]

CLASSES = ["A", "B", "C"]


@checker
def average_of_updates(mine: Callable[[Updates, int], Vector]) -> str:
    """Compare an average that is made from the updates with the sum of all vectors."""
    tried = []
    for updates, c in _histories(40):
        before = repr(updates)
        got = instance(mine(updates, c), dict, "the average")
        if repr(updates) != before:
            differs("your function changes the updates that it is given; the list is needed afterwards, too")
        tried.append(_tried(got, updates, c))
    compare("the average", tried)
    return "the averages of 40 histories, compared with the mean of all their vectors"


@checker
def lazy_average(mine: Callable[[], Any]) -> str:
    """Compare the mean of a class with the sum of all vectors, at the end and on the way."""
    tried = []
    for updates, c in _histories(40):
        average, w, change_at = mine(), Vector(), dict(updates)
        for presented in range(c):
            change = dict(change_at.get(presented, {}))
            w = _sum([(1, w), (1, change)])
            average.add(presented, given := dict(w), change)
            known = [(c_i, delta) for c_i, delta in updates if c_i <= presented]
            if known and presented + 1 in (c // 2, c):
                got = instance(average.mean(presented + 1, given), dict, "mean()")
                if got is given:
                    differs("mean() returns the dict w itself; it should be a new dict, as training may go on")
                tried.append(_tried(got, known, presented + 1))
            if given != w:
                differs("w itself has changed; it belongs to whoever trains, and training may go on")
    compare("the average", tried)
    few, many = (_operations(mine(), n) for n in (10, 100))
    if many > few:
        differs(
            f"the averages are right, but not lazy: of two updates, {few} sums and products make the average of 10 "
            f"examples, and {many} that of 100. At an update only, the features of `change` have something to add"
        )
    return "the averages of 40 histories on the way and at the end, compared with the mean of all their vectors"


class _Counted(float):
    """A number that counts the additions and multiplications that are made with it."""

    made = 0


def _counting(name: str) -> Callable[[Any, Any], Any]:
    def operation(self: _Counted, other: Any) -> Any:
        _Counted.made += 1
        result = getattr(float, name)(self, other)
        return result if result is NotImplemented else _Counted(result)

    return operation


for _name in ("add", "radd", "sub", "rsub", "mul", "rmul", "truediv", "rtruediv"):
    setattr(_Counted, f"__{_name}__", _counting(f"__{_name}__"))


def _operations(average: Any, n: int) -> int:
    """Return how many operations with weights a student's average needs for n examples, of which two have updates."""
    w, changes, _Counted.made = Vector(), {0: {"a": _Counted(1)}, 1: {"b": _Counted(1)}}, 0
    for c in range(n):
        w |= changes.get(c, {})
        average.add(c, w, changes.get(c, {}))
    average.mean(n, w)
    return _Counted.made


def _tried(got: Vector, updates: Updates, c: int) -> Tried:
    """Return an average with the right one, and with those of typical mistakes."""
    at, w, W = dict(updates), Vector(), []
    for presented in range(c):
        w = _sum([(1, w), (1, at.get(presented, {}))])
        W.append((w, presented in at))
    slips = mistaken(W) | {
        "earlier updates weigh less; but they are in more vectors": _sum((c_i / c, delta) for c_i, delta in updates),
        "w_a is added; look at its sign": _sum(((c + c_i) / c, delta) for c_i, delta in updates),
        "w_a has no clock in it: take an update off c times": _sum(((c - 1) / c, delta) for _, delta in updates),
    }
    return Tried(f"after {c} examples with the updates {shown(updates)}", got, mean([w for w, _ in W], c), slips)


@checker
def sparse_perceptron(
    score: Callable[[Vector, dict[str, int], int, Vector, str], float],
    learn: Callable[[Vector, dict[str, int], Vector, str, str], object],
) -> str:
    """Compare the score, the weights and the counts of each example with those of section 3."""
    tried = []
    for seed in range(20):
        random = Random(seed)
        w: Vector = {}
        U: dict[str, int] = {}
        mine: tuple[Vector, dict[str, int]] = {}, {}
        for _ in range(25):
            x = {f: random.choice((1, 1, 2)) for f in random.sample("pqrstu", 3)}
            min_updates, gold = random.choice((0, 1, 2, 3, 5)), random.choice(CLASSES)
            for y in CLASSES:
                got = instance(score(dict(w), dict(U), min_updates, dict(x), y), float, "score(...)")
                right, every = _score(w, U, min_updates, x, y), _score(w, U, 0, x, y)
                slips = {
                    "features with too few updates are looked at, too": every,
                    "features with just enough updates are ignored; U_f < min_updates is too few": _score(
                        w, U, min_updates + 1, x, y
                    ),
                    "the values of the features are left out": _score(w, U, min_updates, dict.fromkeys(x, 1), y),
                    "those features are scored that are to be ignored": every - right,
                }
                case = f"for class {y}, x = {x}, U = {U}, min_updates = {min_updates}"
                tried.append(Tried(case, got, right, slips))
            guess = max(CLASSES, key=lambda y: _score(w, U, 2, x, y))
            before = dict(U)
            learn(*mine, dict(x), gold, guess)
            if gold != guess:
                for f, value in x.items():
                    w[f, gold], w[f, guess] = w.get((f, gold), 0) + value, w.get((f, guess), 0) - value
                    U[f] = U.get(f, 0) + 1
            _is_learned(*mine, w, U, before, x, gold, guess)
    compare("the score", tried)
    return "the scores, weights and counts of 500 examples, compared with those of the definition"


def _score(w: Vector, U: Mapping[str, int], min_updates: int, x: Vector, y: str) -> float:
    return float(sum(value * w.get((f, y), 0) for f, value in x.items() if U.get(f, 0) >= min_updates))


def _is_learned(
    my_w: Vector, my_U: dict[str, int], w: Vector, U: dict[str, int], before: dict[str, int], x: Vector, g: str, y: str
) -> None:
    case = f"after x = {x}, gold {g}, guess {y}, with U = {before} before it"
    if same_weights(my_U, U) is not None:
        if any(isinstance(key, tuple) for key in my_U):
            differs(f"U is of features, which all classes share; yours has a count of {next(iter(my_U))!r}")
        if g == y:
            differs(f"U has changed though the guess was right: it counts updates, not presentations ({case})")
        grown = {f: my_U.get(f, 0) - before.get(f, 0) for f in x}
        if set(grown.values()) == {2}:
            differs(f"each feature is counted twice, for gold and for the guess; it was one update ({case})")
        if grown == x:
            differs(f"the values of features are counted; a feature takes part in an update once ({case})")
        if not any(grown.values()):
            differs(f"U does not count this update ({case})")
        differs(f"U is wrong {case}: {same_weights(my_U, U)}".replace("the weight of", "the count of"))
    if (wrong := same_weights(my_w, w)) is not None:
        ones, here = dict(w), {(f, z): 1 if z == g else -1 for f in x for z in (g, y)}
        for f, value in x.items():
            ones[f, g], ones[f, y] = ones.get((f, g), 0) - value + 1, ones.get((f, y), 0) + value - 1
        if g == y:
            said = "the guess was right, and the weights have changed"
        elif same_weights(my_w, ones) is None:
            said = "the update leaves out the values of the features"
        elif same_weights(my_w, w) and all(my_w.get(k, 0) == w[k] for k in here if k[1] == g):
            said = "the weights of gold are right, and those of the guess are not"
        else:
            said = "an update is made with all features, relevant or not; gold's weights rise, the guess's fall"
        differs(f"{wrong}: {said} ({case})")


@checker
def rare(mine: Callable[[Examples, int], set[Any]]) -> str:
    """Compare a set of rare features with the counts."""
    tried = []
    for seed in range(30):
        random = Random(seed)
        X: Examples = [
            {f: random.choice((0.5, 1, 2)) for f in random.sample("pqrstuv", random.randint(1, 4))} for _ in range(8)
        ]
        k = random.randint(1, 4)
        got = mine(X, k)
        if not isinstance(got, set | frozenset):
            instance(got, set, "the result")
        counts = {f: sum(f in x for x in X) for x in X for f in x}
        slips = {
            "the values of a feature are added up; but it occurs once in an example, whatever its value is": {
                f for f in counts if sum(x.get(f, 0) for x in X) < k
            },
            "a feature that occurs exactly k times is not rare: fewer than k": {f for f in counts if counts[f] <= k},
            "those are the features that stay; asked are those that are pruned": {f for f in counts if counts[f] >= k},
        }
        right = {f for f in counts if counts[f] < k}
        tried.append(Tried(f"for k = {k} and the counts {counts}", set(got), right, slips))
    compare("the set of rare features", tried)
    return "30 sets of rare features, compared with the definition"


@checker
def size(mine: Callable[[Vector, dict[str, int], int], int]) -> str:
    """Compare the size of a model with the definition."""
    tried = []
    for seed in range(40):
        random = Random(seed)
        w: Vector = {(f, y): random.choice((0, 0, 1, -0.5)) for f in "pqrstu" for y in CLASSES if random.random() < 0.6}
        for f in {f for f, _ in w} if seed % 2 else ():  # as an update does: what one class wins another loses
            w[f, "A"] = w.get((f, "A"), 0) - sum(n for key, n in w.items() if key[0] == f)
        U = {f: random.randint(1, 5) for f, _ in w}
        least = random.randint(1, 4)
        scored = {key for key in w if U[key[0]] >= least}
        slips = {
            "that is the number of weights; a feature may have one for each class": len([w[k] for k in scored if w[k]]),
            "features with too few updates to be scored are counted": len({f for (f, _), n in w.items() if n != 0}),
            "all weights are counted, relevant or not, and not features": sum(n != 0 for n in w.values()),
            "features are counted whose weights are all 0": len({f for f, _ in scored}),
            "weights are counted, and those of 0, too": len(scored),
            "the weights of a feature are added up over the classes, where they cancel out": len(
                {f for f, _ in scored if sum(w.get((f, y), 0) for y in CLASSES) != 0}
            ),
            "features with just enough updates are left out": len({k[0] for k in scored if w[k] and U[k[0]] > least}),
            "features with negative weights are left out": len({k[0] for k in scored if w[k] > 0}),
        }
        got = instance(mine(w, U, least), int, "the size")
        right = len({f for f, y in scored if w[f, y]})
        tried.append(Tried(f"for w = {w}, U = {U}, min_updates = {least}", got, right, slips))
    compare("the size", tried)
    return "the sizes of 40 models, compared with the definition"


@checker
def rare_but_needed(mine: Callable[[int], tuple[Examples, Sequence[str]]]) -> str:
    """Train with pruning and with counts of updates on a student's own data."""
    for k in (2, 3, 5):
        both = instance(mine(k), tuple, "the result")
        if len(both) != 2 or len(both[0]) != len(both[1]):
            differs("return two lists of the same length: the examples and their labels")
        X, y = (list(each) for each in both)
        for x in X:
            for value in instance(x, dict, "an example, which has features and their values,").values():
                instance(value, Real, "the value of a feature")
        if odd := [label for label in y if not isinstance(label, str | Real)]:
            differs(f"a label is a text or a number, and not {shown(odd[0])}")
        if len(set(y)) < 2:
            differs("all examples have the same label, so there is nothing to learn")
        for a, first in enumerate(X):
            for b in range(a):
                if first == X[b] and y[a] != y[b]:
                    differs(f"for k = {k} examples {b} and {a} have the same features and different labels")
        counts = {f: sum(f in x for x in X) for x in X for f in x}
        if all(count >= k for count in counts.values()):
            differs(f"for k = {k} no feature is rare: each occurs {min(counts.values())} times or more")
        if not _mistakes([{f: v for f, v in x.items() if counts[f] >= k} for x in X], y, 1):
            differs(f"pruning with k = {k} gets all right, too: the frequent features tell your examples apart")
        if _mistakes(X, y, 1):
            differs(f"for k = {k} the plain perceptron cannot learn your data in 200 passes, with nothing pruned")
        if wrong := _mistakes(X, y, k):
            differs(f"with min_updates = {k}, {wrong} of your examples are still wrong after 200 passes")
    return "pruning fails on your data for k = 2, 3 and 5, and the count of updates does not"


def _mistakes(X: Examples, y: Sequence[str], min_updates: int) -> int:
    """Return how many examples are wrong after 200 passes at most."""
    w: Vector = {}
    U: dict[str, int] = {}
    classes = list(dict.fromkeys(y))
    for _ in range(200):
        wrong = 0
        for x, gold in zip(X, y, strict=True):
            guess = max(classes, key=lambda z: _score(w, U, min_updates, x, z))
            if guess != gold:
                wrong += 1
                for f, value in x.items():
                    w[f, gold], w[f, guess] = w.get((f, gold), 0) + value, w.get((f, guess), 0) - value
                    U[f] = U.get(f, 0) + 1
        if not wrong:
            return 0
    return wrong


def _histories(how_many: int) -> Iterable[tuple[Updates, int]]:
    """Yield the updates of some random trainings, and how many examples were presented."""
    for seed in range(how_many):
        random = Random(seed)
        c = random.randint(4, 9)
        at = sorted(random.sample(range(c), random.randint(2, c - 1)))
        yield [(c_i, {f: random.choice((-2, -1, 1, 2)) for f in random.sample("abcd", 2)}) for c_i in at], c


def _sum(terms: Iterable[tuple[float, Vector]]) -> Vector:
    """Return the sum of some vectors, each with its factor."""
    total: Vector = {}
    for factor, vector in terms:
        for f, value in vector.items():
            total[f] = total.get(f, 0) + factor * value
    return total
