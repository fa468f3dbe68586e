"""Scikit-learn's tools with classifiers of texts, and with PerceptronClassifier: what they ask for is there."""

import pickle
import subprocess
import sys

import numpy as np
import pytest

pytest.importorskip("sklearn")

import pandas as pd
from scipy.sparse import csr_matrix
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import StackingClassifier, VotingClassifier
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score, make_scorer, recall_score, roc_auc_score
from sklearn.model_selection import TunedThresholdClassifierCV, cross_val_predict, cross_val_score
from sklearn.pipeline import make_pipeline

from sapwood import DataError, ModelError, OptionError, PerceptronClassifier, load
from sapwood.sklearn.models import Classifier

pytestmark = pytest.mark.filterwarnings("ignore:.*stands in the model's training data")


def reviews(n=120, seed=0, labels=("pos", "neg")):
    """Texts of two kinds, hard to tell apart, and the kinds: the first label comes first, and is the greater one."""
    generator = np.random.default_rng(seed)
    truth = np.arange(n) % len(labels)
    words = [[f"w{(3 * y + int(word)) % 30}" for word in generator.integers(0, 20, 6)] for y in truth]
    return [" ".join(each) for each in words], np.array(labels)[truth]


TEXTS, LABELS = reviews()
NEW, NEW_LABELS = reviews(seed=1)
OF_TEXTS = Classifier(min_updates=1)
OF_MATRICES = make_pipeline(CountVectorizer(), PerceptronClassifier(random_state=0))
OF_TEXTS_FITTED = clone(OF_TEXTS).fit(TEXTS, LABELS)
both = pytest.mark.parametrize("model", [OF_TEXTS, OF_MATRICES], ids=["texts", "matrices"])


@pytest.mark.few(3)
@both
@pytest.mark.parametrize("labels", [LABELS, (LABELS == "pos").astype(int), LABELS == "pos", LABELS.tolist()])
def test_scores_are_of_the_greater_label(model, labels):
    """The area under the curve is that of the greater label, whichever comes first in the data."""
    fitted = clone(model).fit(TEXTS, labels)
    assert isinstance(fitted.classes_, np.ndarray)
    assert fitted.classes_.tolist() == sorted(set(np.asarray(labels).tolist()))
    scores = fitted.decision_function(NEW)
    assert isinstance(scores, np.ndarray) and scores.shape == (len(NEW),)
    greater = fitted.classes_[1]
    assert [guess == greater for guess in fitted.predict(NEW)] == (scores > 0).tolist()
    assert greater in ("pos", 1)
    assert roc_auc_score(NEW_LABELS == "pos", scores) > 0.6
    assert cross_val_score(model, TEXTS, labels, scoring="roc_auc", cv=3).min() > 0.55


def test_several_labels_have_a_column_each():
    texts, labels = reviews(labels=("c", "a", "b"))
    fitted = Classifier(min_updates=1).fit(texts, labels)
    assert fitted.labels_ == ["c", "a", "b"]  # as they came
    assert fitted.classes_.tolist() == ["a", "b", "c"]
    scores = fitted.decision_function(texts)
    assert fitted.classes_[scores.argmax(axis=1)].tolist() == fitted.predict(texts).tolist()
    sure = fitted.calibrate(texts, labels).predict_proba(texts)
    assert sure.sum(axis=1) == pytest.approx(1)
    assert fitted.classes_[sure.argmax(axis=1)].tolist() == fitted.predict(texts).tolist()
    assert roc_auc_score(labels, sure, multi_class="ovr") > 0.8


def test_labels_of_several_types_stay_what_they_are():
    fitted = Classifier(min_updates=1).fit(["a", "b", "c"] * 3, [1, "one", 2.5] * 3)
    assert fitted.classes_.tolist() == [1, "one", 2.5]
    assert fitted.predict(["c", "a"]).tolist() == [2.5, 1]


def test_predict_is_an_array_which_tools_take():
    found = OF_TEXTS_FITTED.predict(NEW)
    assert found.dtype == OF_TEXTS_FITTED.classes_.dtype
    assert np.mean(found == NEW_LABELS.tolist()) == OF_TEXTS_FITTED.score(NEW, NEW_LABELS) < 1
    assert f1_score(NEW_LABELS, found, pos_label="pos") > 0.5
    assert cross_val_predict(OF_TEXTS, TEXTS, LABELS, cv=3).dtype.kind == "U"


def test_confidences_are_there_once_there_is_a_calibration(tmp_path):
    model = clone(OF_TEXTS)
    for state in ("not fitted", "not calibrated"):
        assert not hasattr(model, "predict_proba")
        with pytest.raises(ModelError, match=state):
            model.predict_proba(NEW)
        model.fit(TEXTS, LABELS)
    assert not hasattr(model, "nonsense")
    model.calibrate(NEW, NEW_LABELS)
    sure = model.predict_proba(TEXTS)
    assert isinstance(sure, np.ndarray) and sure.shape == (len(TEXTS), 2)
    assert ((sure[:, 1] > 0.5) == (model.decision_function(TEXTS) > 0)).all()
    model.save(tmp_path / "m.sap")
    for same in (load(tmp_path / "m.sap"), pickle.loads(pickle.dumps(model))):
        assert np.array_equal(same.predict_proba(TEXTS), sure)
        assert same.classes_.tolist() == ["neg", "pos"]
    assert not hasattr(clone(model), "predict_proba")


def test_labels_stay_what_they_are_where_a_model_is_calibrated():
    fitted = clone(OF_TEXTS).fit(TEXTS, LABELS == "pos").calibrate(NEW, NEW_LABELS == "pos")
    assert fitted.classes_.tolist() == [False, True]
    assert fitted.predict(NEW).dtype == bool


def test_before_fitting_there_are_no_classes():
    assert not hasattr(Classifier(), "classes_")
    with pytest.raises(AttributeError, match="not fitted"):
        Classifier().classes_  # noqa: B018


@pytest.mark.few(1)
@both
@pytest.mark.parametrize("method", ["sigmoid", "isotonic"])
def test_calibrated_by_scikit_learn(model, method):
    calibrated = CalibratedClassifierCV(model, method=method, cv=3).fit(TEXTS, LABELS)
    sure = calibrated.predict_proba(NEW)
    assert sure.sum(axis=1) == pytest.approx(1)
    assert roc_auc_score(NEW_LABELS == "pos", sure[:, 1]) > 0.6
    weighted = CalibratedClassifierCV(model, cv=3)
    if model is OF_TEXTS:
        weighted.fit(TEXTS, LABELS, sample_weight=np.where(LABELS == "pos", 9.0, 1.0))
        assert weighted.predict_proba(NEW)[:, 1].mean() > sure[:, 1].mean()


@both
def test_a_fitted_model_is_frozen(model):
    fitted = clone(model).fit(TEXTS, LABELS)
    frozen = FrozenEstimator(fitted)
    calibrated = CalibratedClassifierCV(frozen, ensemble=False).fit(NEW, NEW_LABELS)
    assert calibrated.classes_.tolist() == ["neg", "pos"]
    assert roc_auc_score(NEW_LABELS == "pos", calibrated.predict_proba(NEW)[:, 1]) == pytest.approx(
        roc_auc_score(NEW_LABELS == "pos", fitted.decision_function(NEW))
    )


def test_models_are_stacked_and_vote():
    models = [("texts", OF_TEXTS), ("matrices", OF_MATRICES)]
    stacked = StackingClassifier(models, LogisticRegression(), cv=3).fit(TEXTS, LABELS)
    assert stacked.score(NEW, NEW_LABELS) > 0.6
    assert stacked.transform(NEW[:2]).shape == (2, 2)
    assert VotingClassifier(models).fit(TEXTS, LABELS).score(NEW, NEW_LABELS) > 0.6


@pytest.mark.slow
@both
def test_a_threshold_is_tuned(model):
    recall = make_scorer(recall_score, pos_label="pos")
    tuned = TunedThresholdClassifierCV(model, scoring=recall, cv=3).fit(TEXTS, LABELS)
    assert recall(tuned, NEW, NEW_LABELS) > recall(clone(model).fit(TEXTS, LABELS), NEW, NEW_LABELS)


def test_weights_of_examples():
    whole = np.arange(len(TEXTS)) % 3
    model = Classifier(min_updates=1, shuffle=False)
    weighted = clone(model).fit(TEXTS, LABELS, sample_weight=whole)
    kept = np.flatnonzero(whole)
    fewer = clone(model).fit([TEXTS[k] for k in kept], LABELS[kept], sample_weight=whole[kept].tolist())
    assert np.array_equal(weighted.decision_function(NEW), fewer.decision_function(NEW))  # 0 is no example
    assert not np.array_equal(weighted.decision_function(NEW), clone(model).fit(TEXTS, LABELS).decision_function(NEW))
    ones = clone(model).fit(TEXTS, LABELS, sample_weight=np.ones(len(TEXTS)))
    assert np.array_equal(ones.decision_function(NEW), clone(model).fit(TEXTS, LABELS).decision_function(NEW))


def test_weights_of_examples_are_those_of_their_classes():
    heavy = {"pos": 2.5, "neg": 0.5}
    by_class = Classifier(min_updates=1, class_weight=heavy).fit(TEXTS, LABELS)
    by_example = clone(OF_TEXTS).fit(TEXTS, LABELS, sample_weight=[heavy[label] for label in LABELS])
    assert np.array_equal(by_class.decision_function(NEW), by_example.decision_function(NEW))
    twice = clone(by_class).fit(TEXTS, LABELS, sample_weight=[2.0] * len(TEXTS))
    both = clone(OF_TEXTS).fit(TEXTS, LABELS, sample_weight=[2 * heavy[label] for label in LABELS])
    assert np.array_equal(twice.decision_function(NEW), both.decision_function(NEW))
    sliced = clone(OF_TEXTS).set_params(shuffle=False, epochs=1)
    weights = [heavy[label] for label in LABELS]
    whole = clone(sliced).fit(TEXTS, LABELS, sample_weight=weights)
    sliced.partial_fit(TEXTS, LABELS, sample_weight=weights)
    assert np.array_equal(whole.decision_function(NEW), sliced.decision_function(NEW))


def test_weights_count_in_the_score_and_in_folds():
    weights = [1.0] + [0.0] * (len(NEW) - 1)
    right = OF_TEXTS_FITTED.predict(NEW[:1])[0] == NEW_LABELS[0]
    assert OF_TEXTS_FITTED.score(NEW, NEW_LABELS, sample_weight=weights) == right
    scores = cross_val_score(OF_TEXTS, TEXTS, LABELS, cv=3, params={"sample_weight": np.ones(len(TEXTS))})
    assert scores.tolist() == cross_val_score(OF_TEXTS, TEXTS, LABELS, cv=3).tolist()


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1.0], "120 examples and 1 weights"),
        ([float("nan")] * 120, "example 1: a weight is a finite number"),
        ([1.0] * 119 + [-1.0], "example 120: .* not -1.0"),
        ([float(label == "pos") for label in LABELS], "all examples have the label 'pos'"),
    ],
)
def test_weights_that_are_none(weights, message):
    with pytest.raises(DataError, match=message):
        clone(OF_TEXTS).fit(TEXTS, LABELS, sample_weight=weights)


def test_weights_belong_to_examples_in_memory(tmp_path):
    (tmp_path / "a.txt").write_text("__label__a b\n__label__b a\n")
    with pytest.raises(OptionError, match="in memory"):
        Classifier().fit(tmp_path / "a.txt", sample_weight=[1, 1])


@pytest.mark.parametrize("frame", [pd.DataFrame, pd.Series, np.array, lambda texts: np.array(texts)[:, None]])
def test_frames_of_one_column(frame):
    fitted = clone(OF_TEXTS).fit(frame(TEXTS), frame(LABELS.tolist()))
    assert np.array_equal(fitted.decision_function(frame(NEW)), OF_TEXTS_FITTED.decision_function(NEW))
    assert fitted.score(frame(NEW), frame(NEW_LABELS.tolist())) == OF_TEXTS_FITTED.score(NEW, NEW_LABELS)


def test_frames_of_one_column_of_numbers():
    X = pd.DataFrame({"x": [1.0, -1.0] * 10})
    fitted = PerceptronClassifier(random_state=0).fit(X, ["a", "b"] * 10)
    assert fitted.predict(pd.DataFrame({"x": [2.0]})).tolist() == ["a"]


def test_frames_of_more_columns_are_refused():
    frame = pd.DataFrame({"title": TEXTS, "text": TEXTS})
    with pytest.raises(DataError, match="examples: one column is needed, and there are 2"):
        clone(OF_TEXTS).fit(frame, LABELS)
    with pytest.raises(DataError, match="with multi_label"):
        clone(OF_TEXTS).fit(TEXTS, np.eye(2)[np.arange(len(TEXTS)) % 2])


MATRIX = np.stack([LABELS == "pos", np.zeros(len(TEXTS)), np.arange(len(TEXTS)) % 3 == 0], axis=1).astype(int)


@pytest.mark.parametrize("matrix", [np.array, csr_matrix, pd.DataFrame])
def test_indicator_matrices(matrix):
    fitted = Classifier(multi_label=True, min_updates=1).fit(TEXTS, matrix(MATRIX))
    assert fitted.classes_.tolist() == [0, 1, 2]
    found = fitted.predict(NEW)
    assert isinstance(found, np.ndarray) and found.shape == (len(NEW), 3)
    scores = fitted.decision_function(NEW)
    assert np.array_equal(found, (scores > 0).astype(int))
    assert np.array_equal(pickle.loads(pickle.dumps(fitted)).predict(NEW), found)
    assert fitted.score(TEXTS, matrix(MATRIX)) == (fitted.predict(TEXTS) == MATRIX).all(axis=1).mean()
    sets = [tuple(np.flatnonzero(row).tolist()) for row in MATRIX]
    assert clone(fitted).fit(TEXTS, sets).predict(NEW).tolist() == [tuple(np.flatnonzero(row)) for row in found]


def test_indicator_matrices_in_tools():
    model = Classifier(multi_label=True, min_updates=1)
    assert cross_val_score(model, TEXTS, MATRIX[:, [0, 2]], scoring="f1_micro", cv=3).min() > 0.4
    assert cross_val_score(model, TEXTS, MATRIX[:, [0, 2]], scoring="roc_auc", cv=3).min() > 0.4
    once = clone(model).set_params(shuffle=False, epochs=1).fit(TEXTS, MATRIX)
    sliced = clone(model).set_params(shuffle=False, epochs=1)
    assert np.array_equal(sliced.partial_fit(TEXTS, MATRIX).decision_function(NEW), once.decision_function(NEW))
    assert pickle.loads(pickle.dumps(sliced)).partial_fit(TEXTS[:9], MATRIX[:9]).predict(NEW).shape == (len(NEW), 3)


def test_a_matrix_of_other_numbers_is_refused():
    with pytest.raises(DataError, match="zeros and ones"):
        Classifier(multi_label=True).fit(TEXTS, 2 * MATRIX)


@pytest.mark.parametrize("missing", [float("nan"), np.nan, pd.NA, pd.NaT, None])
def test_missing_labels_are_refused(missing):
    with pytest.raises(DataError, match=r"missing|no label"):
        clone(OF_TEXTS).fit(TEXTS, [missing, *LABELS[1:]])
    with pytest.raises(DataError, match=r"missing|neither a text nor a number"):
        Classifier(multi_label=True).fit(TEXTS, [["a", missing], *[["b"]] * (len(TEXTS) - 1)])
    with pytest.raises(ValueError):
        PerceptronClassifier().fit([[0.0]] * 3, np.array([1.0, 0.0, np.nan]))


def test_numpy_is_imported_where_arrays_are_asked_for():
    script = """
import sys
from sapwood import Classifier
classifier = Classifier(min_updates=1).fit(["good", "bad"], ["+", "-"], sample_weight=[2, 1])
assert list(classifier.annotate([b"__label__+ good"])) and classifier.score(["good"], ["+"]) == 1
assert "numpy" not in sys.modules
assert classifier.predict(["good"]).tolist() == ["+"]
assert "numpy" in sys.modules
"""
    subprocess.run([sys.executable, "-c", script], check=True)


def test_without_numpy_labels_are_a_list():
    script = """
import sys
from importlib.machinery import PathFinder

class WithoutNumPy(PathFinder):
    def find_spec(name, path=None, target=None):
        return None if name == "numpy" else PathFinder.find_spec(name, path, target)

sys.meta_path = [WithoutNumPy if finder is PathFinder else finder for finder in sys.meta_path]
from sapwood import Classifier
labels = Classifier(min_updates=1).fit(["good", "bad"], [1, 2]).predict(["bad", "good"])
assert labels == [2, 1], labels
sets = Classifier(min_updates=1, multi_label=True).fit(["good", "bad"], [["+"], ["-"]]).predict(["bad"])
assert sets == [("-",)], sets
"""
    subprocess.run([sys.executable, "-c", script], check=True)
