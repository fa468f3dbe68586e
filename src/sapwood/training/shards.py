"""Shards and runs: trainers of parts of the data, or of all of it in several orders, whose weights are mixed.

Shards are mixed now and then: iterative parameter mixing (McDonald, Hall & Mann 2010), by the rules and equations of
core/learner/mixing.hpp. Each trains on its examples from the mixed weights. What it learns follows from its examples,
these weights and the number of the epoch alone. So it may be trained twice, anywhere, and the result depends on the
number of shards, not on the number of workers.

Runs are mixed at the end. The averaged perceptron depends on the order of the examples; with N runs the weights are the
mean over N trainings whose orders alone differ: the mixture weight method of Mann, McDonald, Mohri, Silberman & Walker
(2009), over orders in place of shards. Scores are linear in the weights, so one model with the mean decides as the mean
scores of all N would. What a weight owes to the order of one run is small in the mean, so less is lost where small
weights are dropped. A feature's count of updates is the mean of its counts in the runs, rounded up.

Shards and AveragedOrders are stepped and frozen as the core's trainers are.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import sapwood._core as _core
from sapwood.errors import ModelError, OptionError
from sapwood.model.support import SupportTrainer

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

State = dict[str, tuple[str, bytes]]
SavedState = Mapping[str, tuple[str, bytes | memoryview]]
WeightTrainer = (
    _core.TaggerTrainer | _core.ParserTrainer | _core.ClassifierTrainer | _core.RankerTrainer | _core.StructuredTrainer
)

_EPOCH = 1 << 48  # units: more than any epoch has
_SEED_STEP = 0x9E3779B97F4A7C15  # between the seeds of two shards, which are 64-bit numbers
_RUN = "run"  # with its number, before the names of a run's state


class Mixed(NamedTuple):
    """The weights that shards take before an epoch, or a part of it."""

    whole: bool  # all weights, or those that the last mixing changed
    weights: State

    @property
    def mixings(self) -> int:
        return _number(self.weights["mixings"])


# A function of a module: make(data, seed, **settings).
Make = Callable[..., WeightTrainer]


class Shard:
    """A part of the training data, and the settings of its trainer, which is made where the shard is trained.

    A pickled shard has no trainer.
    """

    def __init__(self, make: Make, data: object, settings: Mapping[str, object]) -> None:
        self._make, self._data, self._settings = make, data, dict(settings)
        self._begin()

    def _begin(self) -> None:
        self._trainer: WeightTrainer | None = None
        self._mixings = -1  # number of the mixed weights that the trainer took last
        self._lock = threading.Lock()

    def epoch(self, mixed: Mixed) -> State | None:
        """Train from mixed weights until the next mixing; return what was learned. None if all weights are needed."""
        with self._lock:
            if mixed.whole or self._trainer is None or self._mixings != mixed.mixings - 1:
                if not mixed.whole:
                    return None
                self._trainer = self.blank()
            self._mixings = mixed.mixings
            trainer = self._trainer
            trainer.begin_part(mixed.weights)
            while not trainer.step(_EPOCH):
                pass
            return trainer.shard()

    def blank(self) -> WeightTrainer:
        """Return a core's trainer of its own that has not begun."""
        return self._make(self._data, **self._settings)

    def begun(self, mixed: Mixed) -> WeightTrainer:
        """Return a core's trainer of its own that begins with these weights."""
        trainer = self.blank()
        trainer.begin_part(mixed.weights)
        return trainer

    def __getstate__(self) -> tuple[Make, object, Mapping[str, object]]:
        return self._make, self._data, self._settings

    def __setstate__(self, state: tuple[Make, object, dict[str, object]]) -> None:
        self._make, self._data, self._settings = state
        self._begin()


# Trains all shards until the next mixing, and yields the number of each and what it has learned when it is done. It is
# called with the mixed weights, and with a function that gives all of them for a shard that needs them.
TrainShards = Callable[[Mixed, Callable[[], Mixed]], Iterator[tuple[int, State]]]
# Gives shards to those who train them; the context ends with the training.
Workers = Callable[[Sequence[Shard]], AbstractContextManager[TrainShards]]


def _pool(threads: int) -> ThreadPoolExecutor:
    """Return a pool of threads. Whoever loads a model imports this file, and would wait for this import."""
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(threads)


def in_threads(threads: int) -> Workers:
    """Return workers that train so many shards at a time in this process."""
    from concurrent.futures import as_completed

    @contextmanager
    def workers(shards: Sequence[Shard]) -> Iterator[TrainShards]:
        with _pool(min(threads, len(shards))) as pool:

            def train(mixed: Mixed, whole: Callable[[], Mixed]) -> Iterator[tuple[int, State]]:
                futures = {pool.submit(shard.epoch, mixed): k for k, shard in enumerate(shards)}
                try:
                    for future in as_completed(futures):
                        learned = future.result()
                        if learned is None:  # its epoch was broken off by an exception
                            learned = shards[futures[future]].epoch(whole())
                            assert learned is not None
                        yield futures[future], learned
                finally:
                    for future in futures:
                        future.cancel()

            yield train

    return workers


class Progress(NamedTuple):
    """Counts of an epoch whose shards are partly done."""

    epoch: int
    examples: int
    mistakes: int
    features: int
    updates: int
    repeated: int = 0  # this and the next: at the last mixing
    given_up: int = 0


class Shards:
    """Trains a part of every shard, or all of it, then mixes their weights into those of its own trainer."""

    def __init__(self, trainer: WeightTrainer, train: TrainShards, shards: int, mixing: str, mixings: int) -> None:
        self._trainer, self._train, self._mixing, self._mixings = trainer, train, mixing, mixings
        self._learned: list[State | None] = [None] * shards
        self._running: Iterator[tuple[int, State]] | None = None
        self._changed: Mixed | None = None  # in the last epoch
        self._sent: Mixed  # before this one

    def step(self, tokens: int) -> bool:
        """Wait until a shard is done, and mix the weights after the last one; true at the end of an epoch."""
        if self._running is None:
            self._learned = [None] * len(self._learned)
            self._sent = self._changed or self._whole()
            self._running = self._train(self._sent, self._whole)
        number, learned = next(self._running)
        self._learned[number] = learned
        done = self._done()
        if len(done) < len(self._learned):
            return False
        self._changed = Mixed(False, self._trainer.mix(done, self._mixing))
        self._running = None
        return self._changed.mixings % self._mixings == 0

    @property
    def progress(self) -> _core.Progress | Progress:
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

    def freeze(self, bits: int, shrink: float) -> _core.PackedModel:
        return self._trainer.freeze(bits, shrink)

    def _done(self) -> list[State]:
        return [learned for learned in self._learned if learned is not None]

    def _whole(self) -> Mixed:
        return Mixed(True, self._trainer.mixed())


class AveragedOrders:
    """Trains runs side by side, and freezes the mean of their weights. Its epoch is one of each run.

    mean : a trainer of the core that has not begun; it takes the mean of the weights
    runs : all the data, once for each run, with its seed
    threads : runs that are trained at a time; the result does not depend on it
    """

    def __init__(self, mean: WeightTrainer, runs: Sequence[Shard], threads: int) -> None:
        self._mean, self._shards, self._threads = mean, runs, threads
        self._trainers: list[WeightTrainer] = []
        self._weights: Mixed  # with which runs begin
        self._blank: State  # of `mean` before it takes weights
        self._pruned: State | None = None  # the same, if the runs have begun anew
        self._is_taken = False  # whether `mean` has taken weights
        self._is_mean = False  # whether `mean` has the mean of the runs as they are

    def step(self, tokens: int) -> bool:
        """Train each run on about so many tokens; true when all are at the end of the epoch."""
        trainers = self._begun()
        self._is_mean = False
        epoch = min(trainer.progress.epoch for trainer in trainers)
        behind = [trainer for trainer in trainers if trainer.progress.epoch == epoch]
        with _pool(min(self._threads, len(behind))) as pool:
            return all(list(pool.map(lambda trainer: trainer.step(tokens), behind)))

    @property
    def progress(self) -> _core.Progress:
        return self._begun()[0].progress

    def freeze(self, bits: int, shrink: float, group: float = 0.0, **more: Any) -> _core.PackedModel:
        """Return the mean of the averaged weights so far, as the core's trainers do."""
        self._take_mean()
        return self._mean.freeze(bits, shrink, group, **more)

    def prune(self, bits: int, shrink: float, group: float = 0.0, **more: Any) -> None:
        """Begin each run anew with the weights alone that freeze would keep of the mean."""
        self._take_mean()
        whole: Any = self._mean
        self._trainers = []  # their memory is needed for those that begin
        self._begin()
        self._mean = self._shards[0].blank()
        self._mean.resume(self._blank)
        for trainer in (self._mean, *self._trainers):
            trainer.prune(bits, shrink, group, **more, whole=whole)
        self._pruned = self._mean.state()
        self._is_taken = self._is_mean = False

    def state(self) -> State:
        states = enumerate(trainer.state() for trainer in self._begun())
        return {f"{_RUN}{k}.{name}": array for k, state in states for name, array in state.items()}

    def resume(self, state: SavedState) -> None:
        """Go on as the trainer whose state this is. Raises ModelError."""
        if self._trainers:  # by now their features may have other numbers than those of the state
            self._trainers = []
            self._begin()
        trainers = self._begun()
        of_runs: dict[str, dict[str, tuple[str, bytes | memoryview]]] = {f"{_RUN}{k}": {} for k in range(len(trainers))}
        for name, array in state.items():
            run, _, rest = name.partition(".")
            if run not in of_runs:
                raise ModelError(f"there is no run for its array '{name}'")
            of_runs[run][rest] = array
        for trainer, of_run in zip(trainers, of_runs.values(), strict=True):
            trainer.resume(of_run)
        self._pruned, self._is_taken, self._is_mean = None, True, False

    def go_on_from(self, state: SavedState) -> None:
        """Refuse to begin with what was learned before. Raises OptionError."""
        raise OptionError("runs begin without weights; leave out from_checkpoint, or runs")

    def _begun(self) -> list[WeightTrainer]:
        if not self._trainers:
            self._blank = self._mean.state()
            self._weights = Mixed(True, self._mean.mixed())
            self._begin()
        return self._trainers

    def _begin(self) -> None:
        self._trainers = [run.begun(self._weights) for run in self._shards]

    def _take_mean(self) -> None:
        if self._is_mean:
            return
        runs = self._begun()
        if self._is_taken:  # a parser's mean knows features by now that it did not know when it was blank
            self._mean = self._shards[0].blank()
            self._mean.resume(self._pruned or self._blank)
        self._is_taken = True
        self._mean.take_mean(runs)
        self._is_mean = True


Core = WeightTrainer | SupportTrainer | AveragedOrders  # the loops of a trainer


def deal(examples: int, shards: int, mixings: int, unit: str) -> list[list[int]]:
    """Return the numbers of the examples of each shard, dealt out in turn. Raises OptionError if there are too few.

    >>> deal(5, 2, 1, "sentences")
    [[0, 2, 4], [1, 3]]
    """
    if examples < shards * mixings:
        between = "" if mixings == 1 else f" for each of {mixings} mixings"
        raise OptionError(f"{shards} shards of {examples} {unit}: every shard needs one at least{between}")
    return [list(range(shard, examples, shards)) for shard in range(shards)]


def seed_of(seed: int, shard: int) -> int:
    """Return the seed that shuffles the examples of a shard or run. The first has the seed of training without."""
    return (seed + shard * _SEED_STEP) % (1 << 64)


def _number(array: tuple[str, bytes]) -> int:
    return int.from_bytes(array[1], "little")
