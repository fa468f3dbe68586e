"""Texts on Dask: in bags, in columns of data frames and by futures."""

import json
import re
import warnings
from pathlib import Path

import dask.bag
import pandas
import pytest
from processes import wait_until
from reviews import TEXTS

from sapwood import Classifier, DataError, OptionError, UnfamiliarWarning
from sapwood.dask import annotate_bag, annotate_column, annotate_texts

SENTENCES = "A helt bungs. The 2 helt sing!\n\nThe bung sings a helt.\n"
GERMAN = "Die Leute gehen am Abend gern in den Park, weil es dort ruhig ist und man die Vögel hört. " * 4


@pytest.fixture(scope="module")
def pipeline(toy):
    return toy


@pytest.mark.slow
def test_columns_of_lists_are_written_as_the_page_says(client, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page = (Path(__file__).parents[2] / "docs" / "dask.md").read_text()
    [block] = [code for code in re.findall(r"```python\n(.*?)```", page, re.DOTALL) if "to_parquet" in code]
    exec(compile(block, "dask.md", "exec"), {})
    rows = pandas.read_parquet("annotated.parquet")
    assert [forms if forms is None else list(forms) for forms in rows["forms"]] == [
        ["Ada", "Lovelace", "wrote", "it", "."],
        ["It", "works", "."],
        None,
    ]
    assert rows["entities"][0][0]["text"] == "Ada Lovelace"
    assert list(rows["heads"][0]) == [3, 1, 0, 3, 3]


def test_bag_has_what_files_have(client, pipeline):
    texts = [SENTENCES * n for n in range(1, 6)]
    bag = dask.bag.from_sequence(texts, npartitions=2)
    assert annotate_bag(bag, pipeline).compute() == [pipeline(text).to_conllu() for text in texts]
    records = annotate_bag(bag, pipeline, format="json").compute()
    assert records == [json.loads(pipeline(text).to_json()) for text in texts]


@pytest.mark.parametrize("texts", [None, ["A helt bungs."], "A helt bungs.", iter([]), {"text": "A"}])
def test_what_is_no_bag_is_refused(texts):
    with pytest.raises(DataError, match=r"texts come in a dask\.bag, not in .*dask\.bag\.from_sequence"):
        annotate_bag(texts)


@pytest.mark.parametrize("text", [None, ["A", "helt"], 3, b"A helt", float("nan")])
def test_what_is_no_text_in_a_bag_has_its_number(client, pipeline, text):
    with pytest.raises(DataError, match="text 2: a text is a string, not "):
        annotate_bag(dask.bag.from_sequence(["A helt.", text], npartitions=1), pipeline).compute()


def test_column_becomes_columns(client, pipeline):
    import dask.dataframe
    import pandas as pd

    texts = ["A helt bungs.", None, SENTENCES]
    frame = dask.dataframe.from_pandas(pd.DataFrame({"id": [1, 2, 3], "text": texts}), npartitions=2)
    found = annotate_column(frame, "text", pipeline, columns=["forms", "heads", "conllu"])
    assert list(found.columns) == ["id", "text", "forms", "heads", "conllu"]
    table = found.compute()
    assert table["forms"].tolist()[0] == ["A", "helt", "bungs", "."]
    assert table["forms"].isna().tolist() == [False, True, False]
    assert table["conllu"].tolist()[2] == pipeline(SENTENCES).to_conllu()
    with pytest.raises(OptionError, match=r"columns of a pipeline are conllu, .*; got colour"):
        annotate_column(frame, "text", pipeline, columns=["colour"])
    with pytest.raises(OptionError, match="the frame has no column 'words'; it has 'id', 'text'"):
        annotate_column(frame, "words", pipeline)


def test_classifier_labels_a_column(client):
    import dask.dataframe
    import pandas as pd

    texts = [text for _, text in TEXTS]
    classifier = Classifier(epochs=3, min_updates=1).fit(texts, [label for label, _ in TEXTS])
    here = pd.DataFrame({"text": texts})
    table = annotate_column(dask.dataframe.from_pandas(here, npartitions=2), "text", classifier).compute()
    written = b"".join(classifier.writer.written(["".join(f"{text}\n" for text in texts).encode()])).decode()
    lines = [f"{label}\t{score:g}" for label, score in zip(table["label"], table["score"], strict=True)]
    assert lines == written.splitlines()
    pd.testing.assert_frame_equal(annotate_column(here, "text", classifier), table, check_dtype=False)


def test_texts_come_back_in_order_and_are_read_when_wanted(client, pipeline):
    read = []

    def texts():
        for n in range(100):
            read.append(n)
            yield "A helt sings. " * (n % 5 + 1)

    answers = annotate_texts(client, pipeline, texts(), batch=2, format="text")
    assert next(answers) == "A helt sings .\n"
    assert len(read) <= 10
    assert [answer.count("\n") for answer in answers] == [n % 5 + 1 for n in range(1, 100)]


@pytest.mark.filterwarnings("default::sapwood.UnfamiliarWarning")
def test_client_is_warned_of_texts_that_the_model_was_not_made_for(client, english):
    bag = dask.bag.from_sequence(
        [GERMAN, "The dog barks at the cat, and the cat runs away from it.", GERMAN], npartitions=1
    )
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        annotate_bag(bag, english).compute()
        # The worker of this process warns itself, and has the client warn.
        wait_until(lambda: sum(issubclass(each.category, UnfamiliarWarning) for each in told) >= 2)
    messages = {str(each.message) for each in told if issubclass(each.category, UnfamiliarWarning)}
    assert len(messages) == 1
    [message] = messages
    assert message.startswith("text 1: ")
    assert message.endswith(" (one of 2 such texts of a task)")
