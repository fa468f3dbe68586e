"""The measuring of Tables 2 and 3: dependency parsers on the treebanks that the data folder has.

Heads are scored over all words, punctuation included. Where the treebank has relations, the parser learns them too.
Features and weights are counted in the tables that build the tree. Relations that a second stage assigns have a table
of their own, which is part of the file's bytes only. A beam parser chooses relations together with its transitions, so
there they are part of all figures.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Literal

from measure.corpora import tree_corpora
from measure.report import Data, OnStart, Options, Report, silent
from papers.table import Measured, Setting, choose, fit, report
from sapwood.tasks.parsing.model import DependencyParser

Tags = Literal["gold", "predicted", "jackknife"]

NOTE = """\
all words scored; features and weights are those of the tree, after a margin without those that are next to nothing
(drop_below); a second stage that gives relations has a table of its own, which is in the bytes only"""

PERCEPTRON: Options = {"update": "perceptron", "min_updates": 1, "drop_below": 0.0}  # the averaged perceptron
MARGIN: Options = {"update": "margin", "min_updates": 10}  # the best options here, with defaults for the rest


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
                options: Options = {"tags": tags, "epochs": epochs, "seed": seed, **setting.options}
                options |= {"tag_columns": treebank.tag_columns, "labelling": None if treebank.labelled else "none"}
                fitted = fit(DependencyParser(**options), treebank.train)
                int8, float32 = fitted.model.evaluate(treebank.test), fitted.float32.evaluate(treebank.test)
                scores = {"UAS": int8.uas} if int8.las is None else {"UAS": int8.uas, "LAS": int8.las}
                model = fitted.float32.model_
                tables = model.tables[:-1] if model.options["labelling"] == "second-stage" else model.tables
                yield fitted.row(described, setting, scores, float32.uas, tables)


def run(
    settings: Sequence[Setting], note: str, data: Data, on_start: OnStart, *, epochs: int, seed: int = 1, **chosen: Any
) -> Report:
    """Return the table as text with `note` below, and its rows. Raises OptionError or DataError."""
    return report(measure(settings, data, on_start, epochs=epochs, seed=seed, **chosen), note, epochs, seed)
