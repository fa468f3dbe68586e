"""How stable vanilla, voted and averaged perceptrons are: held-out error over passes, after many shuffles of the data.

As in the figure of Freund & Schapire (1999): a run presents the same training examples in its own order, in each pass
the same, and is scored after parts of the first pass and after each whole one.

The three make the same updates, so a run trains once and scores in three ways. It works on the products of the
examples alone (the dual form), K[i, j] = x_i . x_j: an update on x_i raises the score w . x_j of each example, to train
on or held out, by y_i K[i, j]. So the voted perceptron, whose weights would take O(U d), costs no more than the others;
its errors are those of `sapwood.lab.VotedImproved`.
"""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sapwood.datasets.corpora import data_folder, review_corpus, sense_corpus
from sapwood.errors import DataError
from sapwood.experiments.linear import linear_problem
from sapwood.lab import Examples
from sapwood.models.classifier import Classifier
from sapwood.models.classifier_training import begin
from sapwood.models.labelled_rows import labelled

__all__ = ["METHODS", "Problem", "Score", "find_problem", "format_scores", "generated_problem", "products", "run"]

METHODS = ("vanilla", "voted", "averaged")

_PARTS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)  # of the first pass
_HELD_OUT = 5  # every fifth example

Matrix = NDArray[np.float64]


class Problem(NamedTuple):
    """Examples of two classes, those that are held out last."""

    name: str
    X: Examples
    y: NDArray[np.int64]  # [examples] -1 or 1
    train: int  # examples to learn from


@dataclass(frozen=True, slots=True)
class Score:
    """The held-out errors of one method after some passes, in percent, one a shuffle."""

    method: str
    passes: float
    errors: NDArray[np.float64]  # [shuffles]

    def as_dict(self) -> dict[str, Any]:
        """Return the figures for ``--json``."""
        least, lower, middle, upper, most = np.quantile(self.errors, (0, 0.25, 0.5, 0.75, 1)).tolist()
        quartiles = {"lower_quartile": lower, "median": middle, "upper_quartile": upper}
        figures = {"mean": float(self.errors.mean()), "least": least, **quartiles, "most": most}
        rounded = {name: round(figure, 4) for name, figure in figures.items()}
        return {"name": self.method, "passes": self.passes, "shuffles": len(self.errors), **rounded}


def find_problem(folder: str | os.PathLike[str] | None, corpus: str) -> Problem:
    """Return "reviews" or "interest" (its most frequent sense against the rest) from `folder` or SAPWOOD_DATA.

    Without a folder, a generated problem. Every fifth example is held out. Raises DataError if the folder has no such
    corpus.
    """
    if data_folder(folder) is None:
        return generated_problem()
    name, data = review_corpus(folder) if corpus == "reviews" else sense_corpus(folder)
    classifier = Classifier(template="text" if corpus == "reviews" else "wsd")
    rows, gold, labels = labelled(data, begin(classifier, data))
    starts, columns, values, d = rows.to_csr()
    examples = [(columns[start:end], values[start:end]) for start, end in pairwise(starts)]
    first = int(np.bincount(gold).argmax())
    name = name if len(labels) == 2 else f"{name}, {labels[first]} or not"
    return _split(name, examples, d, np.where(np.array(gold) == first, 1, -1))


def generated_problem(examples: int = 2500, d: int = 100) -> Problem:
    """Return a problem that no weights separate: of a fifth of the labels half are wrong, held out ones, too."""
    X, y = linear_problem(examples, d, 10, noise=0.2, seed=1)
    return _split("generated problem", X.rows, d, np.array(y))


def _split(name: str, rows: Sequence[Any], d: int, y: NDArray[np.int64]) -> Problem:
    if len(rows) < _HELD_OUT:
        raise DataError(f"{name}: there are too few examples to hold out every fifth")
    held = np.arange(len(rows)) % _HELD_OUT == _HELD_OUT - 1
    order = np.argsort(held, kind="stable")
    return Problem(name, Examples([tuple(rows[k]) for k in order], d), y[order], int((~held).sum()))


def run(problem: Problem, *, shuffles: int = 20, epochs: int = 10, seed: int = 1) -> list[Score]:
    """Return the scores of each method after each part and pass, over that many shuffles."""
    n = problem.train
    passes = [*_PARTS, *range(1, epochs + 1)]
    K = products(problem.X, n)
    random = np.random.default_rng(seed)
    errors = np.array([list(_run(K, problem.y, random.permutation(n), passes)) for _ in range(shuffles)])
    return [Score(m, p, errors[:, k, j]) for j, m in enumerate(METHODS) for k, p in enumerate(passes)]


def _run(K: Matrix, y: NDArray[np.int64], order: NDArray[np.int64], passes: Sequence[float]) -> Iterator[list[float]]:
    """Yield the held-out errors of the three methods after each of `passes`."""
    n = len(order)
    scores = np.zeros(K.shape[1])  # of all examples by the current weights
    held = scores[n:]
    guesses = np.full(len(held), -1)
    votes, sums = np.zeros(len(held)), np.zeros(len(held))
    stops = {round(n * part) for part in passes}
    for presented in range(1, max(stops) + 1):
        i = order[(presented - 1) % n]
        if (1 if scores[i] > 0 else -1) != y[i]:
            scores += y[i] * K[i]
            guesses = np.where(held > 0, 1, -1)
        votes += guesses
        sums += held
        if presented in stops:
            yield [100 * float(np.mean(np.where(score > 0, 1, -1) != y[n:])) for score in (held, votes, sums)]


def products(X: Examples, n: int) -> Matrix:
    """Return K [n, examples], the dot products of the first n examples with all."""
    rows = np.repeat(np.arange(len(X)), [len(x.indices) for x in X])
    indices, values = np.concatenate([x.indices for x in X]), np.concatenate([x.values for x in X])
    by_feature = np.argsort(indices, kind="stable")
    rows, values = rows[by_feature], values[by_feature]
    frequency = np.bincount(indices, minlength=X.d)  # [d] examples that have the feature
    ends = np.cumsum(frequency)  # [d] of their rows and values
    K = np.empty((n, len(X)))
    for k, x in enumerate(X.rows[:n]):
        counts = frequency[x.indices]
        last = np.cumsum(counts)
        at = np.arange(last[-1] if len(last) else 0) + np.repeat(ends[x.indices] - last, counts)
        K[k] = np.bincount(rows[at], values[at] * np.repeat(x.values, counts), len(X))
    return K


def format_scores(scores: Sequence[Score], passes: Sequence[float] = (0.1, 0.5, 1, 2, 3, 5, 10, 20, 30)) -> str:
    """Return the errors as aligned text: mean, and least to most, of each method after some passes."""
    lines = [f"{'passes':>7}{''.join(f'{method:>24}' for method in METHODS)}"]
    last = max(score.passes for score in scores)
    for p in sorted({*(p for p in passes if p < last), last}):
        cells = ""
        for score in scores:
            if score.passes == p:
                spread = f"({score.errors.min():.1f} to {score.errors.max():.1f})"
                cells += f"{score.errors.mean():>9.2f} {spread:>14}"
        lines.append(f"{p:>7g}{cells}")
    return "\n".join(lines)
