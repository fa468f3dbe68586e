"""The goal of making a model small, and the way there: sizes, scores, and the model that was kept."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from sapwood._core import PackedModel
from sapwood.errors import OptionError
from sapwood.options import Values

if TYPE_CHECKING:
    from sapwood.events import Shrunk

T = TypeVar("T")
LEVELS = ("uneven", "even")
GROUP = 2.0  # features with a norm of less than so many thresholds are dropped


class Goal(NamedTuple):
    """A goal in bytes, in points of the score, or in the size of weights; `Model.shrink` says more."""

    bytes: int | None = None  # most bytes of the model
    loss: float | None = None  # points of the score on held-out data, at most
    below: float | None = None  # part of the largest weight: smaller ones are dropped, in one step
    levels: str = "even"  # or "uneven"
    retrain: bool = True  # learn anew what stays, if it is at most half of the bytes

    def check(self, *, held_out: bool) -> None:
        """Raise OptionError for amounts that make no sense, or if held-out data are needed and missing."""
        if self.levels not in LEVELS:
            raise OptionError(f"levels is one of {', '.join(LEVELS)}, not {self.levels!r}")
        amounts = [(self.bytes, "bytes", inf), (self.loss, "loss", 100), (self.below, "below", 1)]
        if sum(amount is not None for amount, _, _ in amounts) != 1:
            raise OptionError("say how small the model is to be: by bytes, by loss or by below, one of them")
        for amount, name, most in amounts:
            if amount is not None and not 0 <= amount <= most:
                raise OptionError(f"{name} is a number from 0{'' if most == inf else f' to {most}'}, not {amount!r}")
        if self.loss is not None and not held_out:
            raise OptionError("loss needs held-out data: give dev or dev_fraction")

    def drop(self, function: Callable[..., T], bits: int, least: float) -> T:
        """Call freeze or prune of a trainer with a threshold, a part of the largest weight."""
        return function(bits, least, GROUP)


class Small(NamedTuple):
    """The weights of a small model, and the models that were tried."""

    weights: PackedModel
    curve: list[Shrunk]  # a point for each model: the whole one, then those of each round
    chosen: int  # index in `curve` of the model with these weights
    reason: str  # why rounds ended, in words

    def provenance(self) -> Values:
        """Return the facts that a model file keeps."""
        whole, kept = self.curve[0], self.curve[self.chosen]
        facts: Values = {"shrunk_from": whole.bytes, "shrunk_by": self.reason}
        if whole.score is not None and kept.score is not None:
            facts |= {"score_before": round(whole.score, 4), "score_after": round(kept.score, 4)}
        return facts
