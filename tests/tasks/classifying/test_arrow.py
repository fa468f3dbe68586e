"""Arrays of pyarrow's as texts, labels, sentences: they stand for lists of Python's values."""

import pytest

from sapwood import Classifier, DataError, SequenceTagger, load

pa = pytest.importorskip("pyarrow")

TEXTS, LABELS = ["good fun", "bad dull", "great fun", "poor dull"], ["pos", "neg", "pos", "neg"]
FORMS = {
    "array": pa.array,
    "chunked": lambda values: pa.chunked_array([values[:1], values[1:]]),
    "dictionary": lambda values: pa.array(values).dictionary_encode(),
    "large": lambda values: pa.array(values, pa.large_string()),
    "view": lambda values: pa.array(values, pa.string_view()),
}


@pytest.mark.parametrize("form", FORMS)
def test_texts_and_labels(form):
    classifier = Classifier(min_updates=1).fit(FORMS[form](TEXTS), FORMS[form](LABELS))
    assert list(classifier.classes_) == ["neg", "pos"]
    assert (classifier.predict(FORMS[form](TEXTS)) == "pos").tolist() == [True, False, True, False]


@pytest.mark.parametrize("form", FORMS)
def test_a_null_is_no_label_and_no_text(form):
    with pytest.raises(DataError, match="example 2: there is no label"):
        Classifier().fit(TEXTS, FORMS[form](["pos", None, "pos", "neg"]))
    with pytest.raises(DataError, match=r"example 2 \(counted from 1\) is None"):
        Classifier().fit(FORMS[form](["good", None, "bad", "dull"]), LABELS)


def test_numbers_sets_and_weights():
    assert Classifier(min_updates=1).fit(TEXTS, pa.array([1, 2, 1, 2])).predict(TEXTS).tolist() == [1, 2, 1, 2]
    sets = pa.array([["a"], ["b"], ["a", "b"], []])
    assert list(Classifier(min_updates=1, multi_label=True).fit(TEXTS, sets).predict(TEXTS[:1])) == [("a",)]
    weighed = [
        Classifier(min_updates=1).fit(TEXTS, LABELS, sample_weight=w) for w in (pa.array([1.0, 2, 1, 1]), [1, 2, 1, 1])
    ]
    assert len({model.model_.provenance["data_checksum"] for model in weighed}) == 1


def test_sentences_and_raw_texts():
    tagger = SequenceTagger(template="pos", min_updates=1).fit(
        pa.array([["a", "b"], ["c"]]), pa.array([["X", "Y"], ["X"]])
    )
    assert tagger.predict(pa.array([["a", "b"]])) == [["X", "Y"]]
    assert [doc.text for doc in load("en").pipe(pa.array(["He left.", "She ran."]))] == ["He left.", "She ran."]
