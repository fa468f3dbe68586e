"""Examples with any number of labels: the same weights as a classifier for each label, thresholds by F1, every verb."""

import copy
import json
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from label_sets import NEW, NEW_SETS, OPTIONS, PAIRS, SETS, TEXT, WORDS
from scores import label_scores

import sapwood
from sapwood import Classifier, DataError, OptionError
from sapwood.metrics import label_set_scores
from sapwood.model.explanation import question

pytestmark = pytest.mark.filterwarnings("ignore:.*stands in the model's training data")


@pytest.fixture(scope="module")
def fitted():
    return Classifier(**OPTIONS, names=True).fit(TEXT, SETS, dev_fraction=0.3)


def named_weights(classifier):
    found = {}
    for output, weight, name in classifier.contents.weights():
        found.setdefault(output.name, {})[name] = weight
    return found


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


@pytest.mark.parametrize("wrong", ["a", None, 3, {"a": 1}, [""], ["a|b"], [" a"], [None], [["a"]]])
def test_wrong_labels_in_memory_are_refused(wrong):
    with pytest.raises(DataError, match=r"^input: example 2: "):
        Classifier(**OPTIONS).fit(["x", "y"], [["a"], wrong])


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
