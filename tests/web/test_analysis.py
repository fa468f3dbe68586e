"""Analyses of an input by models of every task, and the explanations that belong to each of their values."""

import json

import pytest
from parsers import QUICK

from sapwood import DependencyParser, SequenceTagger
from sapwood.errors import DataError, ModelError, OptionError
from sapwood.io.source import read_bytes
from sapwood.model.explanation import question
from sapwood.model.records import _BLOCK
from sapwood.web.inputs import checked_kind, formats_of, is_calibrated
from sapwood.web.sentences import shown_sentences

TEXT = "A helt bungs. The 2 helt sing!\n\nNo helt.\nSing"


@pytest.fixture(scope="module")
def nlp(toy):
    return toy


def records(model, data, kind, confidence=False):
    lines = b"".join(model._records.written(data, kind, "json", confidence)).splitlines()
    return [json.loads(line) for line in lines]


def sentences(model, data, kind):
    return shown_sentences(model, data, kind, records(model, data, kind), 100)


def reasons(model, data, kind, sentence, token, part=""):
    lines = b"".join(model._records.reasons(data, kind, question(sentence, token), part)).splitlines()
    return [json.loads(line) for line in lines]


def test_every_column_of_a_pipeline_has_its_reason(nlp):
    data = TEXT.encode()
    chosen = {"head", "deprel", "lemma"}  # arcs and edit scripts have other names than columns
    for shown in sentences(nlp, data, "text"):
        assert len(shown.columns) >= 5
        for column in shown.columns:
            for token in shown.tokens:
                found = reasons(nlp, data, "text", shown.number, token["id"], column.part)
                assert {record["part"] for record in found} == {column.part}
                assert {record["word"] for record in found} == {token["text"]}
                assert column.name in chosen or token[column.name] in found[0]["chosen"].split(" ")


def test_words_know_the_decision_that_made_them(nlp):
    explanations = 0
    for shown in sentences(nlp, TEXT.encode(), "text"):
        for token, origin in zip(shown.tokens, shown.origins, strict=True):
            if origin is not None:
                [why] = reasons(nlp, TEXT.encode(), "text", origin.sentence, origin.token, origin.part)
                assert why["word"].partition("|")[2].startswith(token["text"])
                assert why["chosen"] in "ST"
                explanations += 1
    assert explanations >= 8


@pytest.mark.slow
@pytest.mark.parametrize("start", ["", "\ufeff"])
def test_places_are_found_again_in_documents(nlp, start):
    """A long text comes in documents, each with paragraphs of its own."""
    data = (start + (TEXT + "\n\n") * 1500).encode()
    origin = [origin for shown in sentences(nlp, data, "text") for origin in shown.origins][-1]
    [why] = reasons(nlp, data, "text", origin.sentence, origin.token, origin.part)
    assert why["word"].endswith("|Sing")


@pytest.mark.few(1)
@pytest.mark.parametrize("times", [1, 1500])
def test_an_analysis_is_that_of_the_command(nlp, times):
    text = TEXT * times
    doc = nlp(text)
    assert b"".join(nlp._records.written(text.encode(), "text", "conllu", False)).decode() == doc.to_conllu()
    assert records(nlp, text.encode(), "text") == json.loads(doc.to_json())


def test_long_inputs_come_in_pieces(parsers, tagger, bank, tiny_file):
    for model, path, kind in ((parsers["beam"], bank / "test.conllu", "conllu"), (tagger, tiny_file, "columns")):
        text = read_bytes(path) + b"\n" * (kind == "columns")
        data = text * (2 * _BLOCK // len(text) + 1)
        found = list(model._records.written(data, kind, kind, False))
        assert len(found) > 1
        assert b"".join(found).rstrip() == b"".join(model.annotate([data])).rstrip()


def test_an_error_of_the_last_line_comes_before_all_answers(parsers, tagger, bank, tiny_file):
    for model, path, kind in ((parsers["beam"], bank / "test.conllu", "conllu"), (tagger, tiny_file, "columns")):
        data = (read_bytes(path) + b"\n" * (kind == "columns")) * 100 + b"a b c d\n"
        with pytest.raises(DataError, match=r"^input:\d+: "):
            next(model._records.written(data, kind, kind, False))


def test_words_that_are_given_stay(nlp):
    conllu = nlp("A helt bungs.").to_conllu().encode()
    for data, kind in ((conllu, "conllu"), (b"A helt bungs .\n", "tokens")):
        [shown] = sentences(nlp, data, kind)
        assert [token["text"] for token in shown.tokens] == ["A", "helt", "bungs", "."]
        assert shown.origins == []
        [why] = reasons(nlp, data, kind, 1, 2, "tagger")
        assert why["word"] == "helt"
        with pytest.raises(OptionError, match="the words were given"):
            reasons(nlp, data, kind, 1, 2, "segmenter")


def test_a_segmenter_and_a_lemmatizer_read_alone(nlp):
    segmenter, lemmatizer = nlp.models_["segmenter"], nlp.models_["lemmatizer"]
    assert [
        [token["text"] for token in each["tokens"]] for each in records(segmenter, b"A helt. The 2 sing.", "text")
    ] == [
        ["A", "helt", "."],
        ["The", "2", "sing", "."],
    ]
    conllu = nlp("A helt bungs.").to_conllu().encode()
    [shown] = sentences(lemmatizer, conllu, "conllu")
    assert [(column.name, column.decided) for column in shown.columns] == [("upos", False), ("lemma", True)]
    [why] = reasons(lemmatizer, conllu, "conllu", 1, 2)
    assert why["word"] == "helt"
    for model, data, kind in ((segmenter, b"A helt.", "text"), (lemmatizer, conllu, "conllu")):
        with pytest.raises(ModelError, match="has no confidences; taggers"):
            next(model._records.written(data, kind, "json", True))


@pytest.mark.parametrize("kind", ["beam", "eisner"])
def test_trees_of_parsers_are_those_predicted(parsers, bank, kind):
    data = read_bytes(bank / "test.conllu")
    found = records(parsers[kind], data, "conllu")
    trees = [([t["head"] for t in each["tokens"]], [t["deprel"] for t in each["tokens"]]) for each in found]
    assert trees == [(parse.heads, parse.deprels) for parse in parsers[kind].predict(bank / "test.conllu")]
    assert found[0]["text"] == next(line for line in data.decode().split("\n") if line.startswith("# text = "))[9:]
    [shown, *_] = sentences(parsers[kind], data, "conllu")
    assert [column.name for column in shown.columns if column.decided] == ["head", "deprel"]
    assert formats_of(parsers[kind]) == ("json", "conllu", "svg")


def test_chunks_of_a_tagger_are_marked(tagger):
    [shown] = sentences(tagger, b"the DT\ndog NN\nbarks VBZ\n", "columns")
    assert shown.runs == [("the dog", "NP"), (" ", ""), ("barks", "VP")]
    given, label = shown.columns
    assert ([token[given.name] for token in shown.tokens], given.decided) == (["DT", "NN", "VBZ"], False)
    assert ([token[label.name] for token in shown.tokens], label.decided) == (["B-NP", "I-NP", "B-VP"], True)


def test_gold_labels_are_not_shown(tagger):
    [record] = records(tagger, b"the DT B-XP\ndog NN I-XP\n", "columns")
    assert [list(token.values()) for token in record["tokens"]] == [[1, "the", "DT", "B-NP"], [2, "dog", "NN", "I-NP"]]


def test_confidences_are_those_of_parsers_and_taggers(bank):
    parser = DependencyParser(**QUICK).fit(bank / "train.conllu").calibrate(bank / "test.conllu")
    data = read_bytes(bank / "test.conllu")
    assert is_calibrated(parser)
    sure = [[t["confidence"]["arc"] for t in each["tokens"]] for each in records(parser, data, "conllu", True)]
    assert sure == [[round(p, 4) for p in sentence] for sentence in parser.confidences(bank / "test.conllu")]
    annotated = b"".join(parser.annotate([data], confidence=True))
    assert b"".join(parser._records.written(data, "conllu", "conllu", True)) == annotated
    rows = "".join(f"{form}\t{tag}\n" for form, tag in [("the", "D"), ("dog", "N")] * 200).encode()
    tagger = SequenceTagger(template="U0:%x[0,0]\n", min_updates=1).fit([[("the", "D"), ("dog", "N")]])
    tagger.calibrate([[("the", "D"), ("dog", "N")]] * 200)
    [record] = records(tagger, rows, "columns", True)
    assert [token["confidence"] for token in record["tokens"]] == [{"label": 1.0}] * 400
    annotated = b"".join(tagger.annotate([rows], confidence=True))
    assert b"".join(tagger._records.written(rows, "columns", "columns", True)) == annotated


def test_what_a_model_was_not_made_for_is_refused(tagger, nlp, parsers):
    with pytest.raises(OptionError, match=r"this tagger does not read tokens; it reads columns \(a token a line"):
        checked_kind(tagger, b"the dog", "tokens")
    with pytest.raises(OptionError, match="this parser does not read text"):
        checked_kind(parsers["beam"], b"the dog", "text")
    with pytest.raises(OptionError, match="the pipeline's parts are"):
        reasons(nlp, b"A helt.", "text", 1, 1, "nobody")
    with pytest.raises(OptionError, match="the model has no parts"):
        reasons(tagger, b"the DT\n", "columns", 1, 1, "tagger")
    with pytest.raises(DataError):
        list(parsers["beam"]._records.written(b"1\tthe\n", "conllu", "json", False))
