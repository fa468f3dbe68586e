"""The checkers of lesson 2: features of a sentence, the Viterbi algorithm, the update, the training, a tagger."""

from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from numbers import Real
from typing import Any

from sapwood_lab.average import Averaging
from sapwood_lab.lessons import data
from sapwood_lab.lessons.check.means import mean, mistaken
from sapwood_lab.lessons.check.slips import Tried, explanation
from sapwood_lab.lessons.check.tables import Case, in_words, tables
from sapwood_lab.lessons.check.verdict import Vector, checker, differs, instance, same_weights, shown, slip
from sapwood_lab.trellis import START
from sapwood_lab.viterbi import ViterbiTagger

ENOUGH = 0.95  # of the words must have the right label

_SENTENCES = [
    (["dogs"], ["NN"]),
    (["the", "dog"], ["DT", "NN"]),
    (["the", "dog", "the", "dog"], ["DT", "NN", "DT", "NN"]),
    (["a", "b", "a", "b", "b"], ["X", "Y", "Y", "X", "Y"]),
]


def _word_and_label(words: list[str], i: int, h: str, y: str) -> list[tuple[str, Any]]:
    """Return the features of the lesson."""
    return [("word " + words[i], y), ("label before", (h, y))]


@checker
def phi(mine: Callable[..., Any]) -> str:
    """Compare the features of a few sentences with those that the laboratory counts."""
    tagger = ViterbiTagger("Uword %x[0,0]\nB\n")
    given = set()

    def f(words: list[str], i: int, h: str, y: str) -> list[tuple[str, Any]]:
        features = _word_and_label(words, i, h, y)
        given.update(features)
        return features

    for words, labels in _SENTENCES:
        right = in_words(tagger.phi([(word,) for word in words], labels))
        counts = instance(mine(f, words, labels), dict, "what phi returns")
        where = f"for the words {' '.join(words)} with the labels {' '.join(labels)}"
        if not counts:
            differs(f"{where} there is no feature at all")
        if foreign := [k for k in counts if k not in given]:
            differs(
                f"{where} phi counts {foreign[0]!r}, which f did not return. What is counted is each feature of the "
                "list f(words, i, h, y), whatever the f is that phi is called with"
            )
        if dict.fromkeys(right, 1) == counts != right:
            differs(f"{where} each feature has the value 1; but some occur twice there, and count 2")
        if any(START in (k[1], k[1][-1]) for k in counts):
            differs(
                f"{where} a word has the label START: h, which comes first, is the label before, and y the word's own"
            )
        if not any(k[1][0] == START for k in counts):
            first = next((k[1][0] for k in counts if k[0] == "label before"), None)
            said = f" (the label before the first is {first!r})" if len(words) == 1 else ""
            differs(f"{where} no feature has START as the label before{said}: the first word's h is START")
        if counts != right and counts == in_words(tagger.phi([(word,) for word in words], labels[1:] + labels[:1])):
            differs(f"{where} the labels are shifted against the words by one")
        if missing := [k for k in right if k not in counts]:
            differs(f"{where} the feature {missing[0]!r} is missing")
        if more := [k for k in counts if k not in right]:
            differs(f"{where} there is the feature {more[0]!r}, which f does not give there")
        if wrong := [k for k in right if counts[k] != right[k]]:
            differs(f"{where} the feature {wrong[0]!r} is counted {counts[wrong[0]]} times, not as it occurs")
    return f"the features of {len(_SENTENCES)} sentences, compared with those of the laboratory"


@checker
def forward(mine: Callable[..., Any]) -> str:
    """Compare alpha with the best of all label sequences for the first words."""
    compared, cases = 0, list(tables())
    for case in cases:
        alpha = instance(mine(case.n, case.labels, case.s), list, "what forward returns")
        if len(alpha) != case.n:
            differs(f"{case}alpha has the length {len(alpha)}; there is a dict for each word, so {case.n}")
        if shared := [i for i in range(1, case.n) if alpha[i] is alpha[0] or alpha[i] is alpha[i - 1]]:
            differs(
                f"{case}alpha[{shared[0]}] and the one before are the same dict, so what is written into one stands in "
                "both (`[{}] * n` is one dict n times). Each word needs a dict of its own"
            )
        for i in range(case.n):
            row = instance(alpha[i], dict, f"alpha[{i}]")
            if set(row) != set(case.labels):
                differs(f"{case}alpha[{i}] has the labels {shown(sorted(row))}, and not {shown(sorted(case.labels))}")
            for y in case.labels:
                if not isinstance(row[y], Real):
                    differs(f"{case}alpha[{i}][{y!r}] should be a number, and is {shown(row[y])}")
                best = max(case.score(path) for path in case.paths(i + 1) if path[-1] == y)
                if row[y] != best:
                    remark = slip(lambda case: mine(case.n, case.labels, case.s), cases, _ALPHAS)
                    said = f"{case}alpha[{i}][{y!r}] is {shown(row[y])}; "
                    if remark:
                        differs(f"{said}{remark}")
                    how = "higher" if row[y] < best else "lower"
                    differs(f"{said}the best sequence that ends in {y!r} at word {i} has a {how} score")
                compared += 1
    return f"{compared} numbers, each compared with the best of all sequences that end there"


def _alpha(
    case: Case,
    *,
    choose: Callable[[list[float]], float] = max,
    start: bool = True,
    carry: bool = True,
    step: bool = True,
    swap: bool = False,
) -> list[dict[str, float]]:
    """Return alpha, perhaps with a mistake."""
    alpha: list[dict[str, float]] = [{y: case.table[0, START, y] if start else 0 for y in case.labels}]
    for i in range(1, case.n):
        row = {}
        for y in case.labels:
            steps = {h: case.table[(i, y, h) if swap else (i, h, y)] for h in case.labels}
            row[y] = choose([alpha[-1][h] * carry + steps[h] * step for h in case.labels])
        alpha.append(row)
    return alpha


_ALPHAS: dict[str, Callable[[Case], Any]] = {
    "was s(0, START, y) forgotten, the score of the first word after START?": partial(_alpha, start=False),
    "that is the sum over all labels h, and not the largest": partial(_alpha, choose=sum),
    "that is the smallest over all labels h, and not the largest": partial(_alpha, choose=min),
    "that is the best s alone: what came before, alpha[i - 1][h], is not in it": partial(_alpha, carry=False),
    "that is the best alpha[i - 1][h] alone: s(i, h, y) is not in it": partial(_alpha, step=False),
    "h and y may be in the wrong order in s(i, h, y): h is the label before": partial(_alpha, swap=True),
}


@checker
def viterbi(mine: Callable[..., Any]) -> str:
    """Compare the path with all others."""
    cases, ties = list(tables()), []
    for case in cases:
        path = tuple(instance(mine(case.n, case.labels, case.s), list, "what viterbi returns"))
        if len(path) != case.n:
            differs(f"{case}your path has the length {len(path)}, and not {case.n}: {shown(list(path))}")
        if any(y not in case.labels for y in path):
            differs(f"{case}your path {shown(list(path))} has something that is no label")
        if path != case.best():
            value, best = case.score(path), case.score(case.best())
            said = f"{case}your path {' '.join(path)} has the score {value}"
            if value < best:
                remark = slip(lambda case: tuple(mine(case.n, case.labels, case.s)), cases, _PATHS)
                differs(f"{said}; there is one with {best}. {remark}".rstrip())
            ties.append(f"{said}, the best one, but it is not the only one. {_TIES}")
    if ties:  # and nothing worse
        differs(ties[0])
    return f"{len(cases)} tables, each compared with all of its label sequences"


def _without_pointers(case: Case) -> tuple[str, ...]:
    """Return the label of the largest alpha of each word."""
    return tuple(max(case.labels, key=row.__getitem__) for row in _alpha(case))


def _by_s_alone(case: Case) -> tuple[str, ...]:
    """Return the path along back pointers that do not look at alpha."""
    alpha: dict[str, float] = {y: case.table[0, START, y] for y in case.labels}
    paths: dict[str, tuple[str, ...]] = {y: (y,) for y in case.labels}
    for i in range(1, case.n):
        back = {y: max(case.labels, key=lambda h: case.table[i, h, y]) for y in case.labels}
        alpha = {y: alpha[back[y]] + case.table[i, back[y], y] for y in case.labels}
        paths = {y: (*paths[back[y]], y) for y in case.labels}
    return paths[max(case.labels, key=alpha.__getitem__)]


_TIES = """Of equally good labels the one that stands first in `labels` wins, as the last label and as a back pointer
(`>=` in the place of `>` takes the last of them; sorted() or a set change their order)"""
_PATHS: dict[str, Callable[[Case], Any]] = {
    "Read from its end to its beginning it would be the best: turn it round": lambda case: case.best()[::-1],
    "It has the label of the largest alpha at each word, but these may not belong to one sequence: "
    "follow the back pointers, from the last word": _without_pointers,
    "Its back pointers seem to be chosen by s(i, h, y) alone; alpha[i - 1][h] counts, too": _by_s_alone,
    "Is s(0, START, y) in alpha[0]?": lambda case: case.best(start=False),
    "It is the worst one: has min been taken for max?": lambda case: case.best(sign=-1),
}


_UPDATES: list[tuple[str, dict[str, float], dict[str, int], dict[str, int]]] = [
    ("a weight that there is not yet is 0", {}, {"a": 1}, {"b": 1}),
    ("each feature moves by its count", {"a": 1}, {"a": 2, "c": 1}, {"b": 1, "d": 3}),
    ("what both have cancels out", {"a": 1.5, "b": -2}, {"a": 1, "b": 2}, {"a": 1, "b": 1, "c": 1}),
    ("all other weights stay", {"x": 4, "a": 1}, {"a": 1}, {"b": 1}),
]


@checker
def update(mine: Callable[..., Any]) -> str:
    """Compare updates with w + right - wrong, written out."""
    for rule, before, right, wrong in _UPDATES:
        w: dict[str, float] = dict(before)
        gold, guess = Counter(right), Counter(wrong)
        returned = mine(w, gold, guess)
        where = f"w = {before}, right = {right}, wrong = {wrong}"
        if returned is not None and w == before:
            differs(f"for {where}: w has not changed. Change the dict w itself; what update returns is not looked at")
        if (gold, guess) != (Counter(right), Counter(wrong)):
            differs(f"for {where}: update has changed right or wrong; only w may change")
        result = {k: before.get(k, 0) + right.get(k, 0) - wrong.get(k, 0) for k in {**before, **right, **wrong}}
        if said := same_weights(w, result):
            remark = f" ({rule})"
            if w == before:
                remark = ". w has not changed: `w = ...` makes a new dict; change the old one by `w[feature] = ...`"
            elif not same_weights(w, {k: before.get(k, 0) - right.get(k, 0) + wrong.get(k, 0) for k in result}):
                remark = ". The signs are the wrong way round: gold is rewarded, the guess punished"
            elif not same_weights(w, {k: before.get(k, 0) + right.get(k, 0) for k in result}):
                remark = ". The guess's features have not been subtracted (`-` of two Counters drops what is below 0)"
            elif not same_weights(w, {k: before.get(k, 0) + (k in right) - (k in wrong) for k in result}):
                remark = ". Every feature has moved by 1; but it moves by its count"
            differs(f"for {where}: {said}{remark}")
    return f"{len(_UPDATES)} updates"


_TO_LOOK_AT = """
Does decode use w? Are the sentences in their order? Does w go on from one epoch to the next? Is gold added and the
guess subtracted? And what goes into total after a right guess?"""


@checker
def train(mine: Callable[..., Any]) -> str:
    """Compare the weights with those of the laboratory's tagger, which the core's are equal to."""
    tried = []
    for number, epochs in ((1, 1), (2, 1), (3, 2), (12, 3)):
        sentences, W = data.sentences(number, seed=5), _vectors(number, epochs)
        labels = list(dict.fromkeys(label for sentence in sentences for _, label in sentence))
        given = instance(mine(sentences, labels, _word_and_label, epochs), dict, "what train returns")
        case = f"for {number} sentence{'s' * (number > 1)} and {epochs} epoch{'s' * (epochs > 1)}"
        tried.append(Tried(case, given, mean([w for w, _ in W], len(W)), mistaken(W, "sentences", epochs)))
    for case, given, right, _ in tried:
        if differing := same_weights(given, right):
            named = explanation(tried)
            factor = sum(map(abs, given.values())) / sum(map(abs, right.values()))
            if not named and not same_weights(given, {k: factor * value for k, value in right.items()}):
                named = f"all are {factor:.4g} times what they should be: is each update made once, and each sum?"
            differs(f"{case} {differing}.{chr(10) + named[0].upper() + named[1:] if named else _TO_LOOK_AT}")
    return "the weights of 4 trainings, each equal to that of sapwood's own tagger"


def _vectors(number: int, epochs: int) -> list[tuple[Vector, bool]]:
    """Return the weights after each sentence of the laboratory's training, and whether it changed them."""
    vectors: list[tuple[Vector, bool]] = []

    class Kept(Averaging):
        def add(self, c: int, w: Mapping[Any, float], change: Mapping[Any, float]) -> None:
            vectors.append((in_words(w), bool(change)))

    tagger = ViterbiTagger("Uword %x[0,0]\nB\n", epochs=epochs, seed=None, average=Kept)
    tagger.fit([list(sentence) for sentence in data.sentences(number, seed=5)])
    return vectors


@checker
def my_features(mine: Callable[..., Any]) -> str:
    """Look at the features of one word under two labels."""
    words, most = ["the", "small", "dogs", "barked"], 0
    for i in range(len(words)):
        found, other = (instance(mine(words, i, START, y), list, "what my_features returns") for y in ("NNS", "VBD"))
        where = f"for word {i} of {' '.join(words)}"
        for feature in found:
            try:
                hash(feature)
            except TypeError as error:
                differs(f"{where} {shown(feature)} cannot be a feature, a key of a dict ({error}): make it a tuple")
        if twice := [feature for feature, n in Counter(found).items() if n > 1]:
            differs(f"{where} the feature {shown(twice[0])} is there twice")
        if both := set(found) & set(other):
            differs(
                f"{where} the feature {shown(both.pop())} is the same whether y is NNS or VBD, so it cannot help to "
                "tell them apart: pair what you see with y"
            )
        most = max(most, len(found))
    ends = range(3), range(9, 12)
    for one, far, (here, there) in (("first", "last", ends), ("last", "first", ends[::-1])):
        if any(_sees(mine, i, there) for i in here) and not _sees(mine, 6, there):
            differs(
                f"the {one} word of a sentence gets a feature of the {far} one, as if they were neighbours: nothing "
                "stands before word 0, but words[-1] is the last word, so look at i before you look at words[i - 1]"
            )
    if most <= 2:
        differs(f"no word of {' '.join(words)} has more than {most} features: add some to the two of f")
    return "each feature is paired with its label. How well they do, the next cells tell"


def _sees(mine: Callable[..., Any], i: int, others: range) -> bool:
    """Return whether the features of word i of twelve change with other words."""
    words = [f"{word}ing" for word in ("wait", "cook", "laugh", "sail", "jump", "bark")] * 2
    changed = ["Xylo-21phones" if k in others else word for k, word in enumerate(words)]
    return bool(mine(words, i, START, "NN") != mine(changed, i, START, "NN"))


_UNSEEN = "What does a word that was never seen show of itself?"
_TOO_MANY = "A hundred sentences are few: a feature of which most values are seen once may do harm; measure without it"


@checker
def tagger(tag: Callable[..., Any]) -> str:
    """Measure a tagger on sentences that the lesson does not show, and say which labels it takes for which."""
    known = {word for sentence in data.sentences(100, seed=1) for word, _ in sentence}
    right: Counter[bool] = Counter()  # of words that were in training, and of those that were not
    total: Counter[bool] = Counter()
    confused: Counter[tuple[str, str]] = Counter()
    for sentence in data.sentences(150, seed=3):
        words = [word for word, _ in sentence]
        labels = instance(tag(words), list, "what the tagger returns")
        if len(labels) != len(words):
            differs(f"of {len(words)} words {len(labels)} have a label: {' '.join(words)}")
        for (word, gold), guess in zip(sentence, labels, strict=True):
            total[word in known] += 1
            right[word in known] += gold == guess
            confused[gold, guess] += gold != guess
    share = right.total() / total.total()
    said = (
        f"{share:.1%} of {total.total()} words in other sentences have the right label, and of {total[False]} words "
        f"that were not in training {right[False] / total[False]:.0%}"
    )
    if share < ENOUGH:
        often = ", ".join(f"{gold} taken for {guess} ({n} times)" for (gold, guess), n in confused.most_common(3))
        advice = _UNSEEN if right[False] < 0.8 * total[False] else _TOO_MANY
        differs(f"{said}; {ENOUGH:.0%} of all are needed. Most often: {often}. {advice}")
    return f"{said}. This tagger is accepted, and it is yours"
