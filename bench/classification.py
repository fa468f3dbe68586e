"""How fast and how small is text classification, beside scikit-learn?

    python bench/classification.py [--data DIR] [--json FILE] [--runs N]

On the movie reviews (from --data or SAPWOOD_DATA) or generated ones: word uni- and bigrams, 10 passes; each training
(file in, model out) and classifying (file in, labels out) a process of its own on one thread, all in turn. The model is
trained on all but every tenth review, and scored on these. "words/s" is marginal: the text ten times over, less once.

scikit-learn: CountVectorizer(ngram_range=(1, 2)) on what is between spaces, and its Perceptron; the model is both, as
joblib writes them.

CPU seconds are user + system; how they are taken is told in measure.py. Medians over --runs rounds.
"""

import argparse
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from layout import print_table
from measure import PYTHON, SAPWOOD, Job, here, in_turn

from sapwood.datasets.corpora import data_folder
from sapwood.datasets.documents import generate_reviews
from sapwood.io.rows import write_rows
from sapwood.io.text import read_bytes

_REPEATS = 10


class System(NamedTuple):
    """A classifier as two commands; the second prints a label a line, perhaps with more behind it."""

    name: str
    train: list[str | Path]
    classify: list[str | Path]
    model: Path


def systems(folder: Path) -> list[System]:
    """Return sapwood, twice, and the peer."""
    train = folder / "train.txt"
    found = []
    for name, options in (("sapwood", ""), ("sapwood, SAP10", "--min-updates 10")):
        model = folder / f"{len(found)}.sap"
        command = [*SAPWOOD, "train", "classify", train, "-o", model, "-q", *options.split()]
        found.append(System(name, command, [*SAPWOOD, "classify", model], model))
    model = folder / "sklearn.joblib"
    peer = [*PYTHON, here("peers.py")]
    found.append(
        System("scikit-learn", [*peer, "sklearn-train", train, model, "10"], [*peer, "sklearn-classify", model], model)
    )
    return found


def _accuracy(answers: Path, gold: list[str]) -> float:
    guess = [line.split()[0].removeprefix("__label__") for line in answers.read_text(encoding="utf-8").splitlines()]
    return 100 * sum(map(str.__eq__, guess, gold)) / len(gold)


def measure(folder: Path, runs: int) -> list[dict[str, Any]]:
    """Run all systems in turn, and return what each took."""
    lines = (folder / "test.txt").read_text(encoding="utf-8").splitlines()
    gold = [line.split()[0].removeprefix("__label__") for line in lines]
    words = sum(len(line.split()) - 1 for line in lines)
    found = systems(folder)
    trained = in_turn([Job(system.name, system.train) for system in found], runs)
    jobs = []
    for k, system in enumerate(found):
        jobs.append(Job(f"{system.name}: test", [*system.classify, folder / "test.txt"], folder / f"{k}.out"))
        jobs.append(Job(f"{system.name}: long", [*system.classify, folder / "long.txt"]))
    used = in_turn(jobs, runs)
    rows = []
    for k, system in enumerate(found):
        name = system.name
        (marginal,) = used.over_rounds(lambda cpu, name=name: [cpu[f"{name}: long"] - cpu[f"{name}: test"]])
        (slower,) = trained.over_rounds(lambda cpu, name=name: [cpu[name] / cpu["sapwood"]])
        rows.append(
            {
                "name": name,
                "accuracy": _accuracy(folder / f"{k}.out", gold),
                "train_cpu_s": trained.cpu(name),
                "train_ratio": slower,
                "train_peak_mb": trained.peak(name),
                "words_per_cpu_s": (_REPEATS - 1) * words / max(marginal, 1e-9),
                "bytes": system.model.stat().st_size,
            }
        )
    return rows


_COLUMNS = {
    "accuracy": ("accuracy", ".2f"),
    "train s": ("train_cpu_s", ".2f"),
    "ratio": ("train_ratio", ".1f"),
    "train MB": ("train_peak_mb", ",.0f"),
    "words/s": ("words_per_cpu_s", ",.0f"),
    "bytes": ("bytes", ","),
}


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--data", metavar="DIR")
    arguments.add_argument("--json", metavar="FILE")
    arguments.add_argument("--runs", type=int, default=5)
    given = arguments.parse_args()
    if (source := data_folder(given.data)) is not None:
        path = next(source.glob("**/movie_reviews.txt*"))
        lines = read_bytes(path).decode().splitlines()
    else:
        lines = [f"__label__{label} {text}" for text, label in generate_reviews(2000, seed=1)]
    with TemporaryDirectory(prefix="sapwood-") as scratch:
        folder = Path(scratch)
        parts = {"train": [line for k, line in enumerate(lines) if k % 10], "test": lines[::10]}
        for name, part in {**parts, "long": parts["test"] * _REPEATS}.items():
            (folder / f"{name}.txt").write_text("\n".join(part) + "\n", encoding="utf-8")
        rows = measure(folder, given.runs)
    print(f"{len(lines):,} reviews, a tenth of them to test; one thread, CPU seconds; ratio: training beside sapwood's")
    print_table(["", *_COLUMNS], [[r["name"], *(format(r[n], f) for n, f in _COLUMNS.values())] for r in rows])
    if given.json is not None:
        write_rows(given.json, rows)


if __name__ == "__main__":
    main()
