"""The structured perceptron for label sequences (Collins 2002; Dyer 2015).

::

    Run the Viterbi algorithm to get y'
    if it is not correct:
        w <- w + sum over i of f(x, i, y_i, y_(i-1))
               - sum over i of f(x, i, y'_i, y'_(i-1))

The algorithm is on the page of `sapwood_lab.trellis`. It asks for s(i, h, y) = w . f(x, i, h, y), which
`sapwood_lab.label_scores` computes once. With a margin the cost of a wrong label is added to its scores; a constant
loss is one of whole sequences (`sapwood_lab.viterbi_against`). The labels before are part of the output: the feature
"B" has a weight for ("DT", "NN"). The averaging clock ticks once a sentence.

>>> tagger = ViterbiTagger("U:%x[0,0]\\nB\\n", epochs=1)
>>> for step in tagger.steps([[("the", "D"), ("dog", "N")]]):
...     print(step.guess, "should be", step.gold, step.after["B", ("D", "N")])
('D', 'D') should be ('D', 'N') 1.0
>>> tagger.predict([[("the",), ("dog",)]])
[['D', 'N']]
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from sapwood_lab.errors import OptionError
from sapwood_lab.label_scores import LabelScores
from sapwood_lab.losses import is_of_structures
from sapwood_lab.step import Step, Vector, Weight
from sapwood_lab.tagging import Features, Tagger
from sapwood_lab.template import Rows
from sapwood_lab.trellis import START, Labels, Trellis, best_path, forward
from sapwood_lab.viterbi_against import viterbi_against


class ViterbiTagger(Tagger):
    """The best of all label sequences.

    order : how many labels before its own a feature may look at; lines that look at more are left out
    """

    def __init__(self, template: str, *, order: int = 1, **options: Any) -> None:
        if order not in (1, 2):
            raise OptionError(f"order is 1 or 2, not {order!r}")
        super().__init__(template, **options)
        self.order = order
        self.lines = [line for line in self.lines if line.reach <= order]

    def found(self, rows: Rows, i: int) -> list[Features]:
        """Return the features of token i, by how many labels before its own they look at."""
        each = [(line.reach, line.features(rows, i)) for line in self.lines]
        return [[feature for reach, found in each if reach == r for feature in found] for r in range(self.order + 1)]

    def f(self, found: Sequence[Features], labels: Labels) -> Vector:
        """Return f in R^d of a token, given its features and the labels h, g and y, y the last."""
        f: Vector = {}
        for r, features in enumerate(found):
            for feature, value in features:
                k = feature, labels[-1 - r :]
                f[k] = f.get(k, 0.0) + value
        return f

    def phi(self, x: Rows, y: Sequence[str]) -> Counter[Weight]:
        padded: Labels = (START,) * self.order + tuple(y)
        phi: Counter[Weight] = Counter()
        for i in range(len(x)):
            phi.update(self.f(self.found(x, i), padded[i : i + self.order + 1]))
        return phi

    def w_f(self, features: Features, labels: Labels) -> float:
        """Return w . f of a token's features for its label and those before."""
        return sum(value * self.weight((feature, labels)) for feature, value in features)

    def best(self, x: Rows, gold: Sequence[str] | None = None) -> Labels:
        against_all = gold is not None and is_of_structures(self.loss)

        def cost(i: int, y: str) -> float:
            return 0.0 if gold is None or against_all else self.loss(gold[i], y)

        s = LabelScores(self.labels, [self.found(x, i) for i in range(len(x))], self.w_f, cost)
        self.search = forward(len(x), self.labels, self.order, s)
        if gold is not None and against_all:
            return viterbi_against(tuple(gold), self.loss(gold, None), self.search, s)
        return best_path(self.search)

    @property
    def margin(self) -> str:
        if is_of_structures(self.loss):
            return "alpha has no cost in it: at the end gold is held against all others, whose cost is the same"
        return super().margin.replace("the scores", "alpha")

    def look(self, step: Step) -> tuple[Labels, Trellis]:
        return self.best(step.input, step.gold), self.search

    def learn(self, example: Rows) -> Iterator[Step]:
        yield from super().learn((example, tuple(row[-1] for row in example)))
