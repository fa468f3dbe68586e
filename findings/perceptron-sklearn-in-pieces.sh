#!/usr/bin/env bash
# scikit-learn 1.9.1: an averaged perceptron that learns in pieces forgets its bias at the start of every piece.
#
# `SGDClassifier(loss="perceptron", average=True)` with rates and penalties that make it the textbook's perceptron. With two
# classes each call of `partial_fit` begins with a bias of 0 while the weights go on, so that 15 rounds in one, three, five
# or fifteen calls learn different models; one would expect the same. Without `average` all of them learn the same.
# Seen: weights [0.533 1.067], [0.267 1.267]; biases 0.133 (one call), -0.200, -0.133, -0.067.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check scikit-learn==1.9.1
"$folder/env/bin/python" - <<'EOF'
import numpy as np
from sklearn.linear_model import SGDClassifier

X = np.array([[1.0, 0], [0, 1], [1, 1], [2, 1], [1, 3]])
y = np.array([1, -1, 1, -1, 1])


def in_calls(size, average):
    model = SGDClassifier(
        loss="perceptron", average=average, learning_rate="constant", eta0=1, alpha=0, penalty=None, shuffle=False
    )
    for start in range(0, 15, size):
        rows = [k % 5 for k in range(start, start + size)]
        model.partial_fit(X[rows], y[rows], classes=[-1, 1])
    return [*model.coef_[0], *model.intercept_]


def mean_of_vectors(size, forgetful):
    w, total = np.zeros(3), np.zeros(3)
    for t in range(15):
        if forgetful and t % size == 0:
            w[2] = 0
        x = np.array([*X[t % 5], 1])
        if y[t % 5] * (w @ x) <= 0:
            w = w + y[t % 5] * x
        total += w
    return total / 15


for size in (15, 5, 3, 1):
    seen = in_calls(size, average=True)
    print(f"{15 // size} calls: {np.round(seen, 3)}")
    np.testing.assert_allclose(seen, mean_of_vectors(size, forgetful=True), atol=1e-12)
    np.testing.assert_allclose(in_calls(size, average=False), in_calls(15, average=False), atol=1e-12)
assert not np.allclose(in_calls(1, average=True), mean_of_vectors(15, forgetful=False))
EOF
