"""Columns of texts in frames of pandas and Polars."""

import pytest

import sapwood
from sapwood import Classifier, OptionError, annotate_frame

TEXTS = ["good fun", None, "dull", "great fun"]


@pytest.fixture(scope="module")
def classifier():
    return Classifier(min_updates=1).fit(["good fun", "dull", "great fun", "bad"], ["+", "-", "+", "-"])


def test_a_frame_of_pandas_keeps_its_columns_and_index(classifier):
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"id": [7, 8, 9, 10], "text": TEXTS}, index=[3, 1, 2, 0])
    found = annotate_frame(frame, "text", classifier)
    pd.testing.assert_frame_equal(found[["id", "text"]], frame)
    assert list(found.columns) == ["id", "text", "label", "score"]
    assert found["label"].isna().tolist() == [False, True, False, False]
    assert found["label"].dropna().tolist() == ["+", "-", "+"]
    names = annotate_frame(pd.DataFrame({"text": ["Ada Lovelace wrote it.", None]}), "text", "en", columns="entities")
    assert names["entities"][0][0]["text"] == "Ada Lovelace"
    assert names["entities"][1] is None


def test_a_frame_of_polars_keeps_its_columns(classifier):
    pl = pytest.importorskip("polars")
    frame = pl.DataFrame({"id": [7, 8, 9, 10], "text": TEXTS})
    found = annotate_frame(frame, "text", classifier)
    assert found.select("id", "text").equals(frame)
    assert found.schema["label"] == pl.String
    assert found.schema["score"] == pl.Float64
    assert found["label"].to_list() == ["+", None, "-", "+"]
    docs = annotate_frame(frame.head(1), "text", "en", columns=["conllu", "forms", "entities"])
    assert docs["conllu"][0] == sapwood.load("en")("good fun").to_conllu()
    assert docs["forms"].to_list() == [["good", "fun"]]


def test_what_is_no_frame_and_columns_that_are_taken_are_refused(classifier):
    pd = pytest.importorskip("pandas")
    with pytest.raises(OptionError, match="a frame of pandas or Polars is needed, not list"):
        annotate_frame(TEXTS, "text", classifier)
    frame = pd.DataFrame({"text": ["a"], "label": ["b"]})
    with pytest.raises(OptionError, match="the frame has a column 'label' already"):
        annotate_frame(frame, "text", classifier)
    assert annotate_frame(frame, "text", classifier, columns="score").shape == (1, 3)
