"""The calibration of a classifier from Python: what the file keeps, and what cannot be calibrated."""

import copy
import math
import random

import numpy as np
import pytest
from reviews import TEXTS
from scores import label_scores

import sapwood
from sapwood import Classifier, DataError, ModelError, OptionError

pytestmark = [
    pytest.mark.filterwarnings("ignore:.*stands in the model's training data"),
    pytest.mark.filterwarnings("ignore:.*stand there several times"),
]
LABELS = [label for label, _ in TEXTS]
TEXT = [text for _, text in TEXTS]


def soft(scores):
    import numpy as np

    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


@pytest.fixture(scope="module")
def noisy():
    """A classifier of noisy examples, and as many again to calibrate it on."""
    generator = random.Random(3)
    examples = [(generator.choice(TEXTS), generator.random() < 0.25) for _ in range(1200)]
    texts = [text for (_, text), _ in examples]
    labels = [generator.choice(["+", "-", "neutral"]) if wrong else label for (label, _), wrong in examples]
    return Classifier(min_updates=1, epochs=3).fit(texts[:600], labels[:600]), texts[600:], labels[600:]


@pytest.mark.parametrize("method", ["temperature", "isotonic"])
def test_a_calibration_is_kept_by_the_file(noisy, tmp_path, method):
    from sapwood.metrics.reliability import reliability

    classifier, texts, labels = noisy
    classifier.save(tmp_path / "m.sap")
    calibrated = sapwood.load(tmp_path / "m.sap")
    before = calibrated.predict(texts[:300]).tolist()
    calibrated.calibrate(texts[:300], labels[:300], method=method)
    probabilities = calibrated.predict_proba(texts[300:])
    assert probabilities.shape == (300, 3)
    assert probabilities.sum(axis=1) == pytest.approx(1)
    assert (probabilities >= 0).all()
    assert calibrated.classes_.tolist() == sorted(calibrated.labels_)
    probabilities = probabilities[:, np.argsort(np.argsort(calibrated.labels_))]
    gold = [calibrated.labels_.index(label) for label in labels[300:]]
    raw = reliability(soft(label_scores(calibrated, texts[300:])), gold)
    fitted = reliability(probabilities, gold)
    assert fitted.log_loss < raw.log_loss
    assert fitted.calibration_error < max(raw.calibration_error, 0.1)
    assert math.isfinite(calibrated.reliability_.log_loss)
    assert calibrated.predict(texts[:300]).tolist() == before  # labels are the scores', not the confidences'
    calibrated.save(tmp_path / "c.sap")
    assert (sapwood.load(tmp_path / "c.sap").predict_proba(texts[300:]) == calibrated.predict_proba(texts[300:])).all()


def test_no_number_is_called_a_probability_without_a_calibration(noisy):
    with pytest.raises(ModelError, match="not calibrated, and scores are no probabilities"):
        noisy[0].predict_proba(["a"])


def test_what_cannot_be_calibrated(noisy, tmp_path):
    noisy[0].save(tmp_path / "m.sap")
    classifier = sapwood.load(tmp_path / "m.sap")
    with pytest.raises(DataError, match="5 examples or more"):
        classifier.calibrate(["a", "b"], ["+", "-"])
    with pytest.raises(
        DataError, match=r"input: example 1: the model does not know the label 'other'; leave out .* \(9\)"
    ):
        classifier.calibrate(["a"] * 9, ["other"] * 9)
    with pytest.raises(OptionError, match="temperature or isotonic"):
        classifier.calibrate(["a"] * 9, ["+"] * 9, method="magic")
    assert classifier.model_.calibration is None


def test_confidences_where_all_scores_are_the_same(noisy, tmp_path):
    noisy[0].save(tmp_path / "m.sap")
    for method in ("temperature", "isotonic"):
        classifier = sapwood.load(tmp_path / "m.sap")
        classifier.calibrate(["unseen"] * 12, ["+", "-", "neutral"] * 4, method=method)
        assert classifier.predict_proba(["unseen", *TEXT]).sum(axis=1) == pytest.approx(1)


def test_calibrating_a_copy_leaves_the_first_alone():
    first = Classifier(min_updates=1).fit(TEXT, LABELS)
    second = copy.copy(first).calibrate(TEXT, LABELS)
    assert second.predict_proba(TEXT[:1]).sum() == pytest.approx(1)
    with pytest.raises(ModelError, match="not calibrated"):
        first.predict_proba(TEXT[:1])


def test_a_loss_of_nothing_is_not_below_zero():
    sure = Classifier(min_updates=1).fit(TEXT, LABELS).calibrate(TEXT, LABELS)
    assert not math.copysign(1, sure.reliability_.log_loss) < 0
