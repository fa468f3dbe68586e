"""Confidences of parsers and pipelines: in arcs, in tags, in names, and in whole sentences."""

import json
import math

import pytest
from parsers import KINDS, MORE, QUICK, tagged
from reasons import by_word
from treebanks import ONE_EPOCH, treebank

import sapwood
from sapwood import DataError, DependencyParser, ModelError, OptionError
from sapwood._core import Conllu
from sapwood.metrics.reliability import calibration_error
from sapwood.model.confidence import doubt
from sapwood.tasks.pipeline.model import Pipeline

pytestmark = pytest.mark.filterwarnings("ignore:.*stands in the model's training data")


@pytest.fixture(scope="module")
def fitted_kinds():
    words, trees = tagged(60)
    return {kind: DependencyParser(**QUICK, **options).fit(words, trees) for kind, options in (KINDS | MORE).items()}


@pytest.mark.few(3)
@pytest.mark.parametrize("kind", [kind for kind in KINDS | MORE if kind != "committee"])
def test_margins_are_those_of_explanations(fitted_kinds, kind):
    parser = fitted_kinds[kind]
    words, _ = tagged(20, seed=5)
    arcs = by_word(parser.explain(words))["arc"]
    wanted = [
        [arcs[s, w].margin if arcs[s, w].against else math.inf for w in range(1, len(sentence) + 1)]
        for s, sentence in enumerate(words, 1)
    ]
    margins = parser.set_params(threads=2).margins(words)
    assert len(margins) == len(wanted)
    for found, sentence in zip(margins, wanted, strict=True):
        assert found == sentence


def test_relations_that_are_all_the_same_need_no_curve():
    words, trees = tagged(60)
    unlabelled = [(heads, ["dep"] * len(heads)) for heads, _ in trees]
    parser = DependencyParser(**QUICK, search="easy-first").fit(words, unlabelled).calibrate(words, unlabelled)
    assert all(0 <= p <= 1 for sentence in parser.confidences(words) for p in sentence)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["beam", "easy-first", "eisner", "unlabelled eisner"])
def test_arcs_are_right_as_often_as_their_confidence_says(fitted_kinds, kind, tmp_path):
    parser = DependencyParser._of_file(fitted_kinds[kind].model_)
    with pytest.raises(ModelError, match="not calibrated"):
        parser.confidences([["a"]])
    parser.calibrate(*tagged(400, seed=2))
    words, trees = tagged(300, seed=3)
    labelled = parser.model_.options["labelling"] != "none"
    right, sure = [], []
    for gold, guess, confidences in zip(trees, parser.predict(words), parser.confidences(words), strict=True):
        sure += confidences
        columns = zip(*gold, *guess, strict=True)
        right += [head == said and (not labelled or label == named) for head, label, said, named in columns]
    assert all(0 <= p <= 1 for p in sure)
    assert calibration_error(sure, right) < 0.06
    surest = sorted(range(len(sure)), key=lambda k: -sure[k])[: len(sure) // 2]
    assert sum(right[k] for k in surest) / len(surest) > sum(right) / len(right)
    parser.save(tmp_path / "parser.sap")
    assert sapwood.load(tmp_path / "parser.sap").confidences(words) == parser.confidences(words)


def test_a_parser_that_has_curves_of_another(fitted_kinds):
    curve = [0.0, 0.5, 1.0, 1.0]
    for kind, count in (("beam", 2), ("eisner", 1)):
        calibration = {"method": "isotonic", "curves": [curve] * count}
        with pytest.raises(ModelError, match="calibration"):
            DependencyParser._of_file(fitted_kinds[kind].model_.replaced(calibration=calibration))


def test_the_command_line_gives_confidences_of_arcs(fitted_kinds, bank, run_cli, tmp_path):
    model, data = str(tmp_path / "p.sap"), str(bank / "train.conllu")
    fitted_kinds["beam"].save(model)
    assert "not calibrated" in run_cli(f"parse {model} {data} --confidence").err
    assert run_cli(f"calibrate {model} {data} --method temperature").status == 2
    assert run_cli(f"calibrate {model} {data} --names x").status == 2
    assert "calibration error" in run_cli(f"calibrate {model} {data}").err
    plain = run_cli(f"parse {model} {data}").out
    sure = run_cli(f"parse {model} {data} --confidence").out
    assert sure != plain
    misc = [cell for sentence in Conllu.read(sure.encode(), "sure").column("misc") for cell in sentence]
    assert all(cell.startswith("ArcConfidence=") for cell in misc)
    without = Conllu.read(sure.encode(), "sure").replace({"misc": Conllu.read(plain.encode(), "p").column("misc")})
    assert without == plain.encode()
    assert run_cli(f"report {model} {data} -o {tmp_path}/r.html").status == 0
    assert "the surest 90 %" in (tmp_path / "r.html").read_text()


@pytest.fixture(scope="module")
def calibrated(tmp_path_factory):
    path = tmp_path_factory.mktemp("pipeline") / "p.sap"
    pipeline = Pipeline(beam=1).fit(treebank(150, 1), model_options=ONE_EPOCH | {"entities": {"epochs": 2}})
    with pytest.raises(ModelError, match="not calibrated"):
        pipeline("Ann runs.", confidence=True)
    assert pipeline.calibrate(treebank(300, 2)) is pipeline
    assert set(pipeline.calibration_errors_) == {"tagger", "parser", "entities"}
    pipeline.save(path)
    return path


def test_a_document_has_confidences(calibrated):
    nlp, test = sapwood.load(calibrated), treebank(100, 3)
    text = test.text().text.decode()
    doc = nlp(text, confidence=True)
    assert nlp(text).confidences == {}
    assert nlp(text).sentences[0][0].confidences == {}
    with pytest.raises(ModelError, match="no confidences"):
        nlp(text).sentences[0].confidence  # noqa: B018
    assert set(doc.confidences) == {"tag", "arc", "name"}
    for token in doc:
        assert all(0 <= p <= 1 for p in token.confidences.values())
        assert ("name" in token.confidences) == (token.entity != "O")
    for entity in doc.entities:
        assert entity.confidence == doc.confidences["name"][entity.words[0]]
    assert all(0 <= sentence.confidence <= 1 for sentence in doc.sentences)
    [first, *_] = json.loads(doc.to_json())
    assert first["tokens"][0]["confidence"]["tag"] == pytest.approx(doc.confidences["tag"][0], abs=1e-4)
    assert f"TagConfidence={doc.confidences['tag'][0]:.4f}" in doc.to_conllu().splitlines()[3]


def test_given_words_have_the_same_confidences(calibrated):
    nlp = sapwood.load(calibrated)
    data = treebank(20, 4).replace({})
    filled = Conllu.read(nlp.fill(data, confidence=True), "filled")
    doc = nlp.pipeline_.read_words(Conllu.read(data, "data"))
    nlp.confidence.parts.add_confidences(doc, threads=2)
    wanted = iter(doc.confidences["arc"])
    for cell in (cell for sentence in filled.column("misc") for cell in sentence):
        assert f"ArcConfidence={next(wanted):.4f}" in cell.split("|")


def test_confidences_that_are_asked_for_again_replace_the_first(calibrated):
    nlp = sapwood.load(calibrated)
    [doc] = nlp.pipeline_.read(b"Ann runs.", "text")
    nlp.confidence.parts.add_confidences(doc, threads=2)
    once = doc.to_json_lines(0)
    nlp.confidence.parts.add_confidences(doc, threads=2)
    assert doc.to_json_lines(0) == once
    assert once.count(b'"arc":') == doc.words


def test_the_least_sure_sentences_come_first(calibrated, run_cli, tmp_path):
    nlp, text = sapwood.load(calibrated), treebank(60, 5).text().text.decode()
    (tmp_path / "text.txt").write_text(text)
    doc = nlp(text, confidence=True)
    doubts = [doubt(sentence.confidence, len(sentence)) for sentence in doc.sentences]
    order = sorted(range(len(doubts)), key=lambda k: -doubts[k])
    wanted = [" ".join(token.text for token in doc.sentences[k]) for k in order]
    command = f"annotate {calibrated} {tmp_path}/text.txt --least-sure"
    assert run_cli(f"{command} 5 --format text").out.splitlines() == wanted[:5]
    assert run_cli(f"{command} 9999 --format text").out.splitlines() == wanted
    sentences = Conllu.read(run_cli(f"{command} 5").out.encode(), "least sure")
    assert [" ".join(forms) for forms in sentences.column("form")] == wanted[:5]
    lines = run_cli(f"{command} 5 --format json").out.splitlines()
    assert [json.loads(line)["text"] for line in lines] == [doc.sentences[k].text for k in order[:5]]
    assert run_cli(f"annotate {calibrated} {tmp_path}/text.txt --least-sure 0").status == 2


@pytest.mark.parametrize("format", ["html", "text", "tree"])
def test_formats_without_a_place_for_confidences_are_refused(calibrated, run_cli, tmp_path, format):
    (tmp_path / "text.txt").write_text("Ann runs.")
    run = run_cli(f"annotate {calibrated} {tmp_path}/text.txt --confidence --format {format}")
    assert (run.status, run.out) == (2, "")
    assert f"the format {format} has no place for confidences" in run.err


def test_parts_without_confidences_are_named(calibrated, run_cli, tmp_path):
    (tmp_path / "text.txt").write_text("Ann runs.")
    run = run_cli(f"annotate {calibrated} {tmp_path}/text.txt --confidence --parts segment")
    assert run.status == 1
    assert "no confidences of segmenter" in run.err


def test_what_cannot_be_calibrated(calibrated, run_cli, tmp_path):
    nlp = sapwood.load(calibrated)
    bare = Conllu.read(b"1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n\n", "bare")
    with pytest.raises(DataError, match="gold answers for no part"):
        nlp.calibrate(bare)
    with pytest.raises(OptionError, match="between 0 and 1"):
        nlp("Ann runs.")._core.add_confidences("tag", [2.0] * 3)
    with pytest.raises(OptionError, match="for each word"):
        nlp("Ann runs.")._core.add_confidences("tag", [])
    assert "part of a package" in run_cli(f"calibrate en {tmp_path}/x").err
    nlp.models_["segmenter"].save(tmp_path / "s.sap")
    (tmp_path / "bare.conllu").write_bytes(bare.replace({}))
    assert "has no confidences" in run_cli(f"calibrate {tmp_path}/s.sap {tmp_path}/bare.conllu").err
