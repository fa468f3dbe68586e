"""Features hashed to few bits: a bounded number of them, at the cost of accuracy; the model says so."""

import subprocess
import sys

import pytest
from reviews import TEXTS

from sapwood import Classifier, Reranker, SequenceTagger, load
from sapwood.datasets.treebank import generate
from sapwood.errors import OptionError

TOKENS = [list(sentence.words) for sentence in generate(150, 1)]
TAGS = [list(sentence.tags) for sentence in generate(150, 1)]
TEXT, LABELS = [text for _, text in TEXTS], [label for label, _ in TEXTS]


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
