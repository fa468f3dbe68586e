"""Whole answers of students: the checker names the cause of wrong ones, and accepts right ones in other spellings."""
# ruff: noqa: E501

import pytest
from lesson_runs import solutions, wrong_at_last


def verdict_on(number, exercise, answer):
    """The verdict on an answer in the place of the solution."""
    return wrong_at_last(number, exercise, solutions(number)[exercise], answer)


def variations(number, exercise, frame, *rows):
    """Answers that differ in one place of a frame; a row has what stands there, and perhaps what the checker says.

    Lessons 1 and 3 run in a moment; the tests of others are slow.
    """
    marks = [] if number in (1, 3) else [pytest.mark.slow]
    return [pytest.param(number, exercise, frame.replace("...", each), *said, id=f"{exercise}: {each[:60]}", marks=marks)
            for each, *said in rows]  # fmt: skip


SIZE = "def size(w, U, min_updates):\n    ..."
RARE = "def rare(X, k):\n    ..."
LAZY = (
    "class LazyAverage:\n    def __init__(self):\n        self.w_a, self.W, self.w, self.at = {}, [], {}, {}\n    ..."
)
DATA = "def rare_but_needed(k):\n    return ..."
FORWARD = """def forward(n, labels, s):
    ...
    for i in range(1, n):
        for y in labels:
            alpha[i][y] = max(alpha[i - 1][h] + s(i, h, y) for h in labels)
    return alpha"""
FEATURES = """def my_features(words, i, h, y):
    word = words[i]
    seen = ["word " + word, "end " + word[-2:], "end " + word[-3:]]
    ...
    return [("label before", (h, y))] + [(each, y) for each in seen]"""
TRAIN = """def train(sentences, labels, f, epochs):
    w, total, presented = {}, {}, 0
    for _ in range(epochs):
        for sentence in sentences:
            words, gold = [word for word, _ in sentence], [label for _, label in sentence]
            guess = decode(w, f, words, labels)
            if guess != gold:
                update(w, phi(f, words, gold), phi(f, words, guess))
            for k in w:
                total[k] = total.get(k, 0) + w[k]
            presented += 1
    ..."""
VOTED = """def voted(examples, epochs):
    W, v, w = [[0, 0, 0]], [0], [0, 0, 0]
    for _ in range(epochs):
        for x, y in examples:
            ...
    return W, v"""
AVERAGED = """def averaged(examples, epochs):
    w, total, presented = [0, 0, 0], [0, 0, 0], 0
    for _ in range(epochs):
        for x, y in examples:
            if guess(w, x) != y:
                w = [a + y * b for a, b in zip(w, x)]
            total = [a + b for a, b in zip(total, w)]
            presented += 1
    ..."""
DUAL = """def G(x, alpha, lists, K):
    return sum(n * (K(lists[i][0][lists[i][1]], x) - K(lists[i][0][j], x)) for (i, j), n in alpha.items())


def train_dual(lists, K, epochs):
    alpha = {}
    for _ in range(epochs):
        for i, (x, best) in enumerate(lists):
            scores = [G(each, alpha, lists, K) for each in x]
            j = scores.index(max(scores))
            ...
    return alpha"""
ONE = "alpha[i, {0}] = alpha.get((i, {0}), 0) {1} 1"
BOTH = "if j != best:\n                " + "; ".join([ONE, ONE.replace("{0}", "{2}").replace("{1}", "{3}")])
MARGIN = """class MarginTagger(Learner):
    def __init__(self, labels, **options):
        super().__init__(**options)
        self.labels = labels

    def phi(self, words, labels):
        return phi(words, labels)

    def best(self, words, gold=None):
        s = scorer(self.w, words)
        ...
        return viterbi(len(words), self.labels, s)"""
OVER_THE_CLASSES = "added up over the classes, where they cancel out"
VALUES = "the values of a feature are added up"
NOT_LAZY = "right, but not lazy"
NEIGHBOURS = "as if they were neighbours"
SAME_DICT = "are the same dict"
SIGNED = "alpha is signed"
AFTER_EACH = "W has the weights after each example"

WRONG = [
    *variations(4, "size", SIZE,
        ("total = {}\n    for (f, _), n in w.items():\n        total[f] = total.get(f, 0) + n\n"
         "    return sum(n != 0 and U[f] >= min_updates for f, n in total.items())", OVER_THE_CLASSES),
        ("return len({f for f, _ in w if U[f] >= min_updates and sum(n for k, n in w.items() if k[0] == f)})", OVER_THE_CLASSES),
        ("kept = [f for f in U if U[f] >= min_updates]\n"
         "    return len([f for f in kept if sum(w.get((f, y), 0) for y in 'ABC')])", OVER_THE_CLASSES),
        ("from collections import Counter\n    c = Counter()\n    for (f, y), n in w.items():\n        c[f] += n * (U[f] >= min_updates)\n"
         "    return len([f for f in c if c[f]])", OVER_THE_CLASSES),
        ("from statistics import fmean\n    return len({f for f, _ in w if U[f] >= min_updates"
         " and abs(fmean(n for k, n in w.items() if k[0] == f)) > 1e-9})", OVER_THE_CLASSES),
        ("return len({f for (f, _), n in w.items() if n and U[f] > min_updates})", "just enough updates are left out"),
        ("return len({f for (f, _), n in w.items() if int(n) and U[f] >= min_updates})", "the size is"),
    ),
    *variations(4, "rare", RARE,
        ("from collections import Counter\n    c = Counter()\n    for x in X:\n        c.update(x)\n    return {f for f in c if c[f] < k}", VALUES),
        ("return {f for x in X for f in x if sum(other.get(f, 0) for other in X) < k}", VALUES),
        ("c = {}\n    for x in X:\n        for f, n in x.items():\n            c[f] = c.get(f, 0) + n\n    return {f for f in c if c[f] < k}", VALUES),
        ("from collections import Counter\n    c = sum(map(Counter, X), Counter())\n    return {f for f, n in c.items() if n < k}", VALUES),
        ("from collections import defaultdict\n    c = defaultdict(float)\n    for x in X:\n        for f in x:\n            c[f] += x[f]\n"
         "    return {f for f in c if not c[f] >= k}", VALUES),
        ("return {f for x in X for f in x if sum(f in other for other in X) <= k}", "exactly k times"),
    ),
    *variations(4, "lazy_average", LAZY,
        ("def add(self, c, w, change):\n        for f in w:\n            self.w_a[f] = self.w_a.get(f, 0) + w[f]\n"
         "    def mean(self, c, w):\n        return {f: n / c for f, n in self.w_a.items()}", NOT_LAZY),
        ("def add(self, c, w, change):\n        self.W.append(dict(w))\n"
         "    def mean(self, c, w):\n        return {f: sum(v.get(f, 0) for v in self.W) / c for f in w}", NOT_LAZY),
        ("def add(self, c, w, change):\n        for f, n in change.items():\n            self.w[f] = self.w.get(f, 0) + n\n"
         "        for f, n in self.w.items():\n            self.w_a[f] = self.w_a.get(f, 0) + n\n"
         "    def mean(self, c, w):\n        return {f: self.w_a[f] / c for f in w}", NOT_LAZY),
        ("def add(self, c, w, change):\n        self.w_a = {f: self.w_a.get(f, 0) + n for f, n in w.items()}\n"
         "    def mean(self, c, w):\n        return {f: n * (1 / c) for f, n in self.w_a.items()}", NOT_LAZY),
        ("def add(self, c, w, change):\n        self.W.append(change)\n    def mean(self, c, w):\n        now, total = {}, {}\n"
         "        for change in self.W:\n            for f, n in change.items():\n                now[f] = now.get(f, 0) + n\n"
         "            for f in now:\n                total[f] = total.get(f, 0) + now[f]\n"
         "        return {f: n / c for f, n in total.items()}", NOT_LAZY),
        ("def add(self, c, w, change):\n        for f, n in change.items():\n            self.w_a[f] = self.w_a.get(f, 0) + c * n\n"
         "    def mean(self, c, w):\n        return {f: (c * n - self.w_a[f]) / (c + 1) for f, n in w.items()}", "one too many"),
    ),
    *variations(4, "rare_but_needed", DATA,
        ("['bank loan', 'bank river'], ['money', 'water']", "should be a dict, and is 'bank loan'"),
        ("[{'bank', 'loan'}, {'bank', 'river'}], ['money', 'water']", "should be a dict"),
        ("[['bank', 'loan'], ['bank', 'river']], ['money', 'water']", "should be a dict"),
        ("[None, {'a': 1}], ['money', 'water']", "None"),
        ("[{'bank': 'x', 'loan': 'y'}, {'bank': 'x'}], ['money', 'water']", "the value of a feature"),
        ("[{'bank': 1, 'loan': 1}, {'bank': 1}], [['money'], ['water']]", "a label is a text or a number"),
        ("1, 2", "the checker can't use your function, or what it returned"),
        ("iter([]), iter([])", "the checker can't use your function, or what it returned"),
    ),
    *variations(2, "my_features", FEATURES,
        ("seen.append('before ' + words[i - 1])", NEIGHBOURS),
        ("seen += ['before ' + words[i - 1][-2:], 'caps' * word.istitle()]", NEIGHBOURS),
        ("seen += ['before ' + words[i - 1], 'before that ' + words[i - 2]]", NEIGHBOURS),
        ("seen.append('two before ' + words[i - 2] if i != 0 else 'first')", NEIGHBOURS),
        ("seen.append('pair ' + ' '.join([words[i - 1], word]))", NEIGHBOURS),
        ("seen.append('length ' + str(len(words[i - 1])))", NEIGHBOURS),
        ("seen.append('after ' + words[(i + 1) % len(words)])", NEIGHBOURS),
        ("seen.append('after ' + words[i + 1])", "IndexError"),
    ),
    *variations(2, "train", TRAIN,
        ("return {k: n / (presented + 1) for k, n in total.items()}", "divided by one too many"),
        ("return {k: n / (len(sentences) * epochs + 1) for k, n in total.items()}", "divided by one too many"),
        ("return {k: n / max(presented - 1, 0.5) for k, n in total.items()}", "times what they should be"),
        ("return {k: n / (presented - 1 or 1.5) for k, n in total.items()}", "times what they should be"),
        ("return {k: n / (presented + 3) for k, n in total.items()}", "All are 0.25 times what they should be"),
        ("return {k: n / (presented - 1) for k, n in total.items()}", "ZeroDivisionError"),
        ("return {k: (n - w[k]) / presented for k, n in total.items()}", "a sum before the update?"),
        ("return {k: 0 for k in w}", "All weights stay 0"),
        ("return {}", "All weights stay 0"),
        ("return {k: total[k + 'x'] for k in w}", "TypeError"),
    ),
    *variations(2, "train", TRAIN.replace("phi(f, words, gold), phi(f, words, guess)", "phi(f, words, gold), phi(f, words, gold)"),
        ("return {k: n / presented for k, n in total.items()}", "All weights stay 0"),
    ),
    *variations(2, "train", TRAIN.replace("total[k] = total.get(k, 0) + w[k]", "total[k] += w[k]"),
        ("return {k: n / presented for k, n in total.items()}", "KeyError: ('word "),  # named as in the lesson
    ),
    *variations(2, "forward", FORWARD,
        ("alpha = [{}] * n\n    alpha[0].update({y: s(0, START, y) for y in labels})", SAME_DICT),
        ("row = {y: s(0, START, y) for y in labels}\n    alpha = [row for _ in range(n)]", SAME_DICT),
        ("alpha = n * [{y: s(0, START, y) for y in labels}]", SAME_DICT),
        ("first = {y: s(0, START, y) for y in labels}\n    alpha = [first, *[{}] * (n - 1)]", SAME_DICT),
        ("from itertools import repeat\n    alpha = list(repeat({y: s(0, START, y) for y in labels}, n))", SAME_DICT),
    ),
    *variations(1, "voted", VOTED,
        ("if guess(w, x) != y:\n                w = [a + y * b for a, b in zip(w, x)]\n            W.append(w); v.append(1)", AFTER_EACH),
        ("if guess(W[-1], x) != y:\n                W.append([a + y * b for a, b in zip(W[-1], x)])\n            else:\n"
         "                W.append(W[-1])\n            v.append(1)", AFTER_EACH),
        ("if guess(w, x) != y:\n                w = [a + y * b for a, b in zip(w, x)]\n            W.append(list(w)); v.append(1)", AFTER_EACH),
        ("W.append(W[-1] if guess(W[-1], x) == y else [a + y * b for a, b in zip(W[-1], x)]); v.append(len(v))", AFTER_EACH),
        ("if len(v) == 1 and v == [0]:\n                W.pop(); v.pop()\n            if guess(w, x) != y:\n"
         "                w = [a + y * b for a, b in zip(w, x)]\n            W.append(w); v.append(1)", AFTER_EACH),
        ("if guess(w, x) != y:\n                for k in range(3):\n                    w[k] += y * x[k]\n"
         "                W.append(w); v.append(0)\n            v[-1] += 1", "the same list several times"),
    ),
    *variations(1, "averaged", AVERAGED,
        ("return [n / (presented + 1) for n in total]", "divided by one too many"),
        ("return [n / (len(examples) * epochs + 1) for n in total]", "divided by one too many"),
        ("return [(n - m) / presented for n, m in zip(total, w)]", "a sum before the update?"),
        ("return [n / (presented - 1 or 0.3) for n in total]", "which is too"),
        ("return [n / (presented - (presented > 1)) for n in total]", "which is too"),
    ),
    *variations(5, "dual", DUAL,
        (BOTH.format("best", "+", "j", "-"), SIGNED),
        (BOTH.format("j", "-", "best", "+"), SIGNED),
        (BOTH.format("j", "+", "best", "-"), SIGNED),
        ("for k, n in ((best, 1), (j, -1)):\n                alpha[i, k] = alpha.get((i, k), 0) + n", SIGNED),
        ("alpha[i, best], alpha[i, j] = (alpha.get((i, best), 0) + (j != best), alpha.get((i, j), 0) - (j != best))", "alpha"),
        (BOTH.format("j", "+", "best", "+"), "the alpha of the best one grows, too"),
        (ONE.format("j", "+"), "a guess that was right has an alpha"),
        ("if j == best:\n                " + ONE.format("j", "+"), "alpha grows for the best one"),
        ("if j == best and j > 9:\n                " + ONE.format("j", "+"), "alpha stays empty"),
    ),
    *variations(5, "dual", DUAL.replace("(K(lists[i][0][lists[i][1]], x) - K(lists[i][0][j], x))", "K(lists[i][0][j], x)"),
        (BOTH.format("best", "+", "j", "-"), "as with signed alphas"),
    ),
    *variations(3, "MarginTagger", MARGIN,
        ("s = s if gold is None else augmented(s, gold, hamming(3))", "the weight of ('word "),
        ("s = s if gold is None else augmented(s, gold, lambda a, b: 9.0 * (a != b))", "the weight of ('"),
        ("", "the weight of ('word "),
        ("s = s if gold is None else augmented(s, gold, lambda a, b: -self.loss(a, b))", "the weight of ('"),
        ("s = s if gold is None else augmented(s, gold[::-1], self.loss)", "the weight of ('"),
    ),
]  # fmt: skip

RIGHT = [
    *variations(4, "size", SIZE,
        ("return len({f for (f, _), n in w.items() if n and U[f] >= min_updates})",),
        ("return len({f for f, _ in w if U[f] >= min_updates and any(n for k, n in w.items() if k[0] == f)})",),
        ("total = {}\n    for (f, _), n in w.items():\n        total[f] = total.get(f, 0) + abs(n)\n"
         "    return sum(n > 0 and U[f] >= min_updates for f, n in total.items())",),
        ("return sum(any(w.get((f, y)) for y in 'ABC') for f in U if U[f] >= min_updates)",),
    ),
    *variations(4, "rare", RARE,
        ("from collections import Counter\n    c = Counter(f for x in X for f in x)\n    return {f for f in c if c[f] < k}",),
        ("return frozenset(f for x in X for f in x if sum(f in other for other in X) < k)",),
        ("from collections import Counter\n    c = Counter()\n    for x in X:\n        c.update(x.keys())\n    return {f for f in c if c[f] < k}",),
        ("every = set().union(*X)\n    return every - {f for f in every if len([x for x in X if f in x]) >= k}",),
    ),
    *variations(4, "lazy_average", LAZY,
        ("def add(self, c, w, change):\n        for f in change:\n            self.w_a[f] = self.w_a.get(f, 0) - c * change[f]\n"
         "    def mean(self, c, w):\n        return {f: n + self.w_a.get(f, 0) / c for f, n in w.items()}",),
        ("def add(self, c, w, change):\n        for f, n in change.items():\n"
         "            self.w_a[f] = self.w_a.get(f, 0) + (c - self.at.get(f, 0)) * (w[f] - n)\n            self.at[f] = c\n"
         "    def mean(self, c, w):\n        return {f: (self.w_a.get(f, 0) + (c - self.at.get(f, 0)) * n) / c for f, n in w.items()}",),
        ("def add(self, c, w, change):\n        self.W.append((c, change))\n    def mean(self, c, w):\n        m = {}\n"
         "        for at, change in self.W:\n            for f, n in change.items():\n                m[f] = m.get(f, 0) + (c - at) * n / c\n        return m",),
        ("def add(self, c, w, change):\n        if change:\n            self.w_a |= {f: self.w_a.get(f, 0.0) + float(c) * n for f, n in change.items()}\n"
         "    def mean(self, c, w):\n        return {f: n - self.w_a[f] / c for f, n in w.items() if f in self.w_a}",),
    ),
    *variations(4, "rare_but_needed", DATA,
        ("[{'a': 1, 'b': 1}, {'a': 1, 'c': 1}], [0, 1]",),
        ("[{'a': 1.0, 'b': 2.5}, {'a': 1.0}], ('x', 'y')",),
        ("({'a': True, 'b': True}, {'a': True, 'c': True}), 'xy'",),
        ("[__import__('collections').Counter(text.split()) for text in ('bank loan', 'bank river')], ['money', 'water']",),
    ),
    *variations(2, "my_features", FEATURES,
        ("seen.append('before ' + (words[i - 1] if i > 0 else START))",),
        ("before = words[i - 1]\n    if i == 0:\n        before = START\n    seen.append('before ' + before)",),
        ("at = [START, *words]\n    seen.append('before ' + at[i])",),
        ("seen.append('last of all ' + words[-1][-1])",),
        ("seen.append('after ' + (words + ['</s>'])[i + 1][-2:])",),
        ("seen += ['before ' + word[-2:] for word in words[max(i - 1, 0):i]]",),
        ("seen.append('place ' + str(i == len(words) - 1))",),
    ),
    *variations(2, "train", TRAIN,
        ("return {k: n / presented for k, n in total.items()}",),
        ("return {k: total[k] / (len(sentences) * epochs) for k in w}",),
        ("return Counter({k: n / presented for k, n in total.items() if n})",),
        ("for k in total:\n        total[k] /= presented\n    return total",),
    ),
    *variations(2, "forward", FORWARD,
        ("alpha = [{} for _ in range(n)]\n    alpha[0] = {y: s(0, START, y) for y in labels}",),
        ("alpha = [dict() for _ in range(n)]\n    for y in labels:\n        alpha[0][y] = s(0, START, y)",),
        ("alpha = [{y: s(0, START, y) for y in labels}] + [Counter() for _ in range(1, n)]",),
    ),
    *variations(1, "voted", VOTED,
        ("if guess(w, x) != y:\n                w = [a + y * b for a, b in zip(w, x)]\n                W.append(w); v.append(0)\n            v[-1] += 1",),
        ("if guess(W[-1], x) == y:\n                v[-1] += 1\n            else:\n                W.append([a + y * b for a, b in zip(W[-1], x)]); v.append(1)",),
        ("if guess(w, x) != y:\n                w = list(w)\n                for k in range(3):\n                    w[k] += y * x[k]\n"
         "                W += [w]; v += [0]\n            v[len(v) - 1] += 1",),
    ),
    *variations(1, "averaged", AVERAGED,
        ("return [n / presented for n in total]",),
        ("return list(map(lambda n: n / (epochs * len(examples)), total))",),
    ),
    *variations(5, "dual", DUAL,
        ("if j != best:\n                " + ONE.format("j", "+"),),
        ("alpha.setdefault((i, j), 0); alpha[i, j] += int(j != best)",),
        ("if x[j] is not x[best]:\n                alpha |= {(i, j): alpha.get((i, j), 0) + 1.0}",),
    ),
    *variations(3, "MarginTagger", MARGIN,
        ("s = s if gold is None else augmented(s, gold, self.loss)",),
        ("if gold:\n            s = augmented(s, gold, self.loss)",),
    ),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("number, exercise, answer, said", WRONG)
def test_a_wrong_answer_is_told_by_its_cause(number, exercise, answer, said):
    verdict = verdict_on(number, exercise, answer)
    assert not verdict.passed
    assert said in verdict.message, verdict.message


@pytest.mark.few(8)
@pytest.mark.parametrize("number, exercise, answer", RIGHT)
def test_a_right_answer_is_accepted_however_it_is_spelled(number, exercise, answer):
    verdict = verdict_on(number, exercise, answer)
    assert verdict.passed, verdict.message
