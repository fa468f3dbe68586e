"""Examples with any number of labels in files and on the command line: every format, every verb, reports."""

import json
from collections import Counter

import numpy as np
import pytest
from label_sets import NEW, NEW_SETS, OPTIONS, PAIRS, SETS, TEXT

import sapwood
from sapwood import Classifier, DataError
from sapwood.errors import SapwoodWarning
from sapwood.explain.collecting import section_of
from sapwood.metrics import label_set_scores

pytestmark = pytest.mark.filterwarnings("ignore:.*stands in the model's training data")


@pytest.fixture(scope="module")
def fitted():
    return Classifier(**OPTIONS, names=True).fit(TEXT, SETS, dev_fraction=0.3)


def written(folder):
    """The same examples in every format; their names."""
    pairs = PAIRS[:60]
    formats = {
        "prefixes.txt": "".join(f"{''.join(f'__label__{y} ' for y in ys)}{x}\n" for x, ys in pairs),
        "bars.txt": "".join(f"__label__{'|'.join(ys)} {x}\n" if ys else f"{x}\n" for x, ys in pairs),
        "t.csv": "label,text\n" + "".join(f"{'|'.join(ys)},{x}\n" for x, ys in pairs),
        "t.tsv": "label\ttext\n" + "".join(f"{' | '.join(ys)}\t{x}\n" for x, ys in pairs),
        "lists.jsonl": "".join(json.dumps({"label": ys, "text": x}) + "\n" for x, ys in pairs),
        "texts.jsonl": "".join(json.dumps({"label": "|".join(ys), "text": x}) + "\n" for x, ys in pairs),
    }
    for name, text in formats.items():
        (folder / name).write_text(text)
    return list(formats)


def test_every_format_says_the_same(tmp_path):
    memory = Classifier(**OPTIONS).fit(TEXT[:60], SETS[:60])
    for name in written(tmp_path):
        classifier = Classifier(**OPTIONS).fit(tmp_path / name)
        assert list(classifier.contents.weights()) == list(memory.contents.weights()), name
        assert classifier.evaluate(tmp_path / name).as_dict() == memory.evaluate(TEXT[:60], SETS[:60]).as_dict()
        [lines] = classifier.annotate([(tmp_path / name).read_bytes()], name=name)
        said = [line.split("\t")[0] for line in lines.decode().splitlines()]
        assert said == ["|".join(labels) for labels in classifier.predict(TEXT[:60])]


def test_labels_of_svmlight_have_commas_between_them(tmp_path):
    (tmp_path / "t.svm").write_text("a,b 1:1 2:1\na 1:1\nb 2:1\nb|a 1:2 2:2\n")
    classifier = Classifier(**OPTIONS).fit(tmp_path / "t.svm")
    assert (classifier.labels_, classifier.predict([{"1": 1, "2": 1}, {"2": 1}]).tolist()) == (
        ["a", "b"],
        [("a", "b"), ("b",)],
    )


@pytest.mark.parametrize(
    "name, content, what",
    [
        ("t.csv", "label,text\na||b,x\na,y\n", "t.csv:2: one of the labels in 'a||b' is empty"),
        ("t.jsonl", '{"label": ["a|b"], "text": "x"}\n', "t.jsonl:1: 'a|b' is no label"),
        ("t.jsonl", '{"label": {"a": 1}, "text": "x"}\n', "t.jsonl:1: 'label' is neither a text nor a number"),
        ("t.jsonl", '{"label": ["a"], "text": "x"}\n{"label": null, "text": "y"}\n', "t.jsonl:2: there is no 'label'"),
        ("t.jsonl", '{"label": ["a"], "text": "x"}\n{"text": "y"}\n', "t.jsonl:2: there is no 'label'"),
        ("t.jsonl", '{"label": [null], "text": "x"}\n', "t.jsonl:1: one of its labels is neither a text nor a number"),
        ("t.jsonl", '{"label": ["a", ["b"]], "text": "x"}\n', "t.jsonl:1: one of its labels is neither"),
        ("f.jsonl", '{"label": null, "features": {"a": 1}}\n', "f.jsonl:1: there is no 'label'"),
        ("t.csv", "topic,text\na,x\n", "t.csv:2: there is no 'label'"),
        ("t.txt", "x\ny\n", "t.txt: no example has a label"),
        ("t.txt", "\n", "t.txt: there is no example"),
        ("t.txt", "__label__ x\n", "t.txt:1: __label__ without a name"),
    ],
)
def test_files_that_do_not_say_it(run_cli, tmp_path, monkeypatch, name, content, what):
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_text(content)
    run = run_cli(["train", "classify", name, "-o", "m.sap", "--multi-label"])
    assert (run.status, run.err.count("\n")) == (1, 1)
    assert run.err.startswith(f"sapwood: {what}")


def test_labels_are_needed_to_score_but_not_to_classify(run_cli, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    written(tmp_path)
    Classifier(**OPTIONS).fit(tmp_path / "lists.jsonl").save("m.sap")
    (tmp_path / "new.jsonl").write_text('{"text": "x"}\n{"text": "y", "label": null}\n{"text": "z", "label": [""]}\n')
    assert run_cli("classify m.sap new.jsonl").out.count("\n") == 3
    run = run_cli("eval m.sap new.jsonl")
    assert (run.status, run.err.count("\n")) == (1, 1)
    assert run.err.startswith("sapwood: new.jsonl:1: there is no 'label'; an example without labels has an empty list")


@pytest.mark.parametrize(("mark", "several"), [(";", True), (", ", True), ("; ", False), ("|", False)])
def test_sets_that_are_not_taken_apart(tmp_path, mark, several):
    file = tmp_path / "topics.csv"
    file.write_text(f'text,label\na ball,sport\na bank,money\nball and bank,"sport{mark}money"\n')
    how = "put . between them" + ("$" if several else ", and give --multi-label")
    with pytest.warns(SapwoodWarning, match=f"counts as a label of its own, beside sport and money; .*{how}"):
        Classifier(multi_label=several, min_updates=1).fit(file)


def test_several_labels_where_one_is_meant(tmp_path):
    (tmp_path / "t.txt").write_text("__label__a __label__b x\n")
    with pytest.raises(DataError, match=r"t.txt:1: two labels in a line; where examples have several labels, give"):
        Classifier().fit(tmp_path / "t.txt")
    with pytest.raises(DataError, match="with multi_label an example has a list of them"):
        Classifier().fit(["x", "y"], [["a"], ["b"]])


def test_every_verb_reads_and_writes_sets(run_cli, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    written(tmp_path)
    train = "train classify prefixes.txt -o m.sap --multi-label --min-updates 1 --dev 20% --feature-names"
    run = run_cli(train)
    assert run.status == 0
    assert "180 decisions" not in run.err and "144 decisions, 3 labels" in run.err
    model = sapwood.load(tmp_path / "m.sap")
    assert model.model_.options["multi_label"] is True

    run = run_cli("classify m.sap prefixes.txt")
    assert [line.split("\t")[0] for line in run.out.splitlines()] == ["|".join(ys) for ys in model.predict(TEXT[:60])]
    run = run_cli("classify m.sap t.csv --format csv --top 2")
    assert all(line.count("\t") == 3 for line in run.out.splitlines())

    run = run_cli("eval m.sap prefixes.txt --json scores.json")
    assert run.status == 0, run.err
    [row] = json.loads((tmp_path / "scores.json").read_text())["rows"]
    assert row["micro"]["f1"] == pytest.approx(model.evaluate(TEXT[:60], SETS[:60]).as_dict()["micro"]["f1"])
    assert "have exactly their labels" in run.out

    run = run_cli("calibrate m.sap prefixes.txt -o c.sap")
    assert run.status == 0 and "temperature: log loss" in run.err
    assert sapwood.load(tmp_path / "c.sap").predict(NEW).tolist() == model.predict(NEW).tolist()

    assert "label sport: yes, by" in run_cli("explain m.sap prefixes.txt").out
    assert "multi_label True" in run_cli("inspect m.sap").out
    run = run_cli("report m.sap prefixes.txt -o r.html")
    assert run.status == 0, run.err
    assert "exactly their labels" in (tmp_path / "r.html").read_text()
    assert run_cli("shrink m.sap --data prefixes.txt --dev 20% --loss 5 -o s.sap").status == 0

    for arguments, what in [
        ("eval m.sap prefixes.txt --figure f.png", "--figure draws the confusions of a classifier of one label"),
        ("train classify prefixes.txt -o n.sap --multi-label --voted --min-updates 1", "multi_label is for averaged"),
    ]:
        run = run_cli(arguments)
        assert (run.status != 0, run.err.count("\n")) == (True, 1)
        assert what in run.err


def test_reports_show_sets(fitted):
    """A decision for each label of each example; groups are counted as by hand, reasons are those of the label.

    A margin is a sum of float32 numbers.
    """
    guess = [set(labels) for labels in fitted.predict(NEW)]
    gold = [set(labels) for labels in NEW_SETS]
    [answers] = fitted._answers(NEW, NEW_SETS)
    section = section_of(answers)
    missing = Counter(label for g, h in zip(gold, guess, strict=True) for label in g - h)
    wrong = Counter(label for g, h in zip(gold, guess, strict=True) for label in h - g)
    assert (section.decisions, section.errors) == (3 * len(NEW), missing.total() + wrong.total())
    assert section.errors > 5
    expected = {f"{label} is missing": count for label, count in missing.items()}
    expected |= {f"{label} is given and wrong": count for label, count in wrong.items()}
    aspects = {aspect.title: aspect for aspect in section.aspects}
    assert {group.value: group.errors for group in aspects["labels"].groups} == expected
    for group in aspects["labels"].groups:
        example = group.examples[0]
        k, label = int(example.place.split()[1]) - 1, group.value.split()[0]
        assert {*example.gold.split(", ")} - {"no label"} == gold[k]
        assert {*example.guess.split(", ")} - {"no label"} == guess[k]
        reason = example.reason
        assert (reason["sentence"], reason["decision"]) == (k + 1, f"label {label}")
        assert reason["chosen"] == ("no" if group.value.endswith("missing") else "yes")
        assert sum(f["contribution"] for f in reason["features"]) == pytest.approx(reason["margin"], rel=1e-5)
    exact, by_label = section.tables
    assert exact.rows[1][1:3] == [len(NEW), sum(g == h for g, h in zip(gold, guess, strict=True))]
    scores = label_set_scores(gold, guess)
    [heading, *rows] = by_label.rows
    assert heading[-1] == "threshold"
    found = {row[0]: row for row in rows}
    for score in scores.labels:
        assert found[score.label][1:7] == [
            score.gold, score.guessed, score.correct, score.precision, score.recall, score.f1]  # fmt: skip
    y = fitted.labels_.index("sport")
    assert found["sport"][7] == np.frombuffer(fitted.model_.extra["thresholds"].data)[y]
    assert found["all, together (micro)"][4:7] == [*scores.micro]


def test_reports_compare_two_classifiers_of_sets(fitted):
    other = Classifier(**OPTIONS, epochs=1).fit(TEXT[:20], SETS[:20])
    [first], [second] = fitted._answers(NEW, NEW_SETS), other._answers(NEW, NEW_SETS)
    changes = section_of(first, second).changes
    assert [each.score for each in changes.scores] == ["accuracy of each label", "exactly right", "micro F1"]
    assert changes.scores[1].b == pytest.approx(100 * fitted.score(NEW, NEW_SETS))
    assert changes.scores[2].a == pytest.approx(label_set_scores(NEW_SETS, other.predict(NEW)).micro.f1)
    assert changes.examples_fixed[0].other != changes.examples_fixed[0].guess


def test_a_report_of_labels_that_the_model_does_not_have(fitted):
    [answers] = fitted._answers(["a ball", "a goal"], [["sport", "new"], ["sport"]])
    section = section_of(answers)
    assert [row[-1] for row in section.tables[1].rows if row[0] == "new"] == ["not known"]
    aspects = {aspect.title: {group.value: group for group in aspect.groups} for aspect in section.aspects}
    assert aspects["labels"]["new is missing"].examples[0].reason is None
