"""Records through `tag` and `annotate`: tokens and texts are analysed, and every member stays."""

import csv
import io
import json

import pytest

import sapwood
from sapwood import SequenceTagger

MAILS = [
    {"id": "m1", "body": {"plain": "Ada Lovelace wrote it in London."}, "n": 1.5},
    {"id": "m2", "body": {"plain": None}},
    {"id": "m3", "body": {"plain": ""}},
]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mails.jsonl").write_text("".join(json.dumps(mail) + "\n" for mail in MAILS))
    return tmp_path


def test_texts_of_records_have_names_with_offsets(run_cli, folder):
    run = run_cli("annotate en mails.jsonl --text body.plain --to jsonl")
    assert run.status == 0, run.err
    first, null, empty = map(json.loads, run.out.splitlines())
    assert [list(each.items())[: len(mail)] for each, mail in zip((first, null, empty), MAILS, strict=True)] == [
        list(mail.items()) for mail in MAILS
    ]
    doc = sapwood.load("en")(MAILS[0]["body"]["plain"])
    assert first["sentences"] == json.loads(doc.to_json())
    text = MAILS[0]["body"]["plain"]
    assert [(text[e["start"] : e["end"]], e["label"]) for e in first["entities"]] == [
        ("Ada Lovelace", "PER"),
        ("London", "LOC"),
    ]
    assert (null["entities"], null["sentences"]) == (None, None)
    assert (empty["entities"], empty["sentences"]) == ([], [])


def test_csv_and_parquet_are_read_and_written(run_cli, folder):
    pa = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    (folder / "t.csv").write_text('id,text\n007,"Ada, again."\n')
    rows = list(csv.DictReader(io.StringIO(run_cli("annotate en t.csv --to csv").out)))
    assert [(row["id"], row["text"]) for row in rows] == [("007", "Ada, again.")]
    assert json.loads(rows[0]["sentences"])[0]["tokens"][1]["text"] == ","
    parquet.write_table(pa.table({"id": pa.array([7], pa.int8()), "text": ["Ada left."]}), "t.parquet")
    run = run_cli("annotate en t.parquet --to jsonl")
    assert json.loads(run.out)["id"] == 7


def test_tokens_of_records_have_labels(run_cli, folder):
    sentences = [[("the", "D"), ("dog", "N")], [("a", "D"), ("cat", "N")]]
    tagger = SequenceTagger(template="pos", min_updates=1).fit(sentences)
    tagger.calibrate(sentences * 10)
    tagger.save("m.sap")
    records = [{"id": 1, "tokens": ["a", "dog"]}, {"id": 2, "tokens": []}, {"id": 3, "tokens": None}]
    (folder / "t.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    found = [json.loads(line) for line in run_cli("tag m.sap t.jsonl --to jsonl").out.splitlines()]
    assert found == [record | {"labels": y} for record, y in zip(records, [["D", "N"], [], None], strict=True)]
    sure = json.loads(run_cli("tag m.sap t.jsonl --to jsonl --confidence").out.splitlines()[0])
    assert sure["confidences"] == [round(p, 4) for p in tagger.confidences([["a", "dog"]])[0]]


def test_what_is_no_record_is_said(run_cli, folder):
    (folder / "t.txt").write_text("Ada left.\n")
    for command, message in (
        ("annotate en t.txt --to jsonl", "t.txt: --to is for records"),
        ("annotate en mails.jsonl --to jsonl", "mails.jsonl:1: there is no 'text'; the record has id, body.plain, n"),
        ("annotate en mails.jsonl --text id --to jsonl -o out", "--to goes with standard output"),
        ("annotate en mails.jsonl --text body --to jsonl", "a text is a string, not a dict"),
    ):
        run = run_cli(command)
        assert (run.status != 0, message in run.err) == (True, True), run.err
