"""The core for browsers, in Node: documents and refusals are those of Python, and offsets as JavaScript counts."""

import json
import random
import struct
import zlib

import pytest
from forged import contents
from javascript import CORE, EN, MISSING, SCALE, STATIC, answers_of, in_batches, random_texts, raw_texts

import sapwood
from sapwood import ModelError
from sapwood.model.file import container
from sapwood.model.file.bundled import FOLDER
from sapwood.model.file.container import Array

pytestmark = pytest.mark.skipif(bool(MISSING), reason=MISSING)


@pytest.fixture(scope="module")
def english():
    return sapwood.load("en")


def test_documents_are_those_of_python_byte_for_byte(english):
    texts = [*raw_texts(), *random_texts(100), "", " \n\n "]
    answers = answers_of([{"model": EN, "text": text, "options": {"offsets": "code points"}} for text in texts])
    for text, answer in zip(texts, answers, strict=True):
        doc = english(text)
        assert answer["conllu"] == doc.to_conllu()
        assert answer["sentences"] == [json.loads(line) for line in doc._core.to_json_lines(0).splitlines()]


@pytest.mark.parametrize(
    ("lines", "times"),
    [
        pytest.param("Ada Lovelace wrote the first program.\r\nIt’s 😀 in London.\n\n", 1_300, id="paragraphs"),
        pytest.param("Ada Lovelace wrote the first program.\nIt’s 😀 in London.\n", 3_000, id="one paragraph"),
    ],
)
def test_a_text_that_is_read_in_pieces_is_that_of_python(english, lines, times):
    text = lines * times
    [answer] = answers_of([{"model": EN, "text": text}])
    assert len(text.encode()) > 1 << 16
    assert answer["conllu"] == english(text).to_conllu()


def test_offsets_are_code_units(english):
    text = "😀 😀 Ada Lovelace wrote it in London 😀."
    [answer] = answers_of([{"model": EN, "text": text}])
    assert answer["slices"] == [token.text for sentence in english(text).sentences for token in sentence]
    found = [(name["text"], name["label"], name["start"]) for name in answer["entities"]]
    assert found == [("Ada Lovelace", "PER", 6), ("London", "LOC", 31)]


def test_names_are_those_of_python(english):
    texts = list(raw_texts())
    answers = answers_of([{"model": EN, "text": text, "options": {"offsets": "code points"}} for text in texts])
    for text, answer in zip(texts, answers, strict=True):
        expected = [(e.text, e.label, e.start, e.end) for s in english(text).sentences for e in s.entities]
        assert [(e["text"], e["label"], e["start"], e["end"]) for e in answer["entities"]] == expected


def test_a_text_of_another_language_is_warned_of():
    german = "Die Sonne scheint heute über dem See, und viele Menschen gehen mit ihren Kindern spazieren. " * 4
    strange, known = answers_of(
        [{"model": EN, "text": german}, {"model": EN, "text": "This is what we all want to see. " * 8}]
    )
    assert "another language, or not plain text?" in strange["warning"]
    assert known["warning"] is None


def test_errors_have_the_words_and_the_class_of_python_and_the_model_works_on():
    calls = [{"text": "a\0b"}, {"text": "Ada."}, {"text": 5}, {"release": True, "text": "Ada."}]
    nul, word, number, released = answers_of([{"model": EN, **call} for call in calls])
    assert (nul["class"], nul["name"]) == ("SapwoodError", "DataError")
    with pytest.raises(sapwood.DataError) as error:
        sapwood.load("en")("a\0b")
    assert nul["error"].removeprefix("text: ") in str(error.value)
    assert word["conllu"].startswith("# newpar")
    assert (number["name"], number["error"]) == ("DataError", "a text is a string, not number")
    assert (released["name"], released["error"]) == ("ModelError", "the model was released")


def with_checksum(data):
    """Put the right checksum into a damaged file."""
    zeros = data[:37] + b"00000000" + data[45:]
    return data[:37] + b"%08x" % zlib.crc32(zeros) + data[45:]


def damaged(count):
    """Yield damaged files: bytes changed or cut off, half of them with a checksum that is right again."""
    honest, draw = (FOLDER / "en.sap").read_bytes(), random.Random(11)
    header = struct.unpack("<Q", honest[:8])[0]
    yield from (b"", honest[:9], honest[:100], b"a text, and no model at all", honest + b"\0" * 64)
    for k in range(count):
        data = bytearray(honest)
        for _ in range(draw.randrange(1, 4)):
            data[draw.randrange(header if k % 2 else len(data))] ^= 1 << draw.randrange(8)
        yield (
            with_checksum(bytes(data))
            if k % 4 < 2
            else bytes(data[: draw.randrange(len(data))] if k % 8 == 2 else data)
        )


def check_damaged(paths):
    answers = answers_of([{"model": str(path), "text": "Ada wrote it."} for path in paths])
    for path, answer in zip(paths, answers, strict=True):
        try:
            model = sapwood.load(path)
        except ModelError as refusal:
            assert answer["class"] == "SapwoodError", path
            assert answer["error"].startswith(f"{path}: not a "), answer
            if "not a sapwood model: its" in str(refusal) or "it is a text" in str(refusal):
                assert answer["error"] == str(refusal)
        else:
            if model.task == "pipeline":
                assert answer["conllu"] == model("Ada wrote it.").to_conllu()
            else:
                assert answer["error"] == "a sentence is a list of tokens, not a string"


def written(folder, models):
    """The paths of models that are written into a folder, over those that were there before."""
    paths = [folder / f"{k}.sap" for k, _ in enumerate(models)]
    for path, data in zip(paths, models, strict=True):
        path.write_bytes(data)
    return paths


def test_a_damaged_model_is_refused_as_python_refuses_it(tmp_path, tiny_model):
    check_damaged([tiny_model, STATIC / "icon.svg", CORE, *written(tmp_path, list(damaged(12)))])


@pytest.mark.slow
def test_many_damaged_models_are_refused_as_python_refuses_them(tmp_path):
    for models in in_batches(damaged(200 * SCALE), 20):
        check_damaged(written(tmp_path, models))


SHARES = {"value": 0.5, "coverage": 0.5, "precision": 0.5, "interval": [0.4, 0.6], "noise": 0.0}
ABSTENTION = {"target": "coverage", "thresholds": [0.5, 0.5], **SHARES}
LYING = [  # part, its metadata and arrays that are changed, and some words of the refusal
    ("tagger", {"options": {"search": None}}, {}, "its options lack search"),
    ("tagger", {"options": {"dictionary": "shape"}}, {}, "the dictionary's columns are some of form; got shape"),
    ("tagger", {"calibration": {"curves": [[0, 0.5]] * 3}}, {}, "not that of a tagger: isotonic curves, 1 or 2"),
    ("tagger", {"calibration": {"method": ""}}, {}, "'calibration' in its header has no method"),
    ("tagger", {"template": 'U:%in[0,0,"list"]'}, {}, "its word lists are not those that its template asks for"),
    ("splitter", {"extra": ["places"]}, {"extra.places": b"x"}, "does not belong there: 'extra.places'"),
    (
        "lemmatizer",
        {"extra": ["script_lists"], "options": {"dictionary": None}},
        {"extra.script_lists": b"\xff"},
        "its lists of forms are not UTF-8",
    ),
    ("segmenter", {"extra": []}, {}, "it has no table of places"),
    ("entities", {"calibration": {"abstention": ABSTENTION}}, {}, "one threshold, or one for each label"),
    ("parser", {"options": {"root_labels": None}}, {}, "its options lack root_labels"),
    ("parser", {"options": {"left_labels": "x"}}, {}, "the option left_labels has a value that it cannot have"),
    ("parser", {"options": {"tags": "predicted"}}, {}, "the tagger that its options speak of"),
    ("parser", {"calibration": {"method": "temperature"}}, {}, "not that of a parser: isotonic curves, 1"),
    ("parser", {"calibration": {"abstention": ABSTENTION}}, {}, "only a calibrated tagger can abstain"),
]


def lying(honest, part, texts, arrays):
    """The contents of a pipeline with changes of one part: values of its metadata, and new arrays.

    If `extra` is changed, the part has no other extra arrays than those that are given.
    """
    parts = json.loads(honest.metadata["parts"])
    of_part = parts[part]
    for key, value in texts.items():
        if isinstance(value, dict):
            value = {k: each for k, each in (json.loads(of_part[key]) | value).items() if each is not None}
        of_part[key] = value if key == "template" else json.dumps(value)
    every = {
        name: array
        for name, array in honest.arrays.items()
        if "extra" not in texts or not name.startswith(f"{part}/extra.")
    }
    every |= {f"{part}/{name}": Array.of("U8", data) for name, data in arrays.items()}
    return honest.metadata | {"parts": json.dumps(parts)}, every


def test_a_part_that_cannot_be_made_is_refused_in_the_words_of_python(tmp_path):
    honest, paths = contents(FOLDER / "en.sap"), [tmp_path / f"{k}.sap" for k in range(len(LYING))]
    for path, (*lie, _) in zip(paths, LYING, strict=True):
        metadata, arrays = lying(honest, *lie)
        container.write(path, arrays, metadata)
    answers = answers_of([{"model": str(path), "text": "Ada wrote it."} for path in paths])
    for path, answer, (*_, words) in zip(paths, answers, LYING, strict=True):
        with pytest.raises(ModelError) as error:
            sapwood.load(path)
        assert words in str(error.value)
        assert (answer["name"], answer["error"]) == ("ModelError", str(error.value))
