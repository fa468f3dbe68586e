"""Shorter keys: a smaller file that takes more unknown features for known ones, and says so."""

import pytest
from parsers import tagged
from reranking import attachments
from reviews import TEXTS

from sapwood import Classifier, DependencyParser, Reranker, SequenceTagger, load
from sapwood.datasets.treebank import generate
from sapwood.errors import OptionError

TOKENS = [list(sentence.words) for sentence in generate(150, 1)]
TAGS = [list(sentence.tags) for sentence in generate(150, 1)]
TEXT, LABELS = [text for _, text in TEXTS], [label for label, _ in TEXTS]


def tagger(**options):
    return SequenceTagger(template="pos", epochs=3, min_updates=1, **options).fit(TOKENS, TAGS)


def table_of(model):
    [table] = model.model_.tables
    return table.packed


@pytest.mark.parametrize(("share", "bits_less"), [(0.001, 0), (0.01, 3), (0.02, 4), (0.125, 7)])
def test_keys_have_as_many_bits_as_the_share_allows(share, bits_less):
    short, usual = table_of(tagger(false_matches=share, search="greedy")), table_of(tagger(search="greedy"))
    assert short.key_bits == usual.key_bits - bits_less
    assert short.features <= usual.features  # of those with equal keys one is left
    false = short.features / 2**short.key_bits
    assert share / 4 < false <= share


def test_the_file_is_smaller_and_answers_stay_good(tmp_path):
    short, usual = tagger(false_matches=0.01), tagger()
    assert short.save(tmp_path / "short.sap") < usual.save(tmp_path / "usual.sap")
    loaded = load(tmp_path / "short.sap")
    assert loaded.false_matches == 0.01
    assert loaded.predict(TOKENS) == short.predict(TOKENS)
    assert loaded.score(TOKENS, TAGS) > usual.score(TOKENS, TAGS) - 0.01


def test_exact_weights_have_exact_keys():
    assert (
        table_of(tagger(bits=32, search="greedy")).key_bits
        == table_of(tagger(bits=32, search="greedy", false_matches=0.1)).key_bits
    )


def test_every_learner_has_it():
    words, trees = tagged(24)
    for kind, data in (
        (Classifier, (TEXT, LABELS)),
        (DependencyParser, (words, trees)),
        (Reranker, (attachments(40, 1),)),
    ):
        short, usual = (kind(epochs=2, min_updates=1, **given).fit(*data) for given in ({"false_matches": 0.05}, {}))
        assert table_of(short).key_bits == table_of(usual).key_bits - 5


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (SequenceTagger(false_matches=0.0), "false_matches is a number from 1e-6 to 0.125, not 0.0"),
        (DependencyParser(false_matches=0.2), "false_matches is a number from"),
        (Classifier(false_matches=0.01, voted=True, min_updates=1), "not voted"),
        (Classifier(false_matches=0.01, update="l1-cumulative"), "not for the baselines"),
        (Reranker(false_matches=0.01, kernel="tree"), "are of features"),
    ],
)
def test_what_is_refused(model, message):
    with pytest.raises(OptionError, match=message):
        model.params.check_options()
