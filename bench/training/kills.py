"""Kill training at random moments, let it go on from its checkpoint, and compare the model with that of a whole run.

    python -m bench.training.kills --kills 1000

Taggers, parsers, classifiers and pipelines are trained by the command line on small generated data. A process gets
SIGKILL after a random part of the time that a whole run takes, is started again with --resume, and so on until it ends
by itself. Then the model file has to have the bytes of a training that was never stopped, and nothing else may lie
beside it. The same seed gives the same moments, as far as the machine does.
"""

from __future__ import annotations

import argparse
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from measure.processes import Clock
from sapwood.datasets.treebank import generate

_SAVING = "from sapwood.training import saving; saving.EVERY = {every}; from sapwood.cli import main; main()"
_PER_RUN = 12  # kills of one training, at most

TASKS = {  # verb of `sapwood train` -> the data, and options that keep it short
    "tag": ("train.txt", "--template pos --epochs 8 --search easiest-first --dev dev.txt"),
    "parse": ("train.conllu", "--epochs 4 --min-updates 2 --dev 10%"),
    "classify": ("train.svm", "--epochs 30 --voted --min-updates 1 --dev 10%"),
    "pipeline": ("train.conllu", "--beam 2"),
}


def write_data(folder: Path, sentences: int) -> None:
    """Write a treebank, its words with tags in columns, and examples of features."""
    treebank = list(generate(sentences, 1))
    (folder / "train.conllu").write_text("".join(s.conllu(f"s{k}", "attached") for k, s in enumerate(treebank)))
    for name, some in (("train.txt", treebank), ("dev.txt", treebank[: sentences // 10])):
        lines = ["".join(f"{w} {t}\n" for w, t in zip(s.words, s.tags, strict=True)) + "\n" for s in some]
        (folder / name).write_text("".join(lines))
    drawn = random.Random(1)
    rows = [sorted(drawn.sample(range(1, 200), 8)) for _ in range(5 * sentences)]
    lines = [f"{'abc'[row[0] % 3]} {' '.join(f'{j}:1' for j in row)}\n" for row in rows]
    (folder / "train.svm").write_text("".join(lines))


def command(folder: Path, task: str, model: str, every: float) -> list[str]:
    """Return the command that trains a model, with a checkpoint so many seconds after the one before."""
    data, options = TASKS[task]
    paths = [str(folder / word) if word.endswith(".txt") else word for word in options.split()]
    sapwood = [sys.executable, "-c", _SAVING.format(every=every)]
    return [*sapwood, "train", task, str(folder / data), "-o", str(folder / task / model), *paths, "--quiet"]


def check_left(folder: Path, wanted: set[str]) -> None:
    """Raise SystemExit if there are other files than these in a folder."""
    if found := {path.name for path in folder.iterdir()} - wanted:
        sys.exit(f"left behind in {folder}: {', '.join(sorted(found))}")


def train_with_kills(folder: Path, task: str, seconds: float, every: float, most: int, chosen: random.Random) -> int:
    """Train once, killed so many times at most; return how often. Raises SystemExit if anything is wrong."""
    checkpoint = folder / task / "training.checkpoint"
    checkpoint.unlink(missing_ok=True)
    (folder / task / "model.sap").unlink(missing_ok=True)
    kills = 0
    while True:
        saving = ["--resume" if checkpoint.exists() else "--checkpoint", str(checkpoint)]
        process = subprocess.Popen([*command(folder, task, "model.sap", every), *saving], stderr=subprocess.PIPE)
        try:
            _, error = process.communicate(timeout=chosen.uniform(0, seconds) if kills < most else None)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.communicate()
            kills += 1
            continue
        if process.returncode != 0:
            sys.exit(f"{task}, after {kills} kills: {error.decode()}")
        break
    if (folder / task / "model.sap").read_bytes() != (folder / task / "whole.sap").read_bytes():
        sys.exit(f"{task}, after {kills} kills: another model")
    check_left(folder / task, {"training.checkpoint", "model.sap", "whole.sap"})
    return kills


def main() -> None:
    """Kill trainings as often as the arguments say, and print how often which was killed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=1000, help="how often, over all tasks (default: 1000)")
    parser.add_argument("--tasks", default=",".join(TASKS), help="some of %(default)s")
    parser.add_argument("--sentences", type=int, default=300, help="of the generated data (default: 300)")
    parser.add_argument("--every", type=float, default=0.0, help="seconds from one checkpoint to the next (default: 0)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the moments (default: 1)")
    given = parser.parse_args()
    tasks, chosen = given.tasks.split(","), random.Random(given.seed)
    counts, runs, seconds = dict.fromkeys(tasks, 0), dict.fromkeys(tasks, 0), {}
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        write_data(folder, given.sentences)
        for task in tasks:
            (folder / task).mkdir()
            with Clock(time.perf_counter) as clock:
                subprocess.run(command(folder, task, "whole.sap", given.every), check=True)
            seconds[task] = clock.seconds
        while (left := given.kills - sum(counts.values())) > 0:
            task = min(tasks, key=lambda each: counts[each])
            most = min(left, _PER_RUN)
            counts[task] += train_with_kills(folder, task, seconds[task], given.every, most, chosen)
            runs[task] += 1
            print(f"{sum(counts.values())} kills", end="\r", file=sys.stderr, flush=True)
    for task in tasks:
        print(f"{task:10} {counts[task]:6,} kills in {runs[task]:4,} trainings: the same bytes, nothing left behind")


if __name__ == "__main__":
    main()
