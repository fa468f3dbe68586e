"""What models say about an input, unit by unit, and the explanations that belong to each of its parts."""

import json

import pytest
from parsers import QUICK

from sapwood import DependencyParser, SequenceTagger
from sapwood.errors import DataError, OptionError
from sapwood.io.source import read_bytes
from sapwood.model.explanation import question

TEXT = "A helt bungs. The 2 helt sing!\n\nNo helt.\nSing"


@pytest.fixture(scope="module")
def nlp(toy):
    return toy


def units(model, data, kind):
    return [unit for block in model.reading(data, "input", kind).blocks(False) for unit in block.units]


def reasons(reading, sentence, token, part=""):
    lines = b"".join(reading.explain(question(sentence, token), part)).splitlines()
    return [json.loads(line) for line in lines]


def test_every_layer_of_a_pipeline_has_its_reason(nlp):
    reading = nlp.reading(TEXT.encode(), "input", "text")
    chosen = {"head": None, "deprel": None, "lemma": None}  # arcs and edit scripts have other names than columns
    for s, unit in enumerate(units(nlp, TEXT.encode(), "text"), start=1):
        for layer in unit.layers:
            for w, value in enumerate(layer.values, start=1):
                found = reasons(reading, s, w, layer.part)
                assert {record["part"] for record in found} == {layer.part}
                assert {record["word"] for record in found} == {unit.words[w - 1]}
                assert layer.name in chosen or value in found[0]["chosen"].split(" ")


def test_words_know_the_decision_that_made_them(nlp):
    reading = nlp.reading(TEXT.encode(), "input", "text")
    explained = 0
    for unit in units(nlp, TEXT.encode(), "text"):
        for word, origin in zip(unit.words, unit.origins, strict=True):
            if origin is not None:
                [why] = reasons(reading, origin.sentence, origin.token, origin.part)
                assert why["word"].partition("|")[2].startswith(word)
                assert why["chosen"] in "ST"
                explained += 1
    assert explained >= 8


def test_places_are_found_again_in_blocks(nlp):
    """A long text comes in documents, each with paragraphs of its own."""
    text = (TEXT + "\n\n") * 1500
    reading = nlp.reading(text.encode(), "input", "text")
    *_, last = reading.blocks(False)
    origin = [origin for unit in last.units for origin in unit.origins][-1]
    [why] = reasons(reading, origin.sentence, origin.token, origin.part)
    assert why["word"].endswith("|Sing")


def test_json_and_files_are_those_of_the_command(nlp):
    blocks = list(nlp.reading(TEXT.encode(), "input", "text").blocks(False))
    doc = nlp(TEXT)
    assert b"".join(block.file for block in blocks).decode() == doc.to_conllu()
    lines = [line for block in blocks for line in block.json_lines().splitlines()]
    assert list(map(json.loads, lines)) == json.loads(doc.to_json())


def test_long_inputs_come_in_blocks(parsers, tagger, bank, tiny_file):
    for model, path, kind in ((parsers["beam"], bank / "test.conllu", "conllu"), (tagger, tiny_file, "columns")):
        data = (read_bytes(path) + b"\n" * (kind == "columns")) * 100
        blocks = list(model.reading(data, "input", kind).blocks(False))
        assert len(blocks) > 1
        assert b"".join(block.file for block in blocks).rstrip() == b"".join(model.annotate([data])).rstrip()


def test_words_that_are_given_stay(nlp):
    conllu = nlp("A helt bungs.").to_conllu().encode()
    for data, kind in ((conllu, "conllu"), (b"A helt bungs .\n", "tokens")):
        [unit] = units(nlp, data, kind)
        assert unit.words == ["A", "helt", "bungs", "."]
        assert unit.origins == []
        [why] = reasons(nlp.reading(data, "input", kind), 1, 2, "tagger")
        assert why["word"] == "helt"
        with pytest.raises(OptionError, match="the words were given"):
            reasons(nlp.reading(data, "input", kind), 1, 2, "segmenter")


def test_a_segmenter_and_a_lemmatizer_read_alone(nlp, bank):
    segmenter, lemmatizer = nlp.models_["segmenter"], nlp.models_["lemmatizer"]
    assert [unit.words for unit in units(segmenter, b"A helt. The 2 sing.", "text")] == [
        ["A", "helt", "."],
        ["The", "2", "sing", "."],
    ]
    conllu = nlp("A helt bungs.").to_conllu().encode()
    [unit] = units(lemmatizer, conllu, "conllu")
    assert [layer.name for layer in unit.layers] == ["upos", "lemma"]
    [why] = reasons(lemmatizer.reading(conllu, "input", "conllu"), 1, 2)
    assert why["word"] == "helt"


@pytest.mark.parametrize("kind", ["beam", "eisner"])
def test_trees_of_parsers_are_those_predicted(parsers, bank, kind):
    data = read_bytes(bank / "test.conllu")
    found = units(parsers[kind], data, "conllu")
    parses = parsers[kind].predict(bank / "test.conllu")
    assert [unit.tree for unit in found] == [(parse.heads, parse.deprels) for parse in parses]
    assert found[0].text == next(line for line in data.decode().split("\n") if line.startswith("# text = "))[9:]
    assert [layer.name for layer in found[0].layers if layer.decided] == ["head", "deprel"]


def test_chunks_of_a_tagger_are_spans(tagger):
    [unit] = units(tagger, b"the DT\ndog NN\nbarks VBZ\n", "columns")
    assert unit.text == "the dog barks"
    assert unit.spans == [(0, 7, "NP"), (8, 13, "VP")]
    assert [(layer.values, layer.decided) for layer in unit.layers] == [
        (["DT", "NN", "VBZ"], False),
        (["B-NP", "I-NP", "B-VP"], True),
    ]


def test_confidences_are_those_of_parsers_and_taggers(bank):
    parser = DependencyParser(**QUICK).fit(bank / "train.conllu").calibrate(bank / "test.conllu")
    data = read_bytes(bank / "test.conllu")
    reading = parser.reading(data, "input", "conllu")
    assert reading.calibrated
    blocks = list(reading.blocks(True))
    sure = [unit.layers[-1 - (unit.layers[-1].name == "feats")].sure for block in blocks for unit in block.units]
    assert sure == parser.confidences(bank / "test.conllu")
    assert b"".join(block.file for block in blocks) == b"".join(parser.annotate([data], confidence=True))
    rows = "".join(f"{form}\t{tag}\n" for form, tag in [("the", "D"), ("dog", "N")] * 200).encode()
    tagger = SequenceTagger(template="U0:%x[0,0]\n", min_updates=1).fit([[("the", "D"), ("dog", "N")]])
    tagger.calibrate([[("the", "D"), ("dog", "N")]] * 200)
    [block] = tagger.reading(rows, "input", "columns").blocks(True)
    assert [list(unit.layers[-1].sure) for unit in block.units] == tagger.confidences([["the", "dog"] * 200])
    assert block.file == b"".join(tagger.annotate([rows], confidence=True))
    assert json.loads(block.json_lines())["tokens"][0]["confidence"] == {"label": 1.0}


def test_what_a_model_was_not_made_for_is_refused(tagger, nlp, parsers):
    with pytest.raises(OptionError, match=r"this tagger does not read tokens; it reads columns \(a token a line"):
        tagger.reading(b"the dog", "input", "tokens")
    with pytest.raises(OptionError, match="this parser does not read text"):
        parsers["beam"].reading(b"the dog", "input", "text")
    with pytest.raises(OptionError, match="the pipeline's parts are"):
        reasons(nlp.reading(b"A helt.", "input", "text"), 1, 1, "nobody")
    with pytest.raises(OptionError, match="the model has no parts"):
        reasons(tagger.reading(b"the DT\n", "input", "columns"), 1, 1, "tagger")
    with pytest.raises(DataError):
        parsers["beam"].reading(b"1\tthe\n", "input", "conllu")
