"""Accuracy against size: the sparse averaged perceptron beside rare-feature pruning and two L1 penalties.

Every method learns from the same rows, ten passes, in the same order; one of its options makes it sparser step by step.
Of scikit-learn's learners, which have no such option, there is one model each.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise
from math import log
from typing import Any

from sapwood.datasets.corpora import review_corpus, sense_corpus
from sapwood.experiments import sentiment, wsd
from sapwood.experiments.classification import Problem, Result, baselines, ours, problem_of, run_folds
from sapwood.learning.cross_validation import stratified_folds
from sapwood.metrics.labels import table

__all__ = ["METHODS", "draw", "run", "verdict"]

_FOLDS = 10
_SHOWN = 12  # points below the best that the figure shows
_PLAIN: dict[str, Any] = {"update": "perceptron", "min_updates": 1}

# Name -> the option that makes it sparser, its values, the other options.
METHODS: dict[str, tuple[str, tuple[float, ...], dict[str, Any]]] = {
    "SAP": ("min_updates", (1, 2, 3, 5, 8, 12, 20, 30, 50), {"update": "perceptron"}),
    "SAP, margin": ("min_updates", (1, 2, 3, 5, 8, 12, 20, 30, 50), {"update": "margin"}),
    "pruning": ("prune_below", (1, 2, 3, 5, 8, 12, 20, 40, 80), _PLAIN),
    "L1, cumulative penalty": ("penalty", (0.1, 0.3, 1, 3, 10, 30, 100), {"update": "l1-cumulative"}),
    "L1, truncated gradient": ("penalty", (0.1, 0.3, 1, 3, 10, 30, 100), {"update": "truncated-gradient"}),
}


def run(data: str | None, on_start: Callable[[str, str], None]) -> tuple[str, list[dict[str, Any]]]:
    """Return the tables as text, and their rows for ``--json``. Raises DataError if a corpus is not there."""
    lines: list[str] = []
    rows: list[dict[str, Any]] = []
    reviews, senses = review_corpus(data), sense_corpus(data)
    of_senses, of_reviews = problem_of(*senses, template="wsd"), problem_of(*reviews, template="text")
    experiments = [
        (of_senses, stratified_folds(of_senses.data.gold, _FOLDS, 1), 0.3, wsd.STRENGTHS),
        (of_reviews, sentiment.numbered_folds(of_reviews.data.gold, _FOLDS), 0.03, sentiment.STRENGTHS),
    ]
    for problem, folds, eta, strengths in experiments:
        measured = _curves(problem, folds, eta, on_start) + _points(problem, folds, strengths, on_start)
        columns = ("method", "option", "accuracy", "features")
        shown = [
            [
                row["method"],
                f"{row['option']} {row['value']:g}" if row["option"] else "",
                row["accuracy"],
                f"{row['features']:,}",
            ]
            for row in measured
        ]
        lines += [f"{problem.name}, {_FOLDS} folds", *table([columns, *shown]), "", *verdict(measured), ""]
        rows += measured
    return "\n".join(lines).rstrip(), rows


def _curves(
    problem: Problem, folds: list[int], eta: float, on_start: Callable[[str, str], None]
) -> list[dict[str, Any]]:
    rows = []
    for method, (option, values, options) in METHODS.items():
        for value in values:
            changed = {option: int(value) if option != "penalty" else float(value), "eta": eta}
            system = ours(f"{method}, {option} {value:g}", **{**options, **changed})
            [result] = run_folds(problem, [system], [folds], on_start)
            rows.append(_row(problem, result, method, option, value))
    return rows


def _points(
    problem: Problem, folds: list[int], strengths: dict[str, float], on_start: Callable[[str, str], None]
) -> list[dict[str, Any]]:
    results = run_folds(problem, baselines(**strengths), [folds], on_start)
    return [_row(problem, result, result.name, None, None) for result in results]


def _row(problem: Problem, result: Result, method: str, option: str | None, value: float | None) -> dict[str, Any]:
    figures = result.as_dict(problem.data.gold)
    kept = {name: figures[name] for name in ("accuracy", "features", "bytes")}
    return {"corpus": problem.name, "method": method, "option": option, "value": value, **kept}


def verdict(rows: Sequence[dict[str, Any]]) -> list[str]:
    """Say at how many of each rival's points SAP's curve is on or above it, at the same number of features."""
    curves = {
        method: sorted((r["features"], r["accuracy"]) for r in rows if r["method"] == method) for method in METHODS
    }
    lines = []
    for ours_name in ("SAP", "SAP, margin"):
        for rival in ("pruning", "L1, cumulative penalty", "L1, truncated gradient"):
            low, high = curves[ours_name][0][0], curves[ours_name][-1][0]
            points = [(n, accuracy) for n, accuracy in curves[rival] if low <= n <= high]
            above = sum(_at(curves[ours_name], n) >= accuracy for n, accuracy in points)
            lines.append(
                f"{ours_name}: on or above {rival} at {above} of its {len(points)} sizes between {low:,} and {high:,}"
            )
    return lines


def _at(curve: Sequence[tuple[int, float]], features: int) -> float:
    """Return a curve's accuracy at a number of features, between its points by the logarithm of the number and 1."""
    for (n1, a1), (n2, a2) in pairwise(curve):
        if n1 <= features <= n2:
            return a1 if n1 == n2 else a1 + (a2 - a1) * log((features + 1) / (n1 + 1)) / log((n2 + 1) / (n1 + 1))
    return curve[-1][1]


def draw(rows: Sequence[dict[str, Any]], path: str) -> None:
    """Write the figure of all corpora, .png or .svg. Raises OptionError or DataError."""
    from sapwood.draw.figure import save_figure

    corpora = list(dict.fromkeys(row["corpus"] for row in rows))
    with save_figure(path, (5.2 * len(corpora), 4.0), columns=len(corpora)) as panels:
        for axes, corpus in zip(panels, corpora, strict=True):
            for method, marker in zip(METHODS, "os^vD", strict=True):
                points = sorted(
                    (r["features"], r["accuracy"]) for r in rows if (r["corpus"], r["method"]) == (corpus, method)
                )
                axes.plot(*zip(*points, strict=True), marker=marker, markersize=4, label=method)
            single = [row for row in rows if row["corpus"] == corpus and row["method"] not in METHODS]
            for row, marker in zip(single, "x+*P", strict=True):
                name = row["method"].partition(",")[0]  # without its strength, which differs between the corpora
                axes.plot(row["features"], row["accuracy"], marker, color="black", markersize=6, label=name)
            axes.set_xscale("log")
            best = max(row["accuracy"] for row in rows if row["corpus"] == corpus)
            axes.set_ylim(best - _SHOWN, best + 1)
            axes.set_title(corpus)
            axes.set_xlabel("features with a weight that is not 0")
            axes.set_ylabel("accuracy, %")
            axes.grid(alpha=0.3)
        panels[0].legend(fontsize=8)
