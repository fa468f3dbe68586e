"""The averaged perceptron as the mean of all its weight vectors, in plain NumPy."""

import numpy as np


def averaged_perceptron(X, y, classes, *, gamma, epochs, average):
    """Return weights [classes or 1, features + 1], the bias last; the mean over all examples, or the last.

    A wrong class gets gamma times the running mean of the squared lengths; of two classes the second has the weights.
    """
    X = np.hstack([X, np.ones((len(X), 1))])
    w = np.zeros((classes if classes > 2 else 1, X.shape[1]))
    total, squares, seen = np.zeros_like(w), 0.0, 0
    for _ in range(epochs):
        for x, gold in zip(X, y, strict=True):
            seen += 1
            squares += x @ x
            scores = w @ x if classes > 2 else np.array([0.0, w[0] @ x])
            scores = scores + gamma * squares / seen * (np.arange(classes) != gold)
            guess = int(scores.argmax())
            if guess != gold and classes > 2:
                w[gold] += x
                w[guess] -= x
            elif guess != gold:
                w[0] += x if gold == 1 else -x
            total += w
    return total / seen if average else w
