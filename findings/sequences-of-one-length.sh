#!/usr/bin/env bash
# sklearn-crfsuite 0.5.0: the share of sequences that are right counts tokens where all sequences have one length, and can be 2.
#
# `metrics.sequence_accuracy_score` puts the sequences into an array of NumPy's. If they have different lengths it is an array of
# lists, and a list is right as a whole or not. If all of them have the same length, as words of one length that are split, windows,
# postcodes or padded sentences do, it is a table of labels: the labels that are right are counted, and divided by the number of sequences.
# With a mistake in each of them the result can still look like a share. One sentence by itself has the number of its right labels.
# Seen: 2 for three right sequences of two labels; 1 for three that have a mistake each; 1 and 0 with a sequence of one label beside.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check sklearn-crfsuite==0.5.0 scikit-learn==1.9.1 numpy==2.4.6 scipy==1.17.1
"$folder/env/bin/python" - <<'EOF'
from sklearn_crfsuite.metrics import sequence_accuracy_score

gold = [["B", "O"], ["O", "B"], ["B", "I"]]
wrong = [["B", "B"], ["O", "O"], ["B", "B"]]
for guess, other, share in ((gold, ["O"], 2), (wrong, ["B"], 1)):
    found = sequence_accuracy_score(gold, guess), sequence_accuracy_score([*gold, ["O"]], [*guess, other])
    print(guess, *found)
    assert found == (share, float(guess == gold))
EOF
