"""PerceptronClassifier: its file, and what scikit-learn wants to be a ValueError."""

import re

import numpy as np
import pytest

import sapwood
from sapwood.errors import ModelError, OptionError
from sapwood.loading import load_model
from sapwood.model.file.schema import ModelFile
from sapwood.sklearn.estimator import PerceptronClassifier


def problem(seed, n=120, width=12, classes=2):
    generator = np.random.default_rng(seed)
    X = generator.normal(size=(n, width)) * (generator.random((n, width)) < 0.5)
    y = (X @ generator.normal(size=(width, classes)) + 0.3 * generator.normal(size=(n, classes))).argmax(axis=1)
    return X, np.array(["ant", "bee", "cow", "dog"])[y]


def test_its_file_is_a_model(tmp_path):
    X, y = problem(11)
    model = PerceptronClassifier(random_state=0).fit(X, y)
    model.save(tmp_path / "m.sap")
    loaded = load_model(tmp_path / "m.sap")  # as the command line does
    rows = [{str(k): v for k, v in enumerate(row)} for row in X]
    assert loaded.predict(rows).tolist() == model.predict(X).tolist()
    assert loaded.labels_ == model.classes_.tolist()


@pytest.mark.parametrize("names", [["bee", "ant"], [3, -1], [1.0, 2.0], [False, True]])
def test_a_loaded_estimator_takes_matrices_and_goes_on_learning(tmp_path, names):
    X, y = problem(12)
    y = np.array(names)[(y == "bee").astype(int)]
    model = PerceptronClassifier(random_state=0, gamma=0.5, fit_intercept=False).fit(X, y)
    model.save(tmp_path / "m.sap")
    loaded = sapwood.load(tmp_path / "m.sap")
    assert loaded.gamma == 0.5
    assert np.array_equal(loaded.decision_function(X), model.decision_function(X))
    assert loaded.predict(X).tolist() == model.predict(X).tolist()
    assert loaded.partial_fit(X, y).score(X, y) >= 0.9


def test_a_loaded_baseline_cannot_go_on_learning(tmp_path):
    X, y = problem(12)
    PerceptronClassifier(update="l1-cumulative", random_state=0).fit(X, y).save(tmp_path / "m.sap")
    with pytest.raises(ValueError, match="L1 penalty cannot go on learning"):
        sapwood.load(tmp_path / "m.sap").partial_fit(X, y)


@pytest.mark.parametrize(
    "matrix",
    [
        None,
        {},
        {"n_features": 0, "fit_intercept": True, "classes": "text"},
        {"n_features": 2},
        {"n_features": 2, "fit_intercept": True, "classes": "int"},
    ],
)
def test_estimator_files_that_lie_are_refused(tmp_path, matrix):
    X, y = problem(12)
    PerceptronClassifier(random_state=0).fit(X, y).save(tmp_path / "m.sap")
    file = ModelFile.load(tmp_path / "m.sap")
    file.options["matrix"] = matrix
    file.save(tmp_path / "m.sap")
    with pytest.raises(ModelError, match="not a usable model: it"):
        sapwood.load(tmp_path / "m.sap")


def test_inspect_shows_its_columns(tmp_path, run_cli):
    X = np.zeros((8, 12))
    X[::2, 11] = 1
    PerceptronClassifier(random_state=0).fit(X, ["up", "down"] * 4).save(tmp_path / "m.sap")
    shown = run_cli(["inspect", tmp_path / "m.sap"])
    assert shown.status == 0
    assert re.search(r"\nup\n +\+\S+  11\n", shown.out)


@pytest.mark.parametrize("names", [["a\tb", "b"], ["", "b"], ["\ud800", "b"]])
def test_classes_that_no_file_can_have_are_refused(tmp_path, names):
    X, y = problem(11)
    model = PerceptronClassifier().fit(X, np.array(names)[(y == "bee").astype(int)])
    with pytest.raises(ValueError, match="classes: a label"):
        model.save(tmp_path / "m.sap")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda X, y: (np.where(X > 1, np.nan, X), y), "NaN"),
        (lambda X, y: (np.where(X > 1, np.inf, X), y), "infinity"),
        (lambda X, y: (X, ["one"] * len(y)), "one class"),
        (lambda X, y: (X[:-1], y), "inconsistent"),
        (lambda X, y: (X[:0], y[:0]), "0 sample"),
        (lambda X, y: (np.where(np.arange(len(y))[:, None] == 6, 1e16, X), y), "example 7: .* 1e15"),
        (lambda X, y: (X, y, np.full(len(y), 1e300)), "infinite"),
        (lambda X, y: (X, y, np.full(len(y), -1.0)), "Negative values"),
        (lambda X, y: (X, y, np.full(len(y), np.nan)), "NaN"),
        (lambda X, y: (X, y, y == "bee"), "weight above 0"),
    ],
)
@pytest.mark.parametrize("bits", [8, 32])
@pytest.mark.parametrize("early", [False, True])
def test_bad_input_is_a_value_error_that_says_why(change, message, bits, early):
    X, y = problem(12)
    with pytest.raises(ValueError, match=message):
        PerceptronClassifier(bits=bits, early_stopping=early).fit(*change(X, y))


def test_scores_that_overflow_are_an_error():
    X, y = problem(12)
    model = PerceptronClassifier().fit(X * 1e14, y, np.full(len(y), 1e9))
    with pytest.raises(ValueError, match="scale X"):
        model.predict(X * 1e15 / np.abs(X).max())


@pytest.mark.parametrize("weight", [-1, np.nan, np.inf])
def test_bad_weights_of_classes_are_a_value_error(weight):
    X, y = problem(12)
    with pytest.raises(ValueError, match="class_weight has finite numbers"):
        PerceptronClassifier(class_weight={"ant": weight}).fit(X, y)


def test_a_class_too_small_to_hold_out_is_a_value_error():
    X, y = problem(12)
    y[0] = "cow"
    with pytest.raises(ValueError, match=r"cannot hold out 0\.1 of 120 samples: .* only 1 member"):
        PerceptronClassifier(early_stopping=True).fit(X, y)


@pytest.mark.parametrize(
    "options",
    [
        {"update": "adam"},
        {"gamma": -1.0},
        {"min_updates": 0},
        {"max_iter": 0},
        {"bits": 7},
        {"eta": 0.0},
        {"shuffle": 1},
        {"validation_fraction": 1.0},
    ],
)
def test_bad_options_are_named(options):
    X, y = problem(13)
    with pytest.raises(OptionError, match=next(iter(options))):
        PerceptronClassifier(**options).fit(X, y)
