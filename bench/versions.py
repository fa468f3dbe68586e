"""Is a new version of sapwood as fast as an old one, and as small in memory?

    python -m bench.versions OLD NEW [--data DIR] [--json FILE] [--runs N] [--quick]

OLD and NEW are Python interpreters, each with its version of sapwood installed in the same way. Both versions do each
task in turn (old, new, old, new), each time as a process of its own on one thread. They train (file in, model out) and
predict (file in, answers out) with the model that the same version has trained. The texts are CoNLL-2000, UD English
EWT and the movie reviews (from --data or SAPWOOD_DATA), or generated ones. Tagging reads the training text repeated to
2 million tokens; parsing and classifying read the test set 10 times over.

"ratio" is the old version's CPU seconds by the new one's, the median over the rounds: above 1 the new version is
faster. "memory" is the new version's peak of resident memory by the old one's. "same" says whether both versions wrote
the same answers, or model files of the same size. How CPU seconds and memory are taken is told in measure/processes.py.
"""

import os
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

from measure.corpora import GENERATED
from measure.layout import command_line, print_rows, write_rows
from measure.processes import Job, in_turn
from measure.report import Row
from measure.texts import Texts, prepared, reviews, treebank

_COLUMNS = {
    "old s": ("old_cpu_s", ".2f"),
    "new s": ("new_cpu_s", ".2f"),
    "ratio": ("ratio", ".3f"),
    "old MB": ("old_peak_mb", ".1f"),
    "new MB": ("new_peak_mb", ".1f"),
    "memory": ("memory_ratio", ".3f"),
    "same": ("same", ""),
}


class Task(NamedTuple):
    """A command of both versions, without the interpreter; "MODEL" and, in training, "-o MODEL" are put in."""

    name: str
    arguments: Sequence[str | Path]
    model: str  # the name of the model that it writes or reads


def measure(pythons: dict[str, str], tasks: Sequence[Task], folder: Path, runs: int) -> list[Row]:
    """Run each task with both interpreters in turn; return what each took."""
    rows: list[Row] = []
    for task in tasks:
        files = {version: folder / f"{version}-{task.model}.sap" for version in pythons}
        answers = {version: folder / f"{version}.out" for version in pythons}
        trains = task.arguments[0] == "train"
        jobs = []
        for version, python in pythons.items():
            given = [files[version] if argument == "MODEL" else argument for argument in task.arguments]
            jobs.append(Job(version, [python, "-m", "sapwood", *given], answers[version]))
        used = in_turn(jobs, runs)
        written = files if trains else answers
        old, new = ([round_[version] for round_ in used.rounds] for version in pythons)
        rows.append(
            {
                "name": task.name,
                **{f"{version}_cpu_s": used.cpu(version) for version in pythons},
                "ratio": median(a.cpu_s / b.cpu_s for a, b in zip(old, new, strict=True)),
                **{f"{version}_peak_mb": used.peak(version) for version in pythons},
                "memory_ratio": median(b.peak_mb / a.peak_mb for a, b in zip(old, new, strict=True)),
                "same": "yes" if _same(written, sizes_only=trains) else "no",
            }
        )
    return rows


def _same(written: dict[str, Path], *, sizes_only: bool) -> bool:
    return len({path.stat().st_size if sizes_only else path.read_bytes() for path in written.values()}) == 1


def tagging(texts: Texts, epochs: int) -> list[Task]:
    train = ["train", "tag", texts.train.path, "-o", "MODEL", "-q", "--epochs", str(epochs)]
    return [Task("train tag", train, "tag"), Task("tag", ["tag", "MODEL", texts.long.path], "tag")]


def parsing(files: dict[str, Path], epochs: int) -> list[Task]:
    tasks = []
    for beam in ("1", "8"):
        name, options = f"beam-{beam}", ["-q", "--beam", beam, "--epochs", str(epochs)]
        train = ["train", "parse", files["train"], "-o", "MODEL", *options]
        tasks.append(Task(f"train parse, beam {beam}", train, name))
        tasks.append(Task(f"parse, beam {beam}", ["parse", "MODEL", files["long"]], name))
    return tasks


def classifying(files: dict[str, Path], epochs: int) -> list[Task]:
    train = ["train", "classify", files["train"], "-o", "MODEL", "-q", "--epochs", str(epochs)]
    predict = ["classify", "MODEL", files["long"]]
    return [Task("train classify", train, "classify"), Task("classify", predict, "classify")]


def main() -> None:
    arguments = command_line(__doc__, runs=5)
    arguments.add_argument("old", help="a Python interpreter that has the old version")
    arguments.add_argument("new", help="a Python interpreter that has the new version")
    arguments.add_argument("--quick", action="store_true", help="little generated data, two epochs: does it run?")
    given = arguments.parse_args()
    epochs, few = (2, 1) if given.quick else (10, 3)
    os.environ.pop("PYTHONPATH", None)  # it would give both interpreters the same version
    if given.quick:
        given.data = os.environ["SAPWOOD_DATA"] = ""
        GENERATED["conllu"] = 500
    data = given.data
    with prepared(data, given.quick) as texts, treebank(data) as (name, trees), reviews(data) as (number, lines):
        tasks = [*tagging(texts, epochs), *parsing(trees, few), *classifying(lines, epochs)]
        rows = measure({"old": given.old, "new": given.new}, tasks, texts.folder, given.runs)
    print(f"Epochs: {texts.name} ({texts.train.tokens:,} tokens) {epochs}, {name} {few}, {number:,} reviews {epochs}")
    print_rows(rows, _COLUMNS)
    if given.json is not None:
        write_rows(given.json, rows)


if __name__ == "__main__":
    main()
