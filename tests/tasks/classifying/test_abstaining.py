"""Abstaining: a threshold reaches its precision or coverage, is kept in the file, and decides what is answered."""

import json
import random
import re
from math import exp, nextafter
from pathlib import Path

import pytest

import sapwood
from sapwood import Classifier, DataError, ModelError, OptionError, SapwoodWarning
from sapwood.explain import report
from sapwood.explain.page import html_report
from sapwood.model.abstention import NEVER, Answered, Target, estimated_noise, fit_abstention, wilson_interval


def answers(n, seed, noise=0.0):
    """Return confidences, and whether answers of such confidences agree with two labels, some of which are wrong."""
    generator = random.Random(seed)
    sure = [1 / (1 + exp(-abs(generator.gauss(3, 2)))) for _ in range(n)]
    right = [generator.random() < p for p in sure]
    return sure, [hit != (generator.random() < noise) for hit in right]


def test_the_threshold_reaches_the_precision_with_the_most_answers():
    sure = [0.95, 0.9, 0.85, 0.8, 0.7, 0.6]
    right = [True, True, False, True, True, False]
    found = fit_abstention(Answered(sure, right, [0] * 6, 2), Target(precision=0.8, noise=0), "dev")
    assert found["thresholds"] == [0.7]
    assert (found["coverage"], found["precision"]) == (5 / 6, 4 / 5)
    assert found["interval"] == list(wilson_interval(4, 5))
    found = fit_abstention(Answered(sure, right, [0] * 6, 2), Target(coverage=0.5), "dev")
    assert (found["thresholds"], found["coverage"], found["precision"]) == ([0.85], 0.5, 2 / 3)


def test_equally_sure_answers_are_given_together():
    found = fit_abstention(Answered([0.9, 0.9, 0.5], [True, False, True], [0] * 3, 2), Target(coverage=0.3), "dev")
    assert (found["coverage"], found["precision"]) == (2 / 3, 1 / 2)


def test_each_label_has_a_threshold_of_its_own():
    sure, right = [0.6 + k / 1000 for k in range(200)] * 2, [True] * 200 + [k >= 100 for k in range(200)]
    found = fit_abstention(
        Answered(sure, right, [0] * 200 + [1] * 200, 3), Target(precision=1.0, by_label=True, noise=0), "dev"
    )
    assert found["thresholds"][:2] == [0.6, 0.7]
    assert found["thresholds"][2] == pytest.approx(0.7)  # a label without answers has that of all
    assert found["coverage"] == 300 / 400


def test_a_precision_that_no_answers_reach_is_an_error():
    with pytest.raises(DataError, match="dev: no answers reach this precision"):
        fit_abstention(Answered([0.9, 0.8], [False, True], [0, 0], 2), Target(precision=0.9, noise=0), "dev")


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
def test_noise_is_found_where_there_is_some(seed):
    assert estimated_noise(*answers(3000, seed), 2) == 0
    assert estimated_noise(*answers(3000, seed, noise=0.08), 2) == pytest.approx(0.08, abs=0.025)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_noisy_labels_are_warned_of_and_cost_no_coverage(seed):
    """Where 6 % of the labels are wrong, no answers seem to be right in 95 % of the cases."""
    sure, right = answers(4000, seed)
    generator = random.Random(seed + 10)
    noisy = [hit != (generator.random() < 0.06) for hit in right]
    labels = [0] * 4000
    clean = fit_abstention(Answered(sure, right, labels, 2), Target(precision=0.95), "dev")
    blind = fit_abstention(Answered(sure, noisy, labels, 2), Target(precision=0.95, noise=0), "dev")
    assert blind["coverage"] < 0.5 * clean["coverage"]
    with pytest.warns(SapwoodWarning, match=r"dev: about \d\.\d % of the labels are wrong"):
        found = fit_abstention(Answered(sure, noisy, labels, 2), Target(precision=0.95), "dev")
    assert found["coverage"] == pytest.approx(clean["coverage"], abs=0.1)


@pytest.mark.parametrize(
    ("target", "message"),
    [
        (Target(), "either a precision or a coverage"),
        (Target(0.9, 0.5), "either a precision or a coverage"),
        (Target(1.5), "a share over 0 and up to 1"),
        (Target(0.9, noise=0.5), "noise is a share from 0 up to 0.5"),
    ],
)
def test_targets_that_are_none_are_refused(target, message):
    with pytest.raises(OptionError, match=message):
        target.check()


# The classifier


def rows(n, seed):
    generator = random.Random(seed)
    words = {"x": ["crash", "error", "freeze"], "y": ["refund", "price", "invoice"]}
    found = []
    for k in range(n):
        label = "xy"[k % 2]
        own = [generator.choice(words[label if generator.random() < 0.8 else "yx"[k % 2]]) for _ in range(3)]
        found.append((" ".join([*own, generator.choice(["now", "why", "it"])]), label))
    return zip(*found, strict=True)


@pytest.fixture(scope="module")
def model():
    made = Classifier(min_updates=1).fit(*rows(200, 1))
    return made.calibrate(*rows(400, 2), precision=0.95, noise=0)


def test_predict_abstains_if_it_is_asked_to(model, tmp_path):
    texts, labels = map(list, rows(400, 3))
    plain, sure = model.predict(texts), model.predict(texts, abstain=True)
    given = [k for k, answer in enumerate(sure) if answer is not None]
    assert 0 < len(given) < 400
    assert all(sure[k] == plain[k] for k in given)
    assert sum(sure[k] == labels[k] for k in given) / len(given) > 0.92
    [threshold] = model.model_.calibration["abstention"]["thresholds"]
    assert [max(p) >= threshold for p in model.predict_proba(texts)] == [answer is not None for answer in sure]
    model.save(tmp_path / "m.sap")
    assert sapwood.load(tmp_path / "m.sap").predict(texts, abstain=True) == sure
    with pytest.raises(ModelError, match="the model does not abstain"):
        Classifier(min_updates=1).fit(texts, labels).predict(texts, abstain=True)


def test_lines_abstain_by_confidences_before_these_are_rounded(model):
    """A line has six digits of a confidence; an answer that is given exactly at the threshold is not given above it."""
    text = rows(1, 3).__next__()[0]
    [confidence] = (max(p) for p in model.predict_proba([text]))
    shown = float(f"{confidence:.6g}")
    for threshold in {confidence, nextafter(confidence, 2), shown, nextafter(shown, 2)}:
        calibration = model.model_.calibration
        abstention = calibration["abstention"] | {"thresholds": [threshold]}
        other = Classifier._of_file(model.model_.replaced(calibration=calibration | {"abstention": abstention}))
        [line] = other.annotate([text.encode()], format="lines")
        assert (line[:2] != b"_\t") == (other.predict([text], abstain=True) != [None]) == (confidence >= threshold)


def test_lines_and_records_abstain_where_predict_does(model):
    texts, _ = map(list, rows(50, 3))
    sure = model.predict(texts, abstain=True)
    lines = b"".join(model.annotate(["".join(f"{text}\n" for text in texts).encode()])).decode().splitlines()
    assert [line.split("\t")[0] for line in lines] == [answer or "_" for answer in sure]
    data = "".join(json.dumps({"text": text}) + "\n" for text in texts).encode()
    written = b"".join(model.annotate([data], format="jsonl", to="jsonl")).splitlines()
    for line, answer, number in zip(written, sure, lines, strict=True):
        record = json.loads(line)
        assert (record["label"], record["abstained"]) == (answer, answer is None)
        assert record["confidence"] == float(number.split("\t")[1])
    best = b"".join(model.annotate([data], format="jsonl", top=1)).decode().splitlines()
    assert "_" not in [line.split("\t")[0] for line in best]


def test_the_api_says_that_a_model_abstained(model):
    pytest.importorskip("fastapi")
    from sapwood.web.inputs import records_of

    texts, _ = map(list, rows(30, 3))
    answers = [
        json.loads(b"".join(records_of(model).written(text.encode(), "text", "json", confidence=False)))
        for text in texts
    ]
    assert [each["abstained"] for each in answers] == [y is None for y in model.predict(texts, abstain=True)]
    assert {each["label"] == "_" for each in answers if each["abstained"]} == {True}


def test_sets_of_labels_abstain_as_a_whole():
    generator = random.Random(1)
    texts, sets = [], []
    for k in range(300):
        labels = [y for y in "ab" if generator.random() < 0.5]
        words = [f"{y}{generator.randrange(3)}" for y in labels if generator.random() < 0.85]
        texts.append(" ".join([*words, f"n{k}"]))
        sets.append(labels)
    model = Classifier(min_updates=1, multi_label=True).fit(texts[:150], sets[:150])
    model.calibrate(texts[150:], sets[150:], coverage=0.5)
    sure = model.predict(texts[150:], abstain=True)
    assert 0.4 < sum(answer is not None for answer in sure) / 150 < 1
    with pytest.raises(OptionError, match="by_label"):
        model.calibrate(texts[150:], sets[150:], coverage=0.5, by_label=True)


def test_calibrating_without_a_target_ends_it(model):
    other = Classifier(min_updates=1).fit(*rows(200, 1)).calibrate(*rows(400, 2), coverage=0.5)
    assert "abstention" in other.model_.calibration
    assert "abstention" not in other.calibrate(*rows(400, 2)).model_.calibration


def test_a_file_with_thresholds_of_other_labels_is_refused(model):
    calibration = model.model_.calibration
    for wrong in ([0.5] * 3, [0.5, NEVER + 1], [-0.1]):
        abstention = calibration["abstention"] | {"thresholds": wrong}
        file = model.model_.replaced(calibration=calibration | {"abstention": abstention})
        with pytest.raises(ModelError, match="one threshold, or one for each label"):
            Classifier._of_file(file)


# The command


def test_calibrate_says_how_many_answers_are_given(run_cli, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, seed in (("train.txt", 1), ("dev.txt", 2), ("test.txt", 3)):
        Path(name).write_text("".join(f"__label__{y} {x}\n" for x, y in zip(*rows(300, seed), strict=True)))
    assert run_cli("train classify train.txt -o m.sap --min-updates 1").status == 0
    run = run_cli("calibrate m.sap dev.txt --precision 0.95 --noise 0")
    assert run.status == 0
    said = run.err.splitlines()[-1]
    assert said.startswith("answers from confidence 0.")
    assert "% of all, of which 9" in said
    assert "_" in [line.split("\t")[0] for line in run_cli("classify m.sap test.txt").out.splitlines()]
    assert run_cli("calibrate m.sap dev.txt --coverage 0.8 --by-label").status == 0
    report = run_cli("eval m.sap test.txt --json scores.json")
    assert "answered   precision" in report.out
    [scores] = json.loads(Path("scores.json").read_text())["rows"]
    assert [each["coverage"] for each in scores["coverage"]] == [k / 10 for k in range(10, 0, -1)]
    assert scores["coverage"][0]["precision"] == pytest.approx(scores["accuracy"] / 100)
    for flags, message in (
        ("--precision 0.9 --coverage 0.5", "either a precision or a coverage"),
        ("--by-label", "go with a precision or a coverage"),
        ("--precision 95", "is not a share from 0 to 1"),
    ):
        assert message in run_cli(f"calibrate m.sap dev.txt {flags}").err


@pytest.mark.slow
def test_coverage_against_precision_is_a_table_and_a_picture(model, run_cli, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    model.save("m.sap")
    texts, labels = map(list, rows(200, 3))
    gold = Path("gold.txt")
    gold.write_text("".join(f"__label__{label} {text}\n" for text, label in zip(texts, labels, strict=True)))
    assert run_cli(["eval", "m.sap", "gold.txt", "--figure", "curve.svg"]).status == 0
    picture = Path("curve.svg").read_text()
    assert "answered, percent" in picture and "right, percent" in picture
    coverage = model.evaluate(gold).coverage
    assert [each.coverage for each in coverage] == [tenth / 10 for tenth in range(10, 0, -1)]
    assert coverage[0].precision == model.score(gold) < coverage[-1].precision
    page = report(model, gold)
    assert page.sections[0].coverage == coverage
    html = "".join(html_report(page))
    curve = re.search('<svg class="curve".*?</svg>', html, re.DOTALL)[0]
    titles = [f"<title>{100 * each.coverage:.0f} %: {100 * each.precision:.2f}</title>" for each in coverage]
    assert re.findall("<title>.*?</title>", curve) == titles[::-1]
    assert "<tr><td>100 %</td><td>" in html
    bare = report(Classifier(min_updates=1).fit(texts, labels), gold)
    assert bare.sections[0].coverage == [] and "if only the surest" not in "".join(html_report(bare))
