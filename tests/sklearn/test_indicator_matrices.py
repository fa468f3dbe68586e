"""Indicator matrices: PerceptronClassifier beside scikit-learn's one against the rest."""

import copy
import pickle

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn.metrics import f1_score
from sklearn.model_selection import cross_val_score
from sklearn.multiclass import OneVsRestClassifier

import sapwood
from sapwood import ModelError, OptionError
from sapwood.loading import load_model
from sapwood.sklearn.estimator import PerceptronClassifier


def problem(seed, n=120, width=12, labels=3):
    generator = np.random.default_rng(seed)
    X = generator.normal(size=(n, width)) * (generator.random((n, width)) < 0.5)
    scores = X @ generator.normal(size=(width, labels)) + 0.5 * generator.normal(size=(n, labels))
    return X, (scores > [0, 0.5, 2][:labels]).astype(int)


ALL, ALL_Y = problem(1, n=360)
X, Y, NEW, NEW_Y = ALL[:120], ALL_Y[:120], ALL[120:], ALL_Y[120:]


@pytest.mark.parametrize("update", ["perceptron", "margin"])
@pytest.mark.parametrize("class_weight", [None, "balanced"])
def test_it_is_one_against_the_rest(update, class_weight):
    """The same scores as of a perceptron for each column."""
    options = {"update": update, "random_state": 3, "class_weight": class_weight}
    together = PerceptronClassifier(**options).fit(X, Y)
    alone = OneVsRestClassifier(PerceptronClassifier(**options)).fit(X, Y)
    assert together.decision_function(NEW) == pytest.approx(alone.decision_function(NEW), rel=1e-5, abs=1e-5)
    assert np.array_equal(together.predict(NEW), alone.predict(NEW))
    assert together.multilabel_ and alone.multilabel_
    expected = NEW @ together.coef_.T + together.intercept_
    assert together.decision_function(NEW) == pytest.approx(expected, rel=1e-4, abs=1e-4)


def test_sparse_and_dense_matrices_with_weights_are_the_same():
    weights = np.random.default_rng(2).integers(0, 3, len(X))
    dense = PerceptronClassifier(random_state=1).fit(X, Y, weights)
    sparse = PerceptronClassifier(random_state=1).fit(csr_matrix(X), csr_matrix(Y), weights)
    assert np.array_equal(dense.decision_function(X), sparse.decision_function(X))
    unweighted = PerceptronClassifier(random_state=1, class_weight={0: 3.0}).fit(X, Y)
    assert unweighted.predict(NEW)[:, 0].sum() > PerceptronClassifier(random_state=1).fit(X, Y).predict(NEW)[:, 0].sum()


@pytest.mark.parametrize("update", ["perceptron", "margin", "pa"])
def test_ten_slices_are_one_pass(update):
    whole = PerceptronClassifier(update=update, max_iter=1, shuffle=False, random_state=0).fit(X, Y)
    sliced = PerceptronClassifier(update=update, shuffle=False, random_state=0)
    for part in np.array_split(np.arange(len(Y)), 10):
        sliced.partial_fit(X[part], Y[part])
    assert np.array_equal(whole.decision_function(X), sliced.decision_function(X))
    copied = copy.deepcopy(sliced).partial_fit(X, Y)
    assert copied.predict(X).shape == Y.shape


def test_held_out_examples_choose_thresholds(tmp_path):
    model = PerceptronClassifier(random_state=0, early_stopping=True, validation_fraction=0.3).fit(X, Y)
    assert any(model._scorer_.core.thresholds)
    model.save(tmp_path / "m.sap")
    for same in (sapwood.load(tmp_path / "m.sap"), pickle.loads(pickle.dumps(model))):
        assert np.array_equal(same.decision_function(NEW), model.decision_function(NEW))
        assert same.multilabel_
    assert f1_score(NEW_Y, model.predict(NEW), average="micro") > 0.6


def test_the_file_is_that_of_a_classifier(tmp_path):
    """Columns are features, and labels are the numbers of columns."""
    model = PerceptronClassifier(random_state=0, early_stopping=True).fit(X, Y)
    model.save(tmp_path / "m.sap")
    loaded = load_model(tmp_path / "m.sap")
    rows = [{str(column): value for column, value in enumerate(row)} for row in X.tolist()]
    said = [tuple(str(k) for k in np.flatnonzero(row)) for row in model.predict(X)]
    assert loaded.predict(rows).tolist() == said


def test_it_works_in_cross_validation():
    scores = cross_val_score(PerceptronClassifier(random_state=0), X, Y, scoring="f1_micro", cv=3)
    assert scores.mean() > 0.6


@pytest.mark.parametrize(
    "options, y, error, what",
    [
        ({"update": "l1-cumulative"}, Y, OptionError, "of the perceptron family"),
        ({"class_weight": {7: 2}}, Y, ValueError, "class_weight has the label '7'"),
        ({"class_weight": {0: -1}}, Y, OptionError, "class_weight is balanced, or"),
        ({"update": "pa", "class_weight": {0: 2}}, Y, ValueError, "for perceptron and margin updates, not for pa"),
        ({}, Y + 1, ValueError, "has zeros and ones"),
        ({}, Y + np.arange(120)[:, None], ValueError, "1d array"),
        ({}, Y[:, :1], None, ""),
    ],
)
def test_what_cannot_be(options, y, error, what):
    if error is None:  # scikit-learn warns of a column, and takes it for a vector
        with pytest.warns(UserWarning, match="column-vector"):
            assert not PerceptronClassifier(**options).fit(X, y).multilabel_
        return
    with pytest.raises(error, match=what):
        PerceptronClassifier(**options).fit(X, y)


def test_partial_fit_keeps_to_its_columns():
    model = PerceptronClassifier(random_state=0).partial_fit(X, Y)
    with pytest.raises(ValueError, match="has not the classes, or the columns"):
        model.partial_fit(X, Y[:, :2])
    with pytest.raises(ValueError, match="are its columns"):
        model.partial_fit(X, Y, classes=[0, 1])
    one = PerceptronClassifier(random_state=0).partial_fit(X, Y[:, 0], classes=[0, 1])
    with pytest.raises(ValueError, match="has not the classes, or the columns"):
        one.partial_fit(X, Y)
    with pytest.raises(ValueError, match="balanced"):
        PerceptronClassifier(class_weight="balanced").partial_fit(X, Y)


def test_files_that_lie_are_refused(tmp_path):
    from forged import contents

    from sapwood.model.file import container

    PerceptronClassifier(random_state=0).fit(X, Y).save(tmp_path / "m.sap")
    metadata, arrays = contents(tmp_path / "m.sap")
    del arrays["extra.thresholds"]
    for extra in ("[]", None):
        lies = {**metadata, "extra": extra}
        container.write(tmp_path / "bad.sap", arrays, {k: v for k, v in lies.items() if v is not None})
        with pytest.raises(ModelError, match=r"array 'extra\.thresholds'"):
            sapwood.load(tmp_path / "bad.sap")
