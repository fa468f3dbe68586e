"""Shrinking: the smallest weights of a model are dropped and the remaining ones learned anew, until it is small enough.

A round makes a model of some size from the whole one:

1. Weights below a threshold are dropped, and then features whose weights have too small a norm together, since a
   feature's key costs more than a weight. The threshold is the one that gives the size.
2. If at most half of the bytes stay, the weights that are left are forgotten and learned anew, in as many epochs as
   before; no other weight comes back (Frankle & Carbin 2019; Liu, Sun, Zhou, Huang & Darrell 2019). Weights that were
   learned beside others rely on them; learned alone they make up for them.
3. If the model has become larger than it should be, the smallest weights are dropped again.

A goal in bytes is reached in one round. A goal in points of the score has rounds of half the size each.

Weights are rounded to "even" levels, the int8 numbers, or to "uneven" ones: fewer, for which the file has shorter codes
(core/model/levels.hpp), whose price of a bit is BIT_PRICE times the square of the threshold for weights. A model that
fits without a threshold has levels that are nearly even.

Without retraining, after Ctrl-C, and where training went on from other data, which these data cannot teach again,
nothing is learned anew: weights are dropped from the averages that the epochs gave, and stay so.

Every score is measured on held-out data.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from sapwood._core import PackedModel
from sapwood.base.signals import Interrupt
from sapwood.errors import OptionError, warn
from sapwood.events import Callback, Preparing, Shrunk
from sapwood.model.small import GROUP, Goal, Small
from sapwood.model.support import SupportTrainer
from sapwood.training.shards import AveragedOrders, Core, WeightTrainer

FACTOR = 0.5  # size after a round / size before it
LEARNED_ANEW = 0.5  # size of a model that is learned anew, at most / size of the whole one
BIT_PRICE = 0.05  # uneven levels: squared error that one coded bit is worth, in squares of the threshold for weights
COARSER = 4.0  # coarse levels, which are tried as well: their price of a bit / that of uneven levels
_LARGEST = 0.9 / GROUP  # threshold at most, as a part of the largest weight, whose feature stays
_HALVINGS = 7  # bisections of the interval of the threshold
_PATIENCE = 2  # rounds in a row that lose too much, after which rounds end
INTERRUPTED, NOTHING_LEFT = "it was interrupted", "no smaller model has a weight left"  # reasons to end
_LEARNING = "learning anew"


def shrink(
    trainer: Core,
    *,
    goal: Goal,
    epochs: int,
    tokens: int,
    step: int,
    bits: int,
    size: Callable[[PackedModel], int],
    score: Callable[[PackedModel], float] | None,
    report: Callback,
) -> Small:
    """Return the first weights within the goal's bytes, or the smallest within its loss.

    trainer : a trainer whose epochs are over
    epochs : as many as were run; tokens : of an epoch; step : tokens between two events
    bits : of a weight
    size : bytes of a model with these weights
    score : of these weights on held-out data, in percent

    After the first Ctrl-C weights are dropped without learning anew, the second raises KeyboardInterrupt. Warns if the
    model is larger than the goal. Raises OptionError if `trainer` keeps examples.
    """
    if isinstance(trainer, SupportTrainer):
        raise OptionError("a model that keeps examples has no weights that could be dropped; it cannot be made smaller")
    rounds = _Rounds(trainer, goal, bits, size, score, report)
    rounds.add(0.0)
    reason = rounds.end()
    whole = trainer.state() if goal.retrain and goal.bytes is None else {}
    with Interrupt() as interrupt:
        while not reason:
            if whole and len(rounds.sizes) > 1:
                trainer.resume(whole)
            target = int(rounds.sizes[-1] * FACTOR) if goal.bytes is None else goal.bytes
            least = rounds.threshold(target)
            dropped = rounds.weights(least)
            if size(dropped) > target:
                reason = NOTHING_LEFT
                if goal.bytes is not None:
                    rounds.add(least)
                break
            if goal.retrain and target <= LEARNED_ANEW * rounds.sizes[0]:
                if not rounds.learn_anew(least, epochs, tokens, step, interrupt):
                    warn("interrupted: small weights are dropped, and the others are not learned anew")
                    rounds.keep(rounds.levels(least), dropped)
                    reason = INTERRUPTED
                    break
                least = rounds.threshold(target)
            rounds.add(least)
            reason = INTERRUPTED if interrupt.requested else rounds.end()
    chosen = rounds.chosen()
    found = Small(rounds.models[chosen], rounds.curve, chosen, reason)
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
        """Add what the trainer has learned without the weights below `least`, the whole model first."""
        self.firsts.append(len(self.models))
        self.keep(self.levels(least), self.weights(least))
        self.sizes.append(self.curve[-1].bytes)
        if self.levels(least) == "uneven" and self.score is not None:
            self.keep("even", self._frozen(least, 0.0))
            self.keep("coarse", self._frozen(least, COARSER * self._bit_price(least)))

    def keep(self, levels: str, weights: PackedModel) -> None:
        """Add weights that are rounded so, with their size and score."""
        features = sum(table.features for table in weights.tables)
        score = None if self.score is None else self.score(weights)
        self.models.append(weights)
        self.curve.append(Shrunk(self.size(weights), features, score, levels, _value_bits(weights)))
        self.report(self.curve[-1])

    def learn_anew(self, least: float, epochs: int, tokens: int, step: int, interrupt: Interrupt) -> bool:
        """Forget all weights, and learn those anew that were not below `least`; return false after Ctrl-C."""
        self.goal.drop(self.trainer.prune, self.bits, least)
        for epoch in range(epochs):
            self.report(Preparing(_LEARNING, epoch, epochs))
            done = False
            while not done:
                done = self.trainer.step(step)
                if interrupt.requested:
                    return False
                self.report(Preparing(_LEARNING, epoch, epochs, self.trainer.progress.examples / tokens))
        return True

    def weights(self, least: float) -> PackedModel:
        """Return the weights that the trainer has learned, rounded, without those below `least`."""
        return self._frozen(least, self._bit_price(least))

    def levels(self, least: float) -> str:
        """Return the kind of levels that these weights are rounded to."""
        return "even" if self._bit_price(least) == 0 else "uneven"

    def _frozen(self, least: float, bit_price: float) -> PackedModel:
        return self.goal.drop(partial(self.trainer.freeze, bit_price=bit_price), self.bits, least)

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
        return NOTHING_LEFT if len(sizes) > 1 and goal.bytes is not None else ""

    def chosen(self) -> int:
        """Return the number of the model that is the best within the goal's bytes, or the smallest within its loss."""
        goal, curve = self.goal, self.curve
        fitting = [k for k, point in enumerate(curve) if goal.bytes is not None and point.bytes <= goal.bytes]
        if fitting and self.score is not None:
            return max(fitting, key=lambda k: (curve[k].score, -curve[k].bytes))
        fitting = [k for k, point in enumerate(curve) if goal.loss is None or _loss(curve[0], point) <= goal.loss]
        return min(fitting, key=lambda k: curve[k].bytes)

    def threshold(self, target: int) -> float:
        """Return the threshold that makes a model of `target` bytes at most, as a part of the largest weight.

        If no threshold does that, it is the largest one that leaves a weight.
        """
        low, high = 0.0, 1.0 / 127
        while self._size_at(high) > target:
            if high == _LARGEST:
                return high
            low, high = high, min(2 * high, _LARGEST)
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            if self._size_at(middle) > target:
                low = middle
            else:
                high = middle
        return high

    def _size_at(self, least: float) -> int:
        return self.size(self.weights(least))


def _value_bits(model: PackedModel) -> float:
    tables = [table.coded(model.bits) for table in model.tables]
    weights = sum(table.weights for table in tables)
    return 8 * sum(len(table.values) for table in tables) / max(1, weights)


def _loss(whole: Shrunk, point: Shrunk) -> float:
    assert whole.score is not None and point.score is not None
    return whole.score - point.score
