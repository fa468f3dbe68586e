"""Tagging from left to right: a multiclass decision a token, whose features see the labels given before.

Goldberg & Elhadad (2011), section 4: the labels before are "fixed at training time and determined dynamically at test
times based on the previous classifier decisions"::

    for i = 1 .. n:
        y'_i <- argmax over y of w . phi(x, y_(i-2), y_(i-1), i, y)
        training:
            if y'_i is not y_i:
                w <- w + phi(x, y_(i-2), y_(i-1), i, y_i) - phi(x, y_(i-2), y_(i-1), i, y'_i)
        otherwise:
            y_i <- y'_i

The labels before are part of the feature: "B y[-1]=DT" for the label NN. The averaging clock ticks once a token.

>>> tagger = GreedyTagger("U:%x[0,0]\\nB\\n", epochs=1)
>>> for step in tagger.steps([[("the", "D"), ("dog", "N")]]):
...     print(step.input[1], step.guess, "should be", step.gold)
...     for weight in step.violation:
...         print(weight, step.after[weight])
dog D should be N
('U:dog', 'N') 1.0
('B y[-1]=D', 'N') 1.0
('U:dog', 'D') -1.0
('B y[-1]=D', 'D') -1.0
>>> sorted(tagger.weights().values())
[-0.5, -0.5, 0.5, 0.5]
>>> tagger.predict([[("the",), ("dog",)]])
[['D', 'N']]
"""

from collections.abc import Iterator, Sequence

from sapwood.lab.step import Step, Vector
from sapwood.lab.tagging import Rows, Tagger, features_of, reach


class GreedyTagger(Tagger):
    """One label after the other."""

    structured = False
    has_constant_loss = False

    def f(self, rows: Rows, given: Sequence[str], i: int, label: str) -> Vector:
        """Return the features of a label of token i after the labels that were given."""
        before, phi = ["_B-1", "_B-1", *given[:i]], Vector()
        for line in self.lines:
            history = "".join(f" y[-{back}]={before[i + 2 - back]}" for back in range(reach(line), 0, -1))
            for feature, value in features_of(line, rows, i).items():
                weight = feature + history, label
                phi[weight] = phi.get(weight, 0.0) + value
        return phi

    def value(self, rows: Rows, given: Sequence[str], i: int, label: str) -> float:
        """Return the score of a label of token i."""
        return self.score(self.f(rows, given, i, label))

    def learn(self, example: Rows) -> Iterator[Step]:
        """Present the label of each token, after gold labels."""
        gold = [row[-1] for row in example]
        for i, right in enumerate(gold):
            phi = {y: self.f(example, gold, i, y) for y in self.labels}
            scores = {y: self.score(phi[y]) + self.loss(right, y) for y in self.labels}
            guess = max(self.labels, key=scores.__getitem__)  # the first of those that score the same
            ahead = scores[guess] - scores[right]
            yield from self.present((i, example[i][0]), right, guess, phi[right], phi[guess], ahead)

    def best(self, rows: Rows, gold: Sequence[str] | None = None) -> list[str]:
        """Return the labels of a sentence."""
        given: list[str] = []
        for i in range(len(rows)):
            given.append(max(self.labels, key=lambda y, i=i: self.value(rows, given, i, y)))  # type: ignore[misc]
        return given
