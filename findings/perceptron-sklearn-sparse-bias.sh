#!/usr/bin/env bash
# scikit-learn 1.9.1: a perceptron moves its bias a hundred times less for a sparse matrix than for the same dense one.
#
# `Perceptron()` (also `SGDClassifier` and its regressor) multiplies steps of the bias by 0.01 where the matrix is sparse. Texts
# that went through `CountVectorizer` are sparse, so the bias hardly learns there; a column of ones is learned as any other.
# Seen after one pass over the same five rows: bias 1.0 (dense), 0.01 (sparse), weights equal.
# Also: `average=k` with more than k steps to come averages from step k on, and with fewer nothing, without a word.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check scikit-learn==1.9.1
"$folder/env/bin/python" - <<'EOF'
import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import Perceptron, SGDClassifier

X = np.array([[1.0, 0], [0, 1], [1, 1], [2, 1], [1, 3]])
y = np.array([1, -1, 1, -1, 1])
dense, sparse = (Perceptron(shuffle=False, max_iter=1, tol=None).fit(rows, y) for rows in (X, csr_matrix(X)))
print("dense", dense.coef_, dense.intercept_, "sparse", sparse.coef_, sparse.intercept_)
np.testing.assert_allclose(dense.coef_, sparse.coef_)
np.testing.assert_allclose([dense.intercept_[0], sparse.intercept_[0]], [1, 0.01])

for first, wanted in ((3, [1, 1 / 3, 2 / 3]), (4, [0.5, 0.5, 0.5]), (6, [1, 2, 1])):  # after round k: the last vector
    model = SGDClassifier(
        loss="perceptron", average=first, learning_rate="constant", eta0=1, alpha=0, penalty=None, shuffle=False,
        max_iter=1, tol=None,
    ).fit(X, y)
    print(f"average={first}", model.coef_, model.intercept_)
    np.testing.assert_allclose([*model.coef_[0], *model.intercept_], wanted)
EOF
