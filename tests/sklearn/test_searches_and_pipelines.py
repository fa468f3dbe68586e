"""Classifiers of texts and taggers in scikit-learn's searches, pipelines and validation."""

import numpy as np
import pytest

import sapwood

pytest.importorskip("sklearn")

from sklearn.base import ClassifierMixin, clone, is_classifier
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils import estimator_checks
from sklearn.utils.estimator_checks import parametrize_with_checks
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from sapwood.sklearn.models import Classifier, SequenceTagger

TEXTS = ["good fun", "dull", "great fun", "bad and dull", "fun", "dull day"] * 4
LABELS = ["+", "-", "+", "-", "+", "-"] * 4
WORDS = "U00:%x[0,0]\nB\n"
SENTENCES = [["the", "dog"], ["a", "cat"]] * 6
TAGS = [["DT", "NN"], ["DT", "NN"]] * 6


@pytest.mark.parametrize("answers", [LABELS, [int(y == "+") for y in LABELS], np.array(LABELS)])
@pytest.mark.parametrize("texts", [TEXTS, np.array(TEXTS, dtype=object)])
def test_a_classifier_is_validated(texts, answers):
    classifier = Classifier(min_updates=1, epochs=3)
    assert is_classifier(classifier)
    assert cross_val_score(classifier, texts, answers, cv=3).tolist() == [1, 1, 1]
    assert cross_val_score(classifier, texts, answers, cv=3, scoring="accuracy").tolist() == [1, 1, 1]
    assert cross_val_predict(classifier, texts, answers, cv=3).tolist() == list(answers)


def test_a_grid_of_classifiers_in_a_pipeline_is_searched():
    steps = [("lower", FunctionTransformer(lambda texts: [text.lower() for text in texts])), ("model", Classifier())]
    search = GridSearchCV(Pipeline(steps), {"model__min_updates": [1, 2], "model__gamma": [0.5, 1.0]}, cv=2)
    search.fit([text.upper() for text in TEXTS], LABELS)
    assert search.best_score_ == 1
    assert list(search.predict(["FUN", "DULL"])) == ["+", "-"]
    check_is_fitted(search.best_estimator_)


def test_a_tagger_is_validated():
    tagger = SequenceTagger(template=WORDS, min_updates=1, epochs=3)
    assert not is_classifier(tagger)
    assert cross_val_score(tagger, SENTENCES, TAGS, cv=3).tolist() == [1, 1, 1]
    search = GridSearchCV(tagger, {"search": ["viterbi", "greedy"], "gamma": [1.0]}, cv=2).fit(SENTENCES, TAGS)
    assert search.predict([["a", "dog"]]) == [["DT", "NN"]]


@pytest.mark.parametrize("model", [Classifier(min_updates=1, seed=3), SequenceTagger(template=WORDS, seed=3)])
def test_clones_are_not_fitted_and_have_the_options(model):
    copy = clone(model)
    assert type(copy) is type(model)
    assert copy.get_params() == model.get_params()
    with pytest.raises(NotFittedError):
        check_is_fitted(copy)


def test_the_estimators_are_the_models_and_the_models_say_nothing_of_scikit_learn(tmp_path):
    Classifier(min_updates=1).fit(TEXTS, LABELS).save(tmp_path / "m.sap")
    loaded, front = sapwood.load(tmp_path / "m.sap"), Classifier.load(tmp_path / "m.sap")
    assert (type(loaded), type(front)) == (sapwood.Classifier, Classifier)
    assert front.predict(TEXTS).tolist() == loaded.predict(TEXTS).tolist()
    assert not any(hasattr(kind, "__sklearn_tags__") for kind in (sapwood.Classifier, sapwood.SequenceTagger))
    with pytest.raises(AttributeError, match="__sklearn_tags__"):
        cross_val_score(sapwood.Classifier(), TEXTS, LABELS)


# Scikit-learn's own checks give matrices. What of them is about models, not about matrices, is run for the classifier
# with each row as a dict of features, and as a text.


class OfDicts(Classifier):
    """A classifier of matrices, whose rows it takes as dicts of features."""

    score = ClassifierMixin.score  # by `predict`
    partial_fit = property()  # it calls `fit`, which takes matrices here; PerceptronClassifier's has its own tests

    def fit(self, X, y, sample_weight=None):
        X, y = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(y)
        weights = None if sample_weight is None else _check_sample_weight(sample_weight, X, ensure_non_negative=True)
        return super().fit(self._examples(X), y, sample_weight=weights)

    def decision_function(self, X):
        return super().decision_function(self._of(X))

    def predict(self, X):
        return super().predict(self._of(X))

    def _of(self, X):
        check_is_fitted(self)
        return self._examples(validate_data(self, X, dtype=np.float64, reset=False))

    def _examples(self, X):
        return [{str(column): value for column, value in enumerate(row)} for row in X.tolist()]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = True
        return tags


class OfTexts(OfDicts):
    """A classifier of matrices, whose rows it takes as texts: a word for each column and the bins of its value."""

    def _examples(self, X):
        return [
            " ".join(f"{column}:{width}:{value // width:.0f}" for column, value in enumerate(row) for width in (1, 4))
            for row in X.tolist()
        ]


_REPEATED = "an online learner takes a step of weight 2 at once, and two steps of weight 1 one after the other"
_NOT_MET = {"check_sample_weight_equivalence_on_dense_data": _REPEATED}
_NOT_MET_BY_DICTS = _NOT_MET | {
    "check_class_weight_classifiers": "a weight of 1000 has to win 87 % of noise; an averaged perceptron stays below",
}


@pytest.mark.few(32)
@parametrize_with_checks(
    [OfDicts(min_updates=1), OfTexts(min_updates=1)],
    expected_failed_checks=lambda estimator: _NOT_MET if isinstance(estimator, OfTexts) else _NOT_MET_BY_DICTS,
)
def test_scikit_learns_checks_of_a_classifier(estimator, check):
    check(estimator)


# A tagger has sentences where the others expect rows of a matrix: these are the checks that come without data.
@pytest.mark.parametrize("model", [Classifier(), SequenceTagger()], ids=["Classifier", "SequenceTagger"])
@pytest.mark.parametrize(
    "check",
    [
        "do_not_raise_errors_in_init_or_set_params",
        "estimator_cloneable",
        "estimator_repr",
        "estimator_tags_renamed",
        "get_params_invariance",
        "mixin_order",
        "no_attributes_set_in_init",
        "parameters_default_constructible",
        "set_params",
        "valid_tag_types",
    ],
)
def test_scikit_learns_checks_without_data(model, check):
    getattr(estimator_checks, f"check_{check}")(type(model).__name__, model)
