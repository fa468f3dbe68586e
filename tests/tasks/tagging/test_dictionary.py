"""Tag dictionaries: labels are chosen among those that training has with the same value of a column."""

from collections import defaultdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sapwood import ModelError, OptionError, SequenceTagger, load

TEMPLATE = "U0:%x[0,0]\nU1:%x[0,1]\nU2:%y[-1]"
SENTENCES = [[("a", "X"), ("b", "X"), ("c", "Y"), ("d", "Z")]] * 3
LABELS = [["p", "q", "r", "s"]] * 3

tokens = st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from("XYZ")), min_size=1, max_size=5)
labelled = st.lists(tokens, min_size=1, max_size=6).flatmap(
    lambda data: st.tuples(st.just(data), st.tuples(*[st.tuples(*[st.sampled_from("pqrst")] * len(s)) for s in data]))
)


def tagger(**options):
    return SequenceTagger(**{"template": TEMPLATE, "search": "greedy", "dictionary": "1", "min_updates": 1} | options)


@given(labelled, st.sampled_from(["argmax", "greedy"]), st.sampled_from(["gold", "own"]), st.lists(tokens, min_size=1))
def test_every_label_is_one_that_training_has_with_the_value(data, search, history, unseen):
    sentences, labels = data
    seen = defaultdict(set)
    for sentence, given_labels in zip(sentences, labels, strict=True):
        for (_, value), label in zip(sentence, given_labels, strict=True):
            seen[value].add(label)
    template = TEMPLATE if search == "greedy" else TEMPLATE.rpartition("\n")[0]
    model = tagger(search=search, history=history, template=template).fit(sentences, labels)
    for sentence, guess in zip(unseen, model.predict(unseen), strict=True):
        for (_, value), label in zip(sentence, guess, strict=True):
            assert label in seen.get(value, model.labels_)


def test_several_columns_are_one_value():
    sentences = [[("a", "X"), ("a", "Y"), ("b", "X"), ("b", "Y")]]
    model = tagger(dictionary="0+1").fit(sentences, [["p", "q", "r", "s"]])
    assert model.predict([[token] for token in sentences[0]]) == [["p"], ["q"], ["r"], ["s"]]


def test_where_there_is_one_label_nothing_is_learned():
    sentences, labels = [[("a", "X"), ("b", "Y"), ("c", "Y")]], [["p", "q", "r"]]
    model = tagger(names=True).fit(sentences, labels)
    assert not any("a" in feature for _, _, feature in model.contents.weights())
    assert model.predict([[("never seen", "X")]]) == [["p"]]


def test_a_dictionary_comes_back_from_the_file(tmp_path):
    model = tagger().fit(SENTENCES, LABELS)
    model.save(tmp_path / "model.sap")
    again = load(tmp_path / "model.sap")
    assert again.dictionary == "1"
    assert again.predict(SENTENCES) == model.predict(SENTENCES) == LABELS


@pytest.mark.parametrize("search", ["viterbi", "easiest-first"])
def test_other_searches_have_no_dictionary(search):
    with pytest.raises(OptionError, match="needs search 'argmax' or 'greedy'"):
        tagger(search=search).fit(SENTENCES, LABELS)


def test_the_column_is_one_of_the_data():
    with pytest.raises(OptionError, match="the dictionary's columns are some of 0, 1; got upos"):
        tagger(dictionary="upos").fit(SENTENCES, LABELS)


@pytest.mark.parametrize(
    ("name", "bytes_", "message"),
    [
        ("dictionary.values", b"", "labels without a value"),
        ("dictionary.labels", b"", "a value without labels"),
        ("dictionary.labels", b"\x01\0\0\0\xff\0\0\0" * 3, "labels that the model does not have"),
        ("dictionary.values", b"\2\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", "not sorted"),
    ],
)
def test_a_broken_dictionary_is_refused(name, bytes_, message):
    model = tagger().fit(SENTENCES, LABELS).model_
    model.extra[name] = model.extra[name]._replace(data=bytes_)
    with pytest.raises(ModelError, match=message):
        SequenceTagger._of_file(model)


def test_a_model_without_its_dictionary_is_refused():
    model = tagger().fit(SENTENCES, LABELS).model_
    model.extra.clear()
    with pytest.raises(ModelError, match="does not have the tag dictionary"):
        SequenceTagger._of_file(model)
