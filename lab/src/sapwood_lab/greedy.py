"""Tagging from left to right: a multiclass decision a token, whose features see the labels given before.

The labels before are "fixed at training time and determined dynamically at test times based on the previous classifier
decisions" (Goldberg & Elhadad 2011, section 4)::

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
...     print(step.input[1], step.guess, "should be", step.gold, list(step.after.items())[1])
dog D should be N (('B y[-1]=D', 'N'), 1.0)
>>> tagger.predict([[("the",), ("dog",)]])
[['D', 'N']]
"""

from collections.abc import Iterator, Sequence

from sapwood_lab.step import Step
from sapwood_lab.tagging import Features, TokenTagger
from sapwood_lab.template import Rows


class GreedyTagger(TokenTagger):
    """One label after the other."""

    def features(self, rows: Rows, given: Sequence[str], i: int) -> Features:
        before, found = ["_B-1", "_B-1", *given[:i]], []
        for line in self.lines:
            history = "".join(f" y[-{back}]={before[i + 2 - back]}" for back in range(line.reach, 0, -1))
            found += [(feature + history, value) for feature, value in line.features(rows, i)]
        return found

    def learn(self, example: Rows) -> Iterator[Step]:
        """Present the label of each token, after gold labels."""
        gold = [row[-1] for row in example]
        for i, right in enumerate(gold):
            features = self.features(example, gold, i)
            scores = self.scores(features, right)
            guess = max(self.labels, key=scores.__getitem__)  # the first of those that score the same
            ahead, x = scores[guess] - scores[right], (i, example[i][0])
            yield from self.present(x, right, guess, self.f(features, right), self.f(features, guess), ahead)

    def best(self, rows: Rows, gold: Sequence[str] | None = None) -> list[str]:
        given: list[str] = []
        for i in range(len(rows)):
            scores = self.scores(self.features(rows, given, i))
            given.append(max(self.labels, key=scores.__getitem__))
        return given
