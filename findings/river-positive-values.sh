#!/usr/bin/env bash
# river 0.26.1: precision, recall and F1 with `pos_val` are 0, however many answers are right, unless it equals True or False.
#
# `pos_val` is the value that counts as positive, and with `F1(pos_val="spam")` answers are taken for positive if they are "spam". The counts are
# kept under True and False then, but are looked up under "spam", where there is nothing. True, False, 1 and 0 are keys that exist, as they are
# equal; a label that is a text, or 2, has a score of 0.0 without a word. Precision, Recall, F1, Jaccard and MCC are like that.
# Seen: 0.0 for answers of which all are right, 1.0 with True and False in place of the texts.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check river==0.26.1
"$folder/env/bin/python" - <<'EOF'
from river import metrics

gold = ["spam", "ham", "spam", "ham"]
for metric in (metrics.Precision, metrics.Recall, metrics.F1, metrics.Jaccard, metrics.MCC):
    scores = []
    for positive, labels in [
        ("spam", gold),
        (2, [2 if label == "spam" else 1 for label in gold]),
        (True, [label == "spam" for label in gold]),
        (1, [int(label == "spam") for label in gold]),
        (0, [int(label != "spam") for label in gold]),
    ]:
        score = metric(pos_val=positive)
        for label in labels:
            score.update(label, label)
        scores.append(score.get())
    print(metric.__name__, scores)
    assert scores == [0, 0, 1, 1, 1]
EOF
