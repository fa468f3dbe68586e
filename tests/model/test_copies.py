"""Copies and pickles of what is fitted, as scikit-learn's tools make them: each is as if it were saved and loaded."""

import copy
import pickle

import pytest
from parsers import QUICK, tagged
from reviews import TEXTS
from tiny import TINY_CORPUS, train_tiny

from sapwood import Classifier, DependencyParser, Reranker, SequenceTagger
from sapwood.io.lists import Candidate, CandidateList
from sapwood.tasks.parsing.grammar import PhraseParser

pytestmark = pytest.mark.filterwarnings("ignore:.*stands in the model's training data")

LABELS, TEXT = [label for label, _ in TEXTS], [text for _, text in TEXTS]
TREES = ["(S (NP (DT the) (NN dog)) (VP (VBZ barks)))", "(S (NP (DT a) (NN cat)) (VP (VBZ sleeps)))"]
LISTS = [CandidateList("tree", [Candidate(tree, 0.0, float(k)) for k, tree in enumerate(TREES)])] * 2
WAYS = [copy.copy, copy.deepcopy, lambda model: pickle.loads(pickle.dumps(model))]


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


@pytest.mark.parametrize("copied", WAYS)
def test_a_copy_does_what_the_first_does(tmp_path, copied):
    for model, works in fitted(tmp_path):
        model.set_params(threads=2)
        other = copied(model)
        assert other.get_params() == model.get_params()
        assert works(other) == works(model)
        other.save(tmp_path / "a.sap"), model.save(tmp_path / "b.sap")
        assert (tmp_path / "a.sap").read_bytes() == (tmp_path / "b.sap").read_bytes()


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
