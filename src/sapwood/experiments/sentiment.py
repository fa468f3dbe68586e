"""Sentiment of movie reviews (Pang & Lee 2004) by ten-fold cross-validation, beside other learners.

A review's fold is the hundreds of its number within its class. `min_updates` is chosen for each fold on the other nine:
three of them are held out in turn. The strengths of the baselines are those that were best on these very folds.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from sapwood.datasets.corpora import review_corpus
from sapwood.experiments.classification import (
    Fold,
    Problem,
    System,
    baselines,
    format_results,
    ours,
    problem_of,
    run_folds,
)

__all__ = ["STRENGTHS", "numbered_folds", "run", "systems"]

STRENGTHS = {"smoothing": 2.0, "maxent": 1.0, "svm": 0.001}  # of the baselines

_FOLDS = 10
_CHOICES = (8, 12, 20, 30)  # of min_updates: with fewer the file is above 200 KB
_INNER = 3  # folds held out to choose


def systems(problem: Problem, folds: list[int]) -> list[System]:
    """Return ours, the one that chooses its threshold first, and the baselines."""
    plain = {"update": "perceptron", "min_updates": 1}
    return [
        System("sapwood: margin, min_updates chosen", lambda p, train, test: _choosing(p, train, test, folds)),
        ours("margin", min_updates=1),
        ours("margin, SAP10", min_updates=10),
        ours("averaged perceptron", **plain),
        ours("averaged perceptron, SAP10", update="perceptron", min_updates=10),
        ours("voted perceptron", **plain, voted=True),
        ours("perceptron", **plain, average=False),
        *baselines(**STRENGTHS),
    ]


def _choosing(problem: Problem, train: list[int], test: list[int], folds: list[int]) -> Fold:
    """Train with the `min_updates` that is best within the training folds, the largest of equals."""
    gold = problem.data.gold
    inner = sorted({folds[k] for k in train})[:_INNER]
    right = dict.fromkeys(_CHOICES, 0)
    for choice in _CHOICES:
        system = ours("", min_updates=choice)
        for fold in inner:
            outside, inside = [k for k in train if folds[k] != fold], [k for k in train if folds[k] == fold]
            right[choice] += int(
                np.sum(np.equal(system.run(problem, outside, inside).guess, [gold[k] for k in inside]))
            )
    best = max(_CHOICES, key=lambda choice: (right[choice], choice))
    return ours("", min_updates=best).run(problem, train, test)


def run(data: str | None, on_start: Callable[[str, str], None]) -> tuple[str, list[dict[str, Any]]]:
    """Return the table as text, and its rows for ``--json``. Raises DataError if the corpus is not there."""
    name, examples = review_corpus(data)
    problem = problem_of(name, examples, template="text")
    gold = problem.data.gold
    folds = numbered_folds(gold, _FOLDS)
    results = run_folds(problem, systems(problem, folds), [folds], on_start)
    heading = f"{name}: {len(gold):,} reviews, word uni- and bigrams, {_FOLDS} folds; p: sign test of the first row"
    rows = [{"corpus": name, **result.as_dict(gold)} for result in results]
    return f"{heading}\n{format_results(results, gold, best=results[0])}", rows


def numbered_folds(gold: list[int], folds: int) -> list[int]:
    """Return each example's fold: its class is cut into so many parts, in order."""
    sizes = {label: gold.count(label) for label in set(gold)}
    seen = dict.fromkeys(sizes, 0)
    fold_of = []
    for label in gold:
        fold_of.append(seen[label] * folds // sizes[label])
        seen[label] += 1
    return fold_of
