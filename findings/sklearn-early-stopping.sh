#!/usr/bin/env bash
# scikit-learn 1.9.1: with early stopping, SGDClassifier and Perceptron keep their last weights, not those that were best on
# held-out rows.
#
# Training stops when the held-out score has not risen for `n_iter_no_change` passes (5), and returns the weights of the pass
# at which it stops: those that nothing better came of. MLPClassifier, with the same options, goes back to the best. With
# `average=True` the scores that stop the training are those of the weights before averaging, so the averaged weights that
# come out were never measured: training stops at the same pass with and without averaging.
# Seen: held-out accuracy 0.750 after pass 7 of 12, 0.675 of the model that is returned; MLPClassifier returns those of its
# best pass.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check scikit-learn==1.9.1 numpy==2.4.6 scipy==1.17.1
"$folder/env/bin/python" -W ignore - <<'EOF'
import numpy as np
from sklearn.datasets import make_classification
from sklearn.linear_model import Perceptron, SGDClassifier
from sklearn.model_selection import StratifiedShuffleSplit
from sklearn.neural_network import MLPClassifier

X, y = make_classification(400, 20, flip_y=0.3, random_state=1)
[(_, held_out)] = StratifiedShuffleSplit(1, test_size=0.1, random_state=0).split(X, y)  # as the classifiers divide rows
PERCEPTRON = {"loss": "perceptron", "learning_rate": "constant", "eta0": 1, "penalty": None}


def trained(make, **options):
    return make(early_stopping=True, random_state=0, **options).fit(X, y)


def by_pass(make, passes, **options):
    """Return the held-out score after each pass: the same training, ended by `max_iter`."""
    models = [trained(make, max_iter=n, n_iter_no_change=1000, **options) for n in range(1, passes + 1)]
    return [model.score(X[held_out], y[held_out]) for model in models], models


for make, options in ((SGDClassifier, PERCEPTRON), (Perceptron, {})):
    model = trained(make, **options)
    scores, models = by_pass(make, model.n_iter_, **options)
    score = model.score(X[held_out], y[held_out])
    best = int(np.argmax(scores)) + 1
    print(f"{make.__name__}: best {max(scores):.3f} after pass {best} of {model.n_iter_}, returned {score:.3f}")
    assert np.array_equal(model.coef_, models[-1].coef_) and score < max(scores) and best < model.n_iter_

average = trained(SGDClassifier, average=True, **PERCEPTRON)
plain = trained(SGDClassifier, **PERCEPTRON)
print(f"passes with averaging {average.n_iter_}, without {plain.n_iter_}; the weights differ")
assert average.n_iter_ == plain.n_iter_ and not np.allclose(average.coef_, plain.coef_)

network = trained(MLPClassifier, hidden_layer_sizes=(8,), learning_rate_init=0.02, max_iter=200)
best = int(np.argmax(network.validation_scores_)) + 1
until_best = trained(MLPClassifier, hidden_layer_sizes=(8,), learning_rate_init=0.02, max_iter=best, n_iter_no_change=1000)
print(f"MLPClassifier: the weights after pass {best} of {network.n_iter_} are returned")
assert best < network.n_iter_ and np.array_equal(network.coefs_[0], until_best.coefs_[0])
EOF
