#!/usr/bin/env bash
# NLTK 3.10.4: the averaged perceptron scores by the values of features and learns as if all of them were 1.
#
# `nltk.tag.perceptron.AveragedPerceptron` multiplies weights by values when it predicts, and adds plain ones when it learns:
# columns times 10 learn the same weights, and a feature whose value is 0 is learned like any other. Its average is that of the
# vectors by which examples were scored (the first is 0, the last one is not in it), rounded to three decimals.
# Seen: the same weights for values 1 and 10; b: {x: 0.75, y: -0.75} becomes {x: 0.5, y: -0.5} where zeros are written out.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check nltk==3.10.4
"$folder/env/bin/python" - <<'EOF'
from nltk.tag.perceptron import AveragedPerceptron

ROWS = [({"a": 1, "b": 1}, "x"), ({"a": 1}, "y"), ({"b": 1}, "x"), ({"a": 1, "b": 1}, "y")]


def trained(rows):
    model = AveragedPerceptron()
    model.classes = {"x", "y"}
    for features, label in rows:
        model.update(label, model.predict(features)[0], features)
    model.average_weights()
    return model.weights


def means(rows):  # of the vectors before each update; ties to the class that is last in the alphabet
    w, total = {}, {}
    for features, label in rows:
        for key, weight in w.items():
            total[key] = total.get(key, 0) + weight
        scores = {c: sum(v * w.get((f, c), 0) for f, v in features.items()) for c in "xy"}
        guess = max("xy", key=lambda c: (scores[c], c))
        if guess != label:
            for f in features:
                w[f, label] = w.get((f, label), 0) + 1
                w[f, guess] = w.get((f, guess), 0) - 1
    return {key: round(value / len(rows), 3) for key, value in total.items() if value}


plain = trained(ROWS)
times_ten = trained([({f: 10 * v for f, v in features.items()}, y) for features, y in ROWS])
print("plain", plain, "times ten", times_ten)
assert plain == times_ten
zeros = [({"a": 0, "b": 0, **features}, y) for features, y in ROWS]
print("zeros written out", trained(zeros))
assert trained(zeros) != plain
print("means before each update", means(ROWS))
assert {(f, c): w for f, of_class in plain.items() for c, w in of_class.items()} == means(ROWS)
EOF
