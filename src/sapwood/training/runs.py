"""The average of several trainings: each goes over all the data in an order of its own.

The averaged perceptron depends on the order of the examples. With N runs the weights are the mean over N trainings
whose orders alone differ: the mixture weight method of Mann, McDonald, Mohri, Silberman & Walker (2009), over orders in
place of shards. Scores are linear in the weights, so one model with the mean decides as the mean scores of all N would.
What a weight owes to the order of one run is small in the mean, so less is lost where small weights are dropped. A
feature's count of updates is the mean of its counts in the runs, rounded up.

run_epochs sees a trainer as any other: its epoch is one of each run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

from sapwood._core import PackedModel
from sapwood.errors import ModelError, OptionError
from sapwood.training.epochs import Counts
from sapwood.training.shards.mixing import Mixed, Shard, ShardTrainer, seed_of

_RUN = "run"  # with its number, before the names of a run's state


def averaged(
    trainer: ShardTrainer, all_data: Callable[[int], Shard], *, runs: int, seed: int, threads: int
) -> RunsTrainer:
    """Return a trainer of so many runs.

    trainer : a trainer of the core that has not begun; all_data : gives all examples with the seed of their order
    """
    return RunsTrainer(trainer, [all_data(seed_of(seed, run)) for run in range(runs)], threads)


class RunsTrainer:
    """Trains the runs side by side, and freezes the mean of their weights.

    mean : a trainer of the core that has not begun; it takes the mean of the weights
    runs : all the data, once for each run, with its seed
    threads : runs that are trained at a time; the result does not depend on it
    """

    def __init__(self, mean: ShardTrainer, runs: Sequence[Shard], threads: int) -> None:
        self._mean, self._shards, self._threads = mean, runs, threads
        self._trainers: list[ShardTrainer] = []
        self._is_taken = False  # whether `mean` has taken weights
        self._is_mean = False  # whether `mean` has the mean of the runs as they are
        self._is_pruned = False  # from then on the mean is what is trained

    def step(self, tokens: int) -> bool:
        """Train each run on about so many tokens; true when all are at the end of the epoch."""
        if self._is_pruned:
            return self._mean.step(tokens)
        trainers = self._begun()
        self._is_mean = False
        epoch = min(trainer.progress.epoch for trainer in trainers)
        behind = [trainer for trainer in trainers if trainer.progress.epoch == epoch]
        with ThreadPoolExecutor(min(self._threads, len(behind))) as pool:
            return all(list(pool.map(lambda trainer: trainer.step(tokens), behind)))

    @property
    def progress(self) -> Counts:
        """Counts of the current epoch, of the first run."""
        return (self._mean if self._is_pruned else self._begun()[0]).progress

    def freeze(self, bits: int, shrink: float, group: float = 0.0, **more: float) -> PackedModel:
        """Return the mean of the averaged weights so far; see PruningTrainer."""
        self._take_mean()
        return self._mean.freeze(bits, shrink, group, **more)

    def prune(self, bits: int, shrink: float, group: float = 0.0, **more: float) -> None:
        """Go on from the weights that freeze would return, in the order of the first run."""
        self._take_mean()
        self._mean.prune(bits, shrink, group, **more)
        self._is_pruned = True

    def state(self) -> dict[str, tuple[str, bytes]]:
        """Return the states of all runs."""
        states = enumerate(trainer.state() for trainer in self._begun())
        return {f"{_RUN}{k}.{name}": array for k, state in states for name, array in state.items()}

    def resume(self, state: Mapping[str, tuple[str, bytes | memoryview]]) -> None:
        """Go on as the trainer whose state this is. Raises ModelError."""
        trainers = self._begun()
        of_runs: dict[str, dict[str, tuple[str, bytes | memoryview]]] = {f"{_RUN}{k}": {} for k in range(len(trainers))}
        for name, array in state.items():
            run, _, rest = name.partition(".")
            if run not in of_runs:
                raise ModelError(f"there is no run for its array '{name}'")
            of_runs[run][rest] = array
        for trainer, of_run in zip(trainers, of_runs.values(), strict=True):
            trainer.resume(of_run)

    def go_on_from(self, state: Mapping[str, tuple[str, bytes | memoryview]]) -> None:
        """Refuse to begin with what was learned before. Raises OptionError."""
        raise OptionError("runs begin without weights; leave out from_checkpoint, or runs")

    def _begun(self) -> list[ShardTrainer]:
        if not self._trainers:
            self._blank = self._mean.state()
            weights = Mixed(True, self._mean.mixed())
            self._trainers = [run.begun(weights) for run in self._shards]
        return self._trainers

    def _take_mean(self) -> None:
        if self._is_mean or self._is_pruned:
            return
        learned = [trainer.shard() for trainer in self._begun()]
        if self._is_taken:  # a parser's mean knows features by now that it did not know when it was blank
            self._mean = self._shards[0].blank()
            self._mean.resume(self._blank)
        self._is_taken = True
        self._mean.mix(learned, "runs")
        self._is_mean = True
