"""Shrinking: a model's smallest weights are dropped, the others trained on, until the model is as small as it is to be.

Each round (iterative magnitude pruning with retraining: Han, Pool, Tran & Dally 2015) goes from one size to the next:

1. Weights below a threshold are dropped, and then features whose weights have too small a norm together, since a
   feature's key costs more than a weight. The threshold is the one that gives the round's size.
2. The weights that are left are trained for some more passes, from their averages; no other weight comes back.

Nothing is chosen on test data: where a score decides, it is that on held-out data.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol, runtime_checkable

from sapwood._core import PackedModel
from sapwood.errors import OptionError
from sapwood.learning.events import Callback, Shrunk
from sapwood.learning.interrupt import Interrupt

FACTOR = 0.5  # of a round's size to that of the round before
PASSES = 2  # over the training data after each round
LAST_PASSES = 4  # after the round that reaches the size that is wanted
GROUP = 2.0  # norm of a feature, in thresholds, below which it is dropped
_LARGEST = 0.9  # threshold, as a part of the largest weight
_STUCK = 4  # rounds in a row that make it no smaller before rounds end
_PATIENCE = 2  # rounds whose loss is too high before rounds end


@runtime_checkable
class PruningTrainer(Protocol):
    """A training loop of the core whose weights can be dropped."""

    def step(self, tokens: int) -> bool:
        """Train on about so many tokens; true at the end of an epoch."""

    def freeze(self, bits: int, shrink: float, group: float = 0.0) -> PackedModel:
        """Return the averaged weights so far, without those smaller than `shrink` times the largest.

        Features whose weights have a norm smaller than `group` times that are left out, too.
        """

    def prune(self, bits: int, shrink: float, group: float = 0.0) -> None:
        """Go on from the weights that freeze would return, which are the only ones that change from now on."""


class Goal(NamedTuple):
    """How small a model is to be."""

    bytes: int | None = None  # at most
    loss: float | None = None  # points of the score on held-out data, at most; None: as many as it takes


class Small(NamedTuple):
    """The small model, and how it was found."""

    weights: PackedModel
    curve: list[Shrunk]  # a point for each round
    chosen: int  # which point of the curve
    reason: str  # why it ended there, in words


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
    """Return the smallest weights that are within the goal's loss, or the best within its bytes.

    trainer : a trainer whose epochs are over; it goes on from there. tokens : of an epoch
    size : bytes of a model with these weights. score : percent, on held-out data

    The first Ctrl-C ends shrinking with the round and keeps the best so far, the second raises KeyboardInterrupt.
    Raises OptionError if it is no PruningTrainer: one of a model that keeps examples, not weights.
    """
    if not isinstance(trainer, PruningTrainer):
        raise OptionError("a model that keeps examples has no weights that could be dropped; it cannot be made smaller")
    weights = trainer.freeze(bits, 0.0)
    found: list[tuple[PackedModel, Shrunk]] = []

    def add(weights: PackedModel) -> Shrunk:
        features = sum(table.features for table in weights.tables)
        point = Shrunk(size(weights), features, None if score is None else score(weights), goal.bytes)
        found.append((weights, point))
        report(point)
        return point

    point, reason, misses, stuck = add(weights), "", 0, 0
    with Interrupt() as interrupt:
        while not reason:
            target = int(point.bytes * FACTOR)
            if goal.bytes is not None:
                if point.bytes <= goal.bytes:
                    reason = f"it has {point.bytes:,} bytes, within {goal.bytes:,}"
                    break
                target = max(target, int(goal.bytes * 0.985))  # passes change the weights, and so their bytes a little
            least = _threshold(trainer, bits, size, target)
            if least is None:
                reason = "no smaller model has a weight left"
                break
            trainer.prune(bits, least, GROUP)
            is_last = goal.bytes is not None and target <= goal.bytes
            for _ in range(LAST_PASSES if is_last else PASSES):
                while not trainer.step(tokens):
                    pass
            before, point = point, add(trainer.freeze(bits, 0.0))
            if goal.loss is not None and _loss(found[0][1], point) > goal.loss:
                misses += 1
                if misses == _PATIENCE:
                    reason = f"smaller models lose more than {goal.loss:g} points"
            else:
                misses = 0
            stuck = stuck + 1 if point.bytes >= before.bytes else 0
            if stuck == _STUCK and not reason:
                reason = "it does not become smaller any more"
            if interrupt.requested and not reason:
                reason = "it was interrupted"
    chosen = _chosen([point for _, point in found], goal)
    return Small(found[chosen][0], [point for _, point in found], chosen, reason)


def _loss(first: Shrunk, point: Shrunk) -> float:
    assert first.score is not None and point.score is not None
    return first.score - point.score


def _chosen(curve: list[Shrunk], goal: Goal) -> int:
    """Return the smallest model within the loss; else the best within the bytes; else the smallest there is."""
    if goal.loss is not None:
        fitting = [k for k, point in enumerate(curve) if _loss(curve[0], point) <= goal.loss]
        return min(fitting, key=lambda k: curve[k].bytes)
    fitting = [k for k, point in enumerate(curve) if goal.bytes is None or point.bytes <= goal.bytes]
    return max(fitting, default=len(curve) - 1)  # the last is the largest of these: no round has more bytes


def _threshold(trainer: PruningTrainer, bits: int, size: Callable[[PackedModel], int], target: int) -> float | None:
    """Return the least part of the largest weight below which weights must go, for a model of so many bytes.

    None if that leaves nothing.
    """
    low, high = 0.0, 1.0 / 127
    while size(trainer.freeze(bits, high, GROUP)) > target:
        low, high = high, 2 * high
        if high > _LARGEST:
            return None
    for _ in range(7):
        middle = (low + high) / 2
        if size(trainer.freeze(bits, middle, GROUP)) > target:
            low = middle
        else:
            high = middle
    return high


def provenance(small: Small) -> dict[str, Any]:
    """Return what a model file keeps of this."""
    first, kept = small.curve[0], small.curve[small.chosen]
    facts: dict[str, Any] = {"shrunk_from": first.bytes, "shrunk_by": small.reason}
    if first.score is not None and kept.score is not None:
        facts |= {"score_before": round(first.score, 4), "score_after": round(kept.score, 4)}
    return facts
