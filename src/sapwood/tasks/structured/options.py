"""The options of models of a user's own structures."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from sapwood._core import StructuredTrainer
from sapwood.options import option
from sapwood.training.options import HASH_BITS, LearnerOptions


class StructuredOptions(LearnerOptions):
    """The options of models of a user's own structures."""

    trainer: ClassVar[Any] = StructuredTrainer

    update: Literal["perceptron", "pa"] = option(default="perceptron").described(
        "what happens at a mistake: a step (perceptron, Collins 2002), or the smallest one after which gold wins "
        "by the loss (pa: passive-aggressive, PA-I of Crammer et al. 2006); with a loss, gold has to win by it in both"
    )
    gamma: float = option(default=1.0, help="what a loss of 1 costs, in units of the score")
    hash_bits: int | None = HASH_BITS
    min_updates: int = 1
    bits: Literal[8, 16, 32] = 16

    def needs_each_update(self) -> str | None:
        return "a search in Python finds one structure after the other"
