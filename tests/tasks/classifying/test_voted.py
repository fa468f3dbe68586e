"""Classifiers in which every vector of training votes: what they predict, keep and refuse, and files that lie."""

import json

import numpy as np
import pytest
from forged import attacked, changed, contents, random_bytes
from hypothesis import given
from hypothesis import strategies as st
from reviews import FORMATS, TEXTS, TWO, fasttext, features, options_for, write_formats
from scores import label_scores

from sapwood import Classifier, DataError, OptionError, load
from sapwood.model.file.container import Array

pytestmark = pytest.mark.filterwarnings("ignore:.*stands in the model's training data")

LABELS, TEXT = [label for label, _ in TEXTS], [text for _, text in TEXTS]
VOTED = {"voted": True, "min_updates": 1}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("voted")
    write_formats(path)
    return path


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_is_learned_kept_and_read(folder, tmp_path, name):
    voted = Classifier(**{**options_for(name), **VOTED, "names": False}).fit(folder / name)
    assert voted.score(folder / name) == 1
    voted.save(tmp_path / "m.sap")
    loaded = load(tmp_path / "m.sap")
    assert loaded.support_ is not None
    assert np.array_equal(label_scores(loaded, folder / name), label_scores(voted, folder / name))
    assert b"".join(loaded.annotate([(folder / name).read_bytes()], name=name)) == b"".join(
        voted.annotate([(folder / name).read_bytes()], name=name)
    )
    again = Classifier(**{**options_for(name), **VOTED, "names": False}).fit(folder / name)
    again.save(tmp_path / "again.sap")
    assert (tmp_path / "again.sap").read_bytes() == (tmp_path / "m.sap").read_bytes()


def test_scores_are_parts_of_the_votes():
    voted = Classifier(**VOTED, epochs=3).fit(TEXT, LABELS)
    scores = label_scores(voted, [*TEXT, "words that training never saw"])
    assert scores.min() >= 0
    np.testing.assert_allclose(scores.sum(axis=1), 1)
    seen = voted.model_.options["examples_seen"]
    assert seen == 3 * len(TEXT)
    np.testing.assert_allclose(scores * seen, np.round(scores * seen), atol=1e-9)
    assert [voted.labels_[y] for y in scores.argmax(axis=1)][:-1] == voted.predict(TEXT).tolist()


def test_one_update_is_one_vector():
    """The first example is a mistake and the only one: the vector it makes casts all votes, for its words."""
    voted = Classifier(template="A:%X[0,0]\n", update="perceptron", epochs=1, shuffle=False, **VOTED)
    voted.fit(["good", "bad", "good"], ["-", "+", "-"])
    assert len(voted.support_) == 1
    assert voted.predict(["bad", "good", "new"]).tolist() == ["+", "-", "-"]
    assert label_scores(voted, ["bad"]).tolist() == [[1 / 3, 2 / 3]]  # the empty vector's vote goes to "-"


@pytest.mark.parametrize(
    "options",
    [
        {"update": "perceptron"},
        {"update": "pa"},
        {"class_weight": "balanced"},
        {"shuffle": False},
        {"cv": 3},
        {"epochs": 1},
    ],
)
def test_votes_work_with_other_options(options, tmp_path):
    voted = Classifier(**{**VOTED, **options}).fit(TEXT, LABELS)
    assert voted.score(TEXT, LABELS) > 0.9
    voted.save(tmp_path / "m.sap")
    assert load(tmp_path / "m.sap").predict(TEXT).tolist() == voted.predict(TEXT).tolist()


def test_passes_are_scored(folder):
    voted = Classifier(**VOTED, epochs=6, patience=2).fit(folder / "t.txt", dev_fraction=0.3)
    assert voted.model_.provenance["dev_score"] > 90
    seen = len(TEXT) - int(0.3 * len(TEXT))
    assert voted.model_.options["examples_seen"] == voted.model_.provenance["best_epoch"] * seen


def test_votes_can_be_calibrated(tmp_path):
    voted = Classifier(**VOTED).fit(TEXT, LABELS).calibrate(TEXT, LABELS)
    assert voted.predict_proba(TEXT).sum(axis=1) == pytest.approx(1)
    voted.save(tmp_path / "m.sap")
    assert np.array_equal(load(tmp_path / "m.sap").predict_proba(TEXT), voted.predict_proba(TEXT))


@pytest.mark.parametrize("options", [VOTED, {"min_updates": 1}])
@pytest.mark.parametrize("examples", [TEXT, [features(text) for text in TEXT]])
def test_no_examples_have_no_labels(options, examples):
    classifier = Classifier(**options).fit(examples, LABELS)
    assert classifier.predict([]).tolist() == []
    assert label_scores(classifier, []).shape == (0, 3)


def test_many_labels_vote_as_few_do():
    """Labels that no update speaks for have no votes, and change nothing."""
    texts, labels = [f"w{k % 50} v{k % 7}" for k in range(300)], [f"l{k % 50}" for k in range(300)]
    many = Classifier(**VOTED).fit(texts, labels)
    scores = label_scores(many, texts)
    np.testing.assert_allclose(scores.sum(axis=1), 1)
    assert many.predict(texts).tolist() == labels


def test_threads_change_nothing():
    voted = Classifier(**VOTED).fit(TEXT, LABELS)
    assert np.array_equal(
        label_scores(voted.set_params(threads=3), TEXT), label_scores(voted.set_params(threads=1), TEXT)
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"min_updates": 5}, "min_updates and prune_below have to be 1"),
        ({"prune_below": 2}, "min_updates and prune_below have to be 1"),
        ({"drop_below": 0.1}, "neither drop_below nor names"),
        ({"names": True}, "neither drop_below nor names"),
        ({"update": "l1-cumulative"}, "the vectors of a perceptron vote, and l1-cumulative has none"),
        ({"voted": 1}, "voted is one of True, False"),
    ],
)
def test_what_cannot_vote(options, message):
    with pytest.raises(OptionError, match=message):
        Classifier(**{**VOTED, **options}).fit(TEXT, LABELS)


def test_every_verb_takes_voted_classifiers(run_cli, tmp_path):
    (tmp_path / "two.txt").write_text(fasttext(TWO))
    model = tmp_path / "m.sap"
    run = run_cli(f"train classify {tmp_path / 'two.txt'} -o {model} --voted --min-updates 1")
    assert run.status == 0, run.err
    assert " support examples, " in run.err
    classified = run_cli(f"classify {model} {tmp_path / 'two.txt'} --top 2")
    votes = [line.split("\t") for line in classified.out.splitlines()]
    assert [line[0] for line in votes] == [label for label, _ in TWO]
    assert all(float(line[1]) + float(line[3]) == pytest.approx(1, abs=1e-5) for line in votes)
    shown = run_cli(f"inspect {model} --top 2").out
    assert "support examples, 400 examples seen" in shown
    assert "keys (support examples)" in shown
    assert " of the support" in shown
    assert shown.count("\n+\n") == shown.count("\n-\n") == 1
    assert run_cli(f"eval {model} {tmp_path / 'two.txt'}").status == 0
    refused = run_cli(f"train classify {tmp_path / 'two.txt'} -o {model} --voted")
    assert (refused.status, refused.err.count("\n")) == (2, 1)


# Files that lie


@pytest.fixture(scope="module")
def honest(folder, tmp_path_factory):
    path = tmp_path_factory.mktemp("honest") / "m.sap"
    Classifier(**VOTED).fit(folder / "features.jsonl").save(path)
    return contents(path)


@pytest.fixture
def attack(honest, tmp_path):
    def run(metadata=None, arrays=None):
        return attacked(tmp_path / "bad.sap", honest, metadata, arrays, check)

    return run


def check(classifier):
    try:
        scores = label_scores(classifier, [features(text) for text in TEXT])
    except DataError as error:
        assert str(error).isprintable()
    else:
        assert np.isfinite(scores).all()


def test_the_honest_model_works(attack):
    assert attack() is None


def emptied(honest, name):
    return {f"extra.{name}": Array.of(honest.arrays[f"extra.{name}"].dtype, b"")}


def test_a_support_that_is_not_there_or_should_not_be(attack, honest):
    arrays = dict.fromkeys(honest.arrays.keys() - {"familiar", "seen"})
    assert "is said to have them" in attack({"extra": None}, arrays)
    assert "is said to have them" in attack(changed(honest, "options", voted=False))
    assert "does not belong there" in attack({"extra": None})
    assert "has no array" in attack(None, {"extra.keys": None})
    text = {f"extra.{name}": None for name in ("sizes", "keys", "values")} | {"extra.text": Array.of("U8", b"a\n")}
    names = json.dumps(["text", "oracles", "guesses", "steps", "times"])
    assert "its support is text" in attack({"extra": names}, text)


@pytest.mark.parametrize("name", ["sizes", "keys", "values", "oracles", "guesses", "steps", "times"])
def test_arrays_that_do_not_fit(attack, honest, name):
    assert attack(None, emptied(honest, name)) or name == "values"  # without values they are all 1
    assert attack(None, {f"extra.{name}": Array.of(honest.arrays[f"extra.{name}"].dtype, bytes(8))})
    other = "F32" if name != "values" else "U32"
    assert "is not a list of" in attack(None, {f"extra.{name}": Array.of(other, honest.arrays[f"extra.{name}"].data)})


@pytest.mark.parametrize("clock", [None, -1, 0, 1, "7", 1 << 62, 0.5])
def test_clocks_that_lie_are_refused(attack, honest, clock):
    assert attack(changed(honest, "options", examples_seen=clock))


def test_updates_of_two_examples_are_refused(attack, honest):
    guesses = np.frombuffer(honest.arrays["extra.guesses"].data, dtype="<u4")
    assert "of two examples" in attack(None, {"extra.guesses": Array.of("U32", np.roll(guesses, 1).tobytes())})
    too_many = np.full_like(guesses, 2**32 - 1).tobytes()
    assert "not there" in attack(None, {"extra.guesses": Array.of("U32", too_many)})


@given(st.data())
def test_random_bytes_are_refused_or_work(honest, tmp_path_factory, data):
    path = tmp_path_factory.getbasetemp() / "random-votes.sap"
    attacked(path, honest, None, random_bytes(data, honest.arrays), check)
