"""The averaged perceptron as the mean of all its weight vectors, in plain NumPy."""

import numpy as np


def averaged_perceptron(X, y, classes, *, gamma, epochs, average, steps=None):
    """Return weights [classes or 1, features + 1], the bias last; the mean over all examples, or the last.

    A wrong class gets gamma times the running mean of the squared lengths; of two classes the second has the weights.
    An example's update is multiplied by its step, 1 without `steps`.
    """
    X = np.hstack([X, np.ones((len(X), 1))])
    w = np.zeros((classes if classes > 2 else 1, X.shape[1]))
    total, squares, seen = np.zeros_like(w), 0.0, 0
    for _ in range(epochs):
        for x, gold, step in zip(X, y, np.ones(len(X)) if steps is None else steps, strict=True):
            seen += 1
            squares += x @ x
            scores = w @ x if classes > 2 else np.array([0.0, w[0] @ x])
            scores = scores + gamma * squares / seen * (np.arange(classes) != gold)
            guess = int(scores.argmax())
            if guess != gold and classes > 2:
                w[gold] += step * x
                w[guess] -= step * x
            elif guess != gold:
                w[0] += step * x if gold == 1 else -step * x
            total += w
    return total / seen if average else w
