"""Training as an iterator of updates: the passes over the data, and what comes before and after them.

Examples come in a new order in each pass, the same as in the core. The shuffle is that of Fisher & Yates, with random
numbers by SplitMix64 (Steele, Lea & Flood 2014)::

    for k = n .. 2:
        exchange the k-th item with one of the first k, by chance
"""

from collections.abc import Iterable, Iterator
from typing import Any, Self

from sapwood_lab.errors import DataError, not_fitted
from sapwood_lab.options import Options
from sapwood_lab.step import Step, Vector


class Training(Options):
    """The passes over the data, whatever is learned in them."""

    def learn(self, example: Any) -> Iterator[Step]:
        """Present an example, and yield its updates."""
        raise NotImplementedError

    def best(self, x: Any, gold: Any = None) -> Any:
        """Return the structure that scores highest; with a gold one, the cost is added for what differs from it."""
        raise NotImplementedError

    def read(self, *data: Any, **named: Any) -> list[Any]:
        """Return the examples that the data have: pairs of an input and its structure. Raises DataError."""
        return list(*data, **named)

    def steps(self, *data: Any, **named: Any) -> Iterator[Step]:
        """Train from scratch on what `fit` of the same algorithm in the core takes, and yield each update.

        The weights are those after the update, until the iterator goes on. At its end they are averaged.
        Raises DataError for data that the algorithm cannot read.
        """
        for step in self.train(*data, **named):
            yield step._replace(then=self.look(step))

    def look(self, step: Step) -> Any:
        """Return the finding and the record of a search with the weights as they are; None if it keeps nothing."""
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


def orders(n: int, epochs: int, seed: int | None) -> Iterator[list[int]]:
    """Yield the order of n examples in each pass; that of the data, if there is no seed.

    >>> list(orders(4, 2, seed=1))
    [[0, 1, 3, 2], [0, 3, 2, 1]]
    """
    order, state = list(range(n)), seed or 0
    for _ in range(epochs):
        for k in range(n, 1, -1) if seed is not None else ():
            state, random = split_mix_64(state)
            j = random * k >> 64
            order[k - 1], order[j] = order[j], order[k - 1]
        yield order.copy()


def split_mix_64(state: int) -> tuple[int, int]:
    """Return the next state of the generator, and its random number, both of 64 bits."""
    bits = (1 << 64) - 1
    state = (state + 0x9E3779B97F4A7C15) & bits
    z = ((state ^ state >> 30) * 0xBF58476D1CE4E5B9) & bits
    z = ((z ^ z >> 27) * 0x94D049BB133111EB) & bits
    return state, z ^ z >> 31
