"""How fast and how small is text classification, beside scikit-learn?

    python -m bench.tasks.classification [--data DIR] [--json FILE] [--runs N]

On the movie reviews (from --data or SAPWOOD_DATA) or generated ones: word uni- and bigrams, 10 passes; each training
(file in, model out) and classifying (file in, labels out) a process of its own on one thread, all in turn. The model is
trained on all but every tenth review, and scored on these. "words/s" is marginal: the text ten times over, less once.

scikit-learn: CountVectorizer(ngram_range=(1, 2), binary=True) on what is between spaces, and its Perceptron, whose bias
is a column of ones, or LinearSVC; the model is both, as joblib writes them.

CPU seconds are user + system (measure/processes.py). Each round has a seed, from 1 to --runs: all
figures are medians, beside the accuracy's least and most.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from measure.layout import command_line, print_rows, write_rows
from measure.processes import PYTHON, SAPWOOD, Job, Runs, here, in_turn
from measure.report import Row, over_seeds
from measure.texts import REPEATS, reviews


class System(NamedTuple):
    """A classifier as two commands; the second prints a label a line, perhaps with more behind it."""

    name: str
    train: list[str | Path]  # the seed comes last
    classify: list[str | Path]
    model: Path


def systems(train: Path) -> list[System]:
    """Return sapwood and the peer, twice each."""
    folder = train.parent
    found = []
    for name, options in (("sapwood", ""), ("sapwood, SAP10", "--min-updates 10")):
        model = folder / f"{len(found)}.sap"
        command = [*SAPWOOD, "train", "classify", train, "-o", model, "-q", *options.split(), "--seed"]
        found.append(System(name, command, [*SAPWOOD, "classify", model], model))
    peer = [*PYTHON, here("peers.py")]
    for name, learner in (("scikit-learn", "perceptron"), ("scikit-learn, linear SVM", "svm")):
        model = folder / f"{learner}.joblib"
        command = [*peer, "sklearn-train", train, model, learner]
        found.append(System(name, command, [*peer, "sklearn-classify", model], model))
    return found


def _answers(files: Mapping[str, Path], system: int) -> Path:
    return files["test"].with_name(f"{system}.out")


def _accuracy(answers: Path, gold: list[str]) -> float:
    guess = [line.split()[0].removeprefix("__label__") for line in answers.read_text(encoding="utf-8").splitlines()]
    return 100 * sum(map(str.__eq__, guess, gold)) / len(gold)


def measure(files: Mapping[str, Path], runs: int) -> list[Row]:
    """Run all systems in turn, and return what each took."""
    lines = files["test"].read_text(encoding="utf-8").splitlines()
    gold = [line.split()[0].removeprefix("__label__") for line in lines]
    words = sum(len(line.split()) - 1 for line in lines)
    found = systems(files["train"])
    rounds, accuracies = [], [[] for _ in found]
    for seed in range(1, runs + 1):
        jobs = [Job(system.name, [*system.train, str(seed)]) for system in found]
        for k, system in enumerate(found):
            jobs.append(Job(f"{system.name}: test", [*system.classify, files["test"]], _answers(files, k)))
            jobs.append(Job(f"{system.name}: long", [*system.classify, files["long"]]))
        rounds += in_turn(jobs, 1).rounds
        for k, of_seeds in enumerate(accuracies):
            of_seeds.append(_accuracy(_answers(files, k), gold))
    used = Runs(rounds)
    rows = []
    for system, of_seeds in zip(found, accuracies, strict=True):
        name = system.name
        (marginal,) = used.over_rounds(lambda cpu, name=name: [cpu[f"{name}: long"] - cpu[f"{name}: test"]])
        (slower,) = used.over_rounds(lambda cpu, name=name: [cpu[name] / cpu["sapwood"]])
        rows.append(
            {
                "name": name,
                **over_seeds("accuracy", of_seeds),
                "train_cpu_s": used.cpu(name),
                "train_ratio": slower,
                "train_peak_mb": used.peak(name),
                "words_per_cpu_s": (REPEATS - 1) * words / max(marginal, 1e-9),
                "bytes": system.model.stat().st_size,
            }
        )
    return rows


_COLUMNS = {
    "accuracy": ("accuracy", ".2f"),
    "from": ("accuracy_least", ".2f"),
    "to": ("accuracy_most", ".2f"),
    "train s": ("train_cpu_s", ".2f"),
    "ratio": ("train_ratio", ".1f"),
    "train MB": ("train_peak_mb", ",.0f"),
    "words/s": ("words_per_cpu_s", ",.0f"),
    "bytes": ("bytes", ","),
}


def main() -> None:
    given = command_line(__doc__, runs=5).parse_args()
    with reviews(given.data) as (number, files):
        rows = measure(files, given.runs)
    print(f"{number:,} reviews, a tenth of them to test; one thread, CPU seconds; ratio: training beside sapwood's")
    print_rows(rows, _COLUMNS)
    if given.json is not None:
        write_rows(given.json, rows)


if __name__ == "__main__":
    main()
