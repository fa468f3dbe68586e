"""How small a model shall be, and how it was made so: the sizes and scores on the way, and what was kept."""

from __future__ import annotations

from math import inf
from typing import NamedTuple

from sapwood._core import PackedModel
from sapwood.errors import OptionError
from sapwood.events import Shrunk
from sapwood.options import Values

DROP_BY = ("magnitude", "group-l1")
LEVELS = ("uneven", "even")


class Goal(NamedTuple):
    """How small a model shall be, by bytes or by loss, and what is dropped; `shrink` says more."""

    bytes: int | None = None  # of the model, at most
    loss: float | None = None  # points of the score on held-out data, at most
    below: float | None = None  # part of the largest weight: smaller ones are dropped, in one step
    drop_by: str = "magnitude"  # or "group-l1"
    levels: str = "even"  # or "uneven"
    retrain: bool = True  # train on after each round

    def check(self, *, held_out: bool) -> None:
        """Raise OptionError if it cannot be reached for, or needs held-out data and there are none."""
        for name, value, choices in (("by", self.drop_by, DROP_BY), ("levels", self.levels, LEVELS)):
            if value not in choices:
                raise OptionError(f"{name} is one of {', '.join(choices)}, not {value!r}")
        given = [(self.bytes, "bytes", inf), (self.loss, "loss", 100), (self.below, "below", 1)]
        if sum(amount is not None for amount, _, _ in given) != 1:
            raise OptionError("say how small the model is to be: by bytes, by loss or by below, one of them")
        for amount, name, most in given:
            if amount is not None and not 0 <= amount <= most:
                raise OptionError(f"{name} is a number from 0{'' if most == inf else f' to {most}'}, not {amount!r}")
        if self.below is not None and self.drop_by != DROP_BY[0]:
            raise OptionError("by is for bytes and loss: with below the smallest weights are dropped")
        if self.loss is not None and not held_out:
            raise OptionError("loss needs held-out data: give dev or dev_fraction")


class Small(NamedTuple):
    """The small model, and how it was found."""

    weights: PackedModel
    curve: list[Shrunk]  # the whole model, then that of each round
    chosen: int  # whose weights these are
    reason: str  # why rounds ended, in words

    def provenance(self) -> Values:
        """Return what a model file keeps of this."""
        whole, kept = self.curve[0], self.curve[self.chosen]
        facts: Values = {"shrunk_from": whole.bytes, "shrunk_by": self.reason}
        if whole.score is not None and kept.score is not None:
            facts |= {"score_before": round(whole.score, 4), "score_after": round(kept.score, 4)}
        return facts
