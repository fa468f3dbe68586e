"""Drift: known statistics, no false alarms beyond what p-values promise, and planted changes."""

import json
import random
import warnings
from collections import Counter

import pytest
from reviews import NEGATIVE, POSITIVE, THINGS

from sapwood import Classifier, DataError, ModelError, PhraseParser
from sapwood.errors import UnfamiliarWarning
from sapwood.explain.drift import (
    CHANCE,
    DriftReport,
    Quantiles,
    Sample,
    distance_at,
    drift,
    kolmogorov_smirnov,
    label_shift,
    of_training,
)


def counters(labels):
    return [Counter([label]) for label in labels]


@pytest.mark.parametrize(("sizes", "shift"), [((40, 60), 0.0), ((300, 200), 0.1), ((80, 1000), 0.3)])
def test_kolmogorov_smirnov_is_that_of_scipy(sizes, shift):
    stats = pytest.importorskip("scipy.stats")
    chance = random.Random(3)
    a, b = ([round(chance.random() + k * shift, 2) for _ in range(n)] for k, n in enumerate(sizes))
    distance, p = kolmogorov_smirnov(a, b)
    assert distance == pytest.approx(stats.ks_2samp(a, b).statistic)
    assert p == pytest.approx(stats.ks_2samp(a, b, method="asymp").pvalue, abs=0.02)


@pytest.mark.parametrize(
    "counts", [((30, 50, 20), (40, 40, 20)), ((300, 700), (400, 600)), ((10, 10, 10), (10, 10, 10))]
)
def test_the_shift_of_one_label_a_text_is_the_chi_squared_test(counts):
    stats = pytest.importorskip("scipy.stats")
    old, new = (counters("".join(y * n for y, n in zip("abc", each, strict=False))) for each in counts)
    index, p = label_shift(old, new)
    assert p == pytest.approx(stats.chi2_contingency(counts, correction=False).pvalue, abs=0.01)
    assert (index < 1e-9) == (counts[0] == counts[1])


def test_the_index_is_that_of_credit_scoring():
    """Shares of 20 and 80 % become 40 and 60 %: 0.2 ln 2 + (-0.2) ln 0.75, but for half a count of smoothing."""
    index, _ = label_shift([Counter(a=2000, b=8000)], [Counter(a=4000, b=6000)])
    assert index == pytest.approx(0.2 * 0.693147 + 0.2 * 0.287682, abs=1e-3)


def test_labels_that_go_together_in_a_text_are_counted_as_one():
    """Ten equal labels a text tell no more than one: p is that of the texts, not of the labels."""
    labels = "a" * 30 + "b" * 70, "a" * 40 + "b" * 60
    one, ten = ([[Counter({y: times}) for y in each] for each in labels] for times in (1, 10))
    assert label_shift(*ten)[1] == pytest.approx(label_shift(*one)[1], abs=0.01)
    assert label_shift([sum(ten[0], Counter())], [sum(ten[1], Counter())])[1] < CHANCE < label_shift(*one)[1]


def test_a_distribution_of_which_quantiles_are_known():
    quantiles = [(0.1, 0.2), (0.5, 0.5)]
    same = [k / 100 for k in range(100)]
    assert distance_at([(0.1, 0.1), (0.5, 0.5)], same)[0] == pytest.approx(0.0, abs=0.011)
    distance, p = distance_at(quantiles, [0.1] * 50 + [0.9] * 50)
    assert distance == pytest.approx(0.4)
    assert p < CHANCE
    assert distance_at([(0.1, 0.5), (0.5, 0.5)], [0.5] * 100) == (0.0, 1.0), "a value that all share fits any quantile"


@pytest.mark.slow
def test_halves_of_the_same_texts_differ_by_chance_alone():
    """Of 200 pairs of halves at most as many are beyond chance as p promises, 1 % for each of three measures."""
    chance, alarms = random.Random(1), 0
    for _ in range(200):
        samples = []
        for name in ("new", "old"):
            shares = [chance.betavariate(5, 3) for _ in range(150)]
            labels = [Counter(chance.choices("abc", (6, 3, 1), k=8)) for _ in range(150)]
            samples.append(Sample(name, 150, shares, 0, [chance.random() for _ in range(150)], labels))
        alarms += any(each.p < CHANCE for each in DriftReport(*samples).changes)
    assert alarms <= 12  # 6 are to be expected; more than 12 come once in a hundred times


def reviews(chance, n, positive=0.5):
    for _ in range(n):
        label, words = ("+", POSITIVE) if chance.random() < positive else ("-", NEGATIVE)
        yield label, f"a {chance.choice(words)} {chance.choice(THINGS)} , what a {chance.choice(words)} thing this was"


@pytest.fixture(scope="module")
def model():
    chance = random.Random(2)
    labels, texts = zip(*reviews(chance, 400), strict=True)
    found = Classifier(min_updates=1).fit(texts, labels)
    labels, texts = zip(*reviews(chance, 200), strict=True)
    return found.calibrate([f"{text} {k}" for k, text in enumerate(texts)], labels)


def texts_of(seed, n=200, **how):
    return [text for _, text in reviews(random.Random(seed), n, **how)]


def test_the_same_kind_of_texts_is_no_drift(model):
    for old in (texts_of(11), None):
        report = drift(model, texts_of(10), old)
        assert not report.drifted
        assert {each.verdict for each in report.changes} == {"no more than chance"}
        assert "labels: no more than chance" in report.format()


def test_other_shares_of_labels_are_said_with_the_labels(model):
    new = texts_of(10, positive=0.9)
    for old in (texts_of(11), None):
        report = drift(model, new, old)
        [change] = [each for each in report.changes if each.measure == "labels"]
        assert report.drifted
        assert change.verdict.startswith("a large change: '")
        assert "'+' " in change.said
        assert " -> 9" in change.said


def test_another_language_is_strange_and_less_familiar(model):
    german = [f"das ist ein guter Film und wir sahen ihn gern zum Mal {k}" for k in range(60)]
    for old in (texts_of(11), None):
        report = drift(model, texts_of(10, 140) + german, old)
        [change] = [each for each in report.changes if each.measure == "familiarity"]
        assert change.verdict == "a large change: texts have fewer words that are frequent in training"
        assert report.as_dict()["new"]["strange"] == 60


def test_one_strange_text_among_many_is_warned_of_by_its_number(model):
    german = "das ist ein guter Film und wir sahen ihn gern zum Mal in jener Stadt"
    texts = [*texts_of(10, 60), german, *texts_of(11, 5), german]
    for ask in (model.predict, model.predict_proba):
        with pytest.warns(
            UnfamiliarWarning, match=r"input: 2 of 67 texts are strange to the model, number 61, 67; of num"
        ):
            ask(texts)
    blocks = ["".join(f"{text}\n" for text in part).encode() for part in (texts[:40], texts[40:])]
    with pytest.warns(
        UnfamiliarWarning, match="new: 2 of 67 texts are strange to the model, number 61, 67; of number 61"
    ):
        assert len(b"".join(model.annotate(blocks, name="new", format="lines")).splitlines()) == 67
    with warnings.catch_warnings():
        warnings.simplefilter("error", UnfamiliarWarning)
        model.predict(texts_of(10, 60))


def test_a_model_that_is_less_sure_is_said_to_be():
    sure, unsure = ([(k % 50 + less) / 100 for k in range(200)] for less in (50, 20))
    new, old = (Sample("texts", 200, [], 0, numbers, [Counter("a")] * 200) for numbers in (unsure, sure))
    [change, labels] = DriftReport(new, old).changes
    assert (change.measure, change.verdict) == ("confidence", "a large change: the model is less sure")
    assert labels.verdict == "no more than chance"


def test_a_file_without_these_numbers_says_less(model, tagger, tiny):
    bare = Classifier(min_updates=1).fit(["good", "bad"], ["+", "-"])  # too few words for familiarity
    assert of_training(bare) == Quantiles([], Counter({"+": 1, "-": 1}))
    assert [each.measure for each in drift(bare, ["good"] * 5).changes] == ["labels"]
    sentences = [[token[:-1] for token in sentence] for sentence in tiny]
    report = drift(tagger, sentences, sentences)
    assert [(each.measure, each.size) for each in report.changes] == [("labels", pytest.approx(0))]
    assert drift(tagger, sentences).changes == []
    forged = Classifier(min_updates=1).fit(["good", "bad"], ["+", "-"])
    forged.model_.provenance["label_counts"] = ["x"]
    assert of_training(forged).labels == Counter()


def test_nothing_to_compare_is_an_error(model, tmp_path):
    with pytest.raises(DataError, match="new: there is no text in it"):
        drift(model, [])
    with pytest.raises(ModelError, match="no drift that could be measured"):
        (tmp_path / "t.mrg").write_text("(S (NP (NN dogs)) (VP (VBP bark)))\n")
        drift(PhraseParser().fit(tmp_path / "t.mrg"), [])


def test_the_verb_writes_the_same_numbers(run_cli, tmp_path, model):
    model.save(tmp_path / "m.sap")
    for name, seed in (("new", 10), ("old", 11)):
        lines = "".join(json.dumps({"text": text}) + "\n" for text in texts_of(seed))
        (tmp_path / f"{name}.jsonl").write_text(lines)
    asked = ["drift", tmp_path / "m.sap", tmp_path / "new.jsonl", tmp_path / "old.jsonl"]
    run = run_cli([*asked, "--json", tmp_path / "out.json"])
    assert (run.status, run.err) == (0, "")
    report = drift(model, tmp_path / "new.jsonl", tmp_path / "old.jsonl")
    assert run.out == report.format() + "\n"
    [row] = json.loads((tmp_path / "out.json").read_text())["rows"]
    assert row == {"name": str(tmp_path / "m.sap"), **json.loads(json.dumps(report.as_dict()))}
    assert run_cli(asked[:3]).out.splitlines()[0].split() == ["training", str(tmp_path / "new.jsonl")]


def test_what_changes_between_two_models_has_examples_with_their_texts(run_cli, tmp_path, model):
    other = Classifier(min_updates=1).fit(["a good thing", "an awful thing", "a dull thing"] * 3, ["+", "-", "?"] * 3)
    model.save(tmp_path / "old.sap")
    other.save(tmp_path / "new.sap")
    texts = [*texts_of(10, 20), "a dull thing"]
    (tmp_path / "t.jsonl").write_text("".join(json.dumps({"text": text}) + "\n" for text in texts))
    old, new = model.predict(texts), other.predict(texts)
    moves = Counter((a, b) for a, b in zip(old, new, strict=True) if a != b)
    assert moves[("-", "?")] >= 1
    names = [tmp_path / name for name in ("old.sap", "new.sap", "t.jsonl")]
    run = run_cli(["compare", *names, "--json", tmp_path / "out.json"])
    assert (run.status, run.err) == (0, "")
    assert run.out.startswith(f"{moves.total()} of 21 labels change ({100 * moves.total() / 21:.2f} %)\n")
    [row] = json.loads((tmp_path / "out.json").read_text())["rows"]
    assert {(each["old"], each["new"]): each["count"] for each in row["moves"]} == moves
    for each in row["moves"]:
        for example in each["examples"]:
            k = example["unit"] - 1
            assert (old[k], new[k]) == (each["old"], each["new"])
            assert example["text"] == " ".join(texts[k].split())[:60]
    same = run_cli(["compare", names[0], names[0], names[2]])
    assert same.out == "0 of 21 labels change (0.00 %)\n"


def test_outputs_are_compared_without_gold(run_cli, tmp_path):
    (tmp_path / "a.out").write_text("pos\t1\nneg\t2\npos\t1\n")
    (tmp_path / "b.out").write_text("pos\t1\npos\t2\nneg\t1\n")
    run = run_cli(["compare", tmp_path / "a.out", tmp_path / "b.out"])
    assert (run.status, run.err) == (0, "")
    assert run.out.startswith("2 of 3 labels change (66.67 %)\n")
    assert "\nneg -> pos\n2\n" in run.out
    row = "{}\tdog\t_\t{}\t_\t_\t0\troot\t_\t_\n"
    (tmp_path / "a.conllu").write_text(row.format(1, "NOUN") + "\n")
    (tmp_path / "b.conllu").write_text(row.format(1, "VERB") + "\n")
    run = run_cli(["compare", tmp_path / "a.conllu", tmp_path / "b.conllu"])
    assert run.out.startswith("UPOS\n1 of 1 labels change (100.00 %)\n")


def test_only_models_of_one_task_take_each_others_place(run_cli, tmp_path, model, tiny_model):
    model.save(tmp_path / "m.sap")
    (tmp_path / "a.out").write_text("pos\t1\n")
    for asked, why in (
        ([tmp_path / "m.sap", tmp_path / "m.sap"], "two models need texts to answer"),
        ([tmp_path / "m.sap", tmp_path / "a.out"], "is a model, and the other is none"),
        ([tmp_path / "m.sap", tiny_model, tmp_path / "a.out"], "do not answer the same questions"),
    ):
        run = run_cli(["compare", *asked])
        assert run.status != 0
        assert why in run.err


def test_a_pipeline_reads_texts_conllu_and_records(tmp_path, toy):
    text = "A helt bungs. The 2 helt sing!\n\nA helt sing. "
    (tmp_path / "t.txt").write_text(text)
    (tmp_path / "t.jsonl").write_text("".join(json.dumps({"text": part}) + "\n" for part in text.split("\n\n")))
    (tmp_path / "t.conllu").write_bytes(toy.fill("".join(doc.to_conllu() for doc in toy.pipe([text])).encode()))
    found = [drift(toy, tmp_path / f"t.{end}").as_dict()["new"] for end in ("txt", "jsonl", "conllu")]
    assert found[0]["texts"] == 3
    assert [each["labels"] for each in found] == [found[0]["labels"]] * 3
    assert drift(toy, text.split("\n\n")).as_dict()["new"]["labels"] == found[0]["labels"]
