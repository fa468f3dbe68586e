"""Shrinking: the smallest weights of a model are dropped and the remaining ones trained on, until it is small enough.

Each round (iterative pruning with retraining: Han, Pool, Tran & Dally 2015) goes from one size to the next:

1. Weights below a threshold are dropped, and then features whose weights have too small a norm together, since a
   feature's key costs more than a weight. The threshold is the one that gives the round's size.
2. The weights that are left are trained for some more passes, from their averages; no other weight comes back.

That is "magnitude". In "group-l1", its baseline, a feature's weights are a group. Before each of the first passes of a
round they make the step of a group L1 penalty (Yuan & Lin 2006; Martins, Smith, Figueiredo & Aguiar 2011): where their
norm is n, they are multiplied by 1 - lambda / n, and a feature whose norm is below lambda is dropped. Such a penalty
keeps all weights of a feature or none, so single weights below a part of lambda are dropped, too.

Where a score decides, it is that of held-out data.
"""

import warnings
from collections.abc import Callable
from itertools import pairwise
from typing import Any, NamedTuple, Protocol, runtime_checkable

from sapwood._core import PackedModel
from sapwood.errors import OptionError, SapwoodWarning
from sapwood.learning.events import Callback, Shrunk
from sapwood.learning.interrupt import Interrupt

FACTOR = 0.5  # size after a round / size before it
PASSES = 2  # over the training data in a round
LAST_PASSES = 4  # the same in the round that reaches the wanted size
GROUP = 2.0  # features with a norm of less than so many thresholds are dropped
WITHIN = 0.5  # group-l1: single weights of less than so many lambdas are dropped
PENALISED = 2  # group-l1: passes of a round before which weights are dropped
_MARGIN = 0.985  # rounds aim at this part of the wanted bytes: training on changes the size of coded weights a little
_LARGEST = 0.9  # threshold at most, as a part of the largest weight
_HALVINGS = 7  # of the interval that the threshold lies in
_STUCK = 4  # rounds in a row that make the model no smaller, after which rounds end
_PATIENCE = 2  # rounds in a row that lose too much, after which rounds end


@runtime_checkable
class PruningTrainer(Protocol):
    """A training loop of the core whose weights can be dropped."""

    def step(self, tokens: int) -> bool:
        """Train on about so many tokens; true at the end of an epoch."""

    def freeze(self, bits: int, shrink: float, group: float = 0.0, *, group_l1: float = 0.0) -> PackedModel:
        """Return the averaged weights so far, without those smaller than `shrink` times the largest.

        Features whose weights have a norm smaller than `group` times that are left out, too. Then norms become smaller
        by `group_l1` times the largest weight.
        """

    def prune(self, bits: int, shrink: float, group: float = 0.0, *, group_l1: float = 0.0) -> None:
        """Go on from the weights that freeze would return, which are the only ones that change from now on."""


class Goal(NamedTuple):
    """How small a model shall be, by bytes or by loss, and what is dropped."""

    bytes: int | None = None  # of the model, at most
    loss: float | None = None  # points of the score on held-out data, at most
    drop_by: str = "magnitude"  # or "group-l1"

    def drop(self, function: Callable[..., Any], bits: int, least: float) -> Any:
        """Call freeze or prune with a threshold, a part of the largest weight."""
        if self.drop_by == "magnitude":
            return function(bits, least, GROUP)
        return function(bits, WITHIN * least, group_l1=least)


class Small(NamedTuple):
    """The small model, and how it was found."""

    weights: PackedModel
    curve: list[Shrunk]  # the whole model, then that of each round
    chosen: int  # whose weights these are
    reason: str  # why rounds ended, in words

    def provenance(self) -> dict[str, Any]:
        """Return what a model file keeps of this."""
        whole, kept = self.curve[0], self.curve[self.chosen]
        facts: dict[str, Any] = {"shrunk_from": whole.bytes, "shrunk_by": self.reason}
        if whole.score is not None and kept.score is not None:
            facts |= {"score_before": round(whole.score, 4), "score_after": round(kept.score, 4)}
        return facts


def shrink(
    trainer: object,
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
    if the model is larger than the goal. Raises OptionError if `trainer` is no PruningTrainer.
    """
    if not isinstance(trainer, PruningTrainer):
        raise OptionError("a model that keeps examples has no weights that could be dropped; it cannot be made smaller")
    models: list[PackedModel] = []
    curve: list[Shrunk] = []

    def add(weights: PackedModel) -> None:
        models.append(weights)
        features = sum(table.features for table in weights.tables)
        curve.append(Shrunk(size(weights), features, None if score is None else score(weights)))
        report(curve[-1])

    add(trainer.freeze(bits, 0.0))
    grown = 1.0  # size at the end of a round / the wanted size
    with Interrupt() as interrupt:
        while not (reason := _end(curve, goal)):
            if interrupt.requested:
                reason = "it was interrupted"
                break
            before = curve[-1].bytes
            target = int(max(before * FACTOR, (goal.bytes or 0) * _MARGIN / grown))
            is_last = goal.bytes is not None and target <= goal.bytes
            targets = _targets(before, target, goal)
            for k in range(LAST_PASSES if is_last else PASSES):
                if k < len(targets):
                    least = _threshold(trainer, bits, size, targets[k], goal)
                    if least is None:
                        break
                    goal.drop(trainer.prune, bits, least)
                while not trainer.step(tokens):
                    pass
            if least is None:
                reason = "no smaller model has a weight left"
                break
            add(trainer.freeze(bits, 0.0))
            if goal.drop_by == "group-l1":  # weights grow back towards what they were
                grown = max(1.0, curve[-1].bytes / target)
    chosen = _chosen(curve, goal)
    if goal.bytes is not None and curve[chosen].bytes > goal.bytes:
        message = f"the model has {curve[chosen].bytes:,} bytes, more than {goal.bytes:,}: {reason}"
        warnings.warn(message, SapwoodWarning, stacklevel=2)
    return Small(models[chosen], curve, chosen, reason)


def _end(curve: list[Shrunk], goal: Goal) -> str:
    """Return why rounds end here, or nothing."""
    if goal.bytes is not None and curve[-1].bytes <= goal.bytes:
        return f"it has {curve[-1].bytes:,} bytes, within {goal.bytes:,}"
    if goal.loss is not None and all(_loss(curve[0], point) > goal.loss for point in curve[-_PATIENCE:]):
        return f"smaller models lose more than {goal.loss:g} points"
    rounds = list(pairwise(curve[-_STUCK - 1 :]))
    if len(rounds) == _STUCK and all(after.bytes >= before.bytes for before, after in rounds):
        return "it does not become smaller any more"
    return ""


def _loss(whole: Shrunk, point: Shrunk) -> float:
    assert whole.score is not None and point.score is not None
    return whole.score - point.score


def _chosen(curve: list[Shrunk], goal: Goal) -> int:
    """Return which model is the smallest, of those within the goal's loss if it has one."""
    fitting = [k for k, point in enumerate(curve) if goal.loss is None or _loss(curve[0], point) <= goal.loss]
    return min(fitting, key=lambda k: curve[k].bytes)


def _targets(before: int, target: int, goal: Goal) -> list[int]:
    """Return the sizes to which weights are dropped, one after the other, in a round that begins with `before`."""
    steps = PENALISED if goal.drop_by == "group-l1" else 1
    return [int(before * (target / before) ** (k / steps)) for k in range(1, steps)] + [target]


def _threshold(
    trainer: PruningTrainer, bits: int, size: Callable[[PackedModel], int], target: int, goal: Goal
) -> float | None:
    """Return the threshold that makes a model of `target` bytes at most, as a part of the largest weight.

    Returns None if no threshold does that and leaves a weight.
    """
    low, high = 0.0, 1.0 / 127
    while size(goal.drop(trainer.freeze, bits, high)) > target:
        low, high = high, 2 * high
        if high > _LARGEST:
            return None
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if size(goal.drop(trainer.freeze, bits, middle)) > target:
            low = middle
        else:
            high = middle
    return high
