"""Taggers of dicts of features, as sklearn-crfsuite has them."""

import pickle
import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiny import TINY_CORPUS, sentences_of

import sapwood
from sapwood import DataError, ModelError, OptionError, SequenceTagger, _core
from sapwood.errors import SapwoodWarning

# The sentences of these tests are few and come several times, which is said.
pytestmark = pytest.mark.filterwarnings("ignore:.*(stand there several times|stands? in the (model's )?training data)")


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
    theirs = SequenceTagger(template="U:%x[0,0]\nU:%x[0,1]\nB\n", gamma=3.0, names=True, **QUICK).fit(columns)
    assert {(f"U:{name}", label): w for (name, label), w in ours.state_features_.items()} == theirs.state_features_
    assert ours.transition_features_ == theirs.transition_features_
    assert ours.predict(dicts) == theirs.predict([[token[:2] for token in sentence] for sentence in columns])


def test_gamma_is_that_of_the_data_if_it_is_not_given():
    """Chosen on development data, the names of UD English EWT."""
    words = {"template": "U:%x[0,0]\n", **QUICK}
    for options, data, gamma in [(QUICK, (X, Y), 3.0), (words, (TINY,), 20.0)]:
        model = SequenceTagger(**options).fit(*data)
        same = SequenceTagger(**options, gamma=gamma).fit(*data)
        assert model.params.gamma is None
        assert model.model_.options == same.model_.options
        assert list(model.contents.weights()) == list(same.contents.weights())
        assert list(SequenceTagger(**options, gamma=7.0).fit(*data).contents.weights()) != list(
            model.contents.weights()
        )


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


@pytest.mark.filterwarnings("ignore:.* the training data:sapwood.SapwoodWarning")
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

    from sapwood.sklearn import models

    assert cross_val_score(clone(models.SequenceTagger(**QUICK)), X * 4, Y * 4, cv=2).mean() > 0.8


@pytest.mark.parametrize(
    "token, message",
    [
        ({"size": float("nan")}, r"sentence 1, token 1 has the feature 'size': a value is not a number \(NaN\)$"),
        ({"size": float("-inf")}, "has the feature 'size': a value is infinite$"),
        ({"size": -2e15}, "has the feature 'size': a value is larger than 1e15; scale the features$"),
        ({"size": 10**400}, "has the feature 'size': a value is larger than 1e15; scale the features$"),
        ({"size": object()}, "neither a string, a number, a bool nor a collection"),
        ({7: True}, "not a string of valid Unicode"),
        ({"a": "\0"}, "without NUL"),
        ({"": True}, "a feature without a name"),
    ],
)
def test_values_that_are_no_features(token, message):
    with pytest.raises(DataError, match=message):
        SequenceTagger().fit([[token]], [["A"]])


def sized(seed, sentences=60):
    """Sentences whose labels depend on numbers: POS where x is above a half of y."""
    drawn = random.Random(seed)
    X = [[{"x": drawn.uniform(-1, 1), "y": drawn.uniform(-1, 1), "w": drawn.choice("ab")} for _ in range(4)]
         for _ in range(sentences)]  # fmt: skip
    return X, [["POS" if token["x"] > token["y"] / 2 else "NEG" for token in sentence] for sentence in X]


SIZED, GOLD = sized(1)
UNSEEN, WANTED = sized(2)
SEARCHES = ["argmax", "greedy", "easiest-first", "viterbi"]


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("update", ["perceptron", "margin", "pa"])
def test_numbers_count_by_their_values(search, update, tmp_path):
    tagger = SequenceTagger(search=search, update=update, epochs=5, min_updates=1).fit(SIZED, GOLD)
    assert tagger.score(UNSEEN, WANTED) > 0.9
    assert tagger.predict(UNSEEN) == pickle.loads(pickle.dumps(tagger)).predict(UNSEEN)
    tagger.save(tmp_path / "m.sap")
    assert sapwood.load(tmp_path / "m.sap").set_params(threads=3).predict(UNSEEN) == tagger.predict(UNSEEN)


def test_a_passive_aggressive_step_divides_by_the_squared_length():
    """Both tokens score 0 and cost 1. |phi(gold) - phi(guess)|^2 is 1 + 1, then 2^2 + 2^2: steps of 1/2 and 1/8."""
    options = {"search": "argmax", "update": "pa", "gamma": 1.0, "epochs": 1, "average": False, "bits": 32}
    tagger = SequenceTagger(names=True, min_updates=1, **options).fit([[{"o": 1}, {"x": 2}]], [["B", "A"]])
    assert tagger.state_features_ == {("o", "B"): 0.5, ("o", "A"): -0.5, ("x", "A"): 0.25, ("x", "B"): -0.25}


def test_an_array_of_values_is_there_only_for_values():
    """Zeros and ones are what strings and bools are: the same bytes, and no value beside them."""
    ones = [[{name: {True: 1.0, False: 0}.get(value, value) for name, value in token.items()} for token in sentence]
            for sentence in X]  # fmt: skip
    plain, same = _core.Columns.build_features(X, Y, "x", 0), _core.Columns.build_features(ones, Y, "x", 0)
    assert plain.checksum == same.checksum
    other, negated = ([[{"a": n}]] for n in (0.5, -0.5))
    sums = {_core.Columns.build_features(each, None, "x", 0).checksum for each in (other, negated, [[{"a": 1}]])}
    assert len(sums) == 3
    assert SequenceTagger(**QUICK).fit(X, Y).contents.weights() is not None
    assert list(SequenceTagger(**QUICK).fit(X, Y).contents.weights()) == list(
        SequenceTagger(**QUICK).fit(ones, Y).contents.weights()
    )


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("bits", [8, 16, 32])
def test_reasons_with_values_add_up(search, bits):
    tagger = SequenceTagger(search=search, epochs=5, min_updates=1, bits=bits).fit(SIZED, GOLD)
    some = UNSEEN[:6]
    margins, guess = tagger.margins(some), tagger.predict(some)
    for found in tagger.explain(some):
        s, t = found.sentence - 1, found.token - 1
        assert found.chosen == guess[s][t]
        assert found.margin == pytest.approx(margins[s][t], rel=1e-4)
        assert sum(f["contribution"] for f in found.features) == pytest.approx(found.margin, rel=1e-3, abs=1e-3)
        if search != "viterbi":
            x = some[s][t]["x"]
            assert {abs(f["value"]) == pytest.approx(abs(x)) for f in found.features if f["text"] == "U:x"} == {True}


@pytest.mark.parametrize("bits", [8, 32])
def test_n_best_of_values_are_scored_by_them(bits):
    tagger = SequenceTagger(names=True, epochs=3, min_updates=1, bits=bits).fit(SIZED, GOLD)
    state, pairs = tagger.state_features_, tagger.transition_features_
    for sentence, found in zip(UNSEEN[:5], tagger.n_best(UNSEEN[:5], 20), strict=True):
        assert len(found) == 2**4
        for labels, score in found:
            emitted = sum(
                value * state.get((name, y), 0)
                for token, y in zip(sentence, labels, strict=True)
                for name, value in [("x", token["x"]), ("y", token["y"]), (f"w:{token['w']}", 1)]
            )
            moved = sum(pairs.get(pair, 0) for pair in pairwise(["<start>", *labels]))
            assert score == pytest.approx(emitted + moved, rel=1e-4, abs=1e-3)
        assert found[0][0] == tagger.predict([sentence])[0]


@pytest.mark.parametrize(
    "options", [{"shards": 2}, {"batch": 8}, {"search": "greedy", "history": "own"}, {"max_bytes": 2250}]
)
def test_values_reach_every_way_of_training(options):
    tagger = SequenceTagger(epochs=4, min_updates=1, **options).fit(SIZED, GOLD, dev=(UNSEEN, WANTED))
    assert tagger.score(UNSEEN, WANTED) > 0.9


def test_values_are_seen_by_what_is_done_with_a_tagger(tmp_path):
    """Calibrating and resuming; other values are other data."""
    tagger = SequenceTagger(epochs=4, min_updates=1).fit(SIZED, GOLD)
    sure = tagger.calibrate(UNSEEN, WANTED).confidences(UNSEEN)
    assert min(p for sentence in sure for p in sentence) < 0.7 < max(p for sentence in sure for p in sentence)
    saved = tmp_path / "c"
    SequenceTagger(epochs=2, min_updates=1).fit(SIZED, GOLD, checkpoint=saved)
    again = SequenceTagger(epochs=4, min_updates=1).fit(SIZED, GOLD, resume=saved)
    assert list(again.contents.weights()) == list(
        SequenceTagger(epochs=4, min_updates=1).fit(SIZED, GOLD).contents.weights()
    )
    other = [[token | {"x": token["x"] / 2} for token in sentence] for sentence in SIZED]
    with pytest.raises(OptionError, match="the training data changed"):
        SequenceTagger(epochs=4, min_updates=1).fit(other, GOLD, resume=saved)


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
    with pytest.raises(DataError, match="columns, but the model was trained on features"):
        tagger.predict([["a", "word"]])
    with pytest.raises(DataError, match="features, but the model was trained on columns"):
        SequenceTagger(template="U:%x[0,0]\n", **QUICK).fit([[("a", "B")]]).predict(X)
    with pytest.raises(DataError, match=r"dev is \(X_dev, y_dev\)"):
        SequenceTagger().fit(X, Y, dev=TINY)
    (tmp_path / "text.txt").write_text("the\ndog\n")
    tagger.save(tmp_path / "model.sap")
    status, _, err = run_cli(["tag", tmp_path / "model.sap", tmp_path / "text.txt"])
    assert status == 1 and "trained on features of tokens" in err


def lists_of(sentences):
    """The same features as attributes of CRFsuite: strings, as many as a token has."""
    return [[[name if value is True or name == "bias" else f"{name}={value}" for name, value in token.items() if value]
             for token in sentence] for sentence in sentences]  # fmt: skip


@pytest.mark.filterwarnings("ignore:the held-out data are the training data")
def test_lists_of_strings_are_features():
    X_lists = lists_of(X)
    dicts = [[dict.fromkeys(token, True) for token in sentence] for sentence in X_lists]
    tagger = SequenceTagger(names=True, **QUICK).fit(X_lists, Y, dev=(X_lists, Y))
    same = SequenceTagger(names=True, **QUICK).fit(dicts, Y, dev=(dicts, Y))
    assert tagger.state_features_ == same.state_features_
    assert ("word=slept", "B-NP") in tagger.state_features_
    assert tagger.predict(X_lists) == same.predict(dicts) == tagger.predict(dicts)
    assert tagger.score(X_lists, Y) == same.score(dicts, Y)
    assert [tagger.predict_single(sentence) for sentence in X_lists] == tagger.predict(X_lists)
    assert sorted(tagger.classes_) == sorted({label for labels in Y for label in labels})
    assert not hasattr(SequenceTagger(), "classes_")
    twice = [[[*token, token[1]] for token in sentence] for sentence in X_lists]
    numbers = [[{name: 1 + (name == token[1]) for name in token} for token in sentence] for sentence in X_lists]
    assert (
        SequenceTagger(names=True, **QUICK).fit(twice, Y).state_features_
        == SequenceTagger(names=True, **QUICK).fit(numbers, Y).state_features_
    )


@pytest.mark.filterwarnings("ignore:the held-out data are the training data")
def test_lists_are_features_beside_labels_and_columns_with_labels_in_them():
    words = [[[token[0], token[1]] for token in sentence] for sentence in TINY]
    template = {"template": "U:%x[0,0]\nU:%x[0,1]\n"}
    with pytest.warns(SapwoodWarning, match="make each token a tuple"):
        SequenceTagger(**QUICK).fit(words, Y)
    with pytest.warns(SapwoodWarning), pytest.raises(OptionError, match="tuples"):
        SequenceTagger(**QUICK, **template).fit(words, Y)
    tuples = [list(map(tuple, sentence)) for sentence in words]
    tagger = SequenceTagger(**QUICK, **template).fit(tuples, Y, dev=(tuples, Y))
    rows = [[[*token, label] for token, label in zip(*pair, strict=True)] for pair in zip(words, Y, strict=True)]
    inside = SequenceTagger(**QUICK, **template).fit(rows)
    assert tagger.predict(words) == inside.predict(tuples) == inside.predict(words)
    assert tagger.score(words, Y) == inside.score(rows)
    with pytest.raises(OptionError, match="which are tuples"):
        SequenceTagger(**QUICK).partial_fit(words, Y)


@pytest.mark.parametrize("token", [["a", 1], ["a", ["b"]], [""], ["a\0"]])
def test_lists_of_other_things_are_refused(token):
    with pytest.raises(DataError, match="sentence 1, token 2"):
        SequenceTagger(**QUICK).fit([[["a=b"], token]], [["A", "B"]])


def test_options_about_columns_are_refused():
    for options in ({"template": "pos"}, {"columns": ["word", "label"]}):
        with pytest.raises(OptionError, match="is for tokens with columns"):
            SequenceTagger(**options).fit(X, Y)
    with pytest.raises(OptionError, match="partial_fit takes tokens with columns"):
        SequenceTagger().partial_fit(X, Y)
    with pytest.raises(ModelError, match="names=True"):
        SequenceTagger(**QUICK).fit(X, Y).state_features_  # noqa: B018
