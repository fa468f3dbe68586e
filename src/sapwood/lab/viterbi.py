"""The structured perceptron for label sequences (Collins 2002; Dyer 2015), with the Viterbi algorithm.

::

    Run the Viterbi algorithm to get y'
    if it is not correct:
        w <- w + sum over i of f(x, i, y_i, y_(i-1))
               - sum over i of f(x, i, y'_i, y'_(i-1))

and the best sequence is found by::

    order 1   alpha_i[y]    = max over h of  alpha_(i-1)[h]    + w . f(x, i, h, y)
    order 2   alpha_i[g, y] = max over h of  alpha_(i-1)[h, g] + w . f(x, i, h, g, y)

With a margin each wrong label adds gamma to alpha, or, if the cost is constant, gamma is added once to every sequence
but gold. Then chi_i is the best score of those that end in gold's label at token i (order 2: its last two labels)::

    chi_i = max of  chi_(i-1) + w . f(x, i, y_(i-1), y_i)
            and, over h other than y_(i-1),  alpha_(i-1)[h] + gamma + w . f(x, i, h, y_i)

and y' is the best of chi_n and, over all other last labels, of alpha_n + gamma.

The labels before are part of the output: the feature "B" has a weight for ("DT", "NN"). Ties go to the label that the
data have first, of the last label(s), then of those before. The averaging clock ticks once a sentence.

>>> tagger = ViterbiTagger("U:%x[0,0]\\nB\\n", epochs=1)
>>> for step in tagger.steps([[("the", "D"), ("dog", "N")]]):
...     print(step.guess, "should be", step.gold)
...     print({k: v for k, v in sorted(step.after.items()) if k[0] == "B"})
('D', 'D') should be ('D', 'N')
{('B', ('D', 'D')): -1.0, ('B', ('D', 'N')): 1.0}
>>> tagger.predict([[("the",), ("dog",)]])
[['D', 'N']]
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from sapwood.errors import OptionError
from sapwood.lab.losses import is_of_structures
from sapwood.lab.step import Step, Vector
from sapwood.lab.tagging import Rows, Tagger, features_of, reach

START = "<start>"  # the label before the first

Labels = tuple[str, ...]


class Trellis(NamedTuple):
    """The best sequences that end in each state, which is the last label or the last two."""

    alpha: list[dict[Labels, float]]  # [n + 1] their scores after each number of tokens
    back: list[dict[Labels, Labels]]  # [n + 1] the state before


class ViterbiTagger(Tagger):
    """The best of all label sequences.

    order : how many labels before its own a feature may look at; lines that look at more are left out
    """

    def __init__(self, template: str, *, order: int = 1, **options: Any) -> None:
        if order not in (1, 2):
            raise OptionError(f"order is 1 or 2, not {order!r}")
        super().__init__(template, **options)
        self.order = order
        self.lines = [line for line in self.lines if reach(line) <= order]

    def f(self, found: Sequence[Mapping[str, float]], labels: Labels) -> Vector:
        """Return f in R^d of a token, given the features of each line and the labels h, g and y, y the last."""
        f: Vector = {}
        for line, features in zip(self.lines, found, strict=True):
            for feature, value in features.items():
                weight = feature, labels[-1 - reach(line) :]
                f[weight] = f.get(weight, 0.0) + value
        return f

    def phi(self, rows: Rows, labels: Sequence[str]) -> Vector:
        """Return the features of a whole sequence, summed over its tokens."""
        padded: Labels = (START,) * self.order + tuple(labels)
        phi: Vector = {}
        for i, found in enumerate(self._features(rows)):
            for weight, value in self.f(found, padded[i : i + self.order + 1]).items():
                phi[weight] = phi.get(weight, 0.0) + value
        return phi

    def best(self, rows: Rows, gold: Sequence[str] | None = None) -> Labels:
        """Return the sequence that scores highest; with gold labels, the cost is added for what differs from them."""
        found, against_all = self._features(rows), is_of_structures(self.loss)

        def s(i: int, labels: Labels) -> float:
            cost = 0.0 if gold is None or against_all else self.loss(gold[i], labels[-1])
            return self.score(self.f(found[i], labels)) + cost

        self.search = forward(len(rows), self.labels, self.order, s)
        if gold is not None and against_all:
            return viterbi_against(tuple(gold), self.loss(gold, None), self.search, s)
        return best_path(self.search)

    def look(self, step: Step) -> tuple[Labels, Trellis]:
        """Return what is found and seen for the input of an update, with the weights as they are now."""
        return self.best(step.input, step.gold), self.search

    def learn(self, example: Rows) -> Iterator[Step]:
        """Present the sequence of a sentence."""
        yield from super().learn((example, tuple(row[-1] for row in example)))

    def _features(self, rows: Rows) -> list[list[dict[str, float]]]:
        return [[features_of(line, rows, i) for line in self.lines] for i in range(len(rows))]


def viterbi(n: int, labels: Sequence[str], order: int, s: Callable[[int, Labels], float]) -> Labels:
    """Return the sequence of n labels of highest score.

    s(i, (h, g, y)) scores the label y of token i after h and g; order 1: s(i, (h, y)). Before the first token stands
    START.

    >>> viterbi(3, ["a", "b"], 1, lambda i, labels: float(labels[0] != labels[1]) + (labels == ("<start>", "b")))
    ('b', 'a', 'b')
    """
    return best_path(forward(n, labels, order, s))


def best_path(trellis: Trellis) -> Labels:
    """Return the sequence of highest score."""
    alpha, back = trellis
    return way(back, len(alpha) - 1, max(alpha[-1], key=alpha[-1].__getitem__))


def viterbi_against(gold: Labels, gamma: float, trellis: Trellis, s: Callable[[int, Labels], float]) -> Labels:
    """Return the sequence of highest score if gamma is added to that of every sequence but gold.

    >>> def s(i, labels):
    ...     return 3.0 * labels.count("a")
    >>> viterbi_against(("a", "a"), 2.0, forward(2, ["a", "b"], 1, s), s)
    ('a', 'a')
    >>> viterbi_against(("a", "a"), 4.0, forward(2, ["a", "b"], 1, s), s)
    ('a', 'b')
    """
    alpha, back = trellis
    n, order = len(gold), len(next(iter(alpha[0])))
    padded = (START,) * order + gold
    state = [padded[i : i + order] for i in range(n + 1)]  # gold's, after i tokens
    chi, before = 0.0, [state[0]]  # before[i]: the state from which chi_i came; at the end, the best of the last states
    for i in range(n + 1):
        into = {h: score + gamma for h, score in alpha[i].items()} | {state[i]: chi}
        if i < n:
            into = {h: score + s(i, (*h, gold[i])) for h, score in into.items() if h[1:] == state[i][1:]}
        before.append(max(into, key=into.__getitem__))
        chi = into[before[-1]]
    i = n
    while i > 0 and before[i + 1] == state[i]:
        i -= 1
    return way(back, i, before[i + 1]) + gold[i:]


def forward(n: int, labels: Sequence[str], order: int, s: Callable[[int, Labels], float]) -> Trellis:
    """Return the trellis of n tokens."""
    alpha, back = trellis = Trellis([{(START,) * order: 0.0}], [{}])
    for i in range(n):
        alpha.append({})
        back.append({})
        for before, score in alpha[i].items():  # in the order of the labels: the first of equal ones stays
            for y in labels:
                state, value = (*before[1:], y), score + s(i, (*before, y))
                if state not in alpha[-1] or value > alpha[-1][state]:
                    alpha[-1][state], back[-1][state] = value, before
    return trellis


def way(back: list[dict[Labels, Labels]], n: int, state: Labels) -> Labels:
    """Return the best sequence of n labels that ends in a state."""
    path: Labels = ()
    for i in range(n, 0, -1):
        path = (state[-1], *path)
        state = back[i][state]
    return path
