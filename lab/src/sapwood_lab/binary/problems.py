"""Generated problems for the laboratory: sparse examples of two classes that a linear model separates but for noise."""

import numpy as np

from sapwood_lab import Examples


def linear_problem(n: int, d: int, d_delta: int, noise: float, seed: int) -> tuple[Examples, list[int]]:
    """Return n examples of d features, of which `d_delta` are not zero, and their labels, -1 or 1.

    Features are drawn uniformly; their values and the true weights are drawn from a normal distribution. The share
    `noise` of the labels is drawn at random, so half of that share is wrong.
    """
    random = np.random.default_rng(seed)
    truth = random.standard_normal(d)
    rows, labels = [], []
    for _ in range(n):
        indices, values = random.choice(d, d_delta, replace=False), random.standard_normal(d_delta)
        score = random.choice([-1.0, 1.0]) if random.random() < noise else truth[indices] @ values
        rows.append((indices, values))
        labels.append(1 if score > 0 else -1)
    return Examples(rows, d), labels
