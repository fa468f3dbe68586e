"""The hidden Markov model, the generative tagger (Dyer 2015, "Viterbi with Features"), as a linear model.

::

    y^ = argmax over y of  prod over i of  p(y_i | y_(i-1)) p(x_i | y_i)
       = argmax over y of  sum over i of   log p(y_i | y_(i-1)) + log p(x_i | y_i)
       = argmax over y of  sum over i of   w . f(x_i, y_(i-1), y_i)

"with w and f appropriately defined": f says which label stands after which, and which word has which label, and w has
the logarithms of their probabilities. With T labels, V words, and counts n of the training data::

    f(x, h, y) = 1 for (B, h y), 1 for (U:x, y), else 0
    w(B, h y)  = log p(y | h) = log (n(h, y) + delta) / (n(h) + delta T)
    w(U:x, y)  = log p(x | y) = log (n(y, x) + delta) / (n(y) + delta V)

"But: Viterbi works with any w and f": that of the structured perceptron finds the labels, and these are the weights of
a perceptron with the template ``U:%x[0,0]`` and ``B``. Words that training has only once are counted as one,
``<rare>``, and so are new words. p(x | y) of several columns is a product, which is naive. As p(x, y) is known, so is
p(x): the same recurrence with sums in place of maxima.

>>> hmm = HMM(smoothing=0.5, rare=0).fit([[("the", "D"), ("dog", "N")], [("the", "D"), ("dog", "N"), ("barks", "V")]])
>>> hmm.predict([[("the",), ("dog",), ("barks",)], [("the",), ("cat",)]])
[['D', 'N', 'V'], ['D', 'N']]
>>> [(k, round(hmm.w[k], 3)) for k in hmm.f(("dog",), "D", "N")]
[(('B', ('D', 'N')), -0.336), (('U0:dog', ('N',)), -0.47)]
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Self

from sapwood_lab.errors import DataError, OptionError
from sapwood_lab.naive_bayes import check_is_counted, log_shares, log_sum
from sapwood_lab.step import Vector, Weight
from sapwood_lab.template import Rows
from sapwood_lab.trellis import START, viterbi

RARE = "<rare>"  # stands for words that training has seldom or not at all


class HMM:
    """Counts, and the weights that follow from them; `smoothing` is delta, and words are rare up to `rare` times."""

    def __init__(self, *, smoothing: float = 0.1, rare: int = 1) -> None:
        if not 0 < smoothing < float("inf") or rare < 0:
            raise OptionError("smoothing is a number above 0, and rare is a whole number from 0")
        self.smoothing, self.rare = smoothing, rare

    def fit(self, sentences: Sequence[Rows]) -> Self:
        """Count what sentences have, whose last column is the label, and set w. Raises DataError."""
        rows = [row for sentence in sentences for row in sentence]
        if not rows:
            raise DataError("there is no token to count")
        self.labels = list(dict.fromkeys(row[-1] for row in rows))
        columns = [Counter(column) for column in zip(*(row[:-1] for row in rows), strict=True)]
        self.values = [dict.fromkeys([*(v for v in seen if seen[v] > self.rare), RARE]) for seen in columns]
        self.n: Counter[Weight] = Counter()
        for sentence in sentences:
            h = START
            for *x, y in sentence:
                self.n.update(self.f(x, h, y))
                h = y
        self.w: Vector = {}
        for h in (START, *self.labels):
            self.w |= log_shares(self.n, [("B", (h, y)) for y in self.labels], self.smoothing)
        for y in self.labels:
            for c, values in enumerate(self.values):
                self.w |= log_shares(self.n, [(f"U{c}:{value}", (y,)) for value in values], self.smoothing)
        return self

    def f(self, x: Sequence[str], h: str, y: str) -> list[Weight]:
        """Return the features of a token with its label y, after the label h; the value of each is 1."""
        return [("B", (h, y)), *self.f_of_x(x, y)]

    def f_of_x(self, x: Sequence[str], y: str) -> list[Weight]:
        """Return the features of a token that do not look at h."""
        columns = enumerate(zip(x, self.values, strict=True))
        return [(f"U{c}:{value if value in known else RARE}", (y,)) for c, (value, known) in columns]

    def score(self, features: Iterable[Weight]) -> float:
        """Return w . f."""
        return sum(self.w[k] for k in features)

    def log_joint(self, rows: Rows, labels: Sequence[str]) -> float:
        """Return log p(x, y), the sum of w . f(x_i, y_(i-1), y_i)."""
        return sum(self.score(self.f(x, h, y)) for x, h, y in zip(rows, (START, *labels), labels, strict=False))

    def log_marginal(self, rows: Rows) -> float:
        """Return log p(x), the sum of p(x, y) over all label sequences."""
        alpha = {START: 0.0}
        for x in rows:
            alpha = {y: log_sum(a + self.score(self.f(x, h, y)) for h, a in alpha.items()) for y in self.labels}
        return log_sum(alpha.values())

    def label(self, rows: Rows) -> list[str]:
        """Return the most probable labels of a sentence."""
        of_x = [{y: self.score(self.f_of_x(x, y)) for y in self.labels} for x in rows]
        return list(viterbi(len(rows), self.labels, 1, lambda i, hy: self.w["B", hy] + of_x[i][hy[1]]))

    def predict(self, sentences: Iterable[Rows]) -> list[list[str]]:
        """Return the labels of each sentence, of rows without them. Raises NotFittedError before `fit`."""
        check_is_counted(self)
        return [self.label(rows) for rows in sentences]
