"""Iterative parameter mixing (McDonald, Hall & Mann 2010): epochs over shards of the data, whose weights are mixed.

The core has the rules and the equations (core/learner/mixing.hpp). Here is who does what: a `Shard` has its examples
and trains an epoch on them; `Workers` have shards, in this process or in others; a `MixingTrainer` sends mixed weights
to the shards and mixes what they have learned. run_epochs sees a trainer as any other.

What a shard learns in an epoch follows from its examples, the mixed weights and the number of the epoch alone. So it
may be done twice, anywhere, and the result depends on the number of shards, not on the number of workers.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import AbstractContextManager, contextmanager
from typing import NamedTuple, Protocol, runtime_checkable

from sapwood._core import PackedModel
from sapwood.errors import OptionError
from sapwood.training.epochs import Counts
from sapwood.training.small.shrinking import PruningTrainer

State = dict[str, tuple[str, bytes]]

_EPOCH = 1 << 48  # units: more than any epoch has
_SEED_STEP = 0x9E3779B97F4A7C15  # between the seeds of two shards, which are 64-bit numbers


class Mixed(NamedTuple):
    """What shards take before an epoch, or a part of it."""

    whole: bool  # all weights, or those that the last mixing changed
    weights: State

    @property
    def mixings(self) -> int:
        """How many there were before."""
        return _number(self.weights["mixings"])


@runtime_checkable
class ShardTrainer(PruningTrainer, Protocol):
    """A training loop of the core that trains shards, and mixes what shards have learned."""

    def begin_part(self, mixed: State) -> None:
        """Begin with mixed weights. Raises ModelError."""

    def shard(self) -> State:
        """Return what was learned since."""

    def mixed(self) -> State:
        """Return all mixed weights."""

    def mix(self, shards: list[State], mixing: str) -> State:
        """Mix what the shards have learned, and return the weights that changed."""


Make = Callable[..., ShardTrainer]


class Shard:
    """A part of the training data with the settings of its trainer, which is made where the shard is trained.

    A pickled shard has no trainer.

    make : a function of a module, which returns a core's trainer: make(data, seed, **settings)
    """

    def __init__(self, make: Make, data: object, settings: Mapping[str, object]) -> None:
        self._make, self._data, self._settings = make, data, dict(settings)
        self._begin()

    def _begin(self) -> None:
        self._trainer: ShardTrainer | None = None
        self._mixings = -1  # whose mixed weights the trainer took last
        self._alone = threading.Lock()

    def epoch(self, mixed: Mixed) -> State | None:
        """Train from mixed weights until the next mixing; return what was learned. None if all weights are needed."""
        with self._alone:
            if mixed.whole or self._trainer is None or self._mixings != mixed.mixings - 1:
                if not mixed.whole:
                    return None
                self._trainer = self._make(self._data, **self._settings)
            self._mixings = mixed.mixings
            trainer = self._trainer
            trainer.begin_part(mixed.weights)
            while not trainer.step(_EPOCH):
                pass
            return trainer.shard()

    def blank(self) -> ShardTrainer:
        """Return a core's trainer of its own that has not begun."""
        return self._make(self._data, **self._settings)

    def begun(self, mixed: Mixed) -> ShardTrainer:
        """Return a core's trainer of its own that begins with these weights."""
        trainer = self.blank()
        trainer.begin_part(mixed.weights)
        return trainer

    def __getstate__(self) -> tuple[Make, object, Mapping[str, object]]:
        """Return all but the trainer."""
        return self._make, self._data, self._settings

    def __setstate__(self, state: tuple[Make, object, dict[str, object]]) -> None:
        self._make, self._data, self._settings = state
        self._begin()


class Epochs(Protocol):
    """Shards that are ready to be trained."""

    def epoch(self, mixed: Mixed, whole: Callable[[], Mixed]) -> Iterator[tuple[int, State]]:
        """Train an epoch; yield the number of each shard, and what it has learned, when it is done.

        whole : gives all mixed weights, for a shard that needs them
        """


class Workers(Protocol):
    """Who trains shards."""

    def having(self, shards: Sequence[Shard]) -> AbstractContextManager[Epochs]:
        """Give the shards to those who train them; the context ends with the training."""


class Threads:
    """Trains shards in this process, so many at a time."""

    def __init__(self, threads: int) -> None:
        self._threads = threads

    @contextmanager
    def having(self, shards: Sequence[Shard]) -> Iterator[Epochs]:
        """Keep the shards."""
        with ThreadPoolExecutor(min(self._threads, len(shards))) as pool:
            yield _InThreads(shards, pool)


class _InThreads:
    def __init__(self, shards: Sequence[Shard], pool: ThreadPoolExecutor) -> None:
        self._shards, self._pool = shards, pool

    def epoch(self, mixed: Mixed, whole: Callable[[], Mixed]) -> Iterator[tuple[int, State]]:
        futures = {self._pool.submit(shard.epoch, mixed): k for k, shard in enumerate(self._shards)}
        try:
            for future in as_completed(futures):
                learned = future.result()
                if learned is None:  # its epoch was broken off by an exception
                    learned = self._shards[futures[future]].epoch(whole())
                    assert learned is not None
                yield futures[future], learned
        finally:
            for future in futures:
                future.cancel()


class Progress(NamedTuple):
    """Counts of an epoch whose shards are partly done."""

    epoch: int
    examples: int
    mistakes: int
    features: int
    updates: int
    repeated: int = 0  # this and the next: at the last mixing
    given_up: int = 0


class MixingTrainer:
    """Trains a part of every shard, or all of it, then mixes their weights into those of its own trainer."""

    def __init__(self, trainer: ShardTrainer, epochs: Epochs, shards: int, mixing: str, mixings: int) -> None:
        self._trainer, self._epochs, self._mixing, self._mixings = trainer, epochs, mixing, mixings
        self._learned: list[State | None] = [None] * shards
        self._running: Iterator[tuple[int, State]] | None = None
        self._changed: Mixed | None = None  # in the last epoch
        self._sent: Mixed  # before this one

    def step(self, tokens: int) -> bool:
        """Wait until a shard is done, and mix the weights after the last one; true at the end of an epoch."""
        if self._running is None:
            self._learned = [None] * len(self._learned)
            self._sent = self._changed or self._whole()
            self._running = self._epochs.epoch(self._sent, self._whole)
        number, learned = next(self._running)
        self._learned[number] = learned
        done = self._done()
        if len(done) < len(self._learned):
            return False
        self._changed = Mixed(False, self._trainer.mix(done, self._mixing))
        self._running = None
        return self._changed.mixings % self._mixings == 0

    @property
    def progress(self) -> Counts:
        """Counts of the current epoch."""
        counts = self._trainer.progress
        if self._running is None:
            return counts
        done = self._done()
        mistakes, updates = (
            sum(_number(learned[name]) - _number(self._sent.weights[name]) for learned in done)
            for name in ("learner.mistakes", "learner.updates")
        )
        examples = sum(_number(learned["seen"]) for learned in done)
        if self._sent.mixings % self._mixings:  # not the first part of the epoch
            examples, mistakes = counts.examples + examples, counts.mistakes + mistakes
        guided = counts.repeated, counts.given_up
        return Progress(counts.epoch, examples, mistakes, counts.features, counts.updates + updates, *guided)

    def freeze(self, bits: int, shrink: float) -> PackedModel:
        """Return the averaged weights so far."""
        return self._trainer.freeze(bits, shrink)

    def state(self) -> dict[str, tuple[str, bytes]]:
        """Return the state at the last mixing."""
        return self._trainer.state()

    def resume(self, state: Mapping[str, tuple[str, bytes | memoryview]]) -> None:
        """Go on as the trainer whose state this is."""
        self._trainer.resume(state)

    def go_on_from(self, state: Mapping[str, tuple[str, bytes | memoryview]]) -> None:
        """Begin with what a trainer of other data had learned."""
        self._trainer.go_on_from(state)

    def _done(self) -> list[State]:
        return [learned for learned in self._learned if learned is not None]

    def _whole(self) -> Mixed:
        return Mixed(True, self._trainer.mixed())


@contextmanager
def mixing_trainer(
    trainer: ShardTrainer, shards: Sequence[Shard], workers: Workers, mixing: str, mixings: int
) -> Iterator[MixingTrainer]:
    """Yield a trainer that mixes the weights of the shards into `trainer`, so many times in an epoch."""
    with workers.having(shards) as epochs:
        yield MixingTrainer(trainer, epochs, len(shards), mixing, mixings)


def shards_of(examples: int, shards: int, mixings: int, what: str) -> list[list[int]]:
    """Return the numbers of the examples of each shard, dealt out in turn. Raises OptionError if there are too few.

    >>> shards_of(5, 2, 1, "sentences")
    [[0, 2, 4], [1, 3]]
    """
    if examples < shards * mixings:
        between = "" if mixings == 1 else f" for each of {mixings} mixings"
        raise OptionError(f"{shards} shards of {examples} {what}: every shard needs one at least{between}")
    return [list(range(shard, examples, shards)) for shard in range(shards)]


def seed_of(seed: int, shard: int) -> int:
    """Return the seed that shuffles a shard's examples. Shard 0 has the seed of training without shards."""
    return (seed + shard * _SEED_STEP) % (1 << 64)


def _number(array: tuple[str, bytes]) -> int:
    return int.from_bytes(array[1], "little")
