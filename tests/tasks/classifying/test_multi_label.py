"""Examples with any number of labels: the same weights as a classifier for each label, thresholds by F1, every verb."""

import copy
import json
import pickle
import random
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scores import label_scores

import sapwood
from sapwood import Classifier, DataError, OptionError
from sapwood.errors import SapwoodWarning
from sapwood.explain.collecting import section_of
from sapwood.metrics import label_set_scores
from sapwood.model.explanation import question

pytestmark = pytest.mark.filterwarnings("ignore:.*stands in the model's training data")

OPTIONS = {"multi_label": True, "min_updates": 1, "bits": 32}
WORDS = {"sport": "ball goal", "money": "bank cash", "art": "paint song"}


def generated(count=200, seed=1):
    """Texts with words of each of their labels, mixed with words of none and a few that mislead; and the labels."""
    generator = random.Random(seed)
    texts, labels = [], []
    for _ in range(count):
        mine = [label for label in WORDS if generator.random() < (0.2 if label == "art" else 0.5)]
        words = [word for label in mine for word in WORDS[label].split() if generator.random() < 0.7]
        words += generator.choices(["the", "a", "of", *" ".join(WORDS.values()).split()], k=4)
        generator.shuffle(words)
        texts.append(" ".join(words))
        labels.append(mine)
    return texts, labels


TEXT, SETS = generated()
PAIRS = list(zip(TEXT, SETS, strict=True))
NEW, NEW_SETS = generated(60, seed=2)


@pytest.fixture(scope="module")
def fitted():
    return Classifier(**OPTIONS, names=True).fit(TEXT, SETS, dev_fraction=0.3)


def named_weights(classifier):
    found = {}
    for output, weight, name in classifier.contents.weights():
        found.setdefault(output.name, {})[name] = weight
    return found


# One against the rest


@pytest.mark.parametrize("update", ["perceptron", "margin"])
@pytest.mark.parametrize("weights", [None, {"sport": 3, "art": 0.5}])
def test_each_label_has_the_weights_of_a_classifier_of_its_own(update, weights):
    """Of two classes, with and without the label, on the same examples in the same order."""
    options = {"min_updates": 1, "bits": 32, "update": update, "names": True, "clusters": None}
    names = list(WORDS)
    together = Classifier(multi_label=True, class_weight=weights, **options)
    alone = {name: Classifier(class_weight=weights and {"yes": weights.get(name, 1)}, **options) for name in names}
    for _ in range(3):
        together.partial_fit(TEXT[:80], SETS[:80], classes=names)
        for name, classifier in alone.items():
            has = ["yes" if name in labels else "no" for labels in SETS[:80]]
            classifier.partial_fit(TEXT[:80], has, classes=["no", "yes"])
    scores = label_scores(together, NEW)
    for y, name in enumerate(names):
        assert named_weights(together)[name] == named_weights(alone[name])["yes"]
        assert scores[:, y].tolist() == (label_scores(alone[name], NEW) @ [-1, 1]).tolist()
    said = [[name for name, score in zip(names, row, strict=True) if score > 0] for row in scores.tolist()]
    assert [list(labels) for labels in together.predict(NEW)] == said


def test_a_passive_aggressive_step_is_that_of_all_wrong_labels():
    """tau = (0.5 + 0.5) / (2 + 2): cost 0.5 for each label, as the unit of gamma is |phi|^2 = 2, for two features."""
    options = {"min_updates": 1, "bits": 32, "update": "pa", "gamma": 0.25, "names": True}
    classifier = Classifier(multi_label=True, average=False, epochs=1, **options).fit([{"a": 1}], [["x", "y"]])
    assert named_weights(classifier) == {label: {"a": 0.25, "bias": 0.25} for label in "xy"}
    scores = Classifier(multi_label=True, **options).fit(TEXT, SETS).evaluate(TEXT, SETS)
    assert scores.as_dict()["micro"]["f1"] > 85


def test_a_feature_is_updated_once_an_example():
    """However many of its labels are wrong: the second example is the second update of its features."""
    sets = [["x", "y", "z"]] * 2
    options = {"multi_label": True, "bits": 32, "update": "perceptron", "epochs": 1, "average": False}
    for k, expected in ((1, ("x", "y", "z")), (2, ("x", "y", "z")), (3, ())):
        assert Classifier(min_updates=k, **options).fit(["a", "a"], sets).predict(["a"]).tolist() == [expected]


def test_balanced_weights_are_those_of_scikit_learn_for_each_label():
    """As scikit-learn has it for each label: n / (2 * n of the side)."""
    options = {"min_updates": 1, "bits": 32, "names": True, "epochs": 3}
    balanced = Classifier(multi_label=True, class_weight="balanced", **options).fit(TEXT, SETS)
    for name in WORDS:
        has = ["yes" if name in labels else "no" for labels in SETS]
        alone = Classifier(class_weight="balanced", **options).fit(TEXT, has)
        [second] = named_weights(alone)
        sign = 1 if second == "yes" else -1
        wanted = {feature: sign * weight for feature, weight in named_weights(alone)[second].items()}
        assert named_weights(balanced)[name] == pytest.approx(wanted)


@given(
    st.lists(st.tuples(st.sampled_from([-2.0, -1.0, 0.0, 0.5, 1.0, 3.0]), st.booleans()), min_size=1, max_size=12),
)
def test_thresholds_have_the_highest_f1(decisions):
    """Of all that could be set; 0 if that is one of them."""
    from sapwood import _core

    key = _core.key_of("x")
    trainer = _core.ClassifierTrainer(
        1, {"update": "perceptron", "average": False, "shuffle": False, "multi_label": True}
    )
    trainer.prime([key], [1.0])
    raw = _core.Classifier.of_any(["y"], [0.0], trainer.freeze(32, 0.0))
    rows = _core.FeatureRows.from_dicts([{"x": score} for score, _ in decisions], "d", False)
    [found] = raw.best_thresholds(rows, [[0] if has else [] for _, has in decisions], 1)

    def f1(at):
        guessed, correct = sum(s > at for s, _ in decisions), sum(s > at and has for s, has in decisions)
        wanted = sum(has for _, has in decisions)
        return 2 * correct / (guessed + wanted) if guessed + wanted else 0.0

    best = max(f1(at) for at in (-9, -1.5, -0.5, 0, 0.2, 0.7, 2, 9))
    assert f1(found.at) == best
    assert found.at == 0 or f1(0) < best
    assert found.guessed == sum(score > found.at for score, _ in decisions)


def test_thresholds_are_chosen_on_held_out_data(fitted, tmp_path):
    held_out = [k for k in range(len(TEXT)) if int((k + 1) * 0.3) > int(k * 0.3)]
    scores = label_scores(fitted, [TEXT[k] for k in held_out])
    for y, label in enumerate(fitted.labels_):
        has = np.array([label in SETS[k] for k in held_out])

        def f1(threshold, scores=scores[:, y], has=has):
            guess = scores > threshold
            return 2 * (guess & has).sum() / (guess.sum() + has.sum())

        assert f1(0) == max(f1(score - 1e-9) for score in scores[:, y])
    plain = Classifier(**OPTIONS).fit(TEXT, SETS)
    assert "the thresholds of all labels are 0" in plain.contents.remarks[0]
    assert fitted.contents.remarks == []


# What says so


@given(st.lists(st.tuples(*[st.sets(st.sampled_from("abc"))] * 2), min_size=1, max_size=8))
def test_scores_are_those_of_scikit_learn(pairs):
    from sklearn.metrics import accuracy_score, f1_score, precision_score, recall_score
    from sklearn.preprocessing import MultiLabelBinarizer

    gold, guess = zip(*pairs, strict=True)
    found = label_set_scores(gold, guess, "abc")
    binarizer = MultiLabelBinarizer(classes=list("abc"))
    matrices = binarizer.fit_transform(gold), binarizer.transform(guess)
    assert found.subset_accuracy == pytest.approx(100 * accuracy_score(*matrices))
    for average, mine in (("micro", found.micro), ("macro", found.macro)):
        for score, value in ((precision_score, mine.precision), (recall_score, mine.recall), (f1_score, mine.f1)):
            assert value == pytest.approx(100 * score(*matrices, average=average, zero_division=0))
    each = f1_score(*matrices, average=None, zero_division=0)
    assert [score.f1 for score in found.labels] == pytest.approx((100 * each).tolist())


def test_evaluation_counts_labels_that_training_never_saw(fitted):
    report = fitted.evaluate(NEW[:4], [["sport"], ["opera"], [], ["opera", "art"]])
    assert report.unseen == {"opera": 2}
    assert report.format().endswith("labels that training never saw, scored as wrong: opera (2)")
    assert report.as_dict()["labels"]["opera"]["recall"] == 0
    assert fitted.score(TEXT, SETS) == fitted.evaluate(TEXT, SETS).as_dict()["subset_accuracy"] / 100


def test_labels_come_back_as_they_were_given():
    classifier = Classifier(**OPTIONS).fit(["a", "b", "a b", "c"], [{1}, (2,), [1, 2], []])
    assert classifier.predict(["a b", "c", "b"]).tolist() == [(1, 2), (), (2,)]
    assert classifier.classes_.tolist() == [1, 2]


def test_with_scikit_learns_binarizer():
    from sklearn.preprocessing import MultiLabelBinarizer

    binarizer = MultiLabelBinarizer()
    matrix = binarizer.fit_transform(SETS)
    classifier = Classifier(**OPTIONS).fit(TEXT, binarizer.inverse_transform(matrix))
    assert binarizer.transform(classifier.predict(TEXT)).shape == matrix.shape


# Files


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


@pytest.mark.parametrize("wrong", ["a", None, 3, {"a": 1}, [""], ["a|b"], [" a"], [None], [["a"]]])
def test_wrong_labels_in_memory_are_refused(wrong):
    with pytest.raises(DataError, match=r"^input: example 2: "):
        Classifier(**OPTIONS).fit(["x", "y"], [["a"], wrong])


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


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ({"voted": True}, "multi_label is for averaged perceptrons"),
        ({"update": "l1-cumulative"}, "multi_label is for averaged perceptrons"),
        ({"update": "truncated-gradient"}, "multi_label is for averaged perceptrons"),
        (
            {"update": "pa", "class_weight": "balanced"},
            "class_weight with multi_label is for perceptron and margin updates",
        ),
    ],
)
def test_what_does_not_go_with_it(options, what):
    with pytest.raises(OptionError, match=what):
        Classifier(**OPTIONS | options).fit(TEXT, SETS)


# The model


@pytest.mark.parametrize("bits", [8, 16, 32])
def test_save_and_load(tmp_path, bits):
    classifier = Classifier(**OPTIONS | {"bits": bits}).fit(TEXT, SETS, dev_fraction=0.2)
    classifier.save(tmp_path / "m.sap")
    loaded = sapwood.load(tmp_path / "m.sap")
    assert loaded.multi_label
    for same in (loaded, copy.deepcopy(classifier), pickle.loads(pickle.dumps(classifier))):
        assert same.predict(NEW).tolist() == classifier.predict(NEW).tolist()
        assert label_scores(same, NEW).tolist() == label_scores(classifier, NEW).tolist()
    again = loaded.recipe.untrained().fit(TEXT, SETS, dev_fraction=0.2)
    again.save(tmp_path / "again.sap")
    assert (tmp_path / "again.sap").read_bytes() == (tmp_path / "m.sap").read_bytes()


def test_threads_change_nothing(tmp_path):
    files = []
    for threads in (1, 3):
        classifier = Classifier(**OPTIONS, threads=threads).fit(TEXT, SETS, dev_fraction=0.2)
        classifier.save(tmp_path / f"{threads}.sap")
        files.append((tmp_path / f"{threads}.sap").read_bytes())
        assert list(classifier.annotate(["\n".join(NEW).encode()])) == list(
            classifier.set_params(threads=1).annotate(["\n".join(NEW).encode()])
        )
    assert files[0] == files[1]


def test_training_that_is_resumed_and_that_goes_on(tmp_path):
    whole = Classifier(**OPTIONS, epochs=6).fit(TEXT, SETS, dev_fraction=0.2, checkpoint=tmp_path / "c")
    resumed = Classifier(**OPTIONS, epochs=6).fit(TEXT, SETS, dev_fraction=0.2, resume=tmp_path / "c")
    assert label_scores(resumed, NEW).tolist() == label_scores(whole, NEW).tolist()
    on = Classifier(**OPTIONS).fit(TEXT[:50], [["art"]] * 50, from_checkpoint=tmp_path / "c")
    assert on.labels_ == whole.labels_
    more = Classifier(**OPTIONS).fit(TEXT[:2], [["opera"], []], from_checkpoint=tmp_path / "c")
    assert more.labels_ == [*whole.labels_, "opera"]
    with pytest.raises(OptionError):
        Classifier(min_updates=1, bits=32).fit(TEXT[:2], ["a", "b"], resume=tmp_path / "c")


def test_cross_validation_finds_the_number_of_epochs():
    classifier = Classifier(**OPTIONS, epochs=3, cv=3).fit(TEXT, SETS)
    assert max(classifier.cross_validation_.accuracies) > 50
    assert max(classifier.cross_validation_.mistakes) < 100


def test_models_of_sets_can_be_made_small(tmp_path):
    rows = [f"{'|'.join(labels)},{text} noise{k} more{k}\n" for k, (text, labels) in enumerate(PAIRS)]
    (tmp_path / "t.csv").write_text("label,text\n" + "".join(rows))
    classifier = Classifier(**OPTIONS | {"bits": 8}).fit(tmp_path / "t.csv")
    small = classifier.shrink(tmp_path / "t.csv", dev_fraction=0.2, loss=5)
    assert small.model_.tables[0].packed.features < classifier.model_.tables[0].packed.features / 2
    assert any(small._scorer.core.thresholds)


@pytest.mark.parametrize("method", ["temperature", "isotonic"])
def test_each_label_is_calibrated_by_itself(tmp_path, method):
    """Each label by itself: the formulas, saved, and written by annotate."""
    classifier = Classifier(**OPTIONS).fit(TEXT, SETS).calibrate(NEW, NEW_SETS, method=method)
    scores, confident = label_scores(classifier, NEW), classifier.predict_proba(NEW)
    assert classifier.classes_.tolist() == sorted(classifier.labels_)
    confident = confident[:, [classifier.classes_.tolist().index(label) for label in classifier.labels_]]
    curves = classifier.model_.calibration["curves"]
    for y in range(3):
        order = np.argsort(scores[:, y])
        assert (np.diff(confident[order, y]) >= 0).all()
        if method == "temperature":
            assert confident[:, y] == pytest.approx(1 / (1 + np.exp(-scores[:, y] / curves[0][0])))
        if method == "isotonic":
            assert confident[:, y] == pytest.approx(np.interp(scores[:, y], curves[y][::2], curves[y][1::2]))
    assert classifier.reliability_.calibration_error < 0.2
    classifier.save(tmp_path / "m.sap")
    [lines] = sapwood.load(tmp_path / "m.sap").annotate(["\n".join(NEW).encode()])
    for line, labels, row, score in zip(
        lines.decode().splitlines(), classifier.predict(NEW), confident, scores, strict=True
    ):
        said, sure = line.split("\t")
        assert said == "|".join(labels)
        assert float(sure) == pytest.approx(np.where(score > 0, row, 1 - row).min(), abs=1e-5)


def test_confidences_come_true():
    """Of the temperature that the log loss of the two outcomes of each decision asks for."""
    from sklearn.metrics import log_loss

    classifier = Classifier(**OPTIONS).fit(TEXT, SETS).calibrate(NEW, NEW_SETS)
    has = np.array([[label in labels for label in classifier.labels_] for labels in NEW_SETS])
    scores, [[temperature]] = label_scores(classifier, NEW), classifier.model_.calibration["curves"]

    def loss(t):
        return log_loss(has.ravel(), 1 / (1 + np.exp(-scores.ravel() / t)))

    assert loss(temperature) <= min(loss(temperature * 1.01), loss(temperature / 1.01))


def test_calibration_wants_known_labels():
    with pytest.raises(DataError, match=r"example 2: the model does not know one of the labels 'art\|opera'"):
        Classifier(**OPTIONS).fit(TEXT, SETS).calibrate(["a"] * 5, [["art"], ["art", "opera"], [], [], []])


def test_explanations_of_each_label_add_up_to_its_score(fitted):
    """One for each label; the contributions and the threshold add up to the score, counted from the threshold."""
    explanations = fitted.explain(NEW[:3])
    scores = label_scores(fitted, NEW[:3]).tolist()
    assert len(explanations) == 9
    for k, explanation in enumerate(explanations):
        sentence, y = divmod(k, 3)
        assert (explanation.sentence, explanation.decision) == (sentence + 1, f"label {fitted.labels_[y]}")
        has = scores[sentence][y] > 0
        assert (explanation.chosen, explanation.against) == (("yes", "no") if has else ("no", "yes"))
        assert explanation.margin == pytest.approx(abs(scores[sentence][y]))
        assert sum(explanation.contributions().values()) == pytest.approx(explanation.margin)
    asked = fitted.explain(NEW, against="art")
    assert {explanation.sentence for explanation in asked} == {
        k for k, labels in enumerate(fitted.predict(NEW), 1) if "art" not in labels
    }
    assert {explanation.decision for explanation in asked} == {"label art"}
    assert "label art: no, by " in str(asked)
    with pytest.raises(OptionError, match="the model has no label 'opera'"):
        fitted.explain(NEW, against="opera")


def test_what_a_page_shows(fitted):
    data = "\n".join(NEW[:5]).encode()
    lines = b"".join(fitted._records.written(data, "examples", "json", False)).splitlines()
    said = ["|".join(labels) or "no label" for labels in fitted.predict(NEW[:5])]
    assert [json.loads(line)["label"] for line in lines] == said
    lines = fitted._records.reasons(data, "examples", question(sentence=2), "")
    assert [json.loads(line)["decision"] for line in lines] == [f"label {label}" for label in fitted.labels_]


# The command line


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
