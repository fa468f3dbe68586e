"""How the rows of Tables 2 and 3 are measured: dependency parsers on the treebanks that there are.

Heads are scored over all words, punctuation included. Where the treebank has relations the parser learns them, too,
but the features and weights that are counted are those that build the tree: relations that a second stage
gives have a table of their own, which is in the file's bytes only. Beam search gives them with the transitions, so
there they are in every figure.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal

from sapwood.datasets.corpora import TreeCorpus, tree_corpora
from sapwood.experiments.table import Experiment, Row, choose, fit
from sapwood.models.parser import DependencyParser

__all__ = ["MARGIN", "NOTE", "PERCEPTRON", "Tags", "run"]

Tags = Literal["gold", "predicted", "jackknife"]

NOTE = """\
all words scored; features and weights are those of the tree, after a margin without those that are next to nothing
(--shrink); a second stage that gives relations has a table of its own, which is in the bytes only"""

# The averaged perceptron; and what is best here, with the defaults for the rest.
PERCEPTRON: dict[str, Any] = {"update": "perceptron", "min_updates": 1, "shrink": 0.0}
MARGIN: dict[str, Any] = {"update": "margin", "min_updates": 10}


def run(
    experiments: Sequence[Experiment],
    folder: str | os.PathLike[str] | None = None,
    *,
    names: list[str] | None = None,
    epochs: int = 10,
    seed: int = 1,
    on_start: Callable[[str, str], None] | None = None,
    tags: Tags = "gold",
    corpus: str | None = None,
) -> Iterator[Row]:
    """Train and score each row (or those in `names`) on each treebank (or `corpus`: "ewt" or "wsj").

    `on_start` is told the treebank with its tags, and the row's name. Raises DataError if `folder` does not have the
    treebank.
    """
    with tree_corpora(folder, corpus) as treebanks:
        for treebank in treebanks:
            described = f"{treebank.name}, {tags} tags ({', '.join(treebank.tag_columns)})"
            for experiment in choose(experiments, names):
                if on_start is not None:
                    on_start(described, experiment.name)
                yield _measure(experiment, treebank, described, tags, epochs, seed)


def _measure(experiment: Experiment, treebank: TreeCorpus, described: str, tags: Tags, epochs: int, seed: int) -> Row:
    labels = None if treebank.labelled else "none"
    options: dict[str, Any] = {"tag_columns": treebank.tag_columns, "labels": labels, "epochs": epochs, "seed": seed}
    fitted = fit(DependencyParser(tags=tags, **options, **experiment.options), treebank.train)
    report = fitted.model.evaluate(treebank.test)
    scores = {"UAS": report.uas} if report.las is None else {"UAS": report.uas, "LAS": report.las}
    model = fitted.float32.model_
    tables = model.tables[:-1] if model.options["labels"] == "second-stage" else model.tables
    return fitted.row(described, experiment, scores, fitted.float32.evaluate(treebank.test).uas, tables)
