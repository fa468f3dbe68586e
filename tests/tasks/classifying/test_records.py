"""Records in, records out: each member stays, with the answer behind it; in JSONL, CSV and Parquet."""

import csv
import io
import json
from datetime import date

import pytest

import sapwood
from sapwood import Classifier, DataError, OptionError, UnfamiliarWarning

TICKETS = [
    {"id": 1, "ticket": {"body": "I want a refund now"}, "label": "billing"},
    {"id": 2, "ticket": {"body": "the refund is late"}, "label": "billing"},
    {"id": 3, "ticket": {"body": "app crashes at start"}, "label": "bug"},
    {"id": 4, "ticket": {"body": "it crashes again"}, "label": "bug"},
]
NEW = [
    {"z": 1.5, "id": "a", "ticket": {"body": "refund please"}, "n": None},
    {"id": "b", "ticket": {"body": None}},
    {"id": "c", "ticket": {"body": "crashes ä"}, "l": [1, 2]},
]


def lines_of(records):
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


@pytest.fixture
def model(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tickets.jsonl").write_text(lines_of(TICKETS))
    (tmp_path / "new.jsonl").write_text(lines_of(NEW))
    classifier = Classifier(text="ticket.body", min_updates=1).fit(tmp_path / "tickets.jsonl")
    classifier.save("m.sap")
    return classifier


def answered(run_cli, command, stdin=""):
    run = run_cli(command, stdin) if stdin else run_cli(command)
    assert run.status == 0, run.err
    return run


def test_each_member_stays_in_its_place_and_the_answer_stands_behind(run_cli, model):
    run = answered(run_cli, "classify m.sap new.jsonl --to jsonl")
    records = [json.loads(line) for line in run.out.splitlines()]
    for record, before in zip(records, NEW, strict=True):
        assert list(record.items())[: len(before)] == list(before.items())
        assert list(record)[len(before) :] == ["label", "margin"]
    assert [record["label"] for record in records] == ["billing", None, "bug"]
    lines = answered(run_cli, "classify m.sap new.jsonl").out.splitlines()
    assert lines[1] == "_\t0"
    assert [line.split("\t")[0] for line in (lines[0], lines[2])] == ["billing", "bug"]
    assert [record["margin"] for record in records] == [
        float(lines[0].split("\t")[1]),
        None,
        float(lines[2].split("\t")[1]),
    ]


def test_null_texts_are_one_warning_and_no_end(model):
    records = [*NEW, NEW[1]]
    with pytest.warns(UnfamiliarWarning) as said:
        written = b"".join(model.annotate([lines_of(records).encode()], format="jsonl", to="jsonl"))
    assert [str(each.message) for each in said] == [
        "input:2: the text is null, so that there is no label (2 such lines)"
    ]
    assert [json.loads(line)["label"] for line in written.splitlines()] == ["billing", None, "bug", None]


def test_a_stream_is_answered_record_by_record(model):
    parts = model.annotate(iter([f"{json.dumps(record)}\n".encode() for record in TICKETS]), to="jsonl", format="jsonl")
    first = json.loads(next(parts))
    assert (first["id"], first["predicted_label"]) == (1, "billing")
    assert len(list(parts)) == 3


def test_a_member_that_is_there_already_is_kept(run_cli, model):
    record = json.loads(answered(run_cli, "classify m.sap tickets.jsonl --to jsonl").out.splitlines()[2])
    assert record["label"] == "bug"
    assert list(record)[3:] == ["predicted_label", "margin"]
    twice = lines_of([{**TICKETS[0], "predicted_label": "x"}])
    record = json.loads(b"".join(model.annotate([twice.encode()], format="jsonl", to="jsonl")))
    assert list(record)[3:] == ["predicted_label", "predicted_predicted_label", "margin"]


def test_a_calibrated_model_gives_confidence_and_margin(model):
    texts = [f"refund {k}" for k in range(10)] + [f"it crashes {k}" for k in range(10)]
    model.calibrate(texts, ["billing"] * 10 + ["bug"] * 10)
    [record] = map(json.loads, model.annotate([lines_of(NEW[:1]).encode()], format="jsonl", to="jsonl"))
    assert list(record)[4:] == ["label", "confidence", "margin"]
    assert record["confidence"] == pytest.approx(model.predict_proba(["refund please"]).max(), rel=1e-4)
    scores = model.decision_function(["refund please"])
    assert record["margin"] == pytest.approx(abs(scores[0]), rel=1e-4)


def test_the_three_strongest_reasons(model):
    [record, null, _] = map(
        json.loads,
        b"".join(model.annotate([lines_of(NEW).encode()], format="jsonl", to="jsonl", reasons=True)).splitlines(),
    )
    assert null["reasons"] == []
    [explanation] = model.explain(["refund please"])
    contributions = [feature["contribution"] for feature in explanation.features]
    spoke = sorted((c for c in contributions if c > 0), reverse=True)[:3]
    assert [reason["contribution"] for reason in record["reasons"]] == [pytest.approx(c, abs=1e-4) for c in spoke]
    assert record["reasons"][0]["feature"].endswith("refund")


def test_labels_of_several_are_a_list(tmp_path):
    texts, sets = ["sun and sea", "goals", "sun and goals", "nothing"] * 3, [["a"], ["b"], ["a", "b"], []] * 3
    model = Classifier(min_updates=1, multi_label=True).fit(texts, sets)
    data = lines_of({"text": text} for text in texts[:4]).encode()
    records = [
        json.loads(line)
        for line in b"".join(model.annotate([data], format="jsonl", to="jsonl", reasons=True)).splitlines()
    ]
    assert [record["label"] for record in records] == [list(each) for each in model.predict(texts[:4])]
    assert {reason["label"] for reason in records[2]["reasons"]} <= {"a", "b"}


def test_csv_keeps_its_cells_and_any_line_end_in_them(tmp_path):
    data = b'id,"the text"\n007,"refund, please"\n008,"it\r\ncrashes"\n'
    (tmp_path / "t.csv").write_text("label,the text\nx,refund now\ny,it crashes\n")
    model = Classifier(text="the text", min_updates=1).fit(tmp_path / "t.csv")
    out = b"".join(model.annotate([data], name="new.csv", to="csv")).decode()
    rows = list(csv.reader(io.StringIO(out, newline="")))
    assert rows[0] == ["id", "the text", "label", "margin"]
    assert [row[:3] for row in rows[1:]] == [["007", "refund, please", "x"], ["008", "it\r\ncrashes", "y"]]


def test_csv_of_records_has_lists_as_json_and_refuses_what_its_header_lacks(model):
    out = b"".join(model.annotate([lines_of(NEW).encode()], format="jsonl", to="csv")).decode()
    header, first, _, last = csv.reader(io.StringIO(out))
    assert header == ["z", "id", "ticket", "n", "l", "label", "margin"]
    assert (first[0], first[3], first[5]) == ("1.5", "", "billing")
    assert json.loads(last[4]) == NEW[2]["l"]
    parts = model.annotate(iter([lines_of(NEW[:1]).encode(), lines_of(NEW[2:]).encode()]), format="jsonl", to="csv")
    next(parts)
    with pytest.raises(DataError, match="a later record has the member 'l'"):
        next(parts)


def test_parquet_keeps_types_and_is_read_for_training(run_cli, model):
    pa = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    table = pa.table(
        {
            "id": pa.array([1, 2, 3, 4], pa.int16()),
            "on": pa.array([date(2026, 1, 2), None, None, None]),
            "kind": pa.array(["x", "y", "x", "y"]).dictionary_encode(),
            "ticket": pa.array([record["ticket"] for record in TICKETS]),
            "label": [record["label"] for record in TICKETS],
        }
    )
    parquet.write_table(table, "t.parquet")
    answered(run_cli, "train classify t.parquet -o p.sap --text ticket.body --min-updates 1")
    assert sapwood.load("p.sap").predict(["a refund", "crashes"]).tolist() == ["billing", "bug"]
    run = answered(run_cli, "classify p.sap t.parquet --to jsonl")
    first = json.loads(run.out.splitlines()[0])
    assert (first["on"], first["predicted_label"]) == ("2026-01-02", "billing")
    answered(run_cli, "classify p.sap t.parquet -o out --to parquet")
    written = parquet.read_table("out/t.parquet")
    assert written.select(table.column_names).equals(table)
    assert written.schema.field("predicted_label").type == pa.string()
    assert written.schema.field("margin").type == pa.float64()
    assert written["predicted_label"].to_pylist() == table["label"].to_pylist()
    answered(run_cli, "classify m.sap new.jsonl -o out --to parquet")
    assert parquet.read_table("out/new.parquet")["l"].null_count == 2


def test_values_of_several_types_are_no_column_of_parquet(model):
    pytest.importorskip("pyarrow")
    records = [{"id": 1, "ticket": {"body": "a"}}, {"id": "a", "ticket": {"body": "b"}}]
    with pytest.raises(DataError, match="the values of 'id' are of no one type"):
        b"".join(model.annotate([lines_of(records).encode()], format="jsonl", to="parquet"))


def test_bad_parquet_is_an_error_with_the_name(run_cli, model, tmp_path):
    pytest.importorskip("pyarrow")
    (tmp_path / "bad.parquet").write_bytes(b"PAR1\x15\x04" + bytes(range(200)) + b"PAR1")
    run = run_cli("classify m.sap bad.parquet")
    assert run.status == 1
    assert run.err.startswith("sapwood: bad.parquet: it cannot be read as Parquet")


def test_lines_of_other_formats_are_records_too():
    model = Classifier(min_updates=1).fit(["good fun", "dull"], ["pos", "neg"])
    data = b"__label__pos good, fun!\ndull  day\n"
    records = [json.loads(line) for line in b"".join(model.annotate([data], name="x.txt", to="jsonl")).splitlines()]
    assert [record["text"] for record in records] == ["__label__pos good, fun!", "dull  day"]
    rows = Classifier(min_updates=1).fit([{"f": 1.0}, {"g": 1.0}], ["pos", "neg"])
    [record] = map(json.loads, rows.annotate([b"pos 3:1\n"], name="x.svm", format="svmlight", to="jsonl"))
    assert list(record) == ["example", "label", "predicted_label", "margin"]


def test_options_that_contradict_each_other_are_refused(run_cli, model):
    for flags, message in (
        ("new.jsonl --reasons", "--reasons goes with the records"),
        ("new.jsonl --to jsonl --top 2", "--top does not"),
        ("new.jsonl tickets.jsonl --to csv", "csv on standard output is that of one FILE"),
    ):
        run = run_cli(f"classify m.sap {flags}")
        assert (run.status != 0, message in run.err) == (True, True), run.err
    with pytest.raises(OptionError, match="records are written as jsonl, csv, parquet, not as 'xml'"):
        b"".join(model.annotate([], to="xml"))
