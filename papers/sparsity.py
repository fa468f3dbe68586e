"""Accuracy against size: the sparse averaged perceptron beside pruning of rare features and two L1 penalties.

Every method learns from the same rows in the same order, with ten passes; one of its options makes it sparser step by
step. Scikit-learn's learners have no option that does this, so the table has one row for each of them. Accuracies are
medians of five seeds.
"""

from collections.abc import Sequence
from itertools import pairwise
from math import log

from measure.report import SEEDS, Data, OnStart, Options, Report, Row, by_corpus
from papers import sentiment, wsd
from papers.classification import (
    FOLDS,
    Problem,
    Result,
    baselines,
    numbered_folds,
    ours,
    review_problem,
    run_folds,
    sense_problem,
)
from sapwood.base.drawing.figure import label_axes, save_figure
from sapwood.metrics.labels import table
from sapwood.training.cross_validation import stratified_folds

_SHOWN = 12  # percentage points below the best accuracy that the figure shows
_PLAIN: Options = {"update": "perceptron", "min_updates": 1}

# Name -> the option that makes it sparser, its values, the other options.
METHODS: dict[str, tuple[str, tuple[float, ...], Options]] = {
    "SAP": ("min_updates", (1, 2, 3, 5, 8, 12, 20, 30, 50), {"update": "perceptron"}),
    "SAP, margin": ("min_updates", (1, 2, 3, 5, 8, 12, 20, 30, 50), {"update": "margin"}),
    "pruning": ("prune_below", (1, 2, 3, 5, 8, 12, 20, 40, 80), _PLAIN),
    "L1, cumulative penalty": ("penalty", (0.1, 0.3, 1, 3, 10, 30, 100), {"update": "l1-cumulative"}),
    "L1, truncated gradient": ("penalty", (0.1, 0.3, 1, 3, 10, 30, 100), {"update": "truncated-gradient"}),
}


def run(data: Data, on_start: OnStart) -> Report:
    """Return the tables as text, and their rows. Raises DataError if a corpus is not there."""
    senses, reviews = sense_problem(data), review_problem(data)
    experiments = [
        (senses, stratified_folds(senses.data.gold, FOLDS, 1), 0.3, wsd.STRENGTHS),
        (reviews, numbered_folds(reviews.data.gold, FOLDS), 0.03, sentiment.STRENGTHS),
    ]
    lines: list[str] = []
    rows: list[Row] = []
    for problem, folds, eta, strengths in experiments:
        measured = _curves(problem, folds, eta, on_start)
        points = run_folds(problem, baselines(**strengths), [folds] * len(SEEDS), on_start)
        measured += [_row(problem, result, result.name, None, None) for result in points]
        cells = []
        for row in measured:
            option = f"{row['option']} {row['value']:g}" if row["option"] else ""
            cells.append((row["method"], option, row["accuracy"], f"{row['features']:,}"))
        lines += [f"{problem.name}, {FOLDS} folds", *table([("method", "option", "accuracy", "features"), *cells])]
        lines += ["", *verdict(measured), ""]
        rows += measured
    return Report("\n".join(lines).rstrip(), rows)


def _curves(problem: Problem, folds: list[int], eta: float, on_start: OnStart) -> list[Row]:
    rows = []
    for method, (option, values, options) in METHODS.items():
        for value in values:
            changed = {option: int(value) if option != "penalty" else float(value), "eta": eta}
            system = ours(f"{method}, {option} {value:g}", **{**options, **changed})
            [result] = run_folds(problem, [system], [folds] * len(SEEDS), on_start)
            rows.append(_row(problem, result, method, option, value))
    return rows


def _row(problem: Problem, result: Result, method: str, option: str | None, value: float | None) -> Row:
    figures = result.as_dict(problem.data.gold)
    kept = {name: figures[name] for name in ("accuracy", "accuracy_least", "accuracy_most", "features", "bytes")}
    return {"corpus": problem.name, "method": method, "option": option, "value": value, **kept}


def _points(rows: Sequence[Row], method: str) -> list[tuple[int, float]]:
    """Return the features and accuracies of a method, the fewest features first."""
    return sorted((row["features"], row["accuracy"]) for row in rows if row["method"] == method)


def verdict(rows: Sequence[Row]) -> list[str]:
    """Say at how many points of each baseline SAP's curve is on or above it, at the same number of features."""
    lines = []
    for name in ("SAP", "SAP, margin"):
        curve = _points(rows, name)
        low, high = curve[0][0], curve[-1][0]
        for baseline in ("pruning", "L1, cumulative penalty", "L1, truncated gradient"):
            points = [(n, accuracy) for n, accuracy in _points(rows, baseline) if low <= n <= high]
            above = sum(_at(curve, n) >= accuracy for n, accuracy in points)
            lines.append(
                f"{name}: on or above {baseline} at {above} of its {len(points)} sizes between {low:,} and {high:,}"
            )
    return lines


def _at(curve: Sequence[tuple[int, float]], features: int) -> float:
    """Return a curve's accuracy at a number of features, interpolated over log(features + 1)."""
    for (n1, a1), (n2, a2) in pairwise(curve):
        if n1 <= features <= n2:
            return a1 if n1 == n2 else a1 + (a2 - a1) * log((features + 1) / (n1 + 1)) / log((n2 + 1) / (n1 + 1))
    return curve[-1][1]


def draw(rows: Sequence[Row], path: str) -> None:
    """Write the figure of all corpora, .png, .svg or .pdf. Raises OptionError or DataError."""
    corpora = by_corpus(rows)
    with save_figure(path, (5.2 * len(corpora), 4.0), columns=len(corpora)) as panels:
        for axes, (corpus, here) in zip(panels, corpora.items(), strict=True):
            for method, marker in zip(METHODS, "os^vD", strict=True):
                axes.plot(*zip(*_points(here, method), strict=True), marker=marker, markersize=4, label=method)
            single = [row for row in here if row["method"] not in METHODS]
            for row, marker in zip(single, "x+*PX", strict=False):
                name = row["method"].partition(",")[0]  # without its strength, which differs between the corpora
                axes.plot(row["features"], row["accuracy"], marker, color="black", markersize=6, label=name)
            axes.set_xscale("log")
            best = max(row["accuracy"] for row in here)
            axes.set_ylim(best - _SHOWN, best + 1)
            label_axes(axes, corpus, "features with a weight that is not 0", "accuracy, %")
        panels[0].legend(fontsize=8)
