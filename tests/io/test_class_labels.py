"""Parquet files of Hugging Face's datasets: labels are numbers, and their names stand in the file's schema."""

import json

import pytest

from sapwood.io.example_files import read_examples
from sapwood.io.examples import Layout

pa = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

NAMES = {"names": ["neg", "pos"], "_type": "ClassLabel"}
COLUMNS = {"text": ["dull", "good fun", "who knows", "fun"], "label": [0, 1, -1, None]}


def labels_of(columns, features, label="label", several=False, metadata=None):
    """Write a table with what datasets writes into its schema, and return the label of each row that is read."""
    written = json.dumps({"info": {"features": features}}).encode() if metadata is None else metadata
    parquet.write_table(pa.table(columns).replace_schema_metadata({b"huggingface": written}), "t.parquet")
    answers = read_examples("t.parquet", Layout("", [], [], label=label, several=several)).answers
    return ["" if y < 0 else answers.labels[y] for y in answers.gold]


@pytest.fixture(autouse=True)
def in_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_numbers_are_labels_by_their_names_and_minus_one_is_none():
    assert labels_of(COLUMNS, {"text": {"dtype": "string", "_type": "Value"}, "label": NAMES}) == ["neg", "pos", "", ""]


@pytest.mark.parametrize(
    "feature", [{"feature": NAMES, "_type": "List"}, {"feature": NAMES, "_type": "Sequence"}, [NAMES]]
)
def test_lists_of_numbers_are_lists_of_names(feature):
    columns = {"text": ["dull fun", "fun", "so"], "label": [[0, 1], [1], []]}
    assert labels_of(columns, {"label": feature}, several=True) == ["neg|pos", "pos", ""]


def test_numbers_inside_of_objects_have_names():
    columns = {"text": ["dull", "fun"], "output": [{"label": 0, "by": 1}, {"label": 1, "by": 1}]}
    assert labels_of(columns, {"output": {"label": NAMES}}, label="output.label") == ["neg", "pos"]


@pytest.mark.parametrize(
    "metadata",
    [
        b"ClassLabel",
        b'{"info": {"features": ["ClassLabel"]}}',
        b'{"info": {"features": {"label": {"_type": "ClassLabel"}}}}',
        b'{"info": {"features": {"label": {"names": {}, "_type": "ClassLabel"}}}}',
        b'{"info": {"features": {"text": {"names": ["a"], "_type": "ClassLabel"}}}}',
        b'{"info": ' + b"[" * 500 + b'"ClassLabel"' + b"]" * 500 + b"}",
        b"\xff ClassLabel",
    ],
)
def test_a_schema_that_names_no_labels_leaves_the_numbers(metadata):
    assert labels_of(COLUMNS, {}, metadata=metadata) == ["0", "1", "-1", ""]


def test_a_number_without_a_name_stays_a_number():
    assert labels_of({"text": ["a", "b"], "label": [1, 2]}, {"label": NAMES}) == ["pos", "2"]


def test_records_have_the_names_and_a_table_keeps_its_numbers(run_cli):
    columns = {"text": ["good fun", "dull"] * 6, "label": [1, 0] * 6}
    labels_of(columns, {"label": NAMES})
    assert run_cli("train classify t.parquet -o m.sap --min-updates 1 -q").status == 0
    lines = run_cli("classify m.sap t.parquet --to jsonl").out.splitlines()
    assert [json.loads(line)["label"] for line in lines[:2]] == ["pos", "neg"]
    assert run_cli("classify m.sap t.parquet -o out --to parquet").status == 0
    table = parquet.read_table("out/t.parquet")
    assert table["label"].to_pylist()[:2] == [1, 0]
    assert table["predicted_label"].to_pylist()[:2] == ["pos", "neg"]


def test_what_datasets_saves_to_disk_is_named(run_cli):
    table = pa.table({"text": ["good fun", "dull"] * 6, "label": [1, 0] * 6})
    with pa.OSFile("data-00000-of-00001.arrow", "wb") as file, pa.ipc.new_stream(file, table.schema) as stream:
        stream.write_table(table)
    for verb in ("train classify data-00000-of-00001.arrow -o m.sap", "train tag data-00000-of-00001.arrow -o m.sap"):
        run = run_cli(verb)
        assert run.status == 1
        assert "data-00000-of-00001.arrow: this is an Arrow stream" in run.err
        assert "to_parquet" in run.err
