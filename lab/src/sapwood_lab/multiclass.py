"""The multiclass perceptron (Schneider 2017, "Perceptron Learner"; Goldberg & Elhadad 2011, section 2).

::

    w <- 0
    for i = 1 .. I:
        for t = 1 .. T:
            select (x, y)_t
            y^ <- argmax over y' of w_y' . Phi(x)
            if y^ is not y:
                w_y  <- w_y  + Phi(x)
                w_y^ <- w_y^ - Phi(x)
    return w

The lecture has two words for what is mostly called a feature. A percept, or input feature, is a property of the input x
alone, such as "ends in -ing", with a value in Phi(x): here a key of a dict. A parameter, or model feature, is a percept
together with a class, such as "ends in -ing and y = VERB", and has a weight: here a `Weight`, the pair of both.

Of two classes, the second alone has weights: its score is w . Phi(x), and that of the first is 0. Ties go to the class
that the data name first. With a margin a wrong class is scored higher, by its loss times the mean squared length of
Phi(x) over the examples so far, so that it does not depend on how large the values of the percepts are.

>>> money, hobby = {"repaid": 1, "loan": 1}, {"read": 1, "news": 1}
>>> learner = Multiclass(epochs=1, seed=None)
>>> for step in learner.steps([money, hobby], ["N:financial", "N:nonfinancial"]):
...     print(step.guess, "should be", step.gold, "with", [percept for percept, y in step.after])
N:financial should be N:nonfinancial with ['read', 'news']
>>> learner.predict([{"news": 1}, {"loan": 1}])
['N:nonfinancial', 'N:financial']
"""

from collections.abc import Iterator, Mapping, Sequence

from sapwood_lab.errors import DataError
from sapwood_lab.learner import Learner
from sapwood_lab.step import Step, Vector

Percepts = Mapping[str, float]


class Multiclass(Learner):
    """One weight vector a class. Options are those of `Learner`."""

    structured = False
    has_constant_loss = False
    labels: list[str]  # [classes]

    def read(
        self, X: Sequence[Percepts], y: Sequence[str], *steps: Sequence[float]
    ) -> list[tuple[Percepts, str, float]]:
        """Return the examples: dicts of percepts, their labels and, if given, the steps of their updates [examples]."""
        if len(X) != len(y) or any(len(each) != len(X) for each in steps):
            raise DataError(f"{len(X)} examples have {len(y)} labels{' and as many steps' * bool(steps)}")
        self.labels = list(dict.fromkeys(y))
        self.squares = self.seen = 0.0
        return list(zip(X, y, *(steps or [[1.0] * len(X)]), strict=True))

    def phi(self, x: Percepts, y: str) -> Vector:
        """Return Phi(x) as parameters of the class y."""
        if len(self.labels) == 2 and y == self.labels[0]:
            return {}
        return {(percept, y): value for percept, value in x.items()}

    def scores(self, x: Percepts) -> dict[str, float]:
        """Return the score of each class."""
        return {y: self.score(self.phi(x, y)) for y in self.labels}

    def learn(self, example: tuple[Percepts, str, float]) -> Iterator[Step]:
        x, gold, step = example
        self.seen += 1
        self.squares += sum(value * value for percept, value in x.items() if percept not in self.ignored)
        mean = self.squares / self.seen
        scores = {y: score + self.loss(gold, y) * mean for y, score in self.scores(x).items()}
        guess = argmax(self.labels, scores)
        ahead = scores[guess] - scores[gold]
        yield from self.present(x, gold, guess, self.phi(x, gold), self.phi(x, guess), ahead, step)

    def best(self, x: Percepts, gold: str | None = None) -> str:
        return argmax(self.labels, self.scores(x))


def argmax(labels: Sequence[str], scores: Mapping[str, float]) -> str:
    """Return the class that scores highest; of equal ones, the first."""
    return max(labels, key=scores.__getitem__)
