#!/usr/bin/env bash
# mlxtend 0.25.0: a perceptron starts from random weights that no seed fixes unless one is given, and the rate matters.
#
# From 0, the rate `eta` would only scale weights. Here they start with small random numbers, so the rate decides how much
# these count, and two trainings on the same data differ. A step is 2 eta, as labels are -1 and 1 inside.
# Seen: with seed 1 and rates 0.1 and 1 the second weight is -0.206 and -2.006: a start of -0.006 and one step of 2 eta.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check mlxtend==0.25.0
"$folder/env/bin/python" - <<'EOF'
import numpy as np
from mlxtend.classifier import Perceptron

X, y = np.array([[1.0, 0], [0, 1], [1, 1], [2, 1]]), np.array([1, 0, 1, 0])
weights = [Perceptron(eta=eta, epochs=3, random_seed=1).fit(X, y).w_.ravel() for eta in (0.1, 1.0)]
print(*weights)
np.testing.assert_allclose(weights, [[0.01624345, -0.20611756], [0.01624345, -2.00611756]], atol=1e-6)
first, second = (Perceptron(epochs=3).fit(X, y).w_ for _ in range(2))
print("without a seed", first.ravel(), second.ravel())
assert not np.array_equal(first, second)
EOF
