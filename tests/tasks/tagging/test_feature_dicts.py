"""Taggers of dicts of features, as sklearn-crfsuite has them."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiny import TINY_CORPUS, sentences_of

import sapwood
from sapwood import DataError, ModelError, OptionError, SequenceTagger, _core


def features(sentence, i):
    """Features of one token, in the manner of sklearn-crfsuite's tutorial: those at the ends have fewer."""
    word, tag = sentence[i][:2]
    found = {"bias": 1.0, "word": word, "suffix": word[-2:], "is_title": word.istitle(), "tag": tag}
    found |= {"-1:tag": sentence[i - 1][1]} if i > 0 else {"BOS": True}
    if i + 1 < len(sentence):
        found["+1:tag"] = sentence[i + 1][1]
    return found


def dicts_of(sentences):
    return [[features(sentence, i) for i in range(len(sentence))] for sentence in sentences]


TINY = sentences_of(TINY_CORPUS)
X, Y = dicts_of(TINY), [[token[-1] for token in sentence] for sentence in TINY]
QUICK = {"min_updates": 1, "epochs": 8}


@pytest.fixture(scope="module")
def tagger():
    return SequenceTagger(names=True, **QUICK).fit(X, Y)


def flat(value, name=""):
    """The features of python-crfsuite's documentation, slowly."""
    if isinstance(value, str):
        return [f"{name}:{value}"]
    if isinstance(value, dict):
        return [text for key, inner in value.items() for text in flat(inner, f"{name}:{key}" if name else key)]
    if isinstance(value, (list, set)):
        return [f"{name}:{item}" for item in value]
    return [name] if value else []


TEXTS = st.text(alphabet="ab:é ", min_size=1, max_size=3)
VALUES = st.recursive(
    st.one_of(st.booleans(), st.sampled_from([0, 1, 0.0, 1.0]), TEXTS, st.just("")),
    lambda inner: st.lists(TEXTS, max_size=2) | st.sets(TEXTS, max_size=2) | st.dictionaries(TEXTS, inner, max_size=2),
    max_leaves=4,
)


@given(st.lists(st.lists(st.dictionaries(TEXTS, VALUES, max_size=4), min_size=1, max_size=3), max_size=3))
def test_features_are_those_of_crfsuite(sentences):
    columns = _core.Columns.build_features(sentences, None, "data", 0)
    rows = [
        [[text for text in token if text] for token in zip(*sentence, strict=True)]
        for sentence in zip(*(columns.column(c) for c in range(columns.width)), strict=True)
    ]
    expected = [[flat(token) for token in sentence] for sentence in sentences]
    assert [[sorted(token) for token in sentence] for sentence in rows if sentences] == [
        [sorted(token) for token in sentence] for sentence in expected
    ]


def test_dicts_of_features_are_learned(tagger):
    assert tagger.predict(X) == Y
    assert tagger.score(X, Y) == 1
    assert tagger.predict([[], X[0]]) == [[], Y[0]]


def test_dicts_give_what_columns_with_a_template_give():
    """Where all tokens have the same features, a dict is a row of columns, and names a column each."""
    dicts = [[{"w": word, "t": tag} for word, tag, _ in sentence] for sentence in TINY]
    columns = [[(f"w:{word}", f"t:{tag}", label) for word, tag, label in sentence] for sentence in TINY]
    ours = SequenceTagger(names=True, **QUICK).fit(dicts, Y)
    theirs = SequenceTagger(template="U:%x[0,0]\nU:%x[0,1]\nB\n", names=True, **QUICK).fit(columns)
    assert {(f"U:{name}", label): w for (name, label), w in ours.state_features_.items()} == theirs.state_features_
    assert ours.transition_features_ == theirs.transition_features_
    assert ours.predict(dicts) == theirs.predict([[token[:2] for token in sentence] for sentence in columns])


def test_what_is_absent_is_no_feature(tagger):
    """Weights are of features that the dicts have; a token without any has those of label pairs alone."""
    known = {text for sentence in X for token in sentence for text in flat(token)}
    assert {name for name, _ in tagger.state_features_} <= known
    assert {label for _, label in tagger.state_features_} <= {label for sentence in Y for label in sentence}
    assert ("B-NP", "I-NP") in tagger.transition_features_
    assert "U:" not in str(tagger.explain([[{}]], sentence=1, token=1))


def test_order_of_features_does_not_matter(tagger):
    turned = [[dict(reversed(token.items())) for token in sentence] for sentence in X]
    assert tagger.predict(turned) == Y
    assert SequenceTagger(names=True, **QUICK).fit(turned, Y).state_features_ == pytest.approx(tagger.state_features_)


def test_more_features_than_in_training_change_nothing(tagger, tmp_path):
    more = [[token | {f"new{k}": True for k in range(20)} for token in sentence] for sentence in X]
    copy = pickle.loads(pickle.dumps(tagger))
    assert copy.predict(more) == Y
    assert copy.predict(X) == Y
    copy.save(tmp_path / "model.sap")
    assert sapwood.load(tmp_path / "model.sap").predict(more) == Y


def test_a_loaded_tagger_is_the_saved_one(tagger, tmp_path):
    tagger.save(tmp_path / "model.sap")
    again = sapwood.load(tmp_path / "model.sap")
    assert again.predict(X) == Y
    assert again.state_features_ == tagger.state_features_
    assert again.fit(X, Y).predict(X) == Y  # with the options that the file has


@pytest.mark.parametrize("search", ["argmax", "greedy", "easiest-first", "viterbi"])
@pytest.mark.parametrize("order", [1, 2])
def test_every_search_learns(search, order):
    tagger = SequenceTagger(search=search, order=order, **QUICK).fit(X, Y)
    assert tagger.score(X, Y) > 0.9


def test_held_out_data_are_scored(tagger):
    found = []
    SequenceTagger(**QUICK).fit(X[:3], Y[:3], dev=(X[3:], Y[3:]), on_event=found.append)
    assert any(getattr(event, "dev_score", None) is not None for event in found)
    SequenceTagger(**QUICK).fit(X * 4, Y * 4, dev_fraction=0.25)
    wide = [[token | {f"k{k}": True for k in range(9)} for token in sentence] for sentence in X]
    SequenceTagger(**QUICK).fit(X, Y, dev=(wide, Y))


def test_what_taggers_do_besides(tagger):
    assert tagger.n_best(X[:1], 2)[0][0][0] == Y[0]
    [(labels, margins)] = zip(Y[:1], tagger.margins(X[:1]), strict=True)
    assert len(labels) == len(margins)
    assert tagger.evaluate(X, Y).as_dict()
    calibrated = SequenceTagger(**QUICK).fit(X * 6, Y * 6).calibrate(X * 6, Y * 6)
    assert all(0 <= p <= 1 for sentence in calibrated.confidences(X) for p in sentence)
    assert "U:word:dog" in str(tagger.explain(X, sentence=1, token=3))


def test_in_scikit_learn():
    from sklearn.base import clone
    from sklearn.model_selection import cross_val_score

    assert cross_val_score(clone(SequenceTagger(**QUICK)), X * 4, Y * 4, cv=2).mean() > 0.8


@pytest.mark.parametrize(
    "token, message",
    [
        ({"size": 7.5}, "sentence 1, token 1 has the feature 'size' with a number as its value"),
        ({"size": None}, "neither a string, a bool nor a collection"),
        ({7: True}, "not a string of valid Unicode"),
        ({"a": "\0"}, "without NUL"),
        ({"": True}, "a feature without a name"),
    ],
)
def test_values_that_are_no_features(token, message):
    with pytest.raises(DataError, match=message):
        SequenceTagger().fit([[token]], [["A"]])


@pytest.mark.parametrize("depth", [101, 100_000, None])
def test_dicts_in_each_other_are_refused(depth):
    token = {}
    if depth is None:
        token["a"] = token  # it has itself in it
    for _ in range(depth or 0):
        token = {"a": token}
    with pytest.raises(DataError, match="token 1 has more than 100 dicts in each other"):
        SequenceTagger(**QUICK).fit([[token]], [["A"]])


def test_mixed_data_are_refused(tagger, tmp_path, run_cli):
    with pytest.raises(DataError, match="is not a dict of features"):
        SequenceTagger().fit([[{"a": "b"}, "word"]], [["A", "B"]])
    with pytest.raises(DataError, match="2 tokens and 1 labels"):
        SequenceTagger().fit([[{"a": "b"}] * 2], [["A"]])
    with pytest.raises(DataError, match="columns, but the model was trained on dicts"):
        tagger.predict([["a", "word"]])
    with pytest.raises(DataError, match="dicts of features, but the model was trained on columns"):
        SequenceTagger(template="U:%x[0,0]\n", **QUICK).fit([[("a", "B")]]).predict(X)
    with pytest.raises(DataError, match=r"dev is \(X_dev, y_dev\)"):
        SequenceTagger().fit(X, Y, dev=TINY)
    (tmp_path / "text.txt").write_text("the\ndog\n")
    tagger.save(tmp_path / "model.sap")
    status, _, err = run_cli(["tag", tmp_path / "model.sap", tmp_path / "text.txt"])
    assert status == 1 and "trained on dicts of features" in err


def test_options_about_columns_are_refused():
    for options in ({"template": "pos"}, {"columns": ["word", "label"]}):
        with pytest.raises(OptionError, match="is for tokens with columns"):
            SequenceTagger(**options).fit(X, Y)
    with pytest.raises(OptionError, match="partial_fit takes tokens with columns"):
        SequenceTagger().partial_fit(X, Y)
    with pytest.raises(ModelError, match="names=True"):
        SequenceTagger(**QUICK).fit(X, Y).state_features_  # noqa: B018
