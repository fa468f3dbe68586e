"""The segmenter: sentences and tokens out of raw text, learned from a treebank's own text."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sapwood import DataError, ModelError, load
from sapwood._core import Conllu
from sapwood.datasets.treebank import generate
from sapwood.datasets.writing import WRITINGS
from sapwood.tasks.segmenting.model import Segmenter

SPACES = " \t\n\r\v\f\x85\xa0\u1680\u2000\u200b\u2028\u2029\u202f\u205f\u3000\ufeff"
CHARACTERS = st.characters(codec="utf-8", exclude_characters="\0") | st.sampled_from(SPACES + "ab.!5")


def treebank(writing: str, sentences: int = 400, seed: int = 1) -> Conllu:
    text = "".join(s.conllu(f"s{k}", writing) for k, s in enumerate(generate(sentences, seed)))
    return Conllu.read(text.encode(), writing)


@pytest.fixture(scope="module")
def segmenters() -> dict[str, Segmenter]:
    return {writing: Segmenter(epochs=5).fit(treebank(writing)) for writing in WRITINGS if writing != "plain"}


@pytest.mark.parametrize("writing", [writing for writing in WRITINGS if writing != "plain"])
def test_new_text_is_cut_as_the_treebank_would(segmenters, writing, tmp_path):
    path = tmp_path / "test.conllu"
    path.write_bytes(treebank(writing, 100, seed=2).replace({}))
    report = segmenters[writing].evaluate(path)
    # Without spaces and with a lexicon of invented words, of which many are new in the test text, more cannot be known.
    assert report["Tokens"].f1 > {"attached": 98, "unspaced": 70, "syllables": 80}[writing]
    assert report["Sentences"].f1 > 90


@pytest.mark.slow
@settings(max_examples=200)
@given(text=st.text(CHARACTERS, max_size=80))
@pytest.mark.parametrize("writing", [writing for writing in WRITINGS if writing != "plain"])
def test_nothing_of_the_text_is_lost(segmenters, writing, text):
    tokens = [token for sentence in segmenters[writing].predict(text) for token in sentence]
    at = 0
    for begin, end in tokens:
        assert text[at:begin].strip(SPACES) == ""
        assert begin < end
        assert text[begin] not in SPACES and text[end - 1] not in SPACES
        at = end
    assert text[at:].strip(SPACES) == ""


def test_an_empty_line_ends_a_sentence(segmenters):
    text = "the old dog\n \nsees a cat"
    sentences = [[text[begin:end] for begin, end in s] for s in segmenters["attached"].predict(text)]
    assert sentences == [["the", "old", "dog"], ["sees", "a", "cat"]]


@pytest.mark.parametrize("text", ["", " ", "\n\n\n", "\u200b\ufeff"])
def test_there_may_be_nothing_in_it(segmenters, text):
    assert segmenters["attached"].predict(text) == []


def test_a_paragraph_is_cut_in_windows_as_it_would_be_in_one(segmenters):
    text = " ".join(treebank("attached", 30).text().text.decode().split()) + " "
    sentences = segmenters["attached"].predict(text * 90)  # of 64 KiB each
    assert len(text) * 90 > 4 << 16
    short = segmenters["attached"].predict(text * 3)
    period = len(segmenters["attached"].predict(text * 4)) - len(short)
    assert len(sentences) == len(short) + 87 * period


def test_a_token_may_be_longer_than_a_window(segmenters):
    text = "x" * 1_000_000
    pieces = [text[begin:end] for sentence in segmenters["attached"].predict(text) for begin, end in sentence]
    assert "".join(pieces) == text


def test_a_segmenter_comes_back_from_its_file(segmenters, tmp_path):
    segmenter, text = segmenters["attached"], "It's a dog. it sees ofe cats!"
    segmenter.save(tmp_path / "model.sap")
    again = load(tmp_path / "model.sap")
    assert isinstance(again, Segmenter)
    assert again.predict(text) == segmenter.predict(text)


def test_a_treebank_that_does_not_tell_spaces_is_refused():
    told = treebank("plain")  # by `# text`
    tokens = [word for sentence in told.column("form")[:3] for word in sentence]
    found = Segmenter(epochs=5).fit(told).predict(" ".join(tokens))
    assert sum(map(len, found)) == len(tokens)
    with pytest.raises(DataError, match="plain: it does not tell where there are no spaces"):
        Segmenter().fit(Conllu.build({"form": told.column("form")}, "plain"))


@pytest.mark.parametrize("places", [b"", b"a", b"a-", b"a-b", b"a-b\n", b"a-bX\n", b"a+b.\n", b"\xff-b.\n"])
def test_a_broken_table_of_places_is_refused(segmenters, places):
    model = segmenters["attached"].model_
    good = model.extra["places"]
    model.extra["places"] = good._replace(data=places)
    try:
        if places == b"":  # a treebank without any place
            Segmenter._of_file(model)
        else:
            with pytest.raises(ModelError, match="its table of places is not one"):
                Segmenter._of_file(model)
    finally:
        model.extra["places"] = good


def test_text_that_is_not_unicode_is_refused(segmenters):
    with pytest.raises(DataError, match=r"character 3 of the text, U.D800, is not Unicode"):
        segmenters["attached"].predict("abc\ud800")
