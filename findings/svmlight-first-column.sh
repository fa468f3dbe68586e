#!/usr/bin/env bash
# scikit-learn 1.9.1: a matrix that it writes in SVM-light's format and reads again loses its first column where that is empty.
#
# `dump_svmlight_file` counts columns from 0 by default. `load_svmlight_file` guesses by default: if no row has a feature 0 it takes
# the file for one that counts from 1, and all columns move one to the left, without a word. Which happens depends on the rows:
# the first word of a vocabulary may be in the training texts and in no test text, so that two files of one matrix, each loaded
# by itself, no longer mean the same by a number. `n_features` makes the shapes equal and not the columns.
# `zero_based=True` when reading gives back what was written.
# Seen: [[0, 1, 0], [0, 0, 2]] comes back as [[1, 0], [0, 2]], with n_features=3 as [[1, 0, 0], [0, 2, 0]].
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check scikit-learn==1.9.1 numpy==2.4.6 scipy==1.17.1
cd "$folder"
env/bin/python - <<'EOF'
import numpy as np
from sklearn.datasets import dump_svmlight_file, load_svmlight_file
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import Perceptron


def again(X, y, **options):
    """Return the matrix after it was written and read."""
    dump_svmlight_file(X, y, "x.svm")
    return load_svmlight_file("x.svm", **options)[0].toarray().tolist()


X = np.array([[0, 1, 0], [0, 0, 2]])
print(again(X, [0, 1]), again(X, [0, 1], n_features=3), again(X, [0, 1], zero_based=True))
assert again(X, [0, 1]) == [[1, 0], [0, 2]]
assert again(X, [0, 1], n_features=3) == [[1, 0, 0], [0, 2, 0]]
assert again(X, [0, 1], zero_based=True) == X.tolist()

words = CountVectorizer().fit(["awful bad", "good great", "bad", "great"])
train, test = words.transform(["awful bad", "good great"] * 9), words.transform(["bad", "good"])
model = Perceptron().fit(again(train, [0, 1] * 9), [0, 1] * 9)
direct, read = model.score(test.toarray(), [0, 1]), model.score(again(test, [0, 1], n_features=4), [0, 1])
print("accuracy on two test texts:", direct, "and, written and read again,", read)
assert (direct, read) == (1.0, 0.5)
EOF
