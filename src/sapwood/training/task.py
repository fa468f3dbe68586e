"""What a task hands over to be trained."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Any

from sapwood._core import PackedModel
from sapwood.training.epochs import STEP, Trainer

if TYPE_CHECKING:
    from sapwood.events import Started
    from sapwood.model.file.records import Familiar
    from sapwood.model.file.schema import ModelFile
    from sapwood.model.support import Weights
    from sapwood.training.shards.mixing import Shard


@dataclass
class Training:
    """What a task hands over to be trained: a trainer that has the data, and the model without weights."""

    trainer: Trainer[Any]
    model: ModelFile
    _: KW_ONLY
    units: int  # of an epoch
    facts: dict[str, object]  # of the data, for the model's provenance
    started: Callable[[float], Started]  # the event, by the seconds that reading took
    score: Callable[[ModelFile, Weights], float] | None  # percent, of a model with its weights
    names: Callable[[PackedModel], list[list[str]]]  # the features' texts of each table
    examples: int | None = None  # if another number than was read
    epochs: int | None = None  # if another number than the options say
    step: int = STEP  # units between two events
    familiar: Callable[[], Familiar | None] = lambda: None  # what the model was made for
    where: Callable[[str], str] = lambda label: ""  # the place of the first that has a label, if it is known
    values: Callable[[], Sequence[float]] = tuple  # of the features, if they have others than 1
    shard: Callable[[Sequence[int], int], Shard] | None = None  # of the examples with these numbers, by its seed
