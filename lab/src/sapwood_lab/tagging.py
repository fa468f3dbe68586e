"""The ground of the taggers of the laboratory: the features of a token, and the scores of its labels.

A template says what the features are (`sapwood_lab.template`). They have the names that the core gives them, and the
value 1. A cell may also be a dict of features with their values: f(x, i, y_i, y_(i-1)) is in R^d. A weight is for a
feature and a label, of Viterbi for a feature and several labels side by side.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sapwood_lab.errors import TemplateError
from sapwood_lab.learner import Learner
from sapwood_lab.step import Vector
from sapwood_lab.template import Rows, lines_of

Features = Sequence[tuple[str, float]]  # the features of a token, with their values


class Tagger(Learner):
    """The base class of taggers. Further options are those of `Learner`."""

    labels: list[str]  # in the order in which the data have them; of labels that score the same, the first wins

    def __init__(self, template: str, **options: Any) -> None:
        super().__init__(**options)
        self.template = template
        self.lines = [line for line in lines_of(template) if line.ahead == 0]

    def read(self, sentences: Sequence[Rows]) -> list[Rows]:
        """Return the sentences, each of rows whose last column is the label. Raises TemplateError for other columns."""
        self.labels = list(dict.fromkeys(row[-1] for rows in sentences for row in rows))
        columns = min((len(row) for rows in sentences for row in rows), default=1) - 1
        for line in self.lines:
            if any(macro.column >= columns for macro in line.macros):
                raise TemplateError(f"beside their labels the data have {columns} columns, counted from 0: {line.text}")
        return list(sentences)

    def predict(self, inputs: Iterable[Rows]) -> list[list[str]]:
        return [list(labels) for labels in super().predict(inputs)]


class TokenTagger(Tagger):
    """The base class of taggers that decide about one token at a time, given the labels of some others."""

    structured = False
    has_constant_loss = False

    def features(self, rows: Rows, given: Sequence[str], i: int) -> Features:
        """Return the features of token i among the labels that are given so far."""
        raise NotImplementedError

    def f(self, features: Features, y: str) -> Vector:
        """Return the features of a token as those of the label y."""
        f: Vector = {}
        for feature, value in features:
            f[feature, y] = f.get((feature, y), 0.0) + value
        return f

    def scores(self, features: Features, gold: str | None = None) -> Mapping[str, float]:
        """Return the score of each label of a token; with a gold label, the cost is added for what differs from it."""
        known = [each for each in features if self.U.is_relevant(each)]  # U counts a feature for all labels
        scores = {y: sum(value * self.w.get((feature, y), 0.0) for feature, value in known) for y in self.labels}
        return scores if gold is None else {y: score + self.loss(gold, y) for y, score in scores.items()}
