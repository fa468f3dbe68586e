"""JSON for classifiers as other tools write it: more members than are asked for, labels inside of others, arrays."""

import json

import pytest
from reviews import TWO, jsonl

import sapwood
from sapwood import Classifier

TRAIN = "train classify {} -o m.sap -q --min-updates 1 --epochs 3"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "plain.jsonl").write_text(jsonl(TWO))
    return tmp_path


def lines(records):
    return "".join(json.dumps(record) + "\n" for record in records)


def learned(path):
    """The weights of a model, by feature and label."""
    return sorted((str(output), weight) for output, weight, _ in sapwood.load(path).contents.weights())


def same_as_plain(folder):
    Classifier(min_updates=1, epochs=3).fit(folder / "plain.jsonl").save("plain.sap")
    return learned("m.sap") == learned("plain.sap")


EXTRAS = [
    {"meta": {"model": "x", "usage": [1, 2]}, "ids": ["a", {"b": None}], "empty": [], "n": 3, "none": None, "ok": True},
    {"meta": [1], "ids": "a text here, a list there"},
    {"classes": ["a"], "annotations": []},
    {"tokens": 57, "marked": {"a": 1}, "features": ["none"]},
]


@pytest.mark.filterwarnings("ignore:the held-out")
@pytest.mark.parametrize("extra", EXTRAS)
def test_members_that_nobody_asks_for_are_passed_over(run_cli, folder, extra):
    records = [{"label": label, "text": text} | (extra if k % 2 else {}) for k, (label, text) in enumerate(TWO)]
    (folder / "t.jsonl").write_text(lines(records))
    run = run_cli(TRAIN.format("t.jsonl --dev t.jsonl"))
    assert (run.status, run.err) == (0, "")
    said = run_cli("classify m.sap t.jsonl")
    assert [line.split("\t")[0] for line in said.out.splitlines()] == [label for label, _ in TWO]
    assert run_cli("eval m.sap t.jsonl").status == 0
    assert run_cli(TRAIN.format("t.jsonl --stream")).status == 0
    assert same_as_plain(folder)


@pytest.mark.filterwarnings("ignore:.*held-out")
def test_new_data_may_have_other_members_than_training_data(run_cli, folder):
    (folder / "t.jsonl").write_text(lines({"label": y, "text": x, "source": "web", "n": 1} for y, x in TWO))
    (folder / "new.jsonl").write_text(lines({"label": ["?", "!"], "text": x, "source": {"url": []}} for _, x in TWO))
    assert run_cli(TRAIN.format("t.jsonl")).status == 0
    assert run_cli("classify m.sap new.jsonl").out == run_cli("classify m.sap t.jsonl").out
    run = run_cli("eval m.sap new.jsonl")
    assert (run.status, "new.jsonl:1: 'label' is a list" in run.err) == (1, True)
    (folder / "dev.jsonl").write_text(lines({"label": y, "text": x, "source": [y]} for y, x in TWO))
    assert run_cli(TRAIN.format("t.jsonl --dev dev.jsonl")).status == 0


def test_members_that_a_template_asks_for_are_texts_or_numbers(run_cli, folder):
    (folder / "s.tpl").write_text("U:bias\nU:%d[source]\n")
    records = [{"label": y, "text": x, "source": "web" if y == "+" else "mail"} for y, x in TWO]
    (folder / "t.jsonl").write_text(lines(records))
    assert run_cli(TRAIN.format("t.jsonl --template s.tpl")).status == 0
    (folder / "new.jsonl").write_text(lines([{"text": "a", "source": ["web"]}]))
    run = run_cli("classify m.sap new.jsonl")
    assert (run.status, run.err) == (1, "sapwood: new.jsonl:1: 'source' is neither a text nor a number\n")
    (folder / "t.jsonl").write_text(lines([*records, {"label": "+", "text": "a", "source": {"a": 1}}]))
    run = run_cli(TRAIN.format("t.jsonl --template s.tpl"))
    assert (run.status, run.err.count("\n")) == (1, 1)
    assert "source" in run.err


def test_labels_and_texts_may_be_inside_of_others(run_cli, folder):
    (folder / "t.jsonl").write_text(lines({"input": {"text": x}, "output": {"raw": {"label": y}}} for y, x in TWO))
    inside = "--label output.raw.label --text input.text"
    assert run_cli(TRAIN.format(f"t.jsonl {inside}")).status == 0
    assert same_as_plain(folder)
    said = run_cli("classify m.sap t.jsonl")
    assert [line.split("\t")[0] for line in said.out.splitlines()] == [label for label, _ in TWO]
    assert run_cli(TRAIN.format(f"t.jsonl {inside} --stream")).status == 0
    assert same_as_plain(folder)
    run = run_cli(TRAIN.format("t.jsonl --label output.raw --text input.text"))
    assert (run.status, run.err) == (1, "sapwood: t.jsonl:1: 'output.raw' is neither a text nor a number\n")
    run = run_cli(TRAIN.format("t.jsonl --label output.no.label --text input.text"))
    assert (run.status, "t.jsonl:1: there is no label" in run.err) == (1, True)


def test_a_name_with_a_dot_is_first_looked_for_as_it_is(run_cli, folder):
    (folder / "t.jsonl").write_text(lines({"out.label": y, "out": {"label": "no"}, "text": x} for y, x in TWO))
    assert run_cli(TRAIN.format("t.jsonl --label out.label")).status == 0
    assert same_as_plain(folder)


@pytest.mark.parametrize("indent", [None, 0, 2])
@pytest.mark.parametrize("name", ["t.json", "t.jsonl", "t.json.gz"])
def test_an_array_is_read_as_its_objects(run_cli, folder, indent, name):
    import gzip

    text = json.dumps([{"label": y, "text": x} for y, x in TWO], indent=indent) + "\n"
    (folder / name).write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
    assert run_cli(TRAIN.format(name)).status == 0
    assert same_as_plain(folder)
    said = run_cli(f"classify m.sap {name}")
    assert said == run_cli("classify m.sap plain.jsonl")
    assert run_cli("classify m.sap", stdin=text) == said


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ('[{"label": "+", "text": "a"},\n\n {"label": "-"}]', 3, "there is no text in 'text'"),
        ('\n[{"label": "+", "text": "a"},\n 5]', 3, "the line is not a JSON object"),
        ('[\n{"label": "+", "text": "a"}\n{"label": "-", "text": "b"}]', 2, "the array is not JSON, or does not end"),
        ('[{"label": "+", "text": "a"},\n]', 2, "the array is not JSON, or does not end"),
        ('[{"label": "+", "text": "a"}', 1, "the array is not JSON, or does not end"),
        ('[{"label": "+", "text": "a"}]\n{"label": "-", "text": "b"}', 1, "the array is followed by more"),
        ('[{"label": "+", "text": "a", "text": "b"}]', 1, "the line has the name 'text' twice"),
        ('[\n{"label": "+", "text": "\\ud800"}]', 2, "half of a Unicode character"),
        ("[" * 100_000, 1, "the array is nested too deeply, over 200 levels"),
        ('[{"label": "+", "text": "a"},\n{"a": ' + "[" * 990 + "]" * 990 + "}]", 2, "nested too deeply"),
        ('[{"label": "+", "text": "a"},\n{"a": ' + "9" * 10**6 + "}]", 2, "a whole number of over 4,300 digits"),
    ],
)
def test_what_is_wrong_in_an_array_has_its_line(run_cli, folder, text, line, what):
    (folder / "t.json").write_text(text)
    run = run_cli(TRAIN.format("t.json"))
    assert (run.status, run.err.count("\n")) == (1, 1)
    assert run.err.startswith(f"sapwood: t.json:{line}: ")
    assert what in run.err


def test_an_array_is_not_read_part_by_part(run_cli, folder):
    many = [{"label": y, "text": x * 2000} for y, x in TWO]
    (folder / "t.json").write_text(json.dumps(many, indent=1))
    run = run_cli(TRAIN.format("t.json --stream"))
    assert (run.status, "an array of objects comes as a whole" in run.err) == (1, True)
    (folder / "t.json").write_text("[]")
    assert "there is no example" in run_cli(TRAIN.format("t.json")).err


def test_lists_of_candidates_may_be_an_array(run_cli, folder):
    best = [{"candidates": [{"features": {"a": 1}, "loss": 0}, {"features": {"b": 1}, "loss": 1}]}] * 4
    (folder / "lists.jsonl").write_text(lines(best))
    (folder / "lists.json").write_text(json.dumps(best, indent=1))
    assert run_cli("train rank lists.json -o r.sap -q --min-updates 1").status == 0
    assert run_cli("rank r.sap lists.json") == run_cli("rank r.sap lists.jsonl")
