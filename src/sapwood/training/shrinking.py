"""Shrinking: the smallest weights of a model are dropped and the remaining ones trained on, until it is small enough.

Each round (iterative pruning with retraining: Han, Pool, Tran & Dally 2015) goes from one size to the next:

1. Weights below a threshold are dropped, and then features whose weights have too small a norm together, since a
   feature's key costs more than a weight. The threshold is the one that gives the round's size.
2. The weights that are left are trained for some more passes, from their averages; no other weight comes back.

Weights are rounded to "even" levels, the int8 numbers, or to "uneven" ones: fewer, for which the file has shorter codes
(core/model/levels.hpp), whose price of a bit is BIT_PRICE times the square of the round's threshold for weights.
Training goes on from weights that are not rounded.

Without retraining there are no passes: weights are dropped from the averages that the epochs gave, and stay so. An
average over a few passes is worse than one over all epochs, so this keeps more of the score while half of the bytes
or more stay, in parsers a third. Below that, training on pays.

Every score is measured on held-out data.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise

from sapwood._core import PackedModel
from sapwood.base.signals import Interrupt
from sapwood.errors import OptionError, warn
from sapwood.events import Callback, Shrunk
from sapwood.model.small import Goal, Small
from sapwood.model.support import SupportTrainer
from sapwood.training.shards import AveragedOrders, Core, WeightTrainer

FACTOR = 0.5  # size after a round / size before it
PASSES = 2  # over the training data in a round
LAST_PASSES = 4  # the same in the round that reaches the wanted size
BIT_PRICE = 0.05  # uneven levels: squared error that one coded bit is worth, in squares of the threshold for weights
COARSER = 4.0  # coarse levels, which are tried as well: their price of a bit / that of uneven levels
_MARGIN = 0.985  # rounds aim at this part of the wanted bytes: training on changes the size of coded weights a little
_LARGEST = 0.9  # threshold at most, as a part of the largest weight
_HALVINGS = 7  # bisections of the interval of the threshold
_STUCK = 4  # rounds in a row that make the model no smaller, after which rounds end
_PATIENCE = 2  # rounds in a row that lose too much, after which rounds end


def shrink(
    trainer: Core,
    *,
    goal: Goal,
    tokens: int,
    bits: int,
    size: Callable[[PackedModel], int],
    score: Callable[[PackedModel], float] | None,
    report: Callback,
) -> Small:
    """Return the first weights within the goal's bytes, or the smallest within its loss.

    trainer : a trainer whose epochs are over; training goes on from there
    tokens : of an epoch
    bits : of a weight
    size : bytes of a model with these weights
    score : of these weights on held-out data, in percent

    The first Ctrl-C ends shrinking with the round and keeps the best so far, the second raises KeyboardInterrupt. Warns
    if the model is larger than the goal. Raises OptionError if `trainer` keeps examples.
    """
    if isinstance(trainer, SupportTrainer):
        raise OptionError("a model that keeps examples has no weights that could be dropped; it cannot be made smaller")
    rounds = _Rounds(trainer, goal, bits, size, score, report)
    rounds.add(0.0)
    grown = 1.0  # size at the end of a round / the wanted size
    with Interrupt() as interrupt:
        while not (reason := rounds.end()):
            if interrupt.requested:
                reason = "it was interrupted"
                break
            before = rounds.sizes[-1]
            if goal.retrain:
                target = int(max(before * FACTOR, (goal.bytes or 0) * _MARGIN / grown))
                least = rounds.retrain(goal.targets(before, target), tokens)
            else:
                target = goal.bytes or int(before * FACTOR)
                least = rounds.threshold(target)
            if least is None:
                reason = "no smaller model has a weight left"
                break
            rounds.add(least)
            if goal.grows_back():
                grown = max(1.0, rounds.sizes[-1] / target)
    chosen = rounds.chosen()
    also = {bytes: rounds.within(bytes) for bytes in goal.also}
    found = Small(rounds.models[chosen], rounds.curve, chosen, reason, also)
    if goal.bytes is not None and (least_bytes := rounds.curve[chosen].bytes) > goal.bytes:
        warn(f"the model has {least_bytes:,} bytes, more than {goal.bytes:,}: {reason}")
    return found


@dataclass
class _Rounds:
    """The models of the rounds so far."""

    trainer: WeightTrainer | AveragedOrders
    goal: Goal
    bits: int
    size: Callable[[PackedModel], int]
    score: Callable[[PackedModel], float] | None
    report: Callback
    models: list[PackedModel] = field(default_factory=list)
    curve: list[Shrunk] = field(default_factory=list)  # a point for each model
    sizes: list[int] = field(default_factory=list)  # at the end of each round
    firsts: list[int] = field(default_factory=list)  # number of the first model of each round

    def add(self, least: float) -> None:
        """Add what the trainer has learned, after a round that dropped weights below `least`, the whole model first.

        Without retraining the trainer still has those weights, and the model alone is without them.
        """
        self.firsts.append(len(self.models))
        price = self._bit_price(least)
        if price > 0:
            self._add("uneven", least, price)
        else:
            self._add("even", least)
        self.sizes.append(self.curve[-1].bytes)
        if price > 0 and self.score is not None:
            self._add("even", least)
            self._add("coarse", least, COARSER * price)

    def retrain(self, targets: list[int], tokens: int) -> float | None:
        """Make the trainer's model so small, step by step, train on, and return the last threshold; None: see below."""
        is_last = self.goal.bytes is not None and targets[-1] <= self.goal.bytes
        least = None
        for k in range(LAST_PASSES if is_last else PASSES):
            if k < len(targets):
                least = self.threshold(targets[k])
                if least is None:
                    return None
                self.goal.drop(self.trainer.prune, self.bits, least)
            while not self.trainer.step(tokens):
                pass
        return least

    def within(self, bytes: int) -> PackedModel:
        """Return weights of a model of so many bytes at most, the whole ones if they fit. Raises OptionError."""
        least = 0.0 if self.sizes[0] <= bytes else self.threshold(bytes)
        if least is None:
            raise OptionError(f"no model of {bytes:,} bytes has a weight left")
        return self._weights(least, self._bit_price(least))

    def _weights(self, least: float, bit_price: float) -> PackedModel:
        freeze = partial(self.trainer.freeze, bit_price=bit_price)
        return freeze(self.bits, 0.0) if self.goal.retrain else self.goal.drop(freeze, self.bits, least)

    def _add(self, levels: str, least: float, bit_price: float = 0.0) -> None:
        weights = self._weights(least, bit_price)
        features = sum(table.features for table in weights.tables)
        score = None if self.score is None else self.score(weights)
        self.models.append(weights)
        self.curve.append(Shrunk(self.size(weights), features, score, levels, _value_bits(weights)))
        self.report(self.curve[-1])

    def _bit_price(self, least: float) -> float:
        """Return the price of a bit where `least` is the threshold for weights, as a part of the largest."""
        if self.goal.levels == "even" or self.bits != 8:
            return 0.0
        return BIT_PRICE * (127 * least) ** 2

    def end(self) -> str:
        """Return the reason to end the rounds, or nothing."""
        goal, sizes = self.goal, self.sizes
        if goal.bytes is not None and sizes[-1] <= goal.bytes:
            return f"it has {sizes[-1]:,} bytes, within {goal.bytes:,}"
        last = self.curve[self.firsts[-_PATIENCE:][0] :]
        if goal.loss is not None and all(_loss(self.curve[0], point) > goal.loss for point in last):
            return f"smaller models lose more than {goal.loss:g} points"
        rounds = list(pairwise(sizes[-_STUCK - 1 :]))
        if len(rounds) == _STUCK and all(after >= before for before, after in rounds):
            return "it does not become smaller any more"
        return ""

    def chosen(self) -> int:
        """Return the number of the model that is the best within the goal's bytes, or the smallest within its loss."""
        goal, curve = self.goal, self.curve
        fitting = [k for k, point in enumerate(curve) if goal.bytes is not None and point.bytes <= goal.bytes]
        if fitting and self.score is not None:
            return max(fitting, key=lambda k: (curve[k].score, -curve[k].bytes))
        fitting = [k for k, point in enumerate(curve) if goal.loss is None or _loss(curve[0], point) <= goal.loss]
        return min(fitting, key=lambda k: curve[k].bytes)

    def threshold(self, target: int) -> float | None:
        """Return the threshold that makes a model of `target` bytes at most, as a part of the largest weight.

        Returns None if no threshold does that and leaves a weight.
        """
        low, high = 0.0, 1.0 / 127
        while self._size_at(high) > target:
            low, high = high, 2 * high
            if high > _LARGEST:
                return None
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            if self._size_at(middle) > target:
                low = middle
            else:
                high = middle
        return high

    def _size_at(self, least: float) -> int:
        drop = partial(self.trainer.freeze, bit_price=self._bit_price(least))
        return self.size(self.goal.drop(drop, self.bits, least))


def _value_bits(model: PackedModel) -> float:
    tables = [table.coded(model.bits) for table in model.tables]
    weights = sum(table.weights for table in tables)
    return 8 * sum(len(table.values) for table in tables) / max(1, weights)


def _loss(whole: Shrunk, point: Shrunk) -> float:
    assert whole.score is not None and point.score is not None
    return whole.score - point.score
