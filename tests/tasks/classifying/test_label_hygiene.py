"""Labels that are hardly learned, texts with two labels, and weights of examples in records."""

import json
from pathlib import Path

import pytest

import sapwood
from sapwood import Classifier, DataError, OptionError, SapwoodWarning

LONG = "a text of eight words or more so that it counts as one"


def written(path, rows):
    path.write_text("".join(f"__label__{label} {text}\n" for text, label in rows))
    return path


def test_a_label_of_few_examples_is_named(tmp_path):
    rows = [(f"word{k} {k % 3}", "rare" if k in (10, 20) else "xy"[k % 2]) for k in range(300)]
    with pytest.warns(SapwoodWarning) as said:
        Classifier(min_updates=1, epochs=1).fit(written(tmp_path / "t.txt", rows))
    assert [str(each.message) for each in said] == [
        "a label has fewer than 5 examples, and will hardly be learned: 'rare' (2)"
    ]


def test_nothing_is_said_of_small_data_and_of_five_examples(tmp_path, recwarn):
    Classifier(min_updates=1, epochs=1).fit(written(tmp_path / "few.txt", [("a", "x"), ("b", "y"), ("c", "z")]))
    rows = [(f"word{k}", "rare" if k < 5 else "xy"[k % 2]) for k in range(300)]
    Classifier(min_updates=1, epochs=1).fit(written(tmp_path / "five.txt", rows))
    assert not recwarn.list


def test_a_text_with_two_labels_is_named_with_both_places(tmp_path):
    path = tmp_path / "t.txt"
    path.write_text(f"__label__a {LONG}\n__label__b other\n__label__b {LONG}\n__label__a {LONG}\n")
    with pytest.warns(SapwoodWarning) as said:
        Classifier(min_updates=1, epochs=1).fit(path)
    [message] = [str(each.message) for each in said]
    assert message.startswith("a text stands there twice with different labels, as at ")
    assert f"{path}:1 and {path}:3" in message


def rows(weights):
    texts = ["same words"] * 4
    return "".join(
        json.dumps({"text": text, "label": label, "w": weight}) + "\n"
        for text, label, weight in zip(texts, ["a", "a", "a", "b"], weights, strict=True)
    )


def test_a_member_of_records_is_their_weight(tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_text(rows([1, 1, 1, 50]))
    options = {"min_updates": 1, "epochs": 1, "shuffle": False}
    weighed = Classifier(weight="w", **options).fit(path)
    given = Classifier(**options).fit(["same words"] * 4, ["a", "a", "a", "b"], sample_weight=[1, 1, 1, 50])
    assert weighed.predict(["same words"]).tolist() == given.predict(["same words"]).tolist() == ["b"]
    assert weighed.decision_function(["same words"]) == given.decision_function(["same words"])
    plain = Classifier(**options).fit(path)
    assert plain.decision_function(["same words"]) != weighed.decision_function(["same words"])


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1, 1, 1, None], r"t.jsonl:4: there is no weight in 'w'"),
        ([1, 0, 1, 1], r"t.jsonl:2: 'w' is 0; a weight is a number over 0"),
        ([1, "x", 1, 1], r"t.jsonl:2: 'w' is 'x'"),
    ],
)
def test_what_is_no_weight_is_an_error_with_its_line(tmp_path, weights, message):
    (tmp_path / "t.jsonl").write_text(rows(weights))
    with pytest.raises(DataError, match=message):
        Classifier(weight="w").fit(tmp_path / "t.jsonl")


def test_weights_need_records(tmp_path):
    (tmp_path / "t.txt").write_text("__label__a b\n__label__b c\n")
    (tmp_path / "t.jsonl").write_text(rows([1, 1, 1, 1]))
    with pytest.raises(OptionError, match="weight names a member of records"):
        Classifier(weight="w").fit(tmp_path / "t.txt")
    with pytest.raises(OptionError, match="weight needs the examples in memory"):
        Classifier(weight="w").fit(tmp_path / "t.jsonl", stream=True)


NAMES = "bug\nquestion\tquestion\n\nBug report\tbug\nQ\tquestion\n"


def test_labels_are_renamed_by_a_file_in_training_and_scores(tmp_path, run_cli, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("labels.txt").write_text(NAMES)
    texts = ["it crashed", "how do I", "crash again", "how much"] * 3
    data = zip(texts, ["bug", "question", "Bug report", "Q"] * 3, strict=True)
    Path("t.jsonl").write_text("".join(json.dumps({"text": text, "label": label}) + "\n" for text, label in data))
    Path("clean.jsonl").write_text(Path("t.jsonl").read_text().replace("Bug report", "bug").replace("Q", "question"))
    Path("dev.jsonl").write_text('{"text": "no crash", "label": "Bug report"}\n')
    model = Classifier(min_updates=1, labels="labels.txt").fit(Path("t.jsonl"), dev=Path("dev.jsonl"))
    Path("dev.jsonl").write_text('{"text": "no crash", "label": "bug"}\n')
    plain = Classifier(min_updates=1).fit(Path("clean.jsonl"), dev=Path("dev.jsonl"))
    assert model.labels_ == ["bug", "question"]
    assert model.model_.dump() == plain.model_.dump()
    plain.save("m.sap")
    assert run_cli(["eval", "m.sap", "t.jsonl", "--labels", "labels.txt", "--json", "s.json"]).status == 0
    assert json.loads(Path("s.json").read_text())["rows"][0]["accuracy"] == 100
    assert run_cli(["train", "classify", "t.jsonl", "--labels", "labels.txt", "-o", "n.sap", "-q"]).status == 0
    assert sapwood.load("n.sap").labels_ == ["bug", "question"]


@pytest.mark.parametrize("stream", [False, True])
def test_labels_that_are_not_allowed_are_refused_with_their_line(tmp_path, stream):
    (tmp_path / "labels.txt").write_text("a\nb\n")
    data = written(tmp_path / "t.txt", [("x", "a"), ("y", "b"), ("z", "c"), ("z", "c")])
    with pytest.raises(DataError, match=r"t\.txt:3: the label 'c' is not allowed; .*labels\.txt has a, b"):
        Classifier(labels=tmp_path / "labels.txt").fit(data, stream=stream)


def test_labels_of_several_are_renamed_one_by_one(tmp_path):
    (tmp_path / "labels.txt").write_text("a\nA\ta\nb\n")
    data = tmp_path / "t.txt"
    data.write_text("__label__A __label__b x\n__label__a __label__A y\n__label__b z\nnothing\n" * 3)
    options = {"min_updates": 1, "multi_label": True}
    model = Classifier(labels=tmp_path / "labels.txt", **options).fit(data)
    data.write_text("__label__a __label__b x\n__label__a y\n__label__b z\nnothing\n" * 3)
    assert model.model_.dump() == Classifier(**options).fit(data).model_.dump()


@pytest.mark.parametrize(
    ("text", "message"),
    [("a\tb\tc\n", "labels.txt:1: a line is a label"), ("a\tb\na\tc\n", "labels.txt:2: "), ("\n", "there is no label")],
)
def test_files_of_labels_that_are_none_are_refused(tmp_path, text, message):
    (tmp_path / "labels.txt").write_text(text)
    with pytest.raises(DataError, match=message):
        Classifier(labels=tmp_path / "labels.txt").fit(written(tmp_path / "t.txt", [("x", "a"), ("y", "b")]))


def test_names_of_labels_are_for_files():
    with pytest.raises(OptionError, match="labels names those of examples in a file"):
        Classifier(labels="labels.txt").fit(["x", "y"], ["a", "b"])
