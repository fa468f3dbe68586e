"""Short keys: fewer bits in the file or, by hashing, in training; smaller models, less accurate ones, that say so."""

import subprocess
import sys

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


def fitted(hash_bits, **options):
    options = {"template": "pos", "epochs": 3, "min_updates": 1, "hash_bits": hash_bits, **options}
    return SequenceTagger(**options).fit(TOKENS, TAGS)


@pytest.mark.few(2)
@pytest.mark.parametrize("search", ["viterbi", "greedy", "easiest-first"])
@pytest.mark.parametrize("bits", [8, 32])  # of weights
def test_there_are_few_features(search, bits, tmp_path):
    model = fitted(10, search=search, bits=bits)
    assert all(0 < table.packed.features <= 1 << 10 for table in model.model_.tables)
    model.save(tmp_path / "m.sap")
    loaded = load(tmp_path / "m.sap")
    assert loaded.hash_bits == 10
    assert loaded.predict(TOKENS) == model.predict(TOKENS)
    assert 0.7 < loaded.score(TOKENS, TAGS) < fitted(None, search=search, bits=bits).score(TOKENS, TAGS)


def test_with_enough_bits_nothing_changes():
    with_bits, without = fitted(32, bits=32), fitted(None, bits=32)
    assert sorted(w for *_, w in with_bits.tagger_.weights()) == sorted(w for *_, w in without.tagger_.weights())
    assert with_bits.predict(TOKENS) == without.predict(TOKENS)


def test_a_classifier_has_few_features():
    model = Classifier(hash_bits=10, min_updates=1, epochs=5).fit(TEXT, LABELS)
    assert model.score(TEXT, LABELS) > 0.8
    [reason] = model.explain([TEXT[0]])
    assert reason.features


def test_training_goes_on_with_the_same_bits_only(tmp_path):
    file = tmp_path / "c.checkpoint"
    options = {"template": "pos", "epochs": 1}
    SequenceTagger(**options, hash_bits=12).fit(TOKENS, TAGS, checkpoint=file)
    again = SequenceTagger(**options, hash_bits=12).fit(TOKENS, TAGS, from_checkpoint=file)
    assert again.score(TOKENS, TAGS) > 0.8
    for bits in (None, 13):
        with pytest.raises(OptionError, match="hash_bits was 12, and is"):
            SequenceTagger(**options, hash_bits=bits).fit(TOKENS, TAGS, from_checkpoint=file)


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (SequenceTagger(hash_bits=9), "hash_bits is a whole number from 10 to 32, not 9"),
        (SequenceTagger(hash_bits=33), "hash_bits is a whole number from 10 to 32, not 33"),
        (SequenceTagger(hash_bits=12, names=True), "have no names"),
        (Classifier(hash_bits=12, voted=True, min_updates=1), "not voted"),
        (Classifier(hash_bits=12, update="l1-cumulative"), "not for the baselines"),
        (Reranker(hash_bits=12, kernel="tree"), "are of features"),
    ],
    ids=str,
)
def test_what_hashed_features_cannot_do_is_refused(model, message):
    with pytest.raises(OptionError, match=message):
        model.params.check_options()


def test_command_line_says_so(tmp_path):
    """The range is checked; inspect and explain tell that features share their weights."""
    train = tmp_path / "train.txt"
    rows = ("".join(f"{w} {t}\n" for w, t in zip(*pair, strict=True)) for pair in zip(TOKENS, TAGS, strict=True))
    train.write_text("\n".join(rows))

    def sapwood(*arguments):
        command = [sys.executable, "-m", "sapwood", *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True)

    wrong = sapwood("train", "classify", train, "-o", tmp_path / "m.sap", "--hash-bits", "40")
    assert wrong.returncode == 2
    assert "40" in wrong.stderr.splitlines()[-1]
    assert "32" in wrong.stderr.splitlines()[-1]
    SequenceTagger(template="pos", epochs=1, hash_bits=14).fit(train).save(tmp_path / "m.sap")
    shown = sapwood("inspect", tmp_path / "m.sap").stdout
    assert "hash_bits 14" in shown
    assert "features are hashed to 14 bits, so that some share their weights" in shown
    why = sapwood("explain", tmp_path / "m.sap", train, "--sentence", "1", "--token", "1").stdout
    assert why.endswith("\nfeatures are hashed to 14 bits, so that some share their weights\n")
