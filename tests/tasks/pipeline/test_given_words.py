"""Sentences of given words in Python: what is a sentence, what are several, and what is neither."""

import pytest
from treebanks import ONE_EPOCH, treebank

import sapwood
from sapwood import DataError
from sapwood.errors import OptionError


@pytest.fixture(scope="module")
def nlp():
    return sapwood.load("en")


@pytest.mark.parametrize(
    ("given", "sentences"),
    [
        (["John", "runs"], [["John", "runs"]]),
        (("I", "can't", "go"), [["I", "can't", "go"]]),
        ([["John", "runs", "."], ("Ada", "sings")], [["John", "runs", "."], ["Ada", "sings"]]),
        (iter(["U\u00a0S", "A.B.", "x" * 300]), [["U\u00a0S", "A.B.", "x" * 300]]),
        (["#", "\u200b", "\U0001f600", "_"], [["#", "\u200b", "\U0001f600", "_"]]),
        ([], []),
    ],
)
def test_words_stay_as_they_are(nlp, given, sentences):
    doc = nlp(given)
    assert [[token.text for token in sentence] for sentence in doc.sentences] == sentences
    assert doc.text == "\n".join(map(" ".join, sentences))
    assert [doc.text[token.start : token.end] for token in doc] == doc.forms
    assert all(token.upos and token.lemma and token.deprel for token in doc)


def test_the_analysis_is_that_of_the_command_line(nlp, run_cli, tmp_path):
    (tmp_path / "words").write_text("John runs home .\nAda sings .", encoding="utf-8")
    out = run_cli(["annotate", "en", str(tmp_path / "words"), "--input", "tokens"]).out
    words = [["John", "runs", "home", "."], ["Ada", "sings", "."]]
    assert nlp(words).to_conllu() == out
    arrays = pytest.importorskip("numpy").array(["John", "runs", "home", "."])
    assert nlp(arrays).to_conllu() == nlp(words[0]).to_conllu()


def test_texts_and_words_may_be_mixed(nlp):
    given = ["A text. Another.", ["John", "runs"], "B c.", [["Ada"], ["sings", "."]]] * 3
    alone = [nlp(each).to_json() for each in given]
    assert [doc.to_json() for doc in nlp.pipe(given)] == [doc.to_json() for doc in nlp.pipe(given, threads=2)] == alone
    assert nlp(["John", "runs"], confidence=True)[0].confidences
    assert len(nlp.only("segment")(["John", "runs"])) == 2


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["a", ""], "word 2 is empty"),
        ([["a"], ["b", ""]], "sentence 2, word 2 is empty"),
        (["New York", "is"], "word 1: 'New York' has a blank in it; a list is a sentence of words, and 'pipe' takes"),
        (["Hello there.", "How are you?"], "'pipe' takes a list of texts"),
        (["a\n"], "has a line end in it"),
        (["a\tb"], "has a tab in it"),
        (["a\0"], "has NUL in it"),
        (["a", 1], "word 2: a word is a string, not int"),
        (["a", None], "word 2: a word is a string, not NoneType"),
        (["a", b"b"], "word 2: a word is a string, not bytes"),
        ([["a"], "b"], "word 1: a word is a string, not list"),
        ([[["a"]]], "sentence 1, word 1: a word is a string, not list"),
        ([["a"], []], "sentence 2 has no words"),
        ([[]], "sentence 1 has no words"),
        (["\ud800"], "half of a character"),
    ],
)
def test_what_is_no_word_is_named(nlp, given, message):
    with pytest.raises(DataError, match=message.replace("?", r"\?")):
        nlp(given)
    with pytest.raises(DataError, match=message.replace("?", r"\?")):
        list(nlp.pipe(["A text.", given]))


def test_a_pipeline_without_segmenter_takes_words(nlp):
    words = nlp.only("tag", "parse")(["John", "runs"])
    assert [token.upos for token in words] == ["PROPN", "VERB"]
    with pytest.raises((OptionError, sapwood.ModelError)):
        nlp.only("tag")("John runs")


def test_a_pipeline_learns_from_a_document():
    """A treebank that was read as a document teaches what its file does."""
    data = treebank(60, 1)
    text = data.replace({}).decode()
    options = {"beam": 1, "parts": ["segment", "tag", "parse"]}
    sources = data, sapwood.Doc.from_conllu(text)
    learned = [sapwood.Pipeline(**options).fit(source, model_options=ONE_EPOCH) for source in sources]
    first, second = (nlp("A helt bungs. It sings!").to_conllu() for nlp in learned)
    assert first == second
    assert learned[0].evaluate(data).as_dict() == learned[0].evaluate(sapwood.Doc.from_conllu(text)).as_dict()
