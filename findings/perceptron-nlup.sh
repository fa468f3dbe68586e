#!/usr/bin/env bash
# nlup 0.8: its binary perceptron learns one weight for all features together, which no prediction looks at.
#
# `BinaryPerceptron.update` adds to the weight of the whole tuple of features, and `score` sums the weights of single ones,
# so the model says yes to everything, however long it is trained. `AveragedPerceptron`, of several classes, learns: it has
# the mean of the vectors after each example.
# Seen: after 20 passes the answers are those of before training, and the only key is a tuple of features.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check nlup==0.8
"$folder/env/bin/python" - <<'EOF'
from nlup import BinaryPerceptron

DATA = [(True, ("a",)), (False, ("b",))] * 5
model = BinaryPerceptron(seed=1)
model.fit([y for y, _ in DATA], [features for _, features in DATA], epochs=20)
print(dict(model.weights), [model.predict(features) for _, features in DATA[:2]])
assert model.predict(("b",)) is True and model.weights["b"] == 0 and model.weights[("b",)] < 0
EOF
