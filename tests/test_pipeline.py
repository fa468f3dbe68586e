"""Pipelines: raw text in, sentences, words, tags, lemmas, trees and names out, in one file."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sapwood
from sapwood import DataError, OptionError
from sapwood._core import Conllu
from sapwood.datasets.treebank import generate
from sapwood.models.pipeline import Pipeline

CHARACTERS = st.characters(codec="utf-8", exclude_characters="\0") | st.sampled_from(" \t\n\r\u3000\u200bab.!5")


def treebank(sentences: int, seed: int) -> Conllu:
    text = "".join(s.conllu(f"s{k}", "attached") for k, s in enumerate(generate(sentences, seed)))
    lines = []
    for line in text.split("\n"):
        cells = line.split("\t")
        if len(cells) == 10 and "-" not in cells[0]:
            cells[2] = cells[1].lower()
            cells[9] = "|".join(filter(None, [cells[9].strip("_"), "NER=B-NAME" if cells[3] == "PROPN" else ""])) or "_"
        lines.append("\t".join(cells))
    return Conllu.read("\n".join(lines).encode(), "generated")


@pytest.fixture(scope="module")
def pipeline() -> Pipeline:
    return Pipeline(beam=2).fit(treebank(400, 1))


def test_text_comes_back_with_everything(pipeline):
    report = pipeline.evaluate(treebank(60, 2))
    assert report["Tokens"].f1 > 98
    assert report["Words"].f1 > 97
    assert report["UPOS"].f1 > 80
    assert report["Lemmas"].f1 > 95
    assert report["LAS"].f1 > 50


def test_given_words_stay(pipeline):
    report = pipeline.evaluate(treebank(60, 2), tokens=True)
    assert report["Words"].f1 == report["Sentences"].f1 == 100


def test_a_pipeline_comes_back_from_its_file(pipeline, tmp_path):
    text = treebank(20, 3).text().text.decode()
    pipeline.save(tmp_path / "model.sap")
    again = sapwood.load(tmp_path / "model.sap")
    assert isinstance(again, Pipeline)
    assert again(text).to_conllu() == pipeline(text).to_conllu()


def test_threads_and_chunks_change_nothing(pipeline):
    text = treebank(300, 4).text().text * 3
    whole = [doc.to_conllu(1) for doc in pipeline.pipeline_.read(text, "text")]
    assert [doc.to_conllu(1) for doc in pipeline.pipeline_.read(text, "text", threads=2)] == whole

    def sentences(chunks):
        docs = pipeline.annotate(chunks)
        return [line for doc in docs for line in doc.to_conllu(1).decode().split("\n") if not line.startswith("# sent")]

    once = sentences([text])
    for size in (1000, 77_777):
        assert sentences(text[at : at + size] for at in range(0, len(text), size)) == once


@settings(max_examples=100, deadline=None)
@given(text=st.text(CHARACTERS, max_size=60))
def test_the_text_can_be_put_together_from_conllu(pipeline, text):
    doc = pipeline(text)
    assert doc.text == text
    if len(doc) > 0:
        assert Conllu.read(doc.to_conllu().encode(), "output").text().text.decode() == text


def test_only_some_steps(pipeline):
    doc = pipeline.only("segment", "tag")("A helt bungs.")
    assert doc.sentences[0][0].upos is not None
    assert doc.sentences[0][0].head is None
    with pytest.raises(OptionError, match="it cannot translate"):
        pipeline.only("translate")


def test_what_a_treebank_cannot_teach_is_left_out():
    text = treebank(60, 1).replace({"lemma": [["_"] * len(s) for s in treebank(60, 1).column("form")]})
    data = Conllu.read(text, "generated")
    model = Pipeline(beam=1).fit(data)
    assert "no word has a lemma" in model.skipped_["lemmatize"]
    assert "lemmatize" not in model.steps
    with pytest.raises(DataError, match="no word has a lemma"):
        Pipeline(steps=["segment", "tag", "lemmatize"]).fit(data)
