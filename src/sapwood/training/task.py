"""A task of training, and the trainer that it begins with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Generic

from sapwood._core import PackedModel
from sapwood.training.cross_validation import Data
from sapwood.training.odd_data import warn_of_odd_sentences
from sapwood.training.parts import Parts

if TYPE_CHECKING:
    from sapwood.events import Started
    from sapwood.model.file.records import Familiar
    from sapwood.model.file.schema import ModelFile
    from sapwood.model.support import Weights
    from sapwood.training.best import Scored
    from sapwood.training.options import LearnerOptions
    from sapwood.training.shards import Core, Shard, WeightTrainer

_STEP = 1 << 16  # units between two events


@dataclass
class Trainer:
    """A training loop of the core that has the data, and the model that it trains, yet without weights."""

    core: Core
    model: ModelFile
    started: Started  # the event, whose seconds are not known yet
    _: KW_ONLY
    score: Callable[[ModelFile, Weights], Scored] | None = None  # scores a model with its weights on held-out data
    facts: dict[str, object]  # counts and checksum of the data, for the provenance
    names: Callable[[PackedModel], list[list[str]]] | None = None  # the features' texts of each table
    examples: int = 0  # in memory, for shards
    step: int = _STEP  # units between two events
    familiar: Callable[[], Familiar | None] = lambda: None  # gives the frequent words of the data
    where: Callable[[str], str] = lambda label: ""  # the place of the first that has a label, if it is known
    values: Callable[[], Sequence[float]] = tuple  # gives those of the features, if they are not all 1
    shard: Callable[[Sequence[int], int], Shard] | None = None  # made of examples' numbers and a seed

    @property
    def weights(self) -> WeightTrainer:
        """The core's loop, which has weights of features that can be mixed."""
        from sapwood.training.shards import WeightTrainer

        assert isinstance(self.core, WeightTrainer)
        return self.core

    def shards(self, chosen: Sequence[Sequence[int]], seed: int) -> list[Shard]:
        """Return shards of the examples with these numbers, each with a seed of its own."""
        from sapwood.training.shards import seed_of

        assert self.shard is not None
        return [self.shard(some, seed_of(seed, k)) for k, some in enumerate(chosen)]


@dataclass
class Task(Generic[Data]):
    """A task of training: data, options, and the function that begins with them."""

    name: str  # as the model file has it
    options: LearnerOptions
    trainer: Callable[..., Trainer]  # takes options, data in parts, held-out data and run
    data: Parts[Data]
    held_out: Data | None = None
    _: KW_ONLY
    unit: str = "sentences"  # name of an item of the data
    label: int = 0  # number of the column of the labels, where there are columns
    look: Callable[[Data], None] | None = warn_of_odd_sentences  # warns of odd data
    # Hint for the warning of too many labels. Empty: never warn. None: the labels are internal.
    label_hint: str | None = None
