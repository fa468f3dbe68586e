#!/usr/bin/env bash
# votedperceptron 1.0.0: a second call of `train` shifts the votes of all vectors that come later.
#
# A call ends with writing down the votes of its last vector. The next call goes on from that number and writes it down
# again, so that there is one entry too many, and each later vector has the votes of the one before it. Two passes in one
# call and in two calls answer otherwise.
# Seen: one entry of votes for each vector after one call, one too many after two.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check votedperceptron==1.0.0
"$folder/env/bin/python" - <<'EOF'
import numpy as np
from votedperceptron import VotedPerceptron

X = np.array([[1.0, 0], [0, 1], [1, 1], [2, 1], [1, 3]])
y = np.array([1, -1, 1, -1, 1])


def trained(*passes):
    model = VotedPerceptron(kernel_parameters={"kernel_type": "linear", "coef0": 0})
    for count in passes:
        model.train(X, y, max_epochs=count)
    return model


once, twice = trained(2), trained(1, 1)
for model in (once, twice):
    votes, vectors = model.prediction_vector_votes, model.prediction_vector_terms
    print(f"{len(vectors)} vectors, votes {votes}")
assert len(once.prediction_vector_votes) == len(once.prediction_vector_terms)
assert len(twice.prediction_vector_votes) == len(twice.prediction_vector_terms) + 1
EOF
