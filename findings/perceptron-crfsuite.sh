#!/usr/bin/env bash
# python-crfsuite 0.9.12: the average of the averaged perceptron has N + 1 vectors, and the first of them is 0.
#
# `algorithm="ap"` divides the sum of the vectors after each sentence by the number of sentences presented plus one, so that
# 0, from before training, is one of them. The direction is that of the mean after each example; the size is not: with one
# sentence and one epoch all weights are halved. (One sentence, repeated; the one mistake is made in the first round.)
# Seen: 1/2, 2/3, 4/5 for 1, 2, 4 rounds.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check python-crfsuite==0.9.12
"$folder/env/bin/python" - <<'EOF'
import tempfile

import pycrfsuite


def weight(copies, epochs):
    trainer = pycrfsuite.Trainer(algorithm="ap", params={"max_iterations": epochs, "epsilon": 0.0}, verbose=False)
    for _ in range(copies):
        trainer.append([["a"], ["b"]], ["X", "Y"])
    with tempfile.NamedTemporaryFile() as file:
        trainer.train(file.name)
        tagger = pycrfsuite.Tagger()
        tagger.open(file.name)
        return tagger.info().state_features["b", "Y"]


for copies, epochs in ((1, 1), (2, 1), (1, 2), (2, 2), (4, 1), (4, 2)):
    rounds = copies * epochs
    print(rounds, "rounds:", weight(copies, epochs))
    assert abs(weight(copies, epochs) - rounds / (rounds + 1)) < 1e-5
EOF
