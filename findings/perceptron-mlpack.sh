#!/usr/bin/env bash
# mlpack 4.8.0: the perceptron of several classes, its last vector, in the order of the data, never shuffled.
#
# A mistake adds the example and 1 to the weights and the bias of the right class, and subtracts them from those of the guess.
# Ties go to the class whose label comes first in the data, so that the same examples in another order learn another model.
# Seen after 1, 2, 3, 4 passes over five rows: the weights and biases that the loop below has.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check mlpack==4.8.0
"$folder/env/bin/python" - <<'EOF'
import mlpack
import numpy as np

X, y = np.array([[1.0, 0], [0, 1], [1, 1], [2, 1], [1, 3]]), np.array([1, 0, 1, 0, 1])


def by_hand(X, y, passes):
    classes = list(dict.fromkeys(y))  # as they come
    w = np.zeros((len(classes), 3))
    for x, label in list(zip(np.c_[X, np.ones(len(X))], y)) * passes:
        guess, gold = int(np.argmax(w @ x)), classes.index(label)
        if guess != gold:
            w[gold] += x
            w[guess] -= x
    return w


def seen(X, y, passes):
    model = mlpack.perceptron(training=X, labels=y, max_iterations=passes)["output_model"]
    found = model.get_cpp_params()["PerceptronModel"]["p"]
    return np.c_[found["weights"], np.ravel(found["biases"])]


for passes in (1, 2, 3, 4):
    print(passes, "passes:", seen(X, y, passes).tolist())
    np.testing.assert_allclose(seen(X, y, passes), by_hand(X, y, passes))
    np.testing.assert_allclose(seen(X[::-1], y[::-1], passes), by_hand(X[::-1], y[::-1], passes))
assert not np.allclose(seen(X, y, 4), seen(X[::-1], y[::-1], 4))
EOF
