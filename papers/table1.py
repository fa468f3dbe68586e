"""Table 1 of Goldberg & Elhadad (2011): multiclass classification, text chunking on CoNLL-2000.

Tokens are classified into chunk labels greedily, from left to right, with ten passes of training: by the averaged
perceptron, by the same after rare features are pruned, and by the sparse averaged perceptron. First with the features
that the paper names, then with those of the template `chunking`, which has suffixes and shapes, too. The last rows are
not in the paper: Viterbi search with margin updates on the latter.
"""

from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from statistics import mean

from measure.corpora import chunking_corpus
from measure.report import Data, OnStart, Options, Report, Row, silent
from papers.table import Fitted, Measured, Paper, Setting, choose, fit, report
from sapwood.metrics import chunk_scores
from sapwood.metrics.labels import table
from sapwood.metrics.significance import shown_p, sign_test
from sapwood.tasks.tagging.model import SequenceTagger

_GREEDY: Options = {"search": "greedy", "update": "perceptron", "min_updates": 1}
_MARGIN: Options = {"template": "chunking", "search": "viterbi", "update": "margin"}
_LEARNERS: dict[str, tuple[Options, Paper]] = {
    "Avg. Percep": ({}, Paper(96.0, 196_523, 31)),
    "pruned(5)": ({"prune_below": 5}, Paper(95.9, 77_880, 13)),
    "pruned(10)": ({"prune_below": 10}, Paper(95.8, 52_072, 9.0)),
    "SAP5": ({"min_updates": 5}, Paper(95.9, 47_906, 8.4)),
    "SAP10": ({"min_updates": 10}, Paper(95.9, 26_160, 5.0)),
}
_OURS = "chunking: "  # before the names of rows with our features

SETTINGS = (
    *(
        Setting(name, {**_GREEDY, "template": "chunking-2011", **options}, paper)
        for name, (options, paper) in _LEARNERS.items()
    ),
    *(
        Setting(_OURS + name, {**_GREEDY, "template": "chunking", **options})
        for name, (options, _) in _LEARNERS.items()
    ),
    Setting("Viterbi margin", {**_MARGIN, "min_updates": 1}),
    Setting("Viterbi margin SAP5", {**_MARGIN, "min_updates": 5}),
    Setting("Viterbi margin SAP10", {**_MARGIN, "min_updates": 10}),
    Setting("Viterbi margin order 2", {**_MARGIN, "min_updates": 5, "order": 2, "encoding": "iobes", "gamma": 40.0}),
)


def measure(
    data: Data = None, on_start: OnStart = silent, *, only: Sequence[str] = (), epochs: int = 10, seed: int = 1
) -> Iterator[Measured]:
    """Yield the rows of the table, or those named in `only`. Raises DataError if `data` does not have the corpus."""
    chosen = choose(SETTINGS, only)
    with chunking_corpus(data) as corpus:
        for setting in chosen:
            on_start(corpus.name, setting.name)
            fitted = _fit(setting, corpus.train, epochs, seed)
            evaluated = (m.evaluate(corpus.test) for m in (fitted.model, fitted.float32))
            int8, float32 = (chunk_scores(each.gold, each.guess) for each in evaluated)
            scores = {"accuracy": int8.accuracy, "F1": int8.f1}
            yield fitted.row(corpus.name, setting, scores, float32.accuracy, fitted.float32.model_.tables)


def over_seeds(
    data: Data = None, on_start: OnStart = silent, *, only: Sequence[str] = (), epochs: int = 10, seeds: int
) -> list[Row]:
    """Return the rows with the seeds 1 to `seeds`: the mean accuracy, the least and the most, and the mean features.

    p is of the sign test of SAP10 with the same features and search against the row, over the tokens that the two label
    right in unequally many of their trainings.
    """
    chosen = choose(SETTINGS, only)
    rows: list[Row] = []
    right: dict[str, list[int]] = {}  # how many trainings label each token right
    with chunking_corpus(data) as corpus:
        for setting in chosen:
            answers, features = [], []
            for seed in range(1, seeds + 1):
                on_start(corpus.name, f"{setting.name}, seed {seed}")
                fitted = _fit(setting, corpus.train, epochs, seed)
                each = fitted.model.evaluate(corpus.test)
                answers.append(list(map(str.__eq__, chain(*each.gold), chain(*each.guess))))
                features.append(sum(table.packed.features for table in fitted.float32.model_.tables))
            right[setting.name] = list(map(sum, zip(*answers, strict=True)))
            accuracies = [100 * mean(answer) for answer in answers]
            row: Row = {"corpus": corpus.name, "name": setting.name, "accuracy": mean(accuracies)}
            row |= {"least": min(accuracies), "most": max(accuracies), "accuracies": accuracies}
            rows.append(row | {"features": round(mean(features))})
    sparse = {_kind(setting): setting.name for setting in chosen if setting.options["min_updates"] == 10}
    for setting, row in zip(chosen, rows, strict=True):
        if (other := sparse.get(_kind(setting), setting.name)) != setting.name:
            pairs = list(zip(right[other], right[setting.name], strict=True))
            row["p"] = sign_test(sum(a > b for a, b in pairs), sum(a < b for a, b in pairs))
    return rows


def _kind(setting: Setting) -> tuple[str, str]:
    return setting.options["template"], setting.options["search"]


def _fit(setting: Setting, train: Path, epochs: int, seed: int) -> Fitted[SequenceTagger]:
    return fit(SequenceTagger(epochs=epochs, seed=seed, **setting.options), train)


def run(data: Data, on_start: OnStart, *, only: Sequence[str], epochs: int, seeds: int = 1) -> Report:
    """Return the table as text, and its rows. Raises OptionError or DataError."""
    if seeds == 1:
        return report(measure(data, on_start, only=only, epochs=epochs), "", epochs, 1)
    rows = over_seeds(data, on_start, only=only, epochs=epochs, seeds=seeds)
    cells: list[list[object]] = [["", "accuracy", "least", "most", "features", "p"]]
    for row in rows:
        p = shown_p(row["p"]) if "p" in row else ""
        cells.append([row["name"], row["accuracy"], row["least"], row["most"], f"{row['features']:,}", p])
    title = f"{rows[0]['corpus']}, {epochs} passes, seeds 1 to {seeds}; p: sign test beside SAP10"
    return Report("\n".join(line.rstrip() for line in [title, *table(cells)]), rows)
