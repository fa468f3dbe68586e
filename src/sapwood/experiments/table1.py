"""Table 1 of Goldberg & Elhadad (2011): multiclass classification, text chunking on CoNLL-2000.

Greedy left-to-right classification of tokens into chunk labels, ten passes: the averaged perceptron, the
same after pruning of rare features, and the sparse averaged perceptron. Below them what the paper does
not have: Viterbi search with margin updates on the same features.
"""

import os
from collections.abc import Callable, Iterator
from typing import Any

from sapwood.datasets.corpora import ColumnCorpus, chunking_corpus
from sapwood.experiments.table import Experiment, Paper, Row, choose, fit
from sapwood.metrics import chunk_scores
from sapwood.models.tagger import SequenceTagger

__all__ = ["NOTE", "experiments", "run"]

NOTE = ""

_GREEDY: dict[str, Any] = {"search": "greedy", "update": "perceptron", "min_updates": 1}
_MARGIN: dict[str, Any] = {"search": "viterbi", "update": "margin"}


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
    with chunking_corpus(folder) as corpus:
        for experiment in choose(experiments(), names):
            if on_start is not None:
                on_start(corpus.name, experiment.name)
            yield _measure(experiment, corpus, epochs, seed)


def _measure(experiment: Experiment, corpus: ColumnCorpus, epochs: int, seed: int) -> Row:
    tagger = SequenceTagger(template="chunking", epochs=epochs, seed=seed, **experiment.options)
    fitted = fit(tagger, corpus.train)
    scores = chunk_scores(*fitted.model.evaluate(corpus.test)[:2])
    float32 = chunk_scores(*fitted.float32.evaluate(corpus.test)[:2]).accuracy
    tables = fitted.float32.model_.tables
    return fitted.row(corpus.name, experiment, {"accuracy": scores.accuracy, "F1": scores.f1}, float32, tables)
