#!/usr/bin/env bash
# chaine 4.0.1: its averaged perceptron is CRFsuite's, with N + 1 vectors in the average; numbers count in updates, too.
#
# `chaine.train(..., algorithm="ap")` divides the sum of the vectors after each sentence by the number of sentences presented
# plus one, so that 0, from before training, is one of them. Features are dicts: text is a category, a number is a value.
# Seen: 1/2, 2/3, 4/5 for 1, 2, 4 rounds of one sentence; -19/3 for two rounds of {n: 1}, {n: 10} with labels X and Y, where the
# vectors are 0, -10, -9 by hand.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check chaine==4.0.1
cd "$folder"
"$folder/env/bin/python" - <<'EOF'
import chaine


def weights(sentence, copies, epochs):
    model = chaine.train(
        [sentence] * copies, [["X", "Y"]] * copies, model_filepath="model", algorithm="ap", max_iterations=epochs,
        epsilon=0.0, verbose=0,
    )
    return {(state["feature"], state["label"]): state["weight"] for state in model.states}


for copies, epochs in ((1, 1), (2, 1), (1, 2), (2, 2), (4, 1)):
    rounds = copies * epochs
    found = weights([{"f": "a"}, {"f": "b"}], copies, epochs)
    print(rounds, "rounds:", found)
    assert abs(found["f:b", "Y"] - rounds / (rounds + 1)) < 1e-5
valued = weights([{"n": 1.0}, {"n": 10.0}], 2, 1)
print("values 1 and 10:", valued)
assert abs(valued["n", "X"] - (0 - 10 - 9) / 3) < 1e-5
EOF
