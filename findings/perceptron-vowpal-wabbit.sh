#!/usr/bin/env bash
# Vowpal Wabbit 9.11.9: scores are cut to the range of the labels seen so far, before the loss is computed.
#
# With `--loss_function hinge --invariant --power_t 0 -l C` it is PA-I with the bias in the norm. But a score beyond the labels
# of the examples so far counts as the nearest of these labels, so an example that is far on the wrong side is not set right.
# With `--min_prediction -1000 --max_prediction 1000` it is PA-I to five digits. `--sgd -l 1 --power_t 0` is the margin perceptron.
# Seen where PA-I has weights .318, .205, .068 (a, b, bias): .515, -.038, .098 as it comes; there is no average.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check vowpalwabbit==9.11.9 numpy
"$folder/env/bin/python" - <<'EOF'
import numpy as np
from vowpalwabbit import Workspace

X = np.array([[1, 0, 1], [0, 1, 1], [1, 1, 1], [2, 1, 1], [1, 3, 1.0]])
Y = [1, -1, 1, -1, 1]
WIDE = " --min_prediction -1000 --max_prediction 1000"


def seen(options):
    model = Workspace("--quiet --loss_function hinge " + options)
    for (a, b, _), y in zip(X, Y):
        model.learn(f"{y} | a:{a} b:{b}")
    scores = [model.predict(text) for text in ("| a:0.1", "| b:0.1", "| ")]  # small, so that they are not cut
    model.finish()
    return [10 * (scores[0] - scores[2]), 10 * (scores[1] - scores[2]), scores[2]]


def passive_aggressive(cut):
    w, low, high = np.zeros(3), 0, 0
    for x, y in zip(X, Y):
        low, high = min(low, y), max(high, y)
        score = min(max(w @ x, low), high) if cut else w @ x
        w = w + min(10, max(0, 1 - y * score) / (x @ x)) * y * x
    return w


def margin_perceptron():
    w = np.zeros(3)
    for x, y in zip(X, Y):
        if y * (w @ x) < 1:
            w = w + y * x
    return w


for options, wanted in (
    ("--invariant --power_t 0 -l 10" + WIDE, passive_aggressive(cut=False)),
    ("--invariant --power_t 0 -l 10", passive_aggressive(cut=True)),
    ("--sgd --power_t 0 -l 1" + WIDE, margin_perceptron()),
):
    print(options, np.round(seen(options), 4))
    np.testing.assert_allclose(seen(options), wanted, atol=1e-5)
assert not np.allclose(passive_aggressive(True), passive_aggressive(False), atol=0.1)
EOF
