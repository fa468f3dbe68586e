"""Table 1 of Goldberg & Elhadad (2011): multiclass classification, text chunking on CoNLL-2000.

Greedy left-to-right classification of tokens into chunk labels, ten passes: the averaged perceptron, the
same after pruning of rare features, and the sparse averaged perceptron. Below them what the paper does
not have: Viterbi search with margin updates on the same features.
"""

import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sapwood.datasets.corpora import ColumnCorpus, chunking_corpus
from sapwood.metrics import chunk_scores
from sapwood.models import load_tagger
from sapwood.tag import SequenceTagger

__all__ = ["Row", "experiments", "format_rows", "run"]

_GREEDY: dict[str, Any] = {"search": "greedy", "update": "perceptron", "min_updates": 1}
_MARGIN: dict[str, Any] = {"search": "viterbi", "update": "margin"}


@dataclass(frozen=True, slots=True)
class Paper:
    """A row of the paper's table."""

    accuracy: float
    features: int
    megabytes: float


@dataclass(frozen=True, slots=True)
class Experiment:
    """A name, the options behind it, and the paper's row if it has one."""

    name: str
    options: dict[str, Any]
    paper: Paper | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """What was measured: of the int8 model file, but features and weights before quantisation."""

    name: str
    accuracy: float  # percent of tokens
    f1: float  # percent, of chunks
    accuracy_float32: float  # of the same weights unquantised
    features: int
    weights: int
    bytes: int
    train_cpu_s: float  # file in to model file out
    paper: Paper | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return the figures for ``--json``."""
        row: dict[str, Any] = {name: getattr(self, name) for name in self.__slots__ if name != "paper"}
        if self.paper is not None:
            row.update(paper_accuracy=self.paper.accuracy, paper_features=self.paper.features)
        return row


def experiments() -> list[Experiment]:
    """Return the rows of the table: the paper's five, then Viterbi with margin."""
    return [
        Experiment("Avg. Percep", _GREEDY, Paper(96.0, 196_523, 31)),
        Experiment("pruned(5)", {**_GREEDY, "prune_below": 5}, Paper(95.9, 77_880, 13)),
        Experiment("pruned(10)", {**_GREEDY, "prune_below": 10}, Paper(95.8, 52_072, 9.0)),
        Experiment("SAP5", {**_GREEDY, "min_updates": 5}, Paper(95.9, 47_906, 8.4)),
        Experiment("SAP10", {**_GREEDY, "min_updates": 10}, Paper(95.9, 26_160, 5.0)),
        Experiment("Viterbi margin", {**_MARGIN, "min_updates": 1}),
        Experiment("Viterbi margin SAP5", {**_MARGIN, "min_updates": 5}),
        Experiment("Viterbi margin SAP10", {**_MARGIN, "min_updates": 10}),
        Experiment(
            "Viterbi margin order 2", {**_MARGIN, "min_updates": 5, "order": 2, "encoding": "iobes", "gamma": 40.0}
        ),
    ]


def run(
    folder: str | os.PathLike[str] | None = None,
    *,
    names: list[str] | None = None,
    epochs: int = 10,
    seed: int = 1,
    on_start: Callable[[str, str], None] | None = None,
) -> Iterator[Row]:
    """Train and score each row (or those in `names`); `on_start` is told the corpus and the row's name.

    Raises DataError if `folder` does not have the corpus.
    """
    with chunking_corpus(folder) as corpus, TemporaryDirectory(prefix="sapwood-") as scratch:
        for experiment in experiments():
            if names is not None and experiment.name not in names:
                continue
            if on_start is not None:
                on_start(corpus.name, experiment.name)
            yield _measure(experiment, corpus, Path(scratch, "model.sap"), epochs, seed)


def _measure(experiment: Experiment, corpus: ColumnCorpus, path: Path, epochs: int, seed: int) -> Row:
    options = {"template": "chunking", "epochs": epochs, "seed": seed, **experiment.options}
    exact = SequenceTagger(bits=32, **options).fit(corpus.train)
    started = time.process_time()
    size = SequenceTagger(bits=8, **options).fit(corpus.train).save(path)
    seconds = time.process_time() - started
    model = load_tagger(path)
    scores = chunk_scores(*model.evaluate(corpus.test)[:2])
    provenance = model.model_.provenance
    return Row(
        experiment.name,
        scores.accuracy,
        scores.f1,
        chunk_scores(*exact.evaluate(corpus.test)[:2]).accuracy,
        provenance["features_before_quantisation"],
        provenance["weights_before_quantisation"],
        size,
        seconds,
        experiment.paper,
    )


def format_rows(rows: list[Row]) -> str:
    """Return the table as aligned text, the paper's figures beside ours."""
    lines = [
        f"{'':24}{'accuracy':>9}{'F1':>7}{'float32':>9}{'features':>10}{'weights':>10}{'bytes':>11}"
        f"{'train s':>9}   | {'accuracy':>8}{'features':>10}{'MB':>6}  (paper)"
    ]
    for row in rows:
        paper = f"{row.paper.accuracy:>8.1f}{row.paper.features:>10,}{row.paper.megabytes:>6.1f}" if row.paper else ""
        lines.append(
            f"{row.name:24}{row.accuracy:>9.2f}{row.f1:>7.2f}{row.accuracy_float32:>9.2f}{row.features:>10,}"
            f"{row.weights:>10,}{row.bytes:>11,}{row.train_cpu_s:>9.2f}   | {paper}".rstrip()
        )
    return "\n".join(lines)
