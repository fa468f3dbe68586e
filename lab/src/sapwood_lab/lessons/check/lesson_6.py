"""The checkers of lesson 6: easy-first by its definition, beams by all derivations, updates by what they compare."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import product
from random import Random
from typing import Any

from sapwood_lab.lessons.check import attachments as by_definition
from sapwood_lab.lessons.check.attachments import Action, Features
from sapwood_lab.lessons.check.slips import Tried, compare
from sapwood_lab.lessons.check.verdict import checker, differs, instance, shown

ENOUGH = 0.97  # of the heads of new sentences, with features of one's own

Derivation = tuple[str, ...]
Beams = list[list[tuple[float, Derivation]]]
Where = Callable[[Beams, Derivation, list[float]], Any]
Place = Callable[[list[tuple[str, str]], list[int], int], list[Any]]
Trees = list[tuple[list[tuple[str, str]], list[int]]]


@checker
def valid(mine: Callable[[list[int], Action, list[int]], bool]) -> str:
    """Compare which actions are valid on the way to random trees."""
    tried = []
    for gold in by_definition.trees(30):
        pending = list(range(len(gold)))
        while len(pending) > 1:
            for action in by_definition.actions(pending):
                got = mine(list(pending), action, list(gold))
                if got is None:
                    instance(got, bool, "valid(...)")
                head, modifier = by_definition.arc(pending, action)
                in_gold = gold[modifier] == head
                slips = {
                    "an action is called valid though its modifier has a child that is still pending": in_gold,
                    "head and modifier have changed places": gold[head] == modifier
                    and head not in by_definition.waited_for(pending, gold),
                    "it is the modifier that needs all of its children, and not the head": in_gold
                    and all(gold[word] != head or word == modifier for word in pending),
                    "children are counted that have been attached already; only those still pending matter": in_gold
                    and modifier not in gold,
                }
                case = f"for {action} with the pending words {pending} and the gold heads {gold}"
                tried.append(Tried(case, bool(got), by_definition.valid(pending, action, gold), slips))
            pending = by_definition.without_modifier(
                pending, next(a for a in by_definition.actions(pending) if by_definition.valid(pending, a, gold))
            )
    compare("valid(...)", tried)
    return f"{len(tried)} actions on the way to 30 trees, compared with the definition"


@checker
def easy_first(mine: Callable[[int, Callable[[list[int], Action], float]], list[int]]) -> str:
    """Compare the trees that random scores make."""
    tried = []
    for seed in range(40):
        n = 1 + seed // 8
        score = _Scores(seed, n)
        heads = instance(mine(n, score), list, "what easy_first returns")
        slips = {
            "of the scores the lowest wins": by_definition.easy_first(n, lambda *at: -score.of(*at)),  # noqa: B023
            "of actions that score the same, the last one is made": by_definition.easy_first(n, score.of, last=True),
            "head and modifier have changed places": by_definition.easy_first(n, score.of, swapped=True),
            "the scores of the beginning are used to the end; each time the list is new": by_definition.easy_first(
                n, score.at_first
            ),
            "the first place is always taken, and only the side is chosen": by_definition.easy_first(
                n, score.of, places=1
            ),
            "attachments to the left only are looked at": by_definition.easy_first(n, score.of, sides=("left",)),
        }
        case = f"for {n} words, where (pending words, action): score is {shown(score.asked)}"
        tried.append(Tried(case, heads, by_definition.easy_first(n, score.of), slips))
    compare("the list of heads", tried)
    return "the trees of 40 random scores, compared with the definition"


class _Scores:
    """Random scores of actions, small whole numbers, so that some are equal."""

    def __init__(self, seed: int, n: int) -> None:
        self.seed, self.n = seed, n
        self.asked: dict[tuple[tuple[int, ...], Action], int] = {}
        self.calls = 0

    def __call__(self, pending: list[int], action: Action) -> int:
        self.calls += 1
        if self.calls > 20 * self.n**2:
            differs(f"score was asked {self.calls:,} times for {self.n} words: does the list get shorter each time?")
        if not (isinstance(action, tuple) and len(action) == 2 and action in by_definition.actions(pending)):
            differs(f"score was asked for {shown(action)}, which is no action on the pending words {pending}")
        self.asked[tuple(pending), action] = self.of(pending, action)
        return self.of(pending, action)

    def of(self, pending: Sequence[int], action: Action) -> int:
        return Random(f"{self.seed} {list(pending)} {action}").randint(0, 4)

    def at_first(self, pending: Sequence[int], action: Action) -> int:
        """Return the score that the place behind p_i had in the list of all words."""
        return self.of(range(self.n), (pending[action[0]], action[1]))


@checker
def guided(mine: Callable[[dict[Any, float], Features, list[int]], object]) -> str:
    """Compare the weights after each of a few sentences."""
    tried = []
    for seed in range(12):
        trees = by_definition.trees(4, seed)
        w: dict[Any, float] = {}
        for k in range(len(trees)):
            try:
                mine(w, by_definition.phi, list(trees[k]))
            except ValueError as error:
                if "empty" in str(error):
                    differs("no valid action is left: was an invalid one made? The valid one is made in any case")
                raise
            seen = trees[: k + 1]
            slips = {
                "an invalid action of the same score is not behind, so there is an update": by_definition.guided(
                    seen, strict=True
                ),
                "of the valid actions the best is held against the invalid ones, not the first": by_definition.guided(
                    seen, first=True
                ),
                "of actions that score the same, the last one is taken": by_definition.guided(seen, last=True),
                "the update has the wrong sign": by_definition.guided(seen, add=-1, take=-1),
                "phi(y) is not added": by_definition.guided(seen, add=0),
                "phi(y') is not taken off": by_definition.guided(seen, take=0),
                "there is an update at every action, though the valid one is ahead": by_definition.guided(
                    seen, always=True
                ),
                "after an update the same decision comes again; here each is presented once": by_definition.guided(
                    seen, times=50
                ),
            }
            right = by_definition.guided(seen)
            tried.append(Tried(f"after the gold heads {seen} in this order", dict(w), right, slips))
    compare("w", tried)
    return "the weights after each of 48 sentences, compared with the definition"


@checker
def my_place(mine: Place, train: Trees, dev: Trees) -> str:
    """Train with a student's own features, and say which heads are wrong with them."""
    words, _ = train[0]
    texts = instance(mine(list(words), [0, 1], 0), list, "my_place(...)")
    if not texts:
        differs("the list is empty, so nothing is seen")
    w: dict[Any, float] = {}
    for _ in range(5):
        for words, gold in train:
            by_definition.learn(w, _features(mine, words), gold)
    wrong: Counter[tuple[str, str]] = Counter()
    total = 0
    for words, gold in dev:
        phi = _features(mine, words)
        heads = by_definition.easy_first(len(words), partial(_score, w, phi))
        wrong.update((words[m][1], words[h][1] if h >= 0 else "-") for m, h in enumerate(gold) if heads[m] != h)
        total += len(words)
    right = 1 - wrong.total() / total
    if right < ENOUGH:
        [((modifier, head), times)] = wrong.most_common(1)
        differs(
            f"{right:.1%} of the heads are right, and {ENOUGH:.0%} are needed. Wrong most often, {times} times, is the "
            f"head of a word with the tag {modifier} that should be below {head}. What tells that it belongs there?"
        )
    return f"{right:.1%} of the heads of the dev sentences are right with your features"


def _score(w: dict[Any, float], phi: Features, pending: Sequence[int], action: Action) -> float:
    return by_definition.value(w, phi(list(pending), action))


def _features(place: Place, words: list[tuple[str, str]]) -> Features:
    return lambda pending, action: [(text, action[1]) for text in place(list(words), list(pending), action[0])]


@checker
def beam_search(mine: Callable[..., Beams]) -> str:
    """Compare beams with the definition, and wide ones with a list of all derivations."""
    tried = []
    for n, labels, score, k, table in _scored(40):
        beams = instance(mine(n, list(labels), score, k), list, "what beam_search returns")
        case = f"for {n} steps, labels {labels}, k = {k}, where (derivation, y): score is {shown(table)}"
        if len(beams) != n + 1:
            differs(f"there are {len(beams)} beams; there is one for each step and B_0, so {n + 1} {case}")
        for t, beam in enumerate(beams):
            for item in instance(beam, list, f"beams[{t}]"):
                if not (isinstance(item, tuple) and len(item) == 2 and isinstance(item[1], tuple)):
                    differs(f"in a beam stand pairs (score, derivation), a derivation is a tuple; not {shown(item)}")
                if len(item[1]) != t:
                    differs(f"the derivations of beams[{t}] have {t} labels, and {item[1]} has {len(item[1])} {case}")
            if len(beam) > k:
                differs(f"beams[{t}] has {len(beam)} derivations, and k is {k}: the k best of all successors {case}")
        slips = {
            "the score of a derivation is that of its last step alone": _beam(n, labels, score, k, last=True),
            "the lowest scores are kept, or stand first": _beam(n, labels, score, k, lowest=True),
            "derivations that score the same are in the wrong order": [
                [(s, d) for s, d in sorted(beam, reverse=True)] for beam in _beam(n, labels, score, k)
            ],
            "ties are broken by the labels, and not by the rank of the beginning": _beam(
                n, labels, score, k, tuples=True
            ),
        }
        tried.append(Tried(case, beams, _beam(n, labels, score, k), slips))
    compare("the list of beams", tried)
    for n, labels, score, _, table in _scored(20):
        wide = mine(n, list(labels), score, len(labels) ** n)[-1]
        best = max(sum(score(d[:t], y) for t, y in enumerate(d)) for d in product(labels, repeat=n))
        if len(wide) != len(labels) ** n or wide[0][0] != best:
            differs(
                f"a beam for all derivations of {n} labels does not have them all, the best first: score is {table}"
            )
    return "40 lists of beams, compared with the definition, and wide ones with all derivations"


@checker
def update_at(early: Where, largest: Where) -> str:
    """Compare the steps of updates with what the beams say."""
    tried: dict[str, list[Tried]] = {"early_update(...)": [], "max_violation(...)": []}
    for n, labels, score, k, table in _scored(150):
        gold: Derivation = tuple(Random(f"{table}").choices(labels, k=n))
        beams, scores = _beam(n, labels, score, k), [0.0]
        for t, y in enumerate(gold):
            scores.append(scores[-1] + score(gold[:t], y))
        lost = [t for t in range(n + 1) if gold[:t] not in [d for _, d in beams[t]]]
        behind = [t for t in range(n + 1) if beams[t][0][1] != gold[:t]]
        wrong = n if behind and behind[-1] == n else None
        ahead = {t: beams[t][0][0] - scores[t] for t in behind}
        largest_ahead = max(behind, key=ahead.__getitem__, default=None)
        first = lost[0] if lost else wrong
        in_the_end = {
            "the update is made after the end; it should be made as soon as gold has fallen out of the beam": wrong,
            "gold need not be the best: as long as it is in the beam, the search goes on": behind[0]
            if behind
            else None,
            "t is one too small: at t - 1 gold was still in the beam": None
            if first is None
            else first - (first in lost),
            "t is one too large: gold has fallen out before": None
            if first is None
            else min(first + (first in lost), n),
            "where gold stays in the beam and is not the best at the end, there is an update, too": lost[0]
            if lost
            else None,
            "where gold stays in the beam and is the best at the end, there is nothing to update": lost[0]
            if lost
            else n,
        }
        where = {
            "that is the early update": first,
            "the update is made at the end; the violation may be larger before": wrong,
            "of equal violations the last one is taken": max(reversed(behind), key=ahead.__getitem__, default=None),
            "the smallest violation is taken, or the difference has the wrong sign": min(
                behind, key=ahead.__getitem__, default=None
            ),
            "that is the first step at which the best is not gold": behind[0] if behind else None,
            "where gold leads at every step there is no update, so None": 0 if largest_ahead is None else largest_ahead,
            "where gold is not in the beam it can still be compared: its scores are given": max(
                (t for t in behind if t not in lost), key=ahead.__getitem__, default=None
            ),
            "the search is right at the end, but on the way gold was behind: that is a violation, too": wrong
            and largest_ahead,
        }
        case = f"for the beams {beams}, gold {gold} with the scores {scores}"
        for name, got, right, slips in [
            ("early_update(...)", early(beams, gold, scores), first, in_the_end),
            ("max_violation(...)", largest(beams, gold, scores), largest_ahead, where),
        ]:
            if got is not None and not (isinstance(got, int) and 0 <= got <= n):
                differs(f"{name} is a step from 1 to {n}, or None; not {shown(got)}")
            tried[name].append(Tried(case, -1 if got is None else got, -1 if right is None else right, {
                said: -1 if step is None else step for said, step in slips.items()}))  # fmt: skip
    for name, each in tried.items():
        _compare_steps(name, each)
    return "the updates of 150 searches, compared with the definition"


def _compare_steps(name: str, tried: list[Tried]) -> None:
    """Raise Differs for a wrong step, where -1 is None; say what kind of step it is if no mistake explains it."""
    for case, got, right, _ in tried:
        if got != right and not any(all(each.got == each.slips[said] for each in tried) for said in tried[0].slips):
            shown_as = "None, but there is something to update" if got == -1 else f"{got}, though nothing is wrong"
            differs(f"{name} is {shown_as if -1 in (got, right) else f'{got}, which is another step'} {case}")
    compare(name, tried)


def _scored(how_many: int) -> Iterator[tuple[int, list[str], Callable[[Derivation, str], int], int, dict[Any, int]]]:
    """Yield steps, labels, scores of steps, sizes of beams, and a table of the scores."""
    for seed in range(how_many):
        random = Random(seed)
        n, labels, k = 1 + seed % 4, ["B", "A"] if seed % 3 else ["C", "A", "B"], random.choice((1, 2, 2, 3))
        table = {(d, y): random.randint(0, 4) for t in range(n) for d in product(labels, repeat=t) for y in labels}
        yield n, labels, _of(table), k, table


def _of(table: dict[Any, int]) -> Callable[[Derivation, str], int]:
    def score(derivation: Derivation, y: str) -> int:
        if (derivation, y) not in table:
            differs(
                f"score was asked for ({shown(derivation)}, {shown(y)}): a tuple of labels, and the one that is added"
            )
        return table[derivation, y]

    return score


def _beam(
    n: int,
    labels: Sequence[str],
    score: Callable[[Derivation, str], float],
    k: int,
    last: bool = False,
    lowest: bool = False,
    tuples: bool = False,
) -> Beams:
    """Return the beams, by the definition or with a typical mistake."""
    beams: Beams = [[(0, ())]]
    for _ in range(n):
        found = [((0 if last else s) + score(d, y), (*d, y)) for s, d in beams[-1] for y in labels]
        if tuples:
            found.sort(reverse=True)
        else:
            found.sort(key=lambda pair: pair[0], reverse=not lowest)
        beams.append(found[:k])
    return beams
