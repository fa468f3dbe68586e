"""What a task hands over to be trained."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from sapwood._core import PackedModel

if TYPE_CHECKING:
    from sapwood.events import Started
    from sapwood.model.file.schema import ModelFile
    from sapwood.model.support import Weights
    from sapwood.training.epochs import Trainer
    from sapwood.training.shards.mixing import Shard


class Training:
    """What a task hands over to be trained: a trainer that has the data, and the model without weights."""

    def __init__(
        self,
        trainer: Trainer[Any],
        model: ModelFile,
        *,
        units: int,  # of an epoch
        facts: dict[str, object],  # of the data, for the model's provenance
        started: Callable[[float], Started],  # the event, by the seconds that reading took
        score: Callable[[ModelFile, Weights], float] | None,  # percent, of a model with its weights
        names: Callable[[PackedModel], list[list[str]]],  # the features' texts of each table
        examples: int | None = None,  # if another number than was read
        epochs: int | None = None,  # if another number than the options say
        step: int | None = None,  # units between two events
        shard: Callable[[Sequence[int], int], Shard] | None = None,  # of the examples with these numbers, by its seed
    ) -> None:
        self.trainer, self.model, self.units, self.facts = trainer, model, units, facts
        self.started, self.score, self.names = started, score, names
        self.examples, self.epochs, self.step, self.shard = examples, epochs, step, shard
