#!/usr/bin/env bash
# river 0.26.1: `optim.Averager` averages nothing that a linear model uses.
#
# The weights and the bias of a linear model whose optimizer is `Averager(SGD)` are those of SGD alone, to the last bit. The
# averages are kept inside of the optimizer, and the model never asks for them.
# Seen with hinge loss: {a: 1, b: 2} and bias 1 from both, where the mean of the weights is another.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check river==0.26.1
"$folder/env/bin/python" - <<'EOF'
from river import linear_model, optim

ROWS = [({"a": 1.0}, True), ({"b": 1.0}, False), ({"a": 1.0, "b": 1.0}, True), ({"a": 2.0, "b": 1.0}, False),
        ({"a": 1.0, "b": 3.0}, True)]


def learned(optimizer):
    model = linear_model.LogisticRegression(optimizer=optimizer, loss=optim.losses.Hinge(), intercept_lr=1.0)
    for x, y in ROWS:
        model.learn_one(x, y)
    return dict(model.weights), model.intercept


plain, averaged = learned(optim.SGD(1.0)), learned(optim.Averager(optim.SGD(1.0)))
print("SGD", plain, "Averager", averaged)
assert plain == averaged == ({"a": 1.0, "b": 2.0}, 1.0)
EOF
