"""Problems that some weights separate, and perceptrons that learn them in many orders at once.

As in `stability`, only the products of the examples are needed, K[i, j] = x_i . x_j. An update on x_i raises the score
w . x_j of every example by y_i K[i, j]. With w = sum of alpha_i x_i, |w|^2 is the sum of alpha_i (w . x_i). So the
smallest margin, min y (w . x) / |w|, follows from scores and alpha alone, for the average and for the SVM as for w.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from measure.report import Data
from papers.stability import find_problem, products
from sapwood_lab import Examples

Matrix = NDArray[np.float64]
Labels = NDArray[np.int64]


class Separable(NamedTuple):
    """Examples of two classes, and weights that are known to separate them."""

    name: str
    X: Examples
    y: Labels  # [examples] -1 or 1
    truth: Matrix  # [d] of length 1 or, where none are known, 0

    @property
    def K(self) -> Matrix:
        """The products of the examples."""
        return products(self.X, len(self.X))


def chosen(X: Examples, numbers: Iterable[int]) -> Examples:
    """Return some of the examples."""
    return Examples([(X.rows[k].indices, X.rows[k].values) for k in numbers], X.d)


class Course(NamedTuple):
    """What three perceptrons have learned after some passes, for each order of the examples."""

    passes: int
    vanilla: Matrix  # [orders] the smallest y (w . x) / |w|, 0 where w is 0
    averaged: Matrix  # [orders] the same of the average
    voted: Matrix  # [orders] the smallest share of the votes that are for the right side


def generated(name: str, n: int, d: int, margin: float, seed: int, nonzero: int | None = None) -> Separable:
    """Return n random examples that lie at least `margin` from the plane w . x = 0 of some random weights.

    Examples have d numbers and length 1; or d binary features, of which `nonzero` are 1.
    """
    random = np.random.default_rng(seed)
    truth = random.standard_normal(d)
    truth /= np.linalg.norm(truth)
    rows: list[tuple[NDArray[np.int64], Matrix]] = []
    y: list[int] = []
    while len(rows) < n:
        if nonzero is None:
            indices, values = np.arange(d), random.standard_normal(d)
            values /= np.linalg.norm(values)
        else:
            indices, values = np.sort(random.choice(d, nonzero, replace=False)), np.ones(nonzero)
        if abs(score := truth[indices] @ values) >= margin:
            rows.append((indices, values))
            y.append(1 if score > 0 else -1)
    return Separable(name, Examples(rows, d), np.array(y), truth)


def reviews(data: Data) -> Separable:
    """Return the movie reviews, which their words and pairs of words separate. Raises DataError if not there."""
    found = find_problem(data, "reviews")
    return Separable(found.name, found.X, found.y, np.zeros(found.X.d))


def random_orders(n: int, orders: int, seed: int) -> Labels:
    """Return permutations of the numbers 0 to n - 1, [orders, n]."""
    random = np.random.default_rng(seed)
    return np.array([random.permutation(n) for _ in range(orders)])


def learn(K: Matrix, y: Labels, orders: Labels, stops: Sequence[int]) -> tuple[list[Course], Labels]:
    """Return what is learned after each number of passes in `stops`, and the mistakes of each pass [passes, orders].

    orders : [orders, n] the order of the examples, the same in every pass

    Vanilla, voted and averaged perceptrons make the same updates, so the three are measured on one walk.
    """
    m, n = orders.shape
    every = np.arange(m)
    scores, sums, alpha, alphas = (np.zeros((m, n)) for _ in range(4))
    votes = np.tile(y < 0, (m, 1))  # of the weights as they are, for the right side: a score of 0 is a guess of -1
    right = np.zeros((m, n))
    mistakes = np.zeros((max(stops), m), np.int64)
    courses = []
    for epoch in range(max(stops)):
        for i in orders.T:
            wrong = np.flatnonzero(_sign(scores[every, i]) != y[i])
            if len(wrong):
                j = i[wrong]
                scores[wrong] += y[j, None] * K[j]
                alpha[wrong, j] += y[j]
                votes[wrong] = _sign(scores[wrong]) == y
                mistakes[epoch, wrong] += 1
            sums += scores
            alphas += alpha
            right += votes
        if epoch + 1 in stops:
            shares = right.min(axis=1) / (n * (epoch + 1))
            courses.append(Course(epoch + 1, margins(scores, alpha, y), margins(sums, alphas, y), shares))
    return courses, mistakes


def margins(scores: Matrix, alpha: Matrix, y: Labels) -> Matrix:
    """Return the smallest y (w . x) / |w| of each w, from its scores and alpha, [..., n]."""
    lengths = np.sqrt((alpha * scores).sum(axis=-1))
    smallest: Matrix = (y * scores).min(axis=-1) / np.where(lengths > 0, lengths, 1.0)
    return smallest


def widest_margin(K: Matrix, y: Labels) -> float:
    """Return the margin of the support vector machine, which is the largest that any weights have. Needs scikit-learn.

    Each example is there twice, once with both signs turned. So the machine's threshold, which perceptrons do not
    have, is 0.
    """
    from sklearn.svm import SVC

    machine = SVC(kernel="precomputed", C=1e10, tol=1e-6).fit(np.block([[K, -K], [-K, K]]), np.concatenate([y, -y]))
    both = np.zeros(2 * len(y))
    both[machine.support_] = machine.dual_coef_[0]
    alpha = both[: len(y)] - both[len(y) :]
    return float(margins(alpha @ K, alpha, y))


def _sign(scores: Matrix) -> Labels:
    return np.where(scores > 0, 1, -1)
