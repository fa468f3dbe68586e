"""Multi-label models' files that lie: an error of one line, or a classifier that works; never a crash."""

import json
import math
import struct

import pytest
from forged import attacked, changed, contents, random_bytes
from hypothesis import given
from hypothesis import strategies as st

from sapwood import Classifier
from sapwood.model.file.container import Array

TEXTS = ["ball bank", "ball", "bank", "song"] * 5
SETS = [["sport", "money"], ["sport"], ["money"], []] * 5


@pytest.fixture(scope="module")
def honest(tmp_path_factory):
    """Metadata and arrays of an honest model, calibrated."""
    path = tmp_path_factory.mktemp("honest") / "m.sap"
    classifier = Classifier(multi_label=True, min_updates=1).fit(TEXTS, SETS, dev_fraction=0.5)
    classifier.calibrate(TEXTS, SETS, method="isotonic").save(path)
    return contents(path)


@pytest.fixture
def attack(honest, tmp_path):
    """attack(metadata changes, array changes): write, load, use it; the ModelError, or None."""
    return lambda metadata=None, arrays=None: attacked(tmp_path / "bad.sap", honest, metadata, arrays, check)


def check(classifier):
    """Each example gets labels of the model and a number, and reasons."""
    for top in (0, 2):
        [lines] = classifier.annotate(["\n".join(TEXTS[:4]).encode()], top=top)
        for line in lines.decode().splitlines():
            cells = line.split("\t")
            assert all(math.isfinite(float(number)) for number in cells[1::2])
            assert set("|".join(cells[::2]).split("|")) <= {*classifier.labels_, ""}
    assert all(set(labels) <= set(classifier.labels_) for labels in classifier.predict(TEXTS))
    assert len(classifier.explain(TEXTS[:2])) == 2 * len(classifier.labels_)


def floats(*numbers):
    return Array.of("F64", struct.pack(f"<{len(numbers)}d", *numbers))


def test_the_honest_model_works(attack):
    assert attack() is None
    assert attack(None, {"extra.thresholds": floats(-1e308, 1e308)}) is None


@pytest.mark.parametrize(
    "thresholds",
    [None, floats(), floats(0.5), floats(0.5, 1, 2), floats(math.nan, 0), floats(0, math.inf),
     Array.of("F32", bytes(8)), Array.of("U64", bytes(16)), Array("F64", (1, 2), bytes(16))],
    ids=str,
)  # fmt: skip
def test_thresholds_that_are_none(attack, thresholds):
    assert attack(None, {"extra.thresholds": thresholds})


@pytest.mark.parametrize("extra", [[], ["thresholds", "more"], ["oracles"], None, "thresholds", [3]], ids=str)
def test_other_arrays_are_refused(attack, extra):
    metadata = {"extra": None if extra is None else json.dumps(extra)}
    assert attack(metadata)
    assert attack(metadata, {"extra.thresholds": None, "extra.more": floats(0, 0), "extra.oracles": floats(0, 0)})


@pytest.mark.parametrize("labels", [["a|b", "c"], ["a"], ["a", "b", "c"], []], ids=str)
def test_labels_that_do_not_fit_are_refused(attack, labels):
    assert attack({"labels": json.dumps(labels)})


@pytest.mark.parametrize("value", [None, 0, 1, "yes", [], {}, 1.5])
def test_the_option_is_something_else(attack, honest, value):
    assert attack(changed(honest, "options", multi_label=value))


def test_the_option_and_the_thresholds_go_together(attack, honest):
    """Without the option it would be a classifier of one label; votes and other learners have no thresholds."""
    assert attack(changed(honest, "options", multi_label=False))
    assert attack(changed(honest, "options", voted=True))
    assert attack(changed(honest, "options", update="l1-cumulative"))


@given(data=st.data())
def test_random_bits_in_the_arrays_are_refused_or_work(honest, tmp_path_factory, data):
    path = tmp_path_factory.getbasetemp() / "random.sap"
    attacked(path, honest, None, random_bytes(data, honest.arrays), check)
