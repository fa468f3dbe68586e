"""The stability of vanilla, voted and averaged perceptrons: held-out error over passes, for many shuffles of the data.

This is the figure of Freund & Schapire (1999). A run presents the training examples in an order of its own, the same
in every pass, and is scored several times during the first pass and after each whole one.

The three methods make the same updates, so a run trains once and scores in three ways. It needs only the products of
the examples (the dual form), K[i, j] = x_i . x_j: an update on x_i raises the score w . x_j of every example, in
training or held out, by y_i K[i, j]. So the voted perceptron, whose weights would take O(U d), costs as much as the
others. Its errors are those of `sapwood_lab.VotedImproved`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from measure.corpora import data_folder
from measure.report import Data, OnStart, Report, Row
from papers.classification import review_problem, sense_problem
from sapwood.base.drawing.figure import label_axes, log_ticks, save_figure
from sapwood.errors import DataError
from sapwood.metrics.labels import table
from sapwood_lab import Examples
from sapwood_lab.binary.problems import linear_problem

METHODS = ("vanilla", "voted", "averaged")

_PARTS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)  # of the first pass
_PRINTED = (0.1, 0.5, 1, 2, 3, 5, 10, 20, 30)  # passes in the table, besides the last one
_HELD_OUT = 5  # every fifth example

Matrix = NDArray[np.float64]


class Problem(NamedTuple):
    """Examples of two classes; the held-out ones come last."""

    name: str
    X: Examples
    y: NDArray[np.int64]  # [examples] -1 or 1
    train: int  # examples to learn from


@dataclass(frozen=True, slots=True)
class Score:
    """The held-out errors of one method after some passes."""

    method: str
    passes: float
    errors: NDArray[np.float64]  # [shuffles] in percent

    def as_dict(self) -> Row:
        """Return the figures for ``--json``."""
        least, lower, middle, upper, most = np.quantile(self.errors, (0, 0.25, 0.5, 0.75, 1)).tolist()
        quartiles = {"lower_quartile": lower, "median": middle, "upper_quartile": upper}
        figures = {"mean": float(self.errors.mean()), "least": least, **quartiles, "most": most}
        rounded = {name: round(figure, 4) for name, figure in figures.items()}
        return {"name": self.method, "passes": self.passes, "shuffles": len(self.errors), **rounded}


def find_problem(data: Data, corpus: str) -> Problem:
    """Return "reviews", or "interest" as its most frequent sense against the others; a generated problem without data.

    Every fifth example is held out. Raises DataError if the corpus is not there.
    """
    if data_folder(data) is None:
        return generated_problem()
    found = review_problem(data) if corpus == "reviews" else sense_problem(data)
    rows, gold, labels, *_ = found.data
    starts, columns, values, d = rows.to_csr()
    examples = [(columns[start:end], values[start:end]) for start, end in pairwise(starts)]
    first = int(np.bincount(gold).argmax())
    name = found.name if len(labels) == 2 else f"{found.name}, {labels[first]} or not"
    return _split(name, Examples(examples, d), np.where(np.array(gold) == first, 1, -1))


def generated_problem(examples: int = 2500, d: int = 100) -> Problem:
    """Return a problem that no weights separate: a tenth of the labels is wrong, held-out ones included."""
    X, y = linear_problem(examples, d, 10, noise=0.2, seed=1)
    return _split("generated problem", X, np.array(y))


def _split(name: str, X: Examples, y: NDArray[np.int64]) -> Problem:
    if len(X) < _HELD_OUT:
        raise DataError(f"{name}: there are too few examples to hold out every fifth")
    held = np.arange(len(X)) % _HELD_OUT == _HELD_OUT - 1
    order = np.argsort(held, kind="stable")
    return Problem(name, Examples([X.rows[k] for k in order], X.d), y[order], int((~held).sum()))


def measure(problem: Problem, *, shuffles: int = 20, epochs: int = 10, seed: int = 1) -> list[Score]:
    """Return the scores of each method after each part of the first pass and after each pass, over many shuffles."""
    n = problem.train
    passes = [*_PARTS, *range(1, epochs + 1)]
    K = products(problem.X, n)
    random = np.random.default_rng(seed)
    errors = np.array([list(_run(K, problem.y, random.permutation(n), passes)) for _ in range(shuffles)])
    return [Score(m, p, errors[:, k, j]) for j, m in enumerate(METHODS) for k, p in enumerate(passes)]


def _run(K: Matrix, y: NDArray[np.int64], order: NDArray[np.int64], passes: Sequence[float]) -> Iterator[list[float]]:
    """Yield the held-out errors of the three methods after each of `passes`."""
    n = len(order)
    scores = np.zeros(K.shape[1])  # [examples] by the current weights
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


def run(data: Data, on_start: OnStart, *, corpus: str, epochs: int, shuffles: int, seed: int = 1) -> Report:
    """Return the errors as text, and the rows of all passes. Raises DataError if the corpus is not there."""
    problem = find_problem(data, corpus)
    on_start(problem.name, f"{shuffles} shuffles")
    scores = measure(problem, shuffles=shuffles, epochs=epochs, seed=seed)
    examples = {"examples": problem.train, "held_out": len(problem.X) - problem.train}
    rows: list[Row] = [{"corpus": problem.name, **examples, **score.as_dict()} for score in scores]
    title = f"{_title(rows)}, {problem.X.d:,} features, seed {seed}; held-out error in %, its mean (least to most)"
    return Report("\n".join([title, *_table(scores)]), rows)


def _title(rows: Sequence[Row]) -> str:
    row = rows[0]
    return f"{row['corpus']}: {row['examples']:,} examples, {row['held_out']:,} held out, {row['shuffles']} shuffles"


def _table(scores: Sequence[Score]) -> list[str]:
    last = max(score.passes for score in scores)
    lines: dict[float, list[object]] = {p: [f"{p:g}"] for p in (*(p for p in _PRINTED if p < last), last)}
    for score in scores:
        if score.passes in lines:
            spread = f"({score.errors.min():.1f} to {score.errors.max():.1f})"
            lines[score.passes].append(f"{score.errors.mean():.2f} {spread:>14}")
    return table([["passes", *METHODS], *lines.values()])


def draw(rows: Sequence[Row], path: str) -> None:
    """Write the figure, .png, .svg or .pdf: each method's mean error over passes as a line, least to most as a band.

    Raises OptionError or DataError.
    """
    styles = (("#8a8a8a", "-"), ("#b5482a", "-"), ("#1f5f8b", (0, (4, 2))))
    with save_figure(path, (7.2, 4.6)) as [axes]:
        for method, (colour, dashes) in zip(METHODS, styles, strict=True):
            curve = [row for row in rows if row["name"] == method]
            passes, means, least, most = ([row[key] for row in curve] for key in ("passes", "mean", "least", "most"))
            axes.plot(passes, means, color=colour, linestyle=dashes, linewidth=1.6, label=method)
            axes.fill_between(passes, least, most, color=colour, alpha=0.18, linewidth=0)
        log_ticks(axes, [t for t in (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100) if t <= passes[-1]], "g")
        axes.set_xlim(passes[0], passes[-1])
        axes.set_ylim(bottom=0)
        label_axes(axes, _title(rows), "passes over the training examples", "held-out error in %: mean, least to most")
        axes.legend(frameon=False)
