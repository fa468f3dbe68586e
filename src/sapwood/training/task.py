"""A task of training, its data in parts, the trainer that it begins with, and the best epoch.

Data in memory are one part, a stream has many; a training asks for nothing else.

An averaged perceptron's last epoch is nearly always its best. Of a few hundred held-out sentences another one is often
ahead by chance, so the highest score alone would choose worse weights. The last epoch's weights are kept unless those
of the epoch with the highest score are better beyond chance: by the sign test over the sentences of which one has more
right than the other, at 95 %.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from operator import eq
from typing import TYPE_CHECKING, Any, Generic, NamedTuple

import sapwood._core as _core
from sapwood._core import PackedModel
from sapwood.model.familiarity import familiar_in
from sapwood.model.file.records import Familiar
from sapwood.model.file.schema import ModelFile
from sapwood.model.support import Weights
from sapwood.training.cross_validation import Data
from sapwood.training.odd_data import warn_of_odd_sentences

if TYPE_CHECKING:
    from sapwood.events import Started
    from sapwood.training.options import LearnerOptions
    from sapwood.training.shards import Core, Shard, WeightTrainer

_CHANCE = 0.05  # p-value of the sign test from which on a difference is one
_STEP = 1 << 16  # units between two events


class Parts(ABC, Generic[Data]):
    """Training data that come in parts."""

    scratch = ""  # folder of the scratch files of a stream; examples in memory need none

    @property
    @abstractmethod
    def first(self) -> Data:
        """The first part that is not empty. Data in memory have no other."""

    @property
    @abstractmethod
    def checksum(self) -> int:
        """A hash of all of them; of a stream, once it is read."""

    @property
    def learned(self) -> Data:
        """The examples of shards: each as often as it is learned."""
        return self.first

    def facts(self, counts: dict[str, int]) -> dict[str, object]:
        """Return counts and checksums for the provenance; counts : those of all that is learned."""
        return counts | {"data_checksum": f"{self.checksum:016x}"}


class InMemory(Parts[Data]):
    """Data in memory, and silver data beside them if there are some: gold is learned several times, silver once."""

    def __init__(self, gold: Data, silver: Data | None = None, times: int = 1) -> None:
        self._gold, self._silver = gold, silver
        self._learned = gold if silver is None else _repeated(gold, silver, times)

    @property
    def first(self) -> Data:
        return self._gold

    @property
    def checksum(self) -> int:
        found: int = self._gold.checksum  # type: ignore[attr-defined]
        return found

    @property
    def learned(self) -> Data:
        return self._learned

    def feed(self, trainer: Any, columns: Mapping[str, int]) -> None:
        """Add the examples to a trainer of the core."""
        trainer.add(self._learned)
        trainer.finish()

    def familiar(self, columns: Mapping[str, int]) -> Familiar:
        """Return the frequent words, and the frequent values of the columns that a model reads."""
        data: list[Any] = [self._gold] if self._silver is None else [self._gold, self._silver]
        return familiar_in(data, columns)

    def facts(self, counts: dict[str, int]) -> dict[str, object]:
        found = super().facts(counts)
        return found if self._silver is None else found | _sizes(self._gold) | silver_facts(self._silver)


def in_parts(data: Data | Parts[Data]) -> Parts[Data]:
    """Return training data in parts; data in memory are a single one."""
    return data if isinstance(data, Parts) else InMemory(data)


def _repeated(gold: Any, silver: Any, times: int) -> Any:
    joined = type(gold).joined([gold, silver])
    numbers: Sequence[int] = range(joined.sentences)
    return joined.select([k for k in numbers for _ in range(times if k < gold.sentences else 1)])


def silver_facts(silver: Any) -> dict[str, object]:
    """Return the counts and the checksum of silver data, columns or CoNLL-U, for the provenance."""
    counts = {f"silver_{unit}": count for unit, count in _sizes(silver).items()}
    return counts | {"silver_checksum": f"{silver.checksum:016x}"}


def _sizes(data: Any) -> dict[str, int]:
    words = {"words": data.words} if isinstance(data, _core.Conllu) else {"tokens": data.tokens}
    return {"sentences": data.sentences} | words


class HeldOutScore(NamedTuple):
    """The score of weights on held-out data."""

    percent: float
    right: Sequence[float]  # [sentences] how much of each is right, such as its number of right labels

    @classmethod
    def of(cls, percent: float, gold: Iterable[Sequence[object]], guess: Iterable[Sequence[object]]) -> HeldOutScore:
        """Return a score with the number of right answers in each sentence, of which gold and guess have as many."""
        return cls(percent, [sum(map(eq, *pair)) for pair in zip(gold, guess, strict=True)])


Score = Callable[[Weights], HeldOutScore]


class Best(NamedTuple):
    """The weights of the best epoch so far or, after training, of the one that is kept, and how training ended."""

    weights: Weights
    best_epoch: int
    dev_score: float | None  # percent, of this epoch
    epochs: int  # done
    reason: str  # "epochs", "patience" or "interrupted"
    dev_scores: tuple[float, ...] = ()  # [epochs] in percent, of each epoch, if there are held-out data
    guided: tuple[int, int] = (0, 0)  # repeated presentations, and decisions that stayed wrong

    def provenance(self) -> dict[str, object]:
        """Return the facts for the provenance in a model file."""
        facts: dict[str, object] = {"epochs": self.epochs, "best_epoch": self.best_epoch, "stopped_by": self.reason}
        if isinstance(self.weights, PackedModel):
            facts["features_before_quantisation"] = self.weights.features
            facts["weights_before_quantisation"] = self.weights.weights
        if any(self.guided):
            facts["repeated"], facts["given_up"] = self.guided
        if self.dev_score is not None:
            facts |= {"dev_score": round(self.dev_score, 4), "dev_scores": [round(s, 4) for s in self.dev_scores]}
        return facts

    def or_last(self, last: Weights, epoch: int, score: Score) -> Best:
        """Return this, or the last epoch's weights if these are not better beyond chance."""
        before, now = score(self.weights), score(last)
        if better_beyond_chance(before.right, now.right):
            return self
        return self._replace(weights=last, best_epoch=epoch, dev_score=now.percent)


def better_beyond_chance(a: Sequence[float], b: Sequence[float]) -> bool:
    """Return true if a is better than b on the same sentences, by the sign test at 95 %.

    >>> better_beyond_chance([1, 1, 1, 1, 1, 1, 5], [0, 0, 0, 0, 0, 0, 5]), better_beyond_chance([9, 1, 1], [0, 0, 1])
    (True, False)
    """
    from sapwood.metrics.significance import sign_test

    pairs = list(zip(a, b, strict=True))
    wins, losses = sum(x > y for x, y in pairs), sum(x < y for x, y in pairs)
    return wins > losses and sign_test(wins, losses) < _CHANCE


@dataclass
class Trainer:
    """A training loop of the core that has the data, and the model that it trains, yet without weights."""

    core: Core
    model: ModelFile
    started: Started  # the event, whose seconds are not known yet
    _: KW_ONLY
    # A model's score, with these weights, on held-out data.
    score: Callable[[ModelFile, Weights], HeldOutScore] | None = None
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
