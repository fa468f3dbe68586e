"""The structured perceptron of any search, and its training as an iterator of updates (Collins 2002).

::

    w <- 0
    for each (x, y) of T passes over D:
        y' <- argmax over structures z of w . phi(x, z)
        if y' is not y:
            w <- w + phi(x, y) - phi(x, y')
    return the mean of w after each example

A subclass says what phi and the argmax are. Here x is two words, y their order, and there are two orders:

>>> class WordOrder(Learner):
...     def phi(self, x, y):
...         return {(f"{y[0]} before {y[1]}", "order"): 1.0}
...     def best(self, x, gold=None):
...         return max([x, x[::-1]], key=lambda z: self.score(self.phi(x, z)))
>>> learner = WordOrder(epochs=2).fit([(("dog", "the"), ("the", "dog")), (("the", "cat"), ("the", "cat"))])
>>> learner.predict([("dog", "the")])
[('the', 'dog')]

What else a learner can do is done by parts that it holds, each on a page of its own: a margin is a `loss`
(`sapwood_lab.losses`), steps tau of another length than 1 are a `rule` (`sapwood_lab.passive_aggressive`), the mean is
an `average` (`sapwood_lab.average`, `sapwood_lab.lazy_average`), and weights are sparse by what U hides and by features
that are `ignored` (`sapwood_lab.sparsity`).
"""

from collections.abc import Generator, Iterator, Mapping
from typing import Any

from sapwood_lab.losses import cost
from sapwood_lab.step import Step, Vector, Weight, difference
from sapwood_lab.training import Training

Phi = Mapping[Weight, float]  # the features of a structure


class Learner(Training):
    """The base class of all algorithms: the weights w and their update. Options are those of `Options`."""

    def phi(self, x: Any, y: Any) -> Phi:
        """Return the features of a structure y for the input x."""
        raise NotImplementedError

    def learn(self, example: Any) -> Iterator[Step]:
        """Guess, compare, and add the violation."""
        x, y = example
        guess = self.best(x, y)
        right, wrong = self.phi(x, y), self.phi(x, guess)
        ahead = self.score(wrong) + self.cost(y, guess) - self.score(right)
        yield from self.present(x, y, guess, right, wrong, ahead)

    def cost(self, y: Any, guess: Any) -> float:
        """Return the cost of a guess: the sum of the loss over the parts of the structures."""
        return cost(self.loss, y, guess)

    def present(
        self, x: Any, gold: Any, guess: Any, right: Phi, wrong: Phi, ahead: float = 0.0, importance: float = 1.0
    ) -> Generator[Step, None, bool]:
        """Learn from phi(x, gold) and phi(x, guess); yield the update, and return whether there was one.

        ahead : by how much the guess, with its cost, is ahead of gold; importance : how much the example counts
        """
        v = {k: n for k, n in difference(right, wrong).items() if k[0] not in self.ignored}
        tau = self.rule(ahead, self.square(v), importance) if v else 0.0  # 1 for the perceptron, unless y' is y
        change = {k: tau * n for k, n in v.items()} if tau > 0 else {}
        before = {k: self.w.get(k, 0.0) for k in change}
        for k, n in change.items():
            self.w[k] = before[k] + n  # w <- w + tau v
        after = {k: self.w[k] for k in change}
        self.U.count(change)
        self.averaging.add(self.c, self.w, change)
        self.c += 1
        if change:
            self.updates += 1
            counts = {k: self.U.of(k) for k in v}
            yield Step(
                self.updates, self.c - 1, self.epoch, x, gold, guess, v, before, after, counts, self.margin, self.search
            )
        return bool(change)

    def score(self, phi: Phi) -> float:
        """Return w . phi, without what U says to ignore."""
        return sum(n * self.weight(k) for k, n in phi.items())

    def weight(self, k: Weight) -> float:
        """Return the weight of a feature for an output: 0 if U says to ignore it."""
        return self.w[k] if k in self.w and self.U.is_relevant(k) else 0.0

    def square(self, v: Vector) -> float:
        """Return the squared length of a violation."""
        return sum(n * n for n in v.values())
