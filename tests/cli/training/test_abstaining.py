"""Taggers and names abstain: `calibrate --precision`, and what tag, annotate and documents give then."""

import json
import random

import pytest
from named_texts import noisy, records, write

import sapwood
from sapwood import Pipeline, SequenceTagger
from sapwood.errors import DataError, ModelError, OptionError

pytestmark = pytest.mark.filterwarnings("ignore:.* training data:sapwood.SapwoodWarning")


@pytest.fixture(scope="module")
def names(tmp_path_factory):
    """A pipeline of names that wavers between two labels, and development data."""
    folder = tmp_path_factory.mktemp("names")
    model = Pipeline(base=None).fit(write(folder / "train.jsonl", noisy(records(150, 1), 0.3, 1)))
    model.save(folder / "names.sap")
    return folder / "names.sap", write(folder / "dev.jsonl", noisy(records(200, 5), 0.2, 2))


@pytest.fixture(scope="module")
def abstaining(names, tmp_path_factory):
    path = tmp_path_factory.mktemp("abstaining") / "names.sap"
    sapwood.load(names[0]).calibrate(names[1], coverage=0.5).save(path)
    return path


def test_the_share_of_names_that_are_given_is_said(names, tmp_path, run_cli):
    run = run_cli(["calibrate", names[0], names[1], "--coverage", "0.5", "-o", tmp_path / "m.sap"])
    assert run.status == 0
    assert "calibration error entities " in run.err and "answers from confidence" in run.err
    found = sapwood.load(tmp_path / "m.sap").model_.parts["entities"].calibration["abstention"]
    assert found["target"] == "coverage" and 0.5 <= found["coverage"] < 1


def test_each_name_is_given_or_said_to_be_unsure(names, abstaining):
    texts = [row["text"] for row in records(60, 7)]
    always, sure = sapwood.load(names[0]), sapwood.load(abstaining)
    [least] = sure.model_.parts["entities"].calibration["abstention"]["thresholds"]
    given = unsure = 0
    for before, after in zip(always.pipe(texts), sure.pipe(texts, confidence=True), strict=True):
        both = sorted([*after.entities, *after.abstained], key=lambda name: name.start)
        assert [name[:4] for name in both] == [name[:4] for name in before.entities]
        assert all(name.confidence >= least for name in after.entities)
        assert all(name.confidence < least for name in after.abstained)
        given, unsure = given + len(after.entities), unsure + len(after.abstained)
    assert given > 0 and unsure > 0


def test_every_output_of_annotate_has_them_apart(abstaining, tmp_path, run_cli):
    rows = records(60, 7)
    run = run_cli(["annotate", abstaining, write(tmp_path / "in.jsonl", rows), "--to", "jsonl"])
    found = [json.loads(line) for line in run.out.splitlines()]
    assert any(row["abstained"] for row in found) and any(row["entities"] for row in found)
    for row in found:
        assert all(row["text"][e["start"] : e["end"]] == e["text"] for e in row["abstained"])
        [unsure] = [sum(t["abstained"][:2] == "B-" for s in row["sentences"] for t in s["tokens"])]
        assert unsure == len(row["abstained"])
    text = tmp_path / "in.txt"
    text.write_text("\n\n".join(row["text"] for row in rows), encoding="utf-8")
    conllu = run_cli(["annotate", abstaining, text]).out
    (tmp_path / "in.conllu").write_text(conllu.replace("Abstained", "NER"), encoding="utf-8")
    again = run_cli(["annotate", abstaining, tmp_path / "in.conllu", "--input", "conllu"]).out
    assert [again.count(f"{item}=B-") for item in ("NER", "Abstained")] == [
        conllu.count(f"{item}=B-") for item in ("NER", "Abstained")
    ]
    assert conllu.count("Abstained=B-") == sum(len(row["abstained"]) for row in found)
    assert conllu.count("NER=B-") == sum(len(row["entities"]) for row in found)


def test_calibrating_again_ends_it(abstaining, names):
    again = sapwood.load(abstaining).calibrate(names[1])
    doc = again(records(1, 7)[0]["text"])
    assert doc.abstained == []
    assert again.models_["entities"].confidence.least == {}


def test_labels_have_thresholds_of_their_own(names):
    model = sapwood.load(names[0]).calibrate(names[1], coverage=0.5, by_label=True)
    assert set(model.models_["entities"].confidence.least) == {"LOC", "PER"}


def test_what_cannot_abstain_says_so(names, tmp_path, run_cli):
    en = sapwood.load("en").only("segment", "tag")
    treebank = tmp_path / "gold.conllu"
    treebank.write_text(sapwood.load("en")("Ada wrote it in London. " * 30).to_conllu())
    with pytest.raises(DataError, match="abstains from names, of which it has no gold ones or finds none"):
        en.calibrate(treebank, precision=0.9)
    with pytest.raises(OptionError, match="either a precision or a coverage"):
        sapwood.load(names[0]).calibrate(names[1], precision=0.9, coverage=0.9)
    with pytest.raises(ModelError, match="does not abstain"):
        SequenceTagger(template="U00:%x[0,0]\n", epochs=1).fit([[("a", "X"), ("b", "Y")]] * 20).predict(
            [["a"]], abstain=True
        )


def coin(count, seed):
    """Sentences in which `coin` is X or Y, by chance, and other words are what they are."""
    rng = random.Random(seed)
    return [[("a", "A"), ("coin", rng.choice("XY")), ("b", "B")] for _ in range(count)]


def chunks(count, seed):
    rng = random.Random(seed)
    return [[("a", "B-A"), ("b", "I-A"), ("of", "O"), ("coin", rng.choice(["B-X", "B-Y"]))] for _ in range(count)]


@pytest.mark.few(1)
@pytest.mark.parametrize(("data", "nothing"), [(coin, "_"), (chunks, "O")])
def test_a_tagger_abstains_from_labels_or_chunks(data, nothing, tmp_path, run_cli):
    tagger = SequenceTagger(template="U00:%x[0,0]\n", epochs=3, min_updates=1).fit(data(60, 1))
    with_coin, [sure] = (
        tagger.calibrate(data(300, 2), precision=0.95),
        tagger.predict([[w for w, _ in data(1, 1)[0]]], abstain=True),
    )
    assert sure == [None if word == "coin" else label for word, label in data(1, 1)[0]]
    assert with_coin.predict([["coin"]])[0][0] != nothing  # only who asks for it gets less
    path, rows = tmp_path / "t.sap", tmp_path / "in.txt"
    tagger.save(path)
    rows.write_text("".join(f"{word}\t{label}\n" for word, label in data(1, 1)[0]) + "\n")
    run = run_cli(["tag", path, rows, "--confidence"])
    cells = [line.split("\t") for line in run.out.splitlines() if line]
    assert [cell[2] for cell in cells] == [nothing if word == "coin" else label for word, label in data(1, 1)[0]]
    assert all(len(cell) == 4 for cell in cells)
    (tmp_path / "in.jsonl").write_text(json.dumps({"tokens": [word for word, _ in data(1, 1)[0]]}) + "\n")
    assert json.loads(run_cli(["tag", path, tmp_path / "in.jsonl", "--to", "jsonl"]).out)["labels"] == sure


def test_a_parser_that_abstains_is_refused(tmp_path):
    model = sapwood.load("de").model_
    parser = model.parts["parser"]
    least = {"target": "precision", "value": 0.9, "thresholds": [0.5], "coverage": 0.9, "precision": 0.9, "noise": 0.0}
    wrong = parser.replaced(calibration=parser.calibration | {"abstention": least | {"interval": [0.8, 0.9]}})
    model.replaced(parts={**model.parts, "parser": wrong}).save(tmp_path / "m.sap")
    with pytest.raises(ModelError, match="only a calibrated tagger can abstain"):
        sapwood.load(tmp_path / "m.sap")
