"""What does a margin of each wrong part give, and what one of the whole structure: hamming cost beside constant cost?

    python -m bench.training.costs --data DIR [--task chunk,eisner,beam] [--epochs N] [--seeds N] [--json FILE]

DIR is the folder of the corpora, or SAPWOOD_DATA names it. A row for each search and update, margin and pa:

chunk    Viterbi search: F1 of chunks of CoNLL-2000
eisner   Eisner search of order 1, no relations: UAS on the sample of the Penn Treebank
beam     a beam of --beam: LAS on UD English EWT

Each is trained with every gamma of --gammas (margin) or --gammas-pa (pa), --seeds times with the sentences in other
orders, and scored on development data: those of EWT, and every tenth sentence of the training data of the others, which
is held out. The score is the mean of the seeds at the gamma at which it is highest; "spread" is the range of the seeds.
"""

import argparse
import lzma
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from statistics import mean
from typing import Any

from measure.layout import command_line, print_rows, write_rows
from sapwood import DependencyParser, SequenceTagger

_NAMES = {
    "chunk": "Viterbi, chunks (F1)",
    "eisner": "Eisner, Penn Treebank sample (UAS)",
    "beam": "beam, EWT (LAS)",
}
_FILES = {"chunk": "conll2000/train.txt*", "eisner": "wsj_sample/*train*", "beam": "ewt/*train.conllu*"}


def model(task: str, given: argparse.Namespace, **options: Any) -> Any:
    """Return a model of a task, not trained yet."""
    options["epochs"] = given.epochs
    if task == "chunk":
        return SequenceTagger(**options)
    if task == "eisner":
        return DependencyParser(search="eisner", labelling="none", **options)
    return DependencyParser(beam=given.beam, **options)


def score(task: str, trained: Any, dev: Path) -> float:
    """Return the score on development data, in percent."""
    found = trained.evaluate(dev)
    return float(found.chunks.f1 if task == "chunk" else found.uas if task == "eisner" else found.las)


def corpus(task: str, data: Path, scratch: Path) -> tuple[Path, Path]:
    """Return the training and the development data."""
    train = next(data.glob(_FILES[task]))
    if task == "beam":
        return train, next(data.glob("ewt/*dev.conllu*"))
    with lzma.open(train, "rt", encoding="utf-8") as file:
        sentences = file.read().strip("\n").split("\n\n")
    parts = scratch / "train", scratch / "dev"
    for part, path in enumerate(parts):
        chosen = (text for k, text in enumerate(sentences) if (k % 10 == 9) == part)
        path.write_text("".join(f"{text}\n\n" for text in chosen), encoding="utf-8")
    return parts


def best(gammas: Iterable[float], train: Callable[[float], dict[str, Any]]) -> dict[str, Any]:
    """Return the figures of the gamma whose score is highest, and the scores of all."""
    tried = {gamma: train(gamma) for gamma in gammas}
    gamma = max(tried, key=lambda gamma: tried[gamma]["score"])
    return {"gamma": gamma, **tried[gamma], "scores": {f"{g:g}": found["score"] for g, found in tried.items()}}


def compared(task: str, update: str, given: argparse.Namespace, train: Path, dev: Path) -> dict[str, Any]:
    """Return the row of a task and an update."""
    row: dict[str, Any] = {"name": f"{_NAMES[task]}: {update}", "task": task, "update": update}
    for cost in ("hamming", "constant"):

        def trained(gamma: float, cost: str = cost) -> dict[str, Any]:
            scores, features, began = [], 0, time.process_time()
            for seed in range(1, given.seeds + 1):
                fitted = model(task, given, update=update, cost=cost, gamma=gamma, seed=seed).fit(train)
                features = sum(table.packed.features for table in fitted.model_.tables)
                scores.append(score(task, fitted, dev))
            seconds = (time.process_time() - began) / given.seeds
            found = {"score": mean(scores), "spread": max(scores) - min(scores), "features": features, "cpu_s": seconds}
            print(task, update, cost, gamma, found, file=sys.stderr, flush=True)
            return found

        gammas = given.gammas if update == "margin" else given.gammas_pa
        row |= {f"{cost}_{name}": figure for name, figure in best(gammas, trained).items()}
    row["gain"] = row["constant_score"] - row["hamming_score"]
    return row


def _numbers(text: str) -> list[float]:
    return [float(number) for number in text.split(",")]


_COLUMNS = {
    "hamming": ("hamming_score", ".2f"),
    "gamma": ("hamming_gamma", "g"),
    "features": ("hamming_features", ",d"),
    "CPU s": ("hamming_cpu_s", ".1f"),
    "constant": ("constant_score", ".2f"),
    "its gamma": ("constant_gamma", "g"),
    "its features": ("constant_features", ",d"),
    "its CPU s": ("constant_cpu_s", ".1f"),
    "gain": ("gain", "+.2f"),
}


def main() -> None:
    """Print the rows, and write them."""
    parser = command_line(__doc__)
    parser.add_argument("--task", default="chunk,eisner,beam", metavar="TASK,...")
    parser.add_argument("--gammas", type=_numbers, default=[10.0, 30.0, 100.0], metavar="G,...")
    parser.add_argument("--gammas-pa", type=_numbers, default=[1.0, 10.0, 100.0], metavar="G,...")
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--beam", type=int, default=8)
    given = parser.parse_args()
    data = given.data or os.environ.get("SAPWOOD_DATA")
    if not data:
        sys.exit("the corpora are needed: name their folder, --data DIR")
    rows = []
    for task in given.task.split(","):
        with tempfile.TemporaryDirectory() as scratch:
            train, dev = corpus(task, Path(data), Path(scratch))
            rows += [compared(task, update, given, train, dev) for update in ("margin", "pa")]
    print_rows(rows, _COLUMNS)
    if given.json is not None:
        write_rows(given.json, rows)


if __name__ == "__main__":
    main()
