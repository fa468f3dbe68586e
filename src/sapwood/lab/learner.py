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
(`sapwood.lab.losses`), steps of another length than 1 are a `rule` (`sapwood.lab.passive_aggressive`), the mean is an
`average` (`sapwood.lab.average`, `sapwood.lab.lazy_average`), sparse weights are what U does not hide
(`sapwood.lab.sparsity`), and rare features are `ignored` (`sapwood.lab.pruning`).
"""

from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping
from inspect import signature
from reprlib import repr as shortened
from typing import Any, ClassVar, Self

from sapwood.errors import DataError, OptionError, not_fitted
from sapwood.lab.average import Averaging, Last
from sapwood.lab.lazy_average import LazyAverage
from sapwood.lab.losses import Loss, cost, is_of_structures, no_loss
from sapwood.lab.order import orders
from sapwood.lab.sparsity import UpdateCounts
from sapwood.lab.step import Step, Vector, Weight, difference

__all__ = ["Learner", "Step", "Vector", "Weight", "perceptron"]

Rule = Callable[[float, float, float], float]  # the step tau of an update, given loss, |violation|^2 and importance


def perceptron(loss: float, square: float, importance: float) -> float:
    """Return the step of the perceptron: 1 for each example that counts once."""
    return importance


class Learner:
    """The base class of all algorithms: the weights, the update, the passes over the data.

    rule : how far an update goes
    loss : what a wrong part costs while training, given the gold part and the wrong one; None for no margin
    min_updates : updates that a feature, or a weight, must have taken part in to be scored
    count_updates : which of both: "feature" or, where whole structures are searched, "weight"
    average : True for the mean of the weights after each decision, False for the last ones, or a class of averages
    seed : of the order in which examples are presented, a new one for each pass; None for the order of the data
    ignored : features that are removed before training

    Raises OptionError if one of them has a value that it cannot have, or that the search does not have.
    """

    structured: ClassVar[bool] = True  # whether a decision is a whole structure, and not one of several classes
    has_constant_loss: ClassVar[bool] = True  # whether the search can hold gold against all other structures

    def __init__(
        self,
        *,
        rule: Rule = perceptron,
        loss: Loss | None = None,
        min_updates: int = 1,
        count_updates: str = "feature",
        average: bool | Callable[[], Averaging] = True,
        epochs: int = 5,
        seed: int | None = 1,
        ignored: Collection[str] = (),
    ) -> None:
        name = type(self).__name__
        if min_updates < 0 or epochs < 1:
            raise OptionError("min_updates is a number from 0, and epochs is at least 1")
        if count_updates not in (("feature", "weight") if self.structured else ("feature",)):
            raise OptionError("count_updates is feature or, for structures (Viterbi, Eisner, beam), weight")
        if not (loss is None or callable(loss)):
            raise OptionError(f"loss is a function of a gold and a guessed part, such as hamming(1.0); not {loss!r}")
        if loss and is_of_structures(loss) and not self.has_constant_loss:
            raise OptionError(f"{name} adds up costs of parts, so its loss cannot be constant; hamming is one of parts")
        self.rule, self.loss, self.ignored = rule, loss or no_loss, frozenset(ignored)
        self.min_updates, self.count_updates, self.epochs, self.seed = min_updates, count_updates, epochs, seed
        self.average = average
        self.forget()

    def forget(self) -> None:
        """Set w and U to 0."""
        self.w: Vector = {}
        self.U = UpdateCounts(self.min_updates, self.count_updates == "weight")
        kinds: dict[Any, Callable[[], Averaging]] = {True: LazyAverage, False: Last}
        self.averaging = kinds.get(self.average, self.average)()  # type: ignore[operator]
        self.c = self.updates = self.epoch = 0  # decisions presented, updates made, passes begun
        self.search: Any = None  # what the last search saw, for a picture of it

    def phi(self, x: Any, y: Any) -> Mapping[Weight, float]:
        """Return the features of a structure y for the input x."""
        raise NotImplementedError

    def best(self, x: Any, gold: Any = None) -> Any:
        """Return the structure that scores highest; with a gold one, the cost is added for what differs from it."""
        raise NotImplementedError

    def learn(self, example: Any) -> Iterator[Step]:
        """Guess, compare, and add the violation."""
        x, y = example
        guess = self.best(x, y)
        right, wrong = self.phi(x, y), self.phi(x, guess)
        ahead = self.score(wrong) + self.cost(y, guess) - self.score(right)
        yield from self.present(x, y, guess, right, wrong, ahead)

    def cost(self, y: Any, guess: Any) -> float:
        """Return what a guess costs: the sum of the loss over the parts of the structures."""
        return cost(self.loss, y, guess)

    def present(
        self,
        x: Any,
        gold: Any,
        guess: Any,
        right: Mapping[Weight, float],
        wrong: Mapping[Weight, float],
        ahead: float = 0.0,
        importance: float = 1.0,
    ) -> Generator[Step, None, bool]:
        """Learn from phi(x, gold) and phi(x, guess); yield the update, and return whether there was one.

        ahead : by how much the guess, with its cost, is ahead of gold; importance : how much the example counts
        """
        v = {k: n for k, n in difference(right, wrong).items() if k[0] not in self.ignored}
        tau = self.rule(ahead, self.square(v), importance) if v else 0.0
        change = {k: tau * n for k, n in v.items()} if tau > 0 else {}
        before = {k: self.w.get(k, 0.0) for k in change}
        after = {k: before[k] + n for k, n in change.items()}
        self.w |= after  # w <- w + tau v
        self.U.count(change)
        self.averaging.add(self.c, self.w, change)
        self.c += 1
        if change:
            self.updates += 1
            counts = {k: self.U.of(k) for k in v}
            yield Step(self.updates, self.c - 1, self.epoch, x, gold, guess, v, before, after, counts, self.search)
        return bool(change)

    def score(self, phi: Mapping[Weight, float]) -> float:
        """Return w . phi, without what U says to ignore."""
        return sum(n * self.weight(k) for k, n in phi.items())

    def weight(self, k: Weight) -> float:
        """Return the weight of a feature for an output: 0 if U says to ignore it."""
        return self.w[k] if k in self.w and self.U.is_relevant(k) else 0.0

    def square(self, v: Vector) -> float:
        """Return the squared length of a violation."""
        return sum(n * n for n in v.values())

    def steps(self, *data: Any, **named: Any) -> Iterator[Step]:
        """Train from scratch on what `fit` of the same algorithm in the core takes, and yield each update.

        The weights are those after the update, until the iterator goes on. At its end they are averaged.
        Raises DataError for data that the algorithm cannot read.
        """
        for step in self.train(*data, **named):
            yield step._replace(then=self.look(step))

    def look(self, step: Step) -> Any:
        """Return what the search finds and sees with the weights as they are now; None if it keeps nothing."""
        return None

    def train(self, *data: Any, **named: Any) -> Iterator[Step]:
        """Train as `steps` does, but do not look at what the updates change."""
        self.forget()
        examples = self.read(*data, **named)
        if not examples:
            raise DataError("there is no example to train on")
        for order in orders(len(examples), self.epochs, self.seed):
            self.epoch += 1
            for k in order:
                yield from self.learn(examples[k])
        self.w = self.averaging.mean(self.c, self.w)

    def fit(self, *data: Any, **named: Any) -> Self:
        """Train from scratch: make all steps. Raises DataError as `steps` does."""
        for _ in self.train(*data, **named):
            pass
        return self

    def read(self, *data: Any, **named: Any) -> list[Any]:
        """Return the examples that the data have: pairs of an input and its structure. Raises DataError."""
        return list(*data, **named)

    def predict(self, inputs: Iterable[Any]) -> list[Any]:
        """Return the best structure of each input. Raises NotFittedError if nothing was learned yet."""
        self.check_is_fitted()
        return [self.best(x) for x in inputs]

    def check_is_fitted(self) -> None:
        """Raise NotFittedError if nothing was learned yet, and no weights were given."""
        if not self.c and not self.w:
            raise not_fitted(f"this {type(self).__name__} has learned nothing yet; call fit, or go through its steps")

    def weights(self) -> Vector:
        """Return the weights that are scored and not 0."""
        return {k: w for k, w in self.w.items() if w != 0 and self.U.is_relevant(k)}

    def __repr__(self) -> str:
        """Return the class with its options."""
        classes = [cls for cls in type(self).__mro__ if "__init__" in vars(cls)]
        names = dict.fromkeys(name for cls in classes for name in signature(vars(cls)["__init__"]).parameters)
        options = [f"{name}={shown(value)}" for name in names if (value := vars(self).get(name, self)) is not self]
        return f"{type(self).__name__}({', '.join(options)})"


def shown(option: Any) -> str:
    """Return an option as a text that is not too long: a function by its name."""
    return getattr(option, "__name__", None) or shortened(option)
