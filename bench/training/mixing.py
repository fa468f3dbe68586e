"""What does training in shards cost and give: accuracy, bytes, time; and what would it be on many machines?

    python -m bench.training.mixing --data DIR [--task chunk|parse|reviews] [--shards 1,2,4,8,16] [--mixings N]
                                    [--epochs N] [--more N] [--json FILE]
    python -m bench.training.mixing --data DIR --scaling [--task ...]
    python -m bench.training.mixing --data DIR --simulate [--task ...]

DIR is the folder of the corpora, or SAPWOOD_DATA names it (chunk: CoNLL-2000; parse: UD English EWT; reviews: the
movie reviews, of which every tenth is held out). Without more, a row for each number of shards:

mixings     in an epoch: --mixings, or one for each shard (--mixings 0)
score       on the test data after --epochs, and after --more
MB up       sent by all shards in an epoch, on average over --epochs: what they have changed
MB down     sent to one worker in an epoch: the mixed weights of all features that were changed
naive       the same if whole tables were sent, weights with their sums up, weights down
shard s     CPU seconds of one shard's epoch, mix s of mixing

--scaling trains on one worker of Dask and on two, and shows how many examples they do in a second by the clock.

--simulate measures the time of a shard's epoch and of mixing, and the bytes, for 2 .. 256 shards, and computes what an
epoch would take with a worker for each shard, whose machines and that of the mixing trainer have links of --gigabits:

    epoch  =  slowest shard + all bytes up / link + mixing + log2(workers + 1) * bytes down / link
              + mixings * (log2(workers + 1) + 1) * 1 ms

as the trainer gets what all shards send, and workers pass on what all of them get.
"""

import argparse
import math
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import mean
from typing import Any

from measure.layout import command_line, print_rows, write_rows
from measure.train import option
from sapwood import Classifier, DependencyParser, SequenceTagger
from sapwood.events import EpochDone
from sapwood.training.options import Mixing
from sapwood.training.shards import Mixed, Shard, State, TrainShards

_LATENCY = 1e-3  # seconds of a message


class Measured:
    """Trains shards one after the other, and keeps what it took from each mixing to the next."""

    def __init__(self, mixings: int) -> None:
        self.mixings = mixings  # in an epoch
        self.shard_seconds: list[list[float]] = []  # [mixings][shards] CPU
        self.mix_seconds: list[float] = []
        self.up: list[int] = []  # bytes of all shards
        self.down: list[int] = []  # bytes to one worker
        self.naive_up: list[int] = []
        self.naive_down: list[int] = []
        self._ended = 0.0

    @contextmanager
    def __call__(self, shards: Sequence[Shard]) -> Iterator[TrainShards]:
        """Keep the shards."""
        self._shards = shards
        yield self.epoch
        self.mix_seconds.append(time.process_time() - self._ended)

    def epoch(self, mixed: Mixed, whole: Callable[[], Mixed]) -> Iterator[tuple[int, State]]:
        """Train until the next mixing."""
        if self.shard_seconds:
            self.mix_seconds.append(time.process_time() - self._ended)
        self.down.append(_bytes(mixed.weights))
        seconds, up = [], 0
        for k, shard in enumerate(self._shards):
            began = time.process_time()
            learned = shard.epoch(mixed)
            seconds.append(time.process_time() - began)
            assert learned is not None
            up += _bytes(learned)
            if k + 1 == len(self._shards):
                self.shard_seconds.append(seconds)
                self.up.append(up)
                all_weights = whole().weights
                self.naive_down.append(_bytes(all_weights))
                sums = 2 * sum(len(data) for name, (_, data) in all_weights.items() if name.endswith(".weights"))
                self.naive_up.append(len(self._shards) * (_bytes(all_weights) + sums))
                self._ended = time.process_time()
            yield k, learned


def _bytes(state: State) -> int:
    return sum(len(data) for _, data in state.values())


def corpus(task: str, data: str | None, trees: str = "test") -> tuple[Any, Any, dict[str, Any]]:
    """Return a model, its training data, and the held-out data as arguments of `fit`: of EWT, the part `trees`."""
    found = data or os.environ.get("SAPWOOD_DATA")
    if not found:
        sys.exit("the corpora are needed: name their folder, --data DIR")
    folder = Path(found)
    if task == "chunk":
        chunks = folder / "conll2000"
        return SequenceTagger(), _file(chunks, "train.txt*"), {"dev": _file(chunks, "test.txt*")}
    if task == "parse":
        ewt = folder / "ewt"
        return DependencyParser(), _file(ewt, "*train.conllu*"), {"dev": _file(ewt, f"*{trees}.conllu*")}
    return Classifier(), _file(folder / "movie_reviews", "movie_reviews.txt*"), {"dev_fraction": 0.1}


def _file(folder: Path, pattern: str) -> Path:
    return next(folder.glob(pattern))


def train(given: argparse.Namespace, shards: int, epochs: int, workers: Any, held_out: bool = True) -> list[EpochDone]:
    """Train; return the epochs."""
    model, data, dev = corpus(given.task, given.data)
    model.set_params(shards=shards, epochs=epochs, **dict(given.option))
    model.mixing = Mixing(given.mixing, mixings_of(given, shards) if shards > 1 else 1)
    done: list[EpochDone] = []
    model.fit(
        data,
        on_event=lambda event: done.append(event) if isinstance(event, EpochDone) else None,
        **(dev if held_out else {}),
        **({"workers": workers} if workers is not None else {}),
    )
    return done


def mixings_of(given: argparse.Namespace, shards: int) -> int:
    """Return how many there are in an epoch."""
    return int(given.mixings) or shards


def accuracy(given: argparse.Namespace) -> list[dict[str, Any]]:
    """Return a row for each number of shards."""
    rows = []
    for shards in given.shards:
        measured = Measured(mixings_of(given, shards)) if shards > 1 else None
        began = time.process_time()
        done = train(given, shards, given.more if shards > 1 else given.epochs, measured)
        row: dict[str, Any] = {
            "name": f"{shards}",
            "shards": shards,
            "mixings": measured.mixings if measured else None,
            "score": done[given.epochs - 1].dev_score,
            "more": done[-1].dev_score,
            "best": max((event.dev_score, -event.epoch) for event in done)[0],
            "cpu_s": time.process_time() - began,
        }
        if measured is not None:
            row |= figures(measured, given.epochs)
        rows.append(row)
        print(row, file=sys.stderr, flush=True)
    return rows


def figures(measured: Measured, epochs: int) -> dict[str, float]:
    """Return means over the first epochs; times without those of the first."""
    first, last = measured.mixings, epochs * measured.mixings

    def of_epoch(values: Iterable[float]) -> float:
        return measured.mixings * mean(values)

    return {
        "mb_up": of_epoch(measured.up[:last]) / 1e6,
        "mb_down": of_epoch(measured.down[:last]) / 1e6,
        "naive_mb_up": of_epoch(measured.naive_up[:last]) / 1e6,
        "naive_mb_down": of_epoch(measured.naive_down[:last]) / 1e6,
        "shard_s": of_epoch(map(mean, measured.shard_seconds[first:last])),
        "slowest_s": of_epoch(map(max, measured.shard_seconds[first:last])),
        "mix_s": of_epoch(measured.mix_seconds[first:last] or measured.mix_seconds),
    }


def scaling(given: argparse.Namespace) -> list[dict[str, Any]]:
    """Return a row for one worker of Dask and one for two."""
    from sapwood.dask import ShardWorkers, connected

    rows = []
    for workers in (1, 2):
        with connected(workers=workers) as client:
            began = time.perf_counter()
            done = train(given, given.shards[-1], given.epochs, ShardWorkers(client), held_out=False)
            seconds = time.perf_counter() - began
        epochs = [event.tokens_per_second for event in done[1:]]
        rows.append({"name": f"{workers}", "workers": workers, "seconds": seconds, "units_per_s": mean(epochs)})
        rows[-1]["ratio"] = rows[-1]["units_per_s"] / rows[0]["units_per_s"]
    return rows


def simulated(given: argparse.Namespace) -> list[dict[str, Any]]:
    """Return a row for each number of workers; each has one shard."""
    link = given.gigabits * 1e9 / 8
    rows: list[dict[str, Any]] = []
    began = time.process_time()
    train(given, 1, 1, None, held_out=False)
    one = time.process_time()
    train(given, 1, given.epochs, None, held_out=False)
    alone = (time.process_time() - one - (one - began)) / (given.epochs - 1)
    for workers in given.shards:
        row: dict[str, Any] = {"name": f"{workers}", "workers": workers, "epoch_s": alone, "speedup": 1.0}
        if workers > 1:
            measured = Measured(mixings_of(given, workers))
            train(given, workers, given.epochs, measured, held_out=False)
            row |= figures(measured, given.epochs)
            rounds = math.log2(workers + 1)
            up = row["mb_up"] * 1e6 / link
            down = rounds * row["mb_down"] * 1e6 / link
            row["network_s"] = up + down + measured.mixings * (rounds + 1) * _LATENCY
            row["epoch_s"] = row["slowest_s"] + row["mix_s"] + row["network_s"]
            row["speedup"] = alone / row["epoch_s"]
        rows.append(row)
        print(row, file=sys.stderr, flush=True)
    return rows


_ACCURACY = {
    "mixings": ("mixings", "d"),
    "score": ("score", ".2f"),
    "more": ("more", ".2f"),
    "best": ("best", ".2f"),
    "MB up": ("mb_up", ".2f"),
    "MB down": ("mb_down", ".2f"),
    "naive up": ("naive_mb_up", ".2f"),
    "naive down": ("naive_mb_down", ".2f"),
    "shard s": ("shard_s", ".3f"),
    "mix s": ("mix_s", ".3f"),
    "CPU s": ("cpu_s", ".0f"),
}
_SCALING = {
    "seconds": ("seconds", ".1f"),
    "units/s": ("units_per_s", ",.0f"),
    "ratio": ("ratio", ".2f"),
}
_SIMULATED = {
    "slowest s": ("slowest_s", ".3f"),
    "mix s": ("mix_s", ".3f"),
    "network s": ("network_s", ".3f"),
    "epoch s": ("epoch_s", ".3f"),
    "speed-up": ("speedup", ".1f"),
}


def main() -> None:
    """Print the rows, and write them."""
    parser = command_line(__doc__)
    parser.add_argument("--task", choices=("chunk", "parse", "reviews"), default="chunk")
    parser.add_argument("--shards", type=lambda text: [int(n) for n in text.split(",")])
    parser.add_argument("--epochs", type=int)
    parser.add_argument("--more", type=int, default=0, help="epochs, if more than --epochs are tried, too")
    parser.add_argument("--mixing", choices=("features", "errors", "uniform"), default="features")
    parser.add_argument("--mixings", type=int, default=1, metavar="N", help="0: as many as shards")
    parser.add_argument("--option", type=option, action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--scaling", action="store_true")
    parser.add_argument("--simulate", action="store_true")
    parser.add_argument("--gigabits", type=float, default=10.0)
    given = parser.parse_args()
    given.epochs = given.epochs or (3 if given.simulate or given.scaling else 10)
    given.more = max(given.more, given.epochs)
    given.shards = given.shards or [1, 2, 4, 8, 16, *([32, 64, 128, 256] if given.simulate else [])]
    work, columns = accuracy, _ACCURACY
    if given.scaling:
        work, columns = scaling, _SCALING
    elif given.simulate:
        work, columns = simulated, _SIMULATED
    rows = work(given)
    print_rows(rows, columns)
    if given.json is not None:
        write_rows(given.json, rows)


if __name__ == "__main__":
    main()
