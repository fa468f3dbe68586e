"""The measuring of Tables 2 and 3: dependency parsers on the treebanks that the data folder has.

Heads are scored over all words, punctuation included. Where the treebank has relations, the parser learns them too.
Features and weights are counted in the tables that build the tree. Relations that a second stage assigns have a table
of their own, which is part of the file's bytes only. A beam parser chooses relations together with its transitions, so
there they are part of all figures.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Literal

from sapwood.datasets.corpora import TreeCorpus, tree_corpora
from sapwood.experiments import Data, OnStart, Report, silent
from sapwood.experiments.table import Measured, Setting, choose, fit, report
from sapwood.models.parser import DependencyParser

Tags = Literal["gold", "predicted", "jackknife"]

NOTE = """\
all words scored; features and weights are those of the tree, after a margin without those that are next to nothing
(--shrink); a second stage that gives relations has a table of its own, which is in the bytes only"""

PERCEPTRON: dict[str, Any] = {"update": "perceptron", "min_updates": 1, "shrink": 0.0}  # the averaged perceptron
MARGIN: dict[str, Any] = {"update": "margin", "min_updates": 10}  # the best options here, with defaults for the rest


def measure(
    settings: Sequence[Setting],
    data: Data = None,
    on_start: OnStart = silent,
    *,
    only: Sequence[str] = (),
    epochs: int = 10,
    seed: int = 1,
    tags: Tags = "gold",
    corpus: str | None = None,
) -> Iterator[Measured]:
    """Yield a row for each setting (or those named in `only`) on each treebank (or `corpus`: "ewt" or "wsj").

    Raises DataError if `data` does not have the treebank.
    """
    chosen = choose(settings, only)
    with tree_corpora(data, corpus) as treebanks:
        for treebank in treebanks:
            described = f"{treebank.name}, {tags} tags ({', '.join(treebank.tag_columns)})"
            for setting in chosen:
                on_start(described, setting.name)
                yield _measure(setting, treebank, described, tags, epochs, seed)


def _measure(setting: Setting, treebank: TreeCorpus, described: str, tags: Tags, epochs: int, seed: int) -> Measured:
    labelling = None if treebank.labelled else "none"
    options: dict[str, Any] = {"tag_columns": treebank.tag_columns, "labelling": labelling}
    options |= {"epochs": epochs, "seed": seed}
    fitted = fit(DependencyParser(tags=tags, **options, **setting.options), treebank.train)
    scored = fitted.model.evaluate(treebank.test)
    scores = {"UAS": scored.uas} if scored.las is None else {"UAS": scored.uas, "LAS": scored.las}
    model = fitted.float32.model_
    tables = model.tables[:-1] if model.options["labelling"] == "second-stage" else model.tables
    return fitted.row(described, setting, scores, fitted.float32.evaluate(treebank.test).uas, tables)


def run(
    settings: Sequence[Setting],
    note: str,
    data: Data,
    on_start: OnStart,
    *,
    only: Sequence[str],
    epochs: int,
    seed: int,
    tags: Tags,
    corpus: str | None,
) -> Report:
    """Return the table as text with `note` below, and its rows. Raises OptionError or DataError."""
    measured = measure(settings, data, on_start, only=only, epochs=epochs, seed=seed, tags=tags, corpus=corpus)
    return report(measured, note, epochs, seed)
