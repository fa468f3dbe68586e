"""PerceptronClassifier: scikit-learn's own checks, and what it promises beyond them."""

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.perceptron import averaged_perceptron
from scipy.sparse import csr_matrix
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

import sapwood
from sapwood.errors import OptionError
from sapwood.estimator import PerceptronClassifier

_REPEATED = "an online learner takes a step of weight 2 at once, and two steps of weight 1 one after the other"
EXPECTED_FAILURES = {
    "check_sample_weight_equivalence_on_dense_data": _REPEATED,
    "check_sample_weight_equivalence_on_sparse_data": _REPEATED,
}


def expected_failures(estimator):
    """Check -> reason. All else passes."""
    if not estimator.early_stopping:
        return EXPECTED_FAILURES
    first = "the first pass already has all of the heavy class right on held-out data, and is kept; others follow"
    return EXPECTED_FAILURES | {"check_class_weight_classifiers": first}


@parametrize_with_checks(
    [
        PerceptronClassifier(random_state=0),
        PerceptronClassifier(random_state=0, update="perceptron", average=False),
        PerceptronClassifier(random_state=0, update="pa"),
        PerceptronClassifier(random_state=0, update="l1-cumulative", penalty=0.01, eta=0.5),
        PerceptronClassifier(random_state=0, early_stopping=True, validation_fraction=0.2),
    ],
    expected_failed_checks=expected_failures,
    xfail_strict=True,
)
def test_scikit_learns_checks(estimator, check):
    check(estimator)


def problem(seed, n=120, width=12, classes=2):
    generator = np.random.default_rng(seed)
    X = generator.normal(size=(n, width)) * (generator.random((n, width)) < 0.5)
    y = (X @ generator.normal(size=(width, classes)) + 0.3 * generator.normal(size=(n, classes))).argmax(axis=1)
    return X, np.array(["ant", "bee", "cow", "dog"])[y]


@pytest.mark.parametrize("classes", [2, 4])
@pytest.mark.parametrize("update", ["perceptron", "margin", "pa"])
@pytest.mark.parametrize("weighted", [False, True])
def test_ten_slices_are_one_pass(classes, update, weighted):
    X, y = problem(1, classes=classes)
    weights = np.random.default_rng(2).integers(0, 3, len(y)) if weighted else None
    whole = PerceptronClassifier(update=update, max_iter=1, shuffle=False, random_state=0).fit(X, y, weights)
    sliced = PerceptronClassifier(update=update, shuffle=False, random_state=0)
    for part in np.array_split(np.arange(len(y)), 10):
        sliced.partial_fit(X[part], y[part], np.unique(y), None if weights is None else weights[part])
    assert np.array_equal(whole.decision_function(X), sliced.decision_function(X))
    assert np.array_equal(whole.coef_, sliced.coef_)


@pytest.mark.parametrize("classes", [2, 4])
def test_sparse_is_dense(classes):
    X, y = problem(3, classes=classes)
    dense = PerceptronClassifier(random_state=5).fit(X, y)
    sparse = PerceptronClassifier(random_state=5).fit(csr_matrix(X), y)
    assert np.array_equal(dense.decision_function(X), sparse.decision_function(csr_matrix(X)))


@pytest.mark.parametrize("classes", [2, 4])
def test_scores_are_those_of_coef_and_intercept(classes):
    X, y = problem(4, classes=classes)
    model = PerceptronClassifier(random_state=0).fit(X, y)
    expected = X @ model.coef_.T + model.intercept_
    assert model.decision_function(X) == pytest.approx(expected[:, 0] if classes == 2 else expected, rel=1e-4, abs=1e-4)


@settings(max_examples=40)
@given(st.integers(0, 10_000), st.sampled_from([2, 3]), st.sampled_from([0.0, 0.5, 2.0]), st.booleans())
def test_it_is_the_averaged_perceptron(seed, classes, gamma, average):
    X, y = problem(seed, n=30, width=5, classes=classes)
    if len(np.unique(y)) < classes:
        return
    X = np.round(X * 4)  # whole numbers, whose float sums are exact
    update = "margin" if gamma else "perceptron"
    model = PerceptronClassifier(update=update, gamma=gamma, average=average, max_iter=3, shuffle=False).fit(X, y)
    weights = averaged_perceptron(X, np.searchsorted(np.unique(y), y), classes, gamma=gamma, epochs=3, average=average)
    assert np.hstack([model.coef_, model.intercept_[:, None]]) == pytest.approx(weights, rel=1e-5, abs=1e-5)


def test_the_unit_of_the_features_does_not_matter():
    X, y = problem(6)
    small, large = (PerceptronClassifier(fit_intercept=False, random_state=0).fit(X * s, y) for s in (1, 1024))
    assert np.array_equal(small.predict(X), large.predict(X * 1024))


def test_min_updates_makes_it_sparse():
    X, y = problem(7, n=300, width=200)
    X[np.random.default_rng(0).random(X.shape) < 0.95] = 0
    sizes = [np.count_nonzero(PerceptronClassifier(min_updates=k, random_state=0).fit(X, y).coef_) for k in (1, 30)]
    assert 0 < sizes[1] < sizes[0]


def test_a_copy_predicts_the_same_and_learns_no_more():
    X, y = problem(8)
    model = PerceptronClassifier(random_state=0).fit(X, y)
    copy = pickle.loads(pickle.dumps(model))
    assert np.array_equal(copy.decision_function(X), model.decision_function(X))
    with pytest.raises(ValueError, match="cannot learn on"):
        copy.partial_fit(X, y)
    assert not hasattr(clone(model), "classes_")


def test_early_stopping_keeps_the_best_pass():
    X, y = problem(9, n=200)
    model = PerceptronClassifier(early_stopping=True, n_iter_no_change=2, max_iter=50, random_state=1).fit(X, y)
    assert 1 <= model.n_iter_ < 50


def test_it_searches_and_pipes():
    X, y = problem(10)
    pipeline = make_pipeline(StandardScaler(), PerceptronClassifier(random_state=0))
    search = GridSearchCV(pipeline, {"perceptronclassifier__gamma": [0.1, 1.0]}, cv=3).fit(X, y)
    assert search.best_score_ > 0.8


def test_its_file_is_a_model(tmp_path):
    X, y = problem(11)
    model = PerceptronClassifier(random_state=0).fit(X, y)
    model.save(tmp_path / "m.sap")
    loaded = sapwood.load(tmp_path / "m.sap")
    rows = [{str(k): v for k, v in enumerate(row)} for row in X]
    assert loaded.predict(rows) == model.predict(X).tolist()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda X, y: (np.where(X > 1, np.nan, X), y), "NaN"),
        (lambda X, y: (np.where(X > 1, np.inf, X), y), "infinity"),
        (lambda X, y: (X, ["one"] * len(y)), "one class"),
        (lambda X, y: (X[:-1], y), "inconsistent"),
        (lambda X, y: (X[:0], y[:0]), "0 sample"),
    ],
)
def test_bad_input_is_a_value_error_of_one_line(change, message):
    X, y = problem(12)
    with pytest.raises(ValueError, match=message):
        PerceptronClassifier().fit(*change(X, y))


@pytest.mark.parametrize(
    "options", [{"update": "adam"}, {"gamma": -1.0}, {"min_updates": 0}, {"max_iter": 0}, {"bits": 7}, {"eta": 0.0}]
)
def test_bad_options_are_named(options):
    X, y = problem(13)
    with pytest.raises(OptionError, match=next(iter(options))):
        PerceptronClassifier(**options).fit(X, y)
