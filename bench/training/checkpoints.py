"""What checkpoints cost: CPU time and memory of training a chunker, with none and with one saved at several intervals.

    SAPWOOD_DATA=data python -m bench.training.checkpoints

Without SAPWOOD_DATA a generated treebank takes the place of CoNLL-2000. Each line is a process of its own, the least
CPU time of some runs; trainings take turns, so that a noisy machine is noisy for all of them.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from sapwood.datasets.treebank import generate

SAVING = {"no checkpoint": None, "every 5 min": 300.0, "every second": 1.0}  # seconds from one to the next
_SAPWOOD = "from sapwood.training import saving; saving.EVERY = {every}; from sapwood.cli import main; main()"


def training_data(folder: Path) -> Path:
    """Return CoNLL-2000's training data, or generated sentences."""
    if data := os.environ.get("SAPWOOD_DATA"):
        return next((Path(data) / "conll2000").glob("train.txt*"))
    path = folder / "train.txt"
    with path.open("w") as file:
        for sentence in generate(9000, 1):
            file.writelines(f"{w} {t}\n" for w, t in zip(sentence.words, sentence.tags, strict=True))
            file.write("\n")
    return path


def train(data: Path, folder: Path, every: float | None) -> tuple[float, float]:
    """Train; return CPU seconds and megabytes at most."""
    checkpoint = [] if every is None else ["--checkpoint", str(folder / "m.checkpoint")]
    template = [] if "conll2000" in str(data) else ["--template", "pos"]
    sapwood = [sys.executable, "-c", _SAPWOOD.format(every=every)]
    command = [*sapwood, "train", "tag", str(data), "-o", str(folder / "m.sap"), "-q"]
    process = subprocess.Popen([*command, *template, *checkpoint])
    _, status, used = os.wait4(process.pid, 0)
    if status:
        sys.exit("training failed")
    process.returncode = 0
    return used.ru_utime + used.ru_stime, used.ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3)


def main() -> None:
    """Print a line for each way of saving."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=3, help="of each training (default: 3)")
    given = parser.parse_args()
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in SAVING}
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        data = training_data(folder)
        models = set()
        for _ in range(given.runs):
            for name, every in SAVING.items():
                found[name].append(train(data, folder, every))
                models.add((folder / "m.sap").read_bytes())
        size = (folder / "m.checkpoint").stat().st_size
    base = min(found["no checkpoint"])[0]
    for name, runs in found.items():
        seconds, memory = min(runs)[0], max(runs)[1]
        print(f"{name:16} {seconds:7.2f} s CPU ({seconds / base:4.2f})  {memory:6.0f} MB")
    print(f"the checkpoint has {size / 1e6:.1f} MB; the models are {'the same' if len(models) == 1 else 'DIFFERENT'}")


if __name__ == "__main__":
    main()
