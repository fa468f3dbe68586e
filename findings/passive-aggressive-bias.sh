#!/usr/bin/env bash
# scikit-learn 1.9.1 and river 0.26.1: a passive-aggressive step is not the smallest one, because the bias moves beside it.
#
# The step is the loss divided by the squared length of the features without the bias, and then the bias takes it, too. On
# the one example (1, 0) of class +1 the paper's smallest change (with a bias: weight 1/2, bias 1/2) has the score 1; both
# libraries make weight 1 and bias 1, with the score 2.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check scikit-learn==1.9.1 river==0.26.1
"$folder/env/bin/python" - <<'EOF'
import warnings

from river import linear_model
from sklearn.linear_model import PassiveAggressiveClassifier

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # it is deprecated, and still there
    ours = PassiveAggressiveClassifier(C=100, shuffle=False).partial_fit([[1.0, 0]], [1], classes=[0, 1])
print("scikit-learn", ours.coef_, ours.intercept_)
assert ours.coef_.tolist() == [[1, 0]] and ours.intercept_.tolist() == [1]
other = linear_model.PAClassifier(C=100, mode=1)
other.learn_one({"a": 1.0}, True)
print("river", dict(other.weights), other.intercept)
assert dict(other.weights) == {"a": 1} and other.intercept == 1
EOF
