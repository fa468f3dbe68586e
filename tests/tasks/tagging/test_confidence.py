"""Confidences of taggers: margins are those of explanations, sure labels are right more often, and files keep them."""

import math
import random

import pytest
from hypothesis import given, settings
from taggers import KINDS, corpora, fitted, words

import sapwood
from measure.calibration import debiased_calibration_error
from sapwood import DataError, ModelError, SequenceTagger
from sapwood.cli import run
from sapwood.datasets.treebank import generate
from sapwood.metrics.reliability import calibration_error


@pytest.mark.parametrize("kind", KINDS)
@given(corpus=corpora, sentence=words)
def test_margins_are_those_of_explanations(kind, corpus, sentence):
    tagger = fitted(kind, corpus)
    rows = [token[:-1] for token in sentence]
    [margins] = tagger.margins([rows])
    wanted = [math.inf if e.against is None else e.margin for e in tagger.explain([rows])]
    assert margins == pytest.approx(wanted)
    [labels], [gaps] = tagger.predict([rows]), tagger.tagger_.gaps(tagger._encode_input([rows]), 1)
    for label, margin, each in zip(labels, margins, gaps, strict=True):
        known = list(zip(tagger.tagger_.labels, each, strict=True))
        assert max(gap for name, gap in known if name == label) == 0
        assert min((-gap for name, gap in known if name != label), default=math.inf) == pytest.approx(margin)


@given(corpora, words)
@settings(max_examples=10)
def test_gaps_are_those_of_all_sequences(corpus, sentence):
    """The best of all sequences with a label at a token, found by listing them."""
    tagger = fitted("viterbi", corpus)
    rows = [token[:-1] for token in sentence]
    known = tagger.n_best([rows], len(tagger.labels_) ** len(rows))[0]
    [gaps] = tagger.tagger_.gaps(tagger._encode_input([rows]), 1)
    for token, each in enumerate(gaps):
        for label, gap in zip(tagger.tagger_.labels, each, strict=True):
            best = max(score for labels, score in known if labels[token] == label)
            assert gap == pytest.approx(best - known[0][1], abs=1e-4)


def tagged(sentences, seed):
    text = "".join(s.conllu("s", "attached") for s in generate(sentences, seed))
    data = sapwood._core.Conllu.read(text.encode(), "generated")
    pairs = zip(data.column("form"), data.column("xpos"), strict=True)
    return [list(zip(*sentence, strict=True)) for sentence in pairs]


def untagged(sentences):
    return [[word for word, _ in sentence] for sentence in sentences]


@pytest.fixture(scope="module")
def tagger():
    return SequenceTagger(template="pos", epochs=2).fit(tagged(60, 1))


@pytest.fixture(scope="module")
def calibrated(tagger, tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "tagger.sap"
    tagger.save(path)
    return sapwood.load(path).calibrate(tagged(400, 2))


def test_marginals_are_confidences_in_every_label(tagger, calibrated):
    with pytest.raises(ModelError, match="not calibrated"):
        tagger.predict_marginals([["a"]])
    test = untagged(tagged(40, 3))
    found = calibrated.predict_marginals(test)
    for sentence, labels, sure in zip(found, calibrated.predict(test), calibrated.confidences(test), strict=True):
        for of_label, label, p in zip(sentence, labels, sure, strict=True):
            assert list(of_label) == calibrated.classes_
            assert sum(of_label.values()) == pytest.approx(1)
            assert of_label[label] == pytest.approx(p)
            assert min(of_label.values()) >= 0
    assert calibrated.predict_marginals_single(test[0]) == found[0]


@pytest.mark.slow
def test_labels_are_right_as_often_as_their_confidence_says(calibrated):
    test = tagged(400, 3)
    confidences = calibrated.confidences(untagged(test))
    labels = calibrated.predict(untagged(test))
    sure = [p for sentence in confidences for p in sentence]
    right = [
        label == guess
        for sentence, guesses in zip(test, labels, strict=True)
        for (_, label), guess in zip(sentence, guesses, strict=True)
    ]
    assert all(0 <= p <= 1 for p in sure)
    assert calibration_error(sure, right) < 0.04
    assert calibrated.calibration_error_ < 0.04
    surest = sorted(range(len(sure)), key=lambda k: -sure[k])[: len(sure) // 2]
    assert sum(right[k] for k in surest) / len(surest) > sum(right) / len(right)


@pytest.mark.parametrize("off", [0.0, 0.02, 0.1])
def test_what_chance_adds_to_an_error_is_taken_off(off):
    """A few hundred decisions, right so much less often than their confidence says; means over many draws."""
    generator = random.Random(7)
    plain, debiased = [], []
    for _ in range(60):
        sure = [generator.uniform(0.3, 0.95) for _ in range(400)]
        right = [generator.random() < p - off for p in sure]
        plain.append(calibration_error(sure, right))
        debiased.append(debiased_calibration_error(sure, right))
    means = sum(plain) / 60, sum(debiased) / 60
    assert means[1] <= means[0]
    assert abs(means[1] - off) < max(abs(means[0] - off), 0.01)


def test_larger_margins_are_surer(calibrated):
    test = untagged(tagged(50, 4))
    pairs = sorted(
        pair
        for margins, confidences in zip(calibrated.margins(test), calibrated.confidences(test), strict=True)
        for pair in zip(margins, confidences, strict=True)
    )
    confidences = [p for _, p in pairs]
    assert confidences == sorted(confidences)


def test_files_keep_confidences(calibrated, tmp_path):
    test = untagged(tagged(20, 5))
    calibrated.save(tmp_path / "c.sap")
    again = sapwood.load(tmp_path / "c.sap")
    assert again.confidences(test) == calibrated.confidences(test)
    assert again.set_params(threads=2).margins(test) == calibrated.margins(test)


@pytest.mark.parametrize("gap", ["\t", " "])
def test_the_command_line_gives_confidences(gap, tagger, tmp_path, capfdbinary):
    def write(name, sentences):
        lines = "\n\n".join("\n".join(gap.join(token) for token in sentence) for sentence in sentences)
        (tmp_path / name).write_text(lines + "\n")
        return str(tmp_path / name)

    model = str(tmp_path / "m.sap")
    tagger.save(model)
    test = write("test.txt", tagged(5, 6))
    assert run(["tag", model, test, "--confidence"]) == 1
    assert b"not calibrated" in capfdbinary.readouterr().err
    assert run(["calibrate", model, write("dev.txt", tagged(100, 2)), "--method", "temperature"]) == 2
    assert run(["calibrate", model, str(tmp_path / "dev.txt")]) == 0
    assert b"calibration error" in capfdbinary.readouterr().err
    assert run(["tag", model, test]) == 0
    plain = capfdbinary.readouterr().out.decode().splitlines()
    assert run(["tag", model, test, "--confidence"]) == 0
    sure = capfdbinary.readouterr().out.decode().splitlines()
    assert [line.rpartition(gap)[0] if line else "" for line in sure] == plain
    assert all(0 <= float(line.rpartition(gap)[2]) <= 1 for line in sure if line)
    assert run(["report", model, test, "-o", str(tmp_path / "report.html")]) == 0
    assert "the surest 90 %" in (tmp_path / "report.html").read_text()


def test_what_has_no_confidences(tagger, calibrated):
    with pytest.raises(ModelError, match="not calibrated"):
        tagger.confidences([["a"]])
    with pytest.raises(DataError, match="decisions with a choice"):
        sapwood.SequenceTagger._of_file(tagger.model_).calibrate([[("a", "DT")]])


@pytest.mark.parametrize(
    "calibration",
    [
        {"method": "temperature", "curves": [[1.0]]},
        {"method": "isotonic", "curves": [[0.0, 0.5], [0.0, 0.5], [0.0, 0.5]]},
        {"method": "isotonic", "curves": [[]]},
        {"method": "isotonic", "curves": [[0.0, 0.5, 1.0]]},
        {"method": "isotonic", "curves": [[0.0, 0.5, 0.0, 0.6]]},
        {"method": "isotonic", "curves": [[0.0, 0.5, 1.0, 0.4]]},
        {"method": "isotonic", "curves": [[0.0, 0.5, 1.0, 1.5]]},
        {"method": "isotonic", "curves": [[float("nan"), 0.5]]},
    ],
)
def test_files_with_broken_calibrations_are_refused(calibration, tagger):
    with pytest.raises(ModelError):
        SequenceTagger._of_file(tagger.model_.replaced(calibration=calibration))


@pytest.mark.parametrize("curves", [[], [[0.0, 0.5]]])
def test_a_file_with_a_calibration_by_no_method_is_refused(curves, tagger, tmp_path):
    """It is not taken for a file without a calibration."""
    path = tmp_path / "model.sap"
    tagger.model_.replaced(calibration={"method": "", "curves": curves}).save(path)
    with pytest.raises(ModelError, match="'calibration' in its header has no method"):
        sapwood.load(path)
