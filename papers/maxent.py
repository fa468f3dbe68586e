"""The maximum entropy tagger: logistic regression of each label, with the label before as a feature (Ratnaparkhi 1996).

::

    p(y | x) = prod over i of p(y_i | x, i, y_(i-1))
    p(y | x, i, h) = exp(w_y . f(x, i, h)) / sum over y' of exp(w_y' . f(x, i, h))

While training, h is the gold label before. The tagger is decoded "using the Viterbi algorithm for sequences" (Clark,
"Decoding for a Global Linear Model"): the laboratory's `viterbi`, whose scores are the logarithms of p(y | x, i, h).
"""

import warnings
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Self

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression
from threadpoolctl import threadpool_limits

from sapwood_lab.trellis import START, Labels, viterbi

Features = Mapping[str, str]

BEFORE = "label before"
RARE = 3  # features that fewer tokens have are left out: L-BFGS keeps twenty numbers for each weight


class MaxEntTagger:
    """A tagger with scikit-learn's logistic regression of that C, after 100 steps of L-BFGS at most."""

    def __init__(self, C: float) -> None:
        self.C = C

    def fit(self, X: Sequence[Sequence[Features]], y: Sequence[Sequence[str]]) -> Self:
        """Learn from sentences: features of their tokens, and labels, two at least."""
        self.vectorizer = DictVectorizer(dtype=np.float32)
        matrix = self.vectorizer.fit_transform(_with_label_before(X, y))
        seen = np.bincount(matrix.indices, minlength=matrix.shape[1])
        self.kept = np.flatnonzero(seen >= RARE)
        labels = [label for sentence in y for label in sentence]
        # Threads that wait for each other would count as training.
        with threadpool_limits(1), warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            model = LogisticRegression(C=self.C, max_iter=100).fit(matrix[:, self.kept], labels)
        self.labels: list[str] = model.classes_.tolist()
        coef, bias = model.coef_, model.intercept_
        if len(self.labels) == 2:  # one vector, of the second label
            coef, bias = np.vstack([0 * coef, coef]), np.append(0 * bias, bias)
        self.coef, self.bias = coef.T, bias  # [features, labels], [labels]
        self.weights = int(np.count_nonzero(coef)) + len(self.labels)
        return self

    def predict(self, X: Sequence[Sequence[Features]]) -> list[list[str]]:
        """Return the labels of each sentence."""
        of_h = self._scores([{BEFORE: h} for h in (START, *self.labels)])  # [h, y]
        pairs: list[Labels] = [(h, y) for h in (START, *self.labels) for y in self.labels]
        found = []
        for sentence in X:
            scores = self._scores(sentence)[:, None, :] + of_h + self.bias  # [i, h, y]
            scores -= np.logaddexp.reduce(scores, axis=2, keepdims=True)
            log_p = [dict(zip(pairs, each, strict=True)) for each in scores.reshape(len(sentence), -1).tolist()]
            found.append(list(viterbi(len(sentence), self.labels, 1, partial(_cell, log_p))))
        return found

    def _scores(self, features: Sequence[Features]) -> np.ndarray:
        """Return w_y . f of each label, [examples, labels]."""
        return np.asarray(self.vectorizer.transform(features)[:, self.kept] @ self.coef)


def _cell(table: Sequence[Mapping[Labels, float]], i: int, labels: Labels) -> float:
    return table[i][labels]


def _with_label_before(X: Sequence[Sequence[Features]], y: Sequence[Sequence[str]]) -> Iterator[dict[str, str]]:
    for sentence, labels in zip(X, y, strict=True):
        for features, h in zip(sentence, (START, *labels), strict=False):  # the last label is before none
            yield {**features, BEFORE: h}
