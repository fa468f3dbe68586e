"""Classifiers of texts and taggers in scikit-learn's searches, pipelines and validation."""

import numpy as np
import pytest

from sapwood import Classifier, SequenceTagger

pytest.importorskip("sklearn")

from sklearn.base import clone, is_classifier
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils.validation import check_is_fitted

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


def test_a_grid_of_classifiers_in_a_pipeline():
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
