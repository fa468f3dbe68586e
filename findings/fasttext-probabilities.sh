#!/usr/bin/env bash
# fastText (fasttext-wheel 0.9.2): each probability is 0.00001 too large, so that the surest is above 1, and 1,000 of them make 1.01.
#
# `predict` goes through the logarithm of the probability plus 0.00001, and back. What is nearly sure comes out as 1.00001, whose log loss is
# negative, and which functions of scikit-learn refuse; what is impossible has 0.00001. All labels together have 1 and
# 0.00001 for each of them, which makes 10 % more where there are ten thousand, as for tags of web pages, for which the program is
# made. The threshold is compared with the probability without it: what is answered for threshold=0.000009 has 0.000019 or more.
# Seen: 1.00001 for the best of two labels, sum 1.00002; 1.01 for 1,000 labels.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check fasttext-wheel==0.9.2 numpy==1.26.4 scikit-learn==1.5.2
cd "$folder"
env/bin/python -W ignore - <<'EOF'
from pathlib import Path

import fasttext
from sklearn.metrics import brier_score_loss

fasttext.FastText.eprint = lambda text: None


def trained(lines):
    Path("train.txt").write_text("".join(f"{line}\n" for line in lines))
    return fasttext.train_supervised("train.txt", epoch=50, lr=1.0, dim=16, thread=1, verbose=0)


two = trained(["__label__a good nice", "__label__b bad poor"] * 500)
labels, found = two.predict("good nice", k=-1)
print(labels, found, "sum", found.sum())
assert 1 < found[0] < 1.00002
try:
    brier_score_loss([1], [found[0]])
    raise SystemExit("it is taken for a probability")
except ValueError as error:
    print("scikit-learn:", error)
many = trained([f"__label__{k} w{k}" for k in range(1000)])
labels, found = many.predict("w7", k=-1)
print(len(labels), "labels, sum", found.sum(), "least", found.min())
assert len(labels) == 1000 and abs(found.sum() - 1.01) < 0.0005 and found.min() > 0.00001
labels, found = many.predict("w7", k=-1, threshold=0.000009)
print(len(labels), "labels with threshold 0.000009, least", found.min())
assert len(labels) < 1000 and found.min() >= 0.000019
EOF
