"""Copies and pickles of what is fitted, as scikit-learn's tools make them: each is as if it were saved and loaded."""

import copy
import pickle

import numpy as np
import pytest
from parsers import QUICK, tagged
from reviews import TEXTS
from tiny import TINY_CORPUS, train_tiny

from sapwood import Classifier, DependencyParser, PerceptronClassifier, Reranker, SequenceTagger
from sapwood.io.lists import Candidate, CandidateList
from sapwood.tasks.parsing.grammar import PhraseParser

pytestmark = pytest.mark.filterwarnings("ignore:.*stands in the model's training data")

LABELS, TEXT = [label for label, _ in TEXTS], [text for _, text in TEXTS]
TREES = ["(S (NP (DT the) (NN dog)) (VP (VBZ barks)))", "(S (NP (DT a) (NN cat)) (VP (VBZ sleeps)))"]
LISTS = [CandidateList("tree", [Candidate(tree, 0.0, float(k)) for k, tree in enumerate(TREES)])] * 2
MATRIX = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]] * 5)


def through_skops(model):
    """skops, in which mlflow writes models, takes a model apart by its state, and builds it again from the state."""
    sio = pytest.importorskip("skops.io")
    data = sio.dumps(model)
    trusted = sio.get_untrusted_types(data=data)
    assert all(name.startswith("sapwood.") for name in trusted)
    return sio.loads(data, trusted=trusted)


WAYS = [copy.copy, copy.deepcopy, lambda model: pickle.loads(pickle.dumps(model)), through_skops]

CALIBRATED_ON_ITSELF = "ignore:.*stands in the model's training data:sapwood.SapwoodWarning"


def fitted(tmp_path):
    """Yield models, each with something that it does."""
    (tmp_path / "tiny.txt").write_text(TINY_CORPUS)
    tagger = train_tiny(tmp_path / "tiny.txt")
    yield tagger, lambda model: model.predict([[("old", "JJ"), ("wood", "NN")]])
    words, trees = tagged(20)
    parser = DependencyParser(tags="predicted", **QUICK).fit(words, trees)
    yield parser, lambda model: model.predict(words[:3])
    for options in ({}, {"voted": True, "min_updates": 1}):
        classifier = Classifier(**options).fit(TEXT, LABELS).calibrate(TEXT, LABELS)
        yield classifier, lambda model: model.predict_proba(TEXT).tolist()
    for options in ({}, {"kernel": "tree"}, {"voted": True}):
        yield Reranker(**options).fit(LISTS), lambda model: model.rank(LISTS)
    yield PhraseParser().fit(TREES), lambda model: model.n_best([["the", "cat", "barks"]], 3)


@pytest.mark.few(2)
@pytest.mark.filterwarnings(CALIBRATED_ON_ITSELF)
@pytest.mark.parametrize("copied", WAYS)
def test_a_copy_does_what_the_first_does(tmp_path, copied):
    for model, works in fitted(tmp_path):
        model.set_params(threads=2)
        other = copied(model)
        assert other.get_params() == model.get_params()
        assert works(other) == works(model)
        other.save(tmp_path / "a.sap"), model.save(tmp_path / "b.sap")
        assert (tmp_path / "a.sap").read_bytes() == (tmp_path / "b.sap").read_bytes()


@pytest.mark.filterwarnings(CALIBRATED_ON_ITSELF)
def test_what_is_fitted_is_shown_in_a_line(tmp_path):
    tagger, parser, *_ = [repr(model.model_) for model, _ in fitted(tmp_path)]
    assert tagger == "<ModelFile: tag, 6 labels>"
    assert parser.endswith(" labels, with a tagger>")
    tables = train_tiny(tmp_path / "tiny.txt", names=True).model_.tables
    assert "JJ" not in repr(tables)
    assert any("JJ" in name for name in tables[0].names)


@pytest.mark.parametrize("copied", WAYS)
@pytest.mark.parametrize("kind", [SequenceTagger, DependencyParser, Classifier, Reranker, PhraseParser])
def test_what_is_not_fitted(copied, kind):
    assert repr(copied(kind(threads=3))) == f"{kind.__name__}(threads=3)"


@pytest.mark.parametrize("copied", WAYS)
@pytest.mark.parametrize("classes", [["x", "y", "z"], [3, 1, 2], [3.0, 1.0, 2.0], [True, False, True]])
@pytest.mark.parametrize("in_parts", [False, True])
def test_the_estimator_of_matrices(copied, classes, in_parts):
    y = classes * 5
    model = PerceptronClassifier(random_state=1)
    model = model.partial_fit(MATRIX, y, classes=np.unique(y)) if in_parts else model.fit(MATRIX, y)
    other = copied(model)
    assert other.predict(MATRIX).tolist() == model.predict(MATRIX).tolist()
    assert other.classes_.dtype == model.classes_.dtype


def test_a_pipeline_of_scikit_learn_in_skops():
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.pipeline import make_pipeline

    model = make_pipeline(CountVectorizer(), PerceptronClassifier()).fit(TEXT, LABELS)
    assert through_skops(model).predict(TEXT).tolist() == model.predict(TEXT).tolist()


@pytest.mark.parametrize("copied", WAYS)
def test_a_copy_learns_on(copied):
    model = Classifier(min_updates=1).partial_fit(TEXT, LABELS, classes=sorted(set(LABELS)))
    other = copied(model)
    first, second = (each.partial_fit(TEXT, LABELS).predict(TEXT) for each in (model, other))
    assert list(first) == list(second)
