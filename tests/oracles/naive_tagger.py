"""An averaged perceptron tagger that is slow and obviously right.

Features are the strings that CRF++ would print, weights a dict. Every candidate is enumerated and scored
from its features, the best is taken; after every example all weights are added to a running sum, whose
mean is the result. No hashing, no dynamic programming, no lazy averaging.

    search          example                                         candidates
    greedy          a token after its gold labels                   the labels
    easiest-first   a token among the gold labels given before it   the labels of all tokens that have none
    viterbi         a sentence                                      all label sequences
"""

import re
from collections import Counter
from itertools import product

START = "<start>"  # the label before the first
UNKNOWN = "_?"  # the label of a token that has none yet
MACRO = re.compile(r"%x\[(-?\d+),(\d+)\]")


def expand(line, rows, i):
    """The text that a template line expands to at token i."""

    def cell(match):
        at, column = i + int(match[1]), int(match[2])
        if at < 0:
            return f"_B{at}"
        return rows[at][column] if at < len(rows) else f"_B+{at - len(rows) + 1}"

    return MACRO.sub(cell, line)


def reach(line):
    """How many labels to the left a line looks at."""
    return 2 if "%y[-2]" in line else 1 if line.startswith("B") or "%y[-1]" in line else 0


def ahead(line):
    """How many labels to the right a line looks at."""
    return 2 if "%y[+2]" in line else 1 if "%y[+1]" in line else 0


def split_mix_64(state):
    """The next state of Steele et al.'s generator, and its random number."""
    mask = (1 << 64) - 1
    state = (state + 0x9E3779B97F4A7C15) & mask
    z = ((state ^ state >> 30) * 0xBF58476D1CE4E5B9) & mask
    z = ((z ^ z >> 27) * 0x94D049BB133111EB) & mask
    return state, z ^ z >> 31


class NaiveTagger:
    """`min_updates=0` is the plain perceptron: no feature is counted, none is gated."""

    def __init__(self, template, search, update, *, order=1, gamma=1.0, min_updates=1, average=True, epochs=2, seed=1):
        self.lines = [line for line in template.split() if search == "easiest-first" or ahead(line) == 0]
        self.search, self.order, self.min_updates = search, order, min_updates
        self.gamma = gamma if update == "margin" else 0.0
        self.average, self.epochs, self.seed = average, epochs, seed
        self.weights = Counter()  # (feature, labels) -> weight
        self.updates = Counter()  # feature -> U, the updates it took part in
        self.sum = Counter()  # of the weights after each example
        self.examples = 0

    # Features

    def features(self, rows, history, i, label):
        """What joins token i, the labels before it (easiest-first: of all tokens) and its own label.

        Pairs of a feature and the labels that its weight is for.
        """
        before, after = [START, START, *history], [*history, "_B+1", "_B+1"]
        for line in self.lines:
            k = reach(line)
            text = expand(line, rows, i)
            if self.search != "viterbi":  # history is part of the feature
                for back in range(k, 0, -1):
                    text += f" y[-{back}]={before[i + 2 - back].replace(START, '_B-1')}"
                for forth in range(1, ahead(line) + 1):
                    text += f" y[+{forth}]={after[i + forth]}"
                yield text, (label,)
            elif k <= self.order:  # history is part of the output
                yield text, (*before[i + 2 - k : i + 2], label)

    def phi(self, rows, labels, first=0):
        """Feature counts of the labels from token `first` on."""
        return Counter(f for i in range(first, len(labels)) for f in self.features(rows, labels, i, labels[i]))

    # Search

    def score(self, phi):
        return sum(n * self.weights[f] for f, n in phi.items() if self.updates[f[0]] >= self.min_updates)

    def candidates(self, n):
        """All sequences of n labels, in the order of preference: the lowest last label first."""
        return [path[::-1] for path in product(self.labels, repeat=n)]

    def best(self, rows, history, n, gold=()):
        """The n labels after `history` of highest score; the first of equals. With `gold`, wrong labels get gamma."""

        def value(path):
            cost = sum(y != g for y, g in zip(path, gold, strict=False)) * self.gamma
            return self.score(self.phi(rows, (*history, *path), len(history))) + cost

        return max(self.candidates(n), key=value)  # max keeps the first of equals

    def value(self, rows, given, i, label):
        """The score of a token's label among those that are given."""
        return self.score(Counter(self.features(rows, given, i, label)))

    def easiest(self, rows, given):
        """The token without a label and the label of highest score; the first of equals."""
        pairs = [(i, y) for i, known in enumerate(given) if known == UNKNOWN for y in self.labels]
        return max(pairs, key=lambda pair: self.value(rows, given, *pair))

    # Learning

    def fit(self, sentences):
        self.labels = list(dict.fromkeys(row[-1] for rows in sentences for row in rows))
        order, state = list(range(len(sentences))), self.seed
        for _ in range(self.epochs):
            for k in range(len(order), 1, -1):  # Fisher & Yates
                state, random = split_mix_64(state)
                j = random * k >> 64
                order[k - 1], order[j] = order[j], order[k - 1]
            for s in order:
                gold = tuple(row[-1] for row in sentences[s])
                if self.search == "greedy":
                    for i in range(len(gold)):
                        self.learn(sentences[s], gold[:i], gold[i : i + 1])
                elif self.search == "easiest-first":
                    self.learn_easiest_first(sentences[s], gold)
                else:
                    self.learn(sentences[s], (), gold)
        if self.average:
            self.weights = Counter({f: total / self.examples for f, total in self.sum.items()})
        return self

    def learn(self, rows, history, gold):
        """One example: search, update, add all weights to the sum."""
        guess = self.best(rows, history, len(gold), gold)
        right, wrong = ((*history, *labels) for labels in (gold, guess))
        self.update(self.phi(rows, right, len(history)), self.phi(rows, wrong, len(history)))

    def learn_easiest_first(self, rows, gold):
        """Each token, in the order of the weights alone, is an example, and is given its gold label."""
        given = [UNKNOWN] * len(gold)
        for _ in gold:
            i, _ = self.easiest(rows, given)
            costs = {label: self.gamma * (label != gold[i]) for label in self.labels}
            guess = max(self.labels, key=lambda label: self.value(rows, given, i, label) + costs[label])
            self.update(*(Counter(self.features(rows, given, i, label)) for label in (gold[i], guess)))
            given[i] = gold[i]

    def update(self, right, wrong):
        """Learn from the features of what is right and of the guess; add all weights to the sum."""
        delta = Counter(right)
        delta.subtract(wrong)
        for f, n in delta.items():
            self.weights[f] += n
        for feature in {f for (f, _), n in delta.items() if n != 0}:
            self.updates[feature] += 1
        for f, w in self.weights.items():
            self.sum[f] += w
        self.examples += 1

    # What was learned

    def final_weights(self):
        """The weights that are not zero of the features that count."""
        return {f: w for f, w in self.weights.items() if w != 0 and self.updates[f[0]] >= self.min_updates}

    def predict(self, rows):
        if self.search == "viterbi":
            return list(self.best(rows, (), len(rows)))
        if self.search == "easiest-first":
            given = [UNKNOWN] * len(rows)
            for _ in rows:
                i, label = self.easiest(rows, given)
                given[i] = label
            return given
        labels = ()
        for _ in rows:
            labels += self.best(rows, labels, 1)
        return list(labels)

    def ranked(self, rows):
        """All label sequences with their scores, best first (Viterbi)."""
        scored = [(list(path), self.score(self.phi(rows, path))) for path in self.candidates(len(rows))]
        return sorted(scored, key=lambda pair: -pair[1])

    def regret(self, rows, labels):
        """How far the labels' score is below the best (greedy: at the token where it is farthest; easiest-first: in the
        order in which that is least)."""
        if self.search == "easiest-first":
            return self.regret_in_order(rows, labels, [UNKNOWN] * len(rows))
        if self.search == "viterbi":
            return self.score(self.phi(rows, self.best(rows, (), len(rows)))) - self.score(self.phi(rows, labels))
        return max(
            self.score(self.phi(rows, (*labels[:i], *self.best(rows, labels[:i], 1)), i))
            - self.score(self.phi(rows, labels[: i + 1], i))
            for i in range(len(rows))
        )

    def regret_in_order(self, rows, labels, given):
        if UNKNOWN not in given:
            return 0
        best = self.value(rows, given, *self.easiest(rows, given))
        left = [i for i, known in enumerate(given) if known == UNKNOWN]
        return min(
            max(
                best - self.value(rows, given, i, labels[i]),
                self.regret_in_order(rows, labels, [*given[:i], labels[i], *given[i + 1 :]]),
            )
            for i in left
        )
