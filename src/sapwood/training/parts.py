"""Training data in parts: data in memory are one part, a stream has many. A training asks for nothing else."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from sapwood import _core
from sapwood.model.familiarity import familiar_in

if TYPE_CHECKING:
    from sapwood.model.file.records import Familiar

Data = TypeVar("Data")


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

    def with_silver(self, silver: Data | None, times: int) -> InMemory[Data]:
        """Return the data with silver data beside them; gold is then learned so many times."""
        return InMemory(self._gold, silver, times)

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
