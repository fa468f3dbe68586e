"""Guided learning: tagging in the order of confidence (Shen, Satta & Joshi 2007, with a beam of one).

::

    while some token has no label:
        i, y' <- argmax over tokens i without a label, and labels y,
                 of w . phi(x, labels so far, i, y)
        training:
            y'_i <- argmax over y of w . phi(x, labels so far, i, y)
            if y'_i is not y_i:
                w <- w + phi(x, labels so far, i, y_i) - phi(x, labels so far, i, y'_i)
                rank the tokens again: go on with the loop
            give token i the label y_i
        otherwise:
            give token i the label y'

This is ``guided="repeat"`` (`sapwood_lab.guided`): after an update nothing is labelled yet, and another token may be
the surest. With ``guided="once"`` the surest token is given its gold label at once. The features see the labels on both
sides; where none is yet, ``_?`` stands. The order is that of the weights, without a margin. The averaging clock ticks
once a presentation.

>>> tagger = EasiestFirstTagger("U:%x[0,0]\\nU1:%y[-1]/%y[+1]\\n", epochs=1).fit([[("the", "D"), ("dog", "N")]])
>>> tagger.predict([[("the",), ("dog",)]])
[['D', 'N']]
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from sapwood_lab.guided import Guided
from sapwood_lab.step import Step
from sapwood_lab.tagging import Features, TokenTagger
from sapwood_lab.template import Rows, lines_of

UNKNOWN = "_?"  # the label of a token that has none yet


class Choices(NamedTuple):
    """A decision: the tokens that have their labels, in the order in which they got them, and what may come next."""

    words: list[str]
    given: list[tuple[int, str]]
    scores: dict[tuple[int, str], float]  # of the labels of all other tokens
    gold: tuple[int, str]  # of the surest token
    guess: tuple[int, str]


class EasiestFirstTagger(TokenTagger):
    """The surest label first. `guided`: a decision is presented "once", or "repeat", until it is right."""

    def __init__(self, template: str, *, guided: str = "once", **options: Any) -> None:
        self.guided = guided
        super().__init__(template, **options)
        self.lines = lines_of(template)

    def forget(self) -> None:
        super().forget()
        self.presentations = Guided(self.guided)

    def features(self, rows: Rows, given: Sequence[str], i: int) -> Features:
        before, after, found = ["_B-1", "_B-1", *given], [*given, "_B+1", "_B+1"], []
        for line in self.lines:
            labels = [f" y[-{back}]={before[i + 2 - back]}" for back in range(line.reach, 0, -1)]
            labels += [f" y[+{forth}]={after[i + forth]}" for forth in range(1, line.ahead + 1)]
            found += [(feature + "".join(labels), value) for feature, value in line.features(rows, i)]
        return found

    def all_scores(self, rows: Rows, given: Sequence[str]) -> dict[tuple[int, str], float]:
        """Return the score of each label for each token that has none yet."""
        unlabelled = [i for i, known in enumerate(given) if known == UNKNOWN]
        each = {i: self.scores(self.features(rows, given, i)) for i in unlabelled}
        return {(i, y): scores[y] for i, scores in each.items() for y in self.labels}

    def learn(self, example: Rows) -> Iterator[Step]:
        """Present each token in its turn, and give it its gold label."""
        gold, given = [row[-1] for row in example], [UNKNOWN] * len(example)
        words, done = [row[0] for row in example], dict[int, str]()
        for _ in gold:
            for _ in self.presentations:
                scores = self.all_scores(example, given)
                i, _ = max(scores, key=scores.__getitem__)
                right, costly = gold[i], {y: scores[i, y] + self.loss(gold[i], y) for y in self.labels}
                guess = max(self.labels, key=costly.__getitem__)
                costs = {(i, y): score for y, score in costly.items()}
                self.search = Choices(words, [*done.items()], scores | costs, (i, right), (i, guess))
                features, x, ahead = self.features(example, given, i), (i, words[i]), costly[guess] - costly[right]
                phi = {y: self.f(features, y) for y in (right, guess)}
                changed = yield from self.present(x, right, guess, phi[right], phi[guess], ahead)
                if not changed:
                    break
            self.presentations.end(guess == right)
            given[i] = done[i] = right

    def best(self, rows: Rows, gold: Sequence[str] | None = None) -> list[str]:
        given = [UNKNOWN] * len(rows)
        for _ in rows:
            scores = self.all_scores(rows, given)
            i, y = max(scores, key=scores.__getitem__)
            given[i] = y
        return given
