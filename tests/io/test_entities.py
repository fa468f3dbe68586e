"""Names for training: NER= in MISC, files about the treebank's sentences or of others, spans of other libraries."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sapwood import DataError
from sapwood._core import Conllu
from sapwood.io.entities import read_entities
from sapwood.io.spans import read_spans


def treebank(*sentences, newline="\n"):
    """Make a treebank of sentences, each a list of words `form` or `form/MISC`, with sent_id a, b, ..."""
    text = ""
    for name, words in zip("abcdef", sentences, strict=False):
        text += f"# sent_id = {name}{newline}# text = {' '.join(words)}{newline}"
        for k, word in enumerate(words, 1):
            form, _, misc = word.partition("/")
            text += "\t".join([str(k), form, *"_______", misc or "_"]) + newline
        text += newline
    return Conllu.read(text.encode(), "bank")


@pytest.fixture
def names(tmp_path):
    """Read names from files with these texts."""

    def read(data, *texts):
        files = []
        for k, text in enumerate(texts):
            files.append(tmp_path / f"names{k}")
            files[-1].write_text(text, newline="")
        return read_entities(data, files)

    return read


def test_names_are_read_from_misc():
    data = treebank(["Ada/NER=B-PER|SpaceAfter=No", "King/NER=I-PER", "ran/SpaceAfter=No"], ["Go", "!"])
    assert read_entities(data, []) == ([["B-PER", "I-PER", "O"], ["O", "O"]], [])


def test_a_treebank_without_names_gives_none():
    assert read_entities(treebank(["Go/SpaceAfter=No"]), []) is None


def test_sentences_are_found_by_their_sent_id(names):
    data = treebank(["Ada", "ran"], ["Go", "!"], ["In", "Rome", "."])
    file = "# sent_id = c\n# text = In Rome.\n1\tIn\tO\n2\tRome\tB-LOC\n3\t.\tO\n\n"
    file += "# sent_id = a\n1\tAda\tB-PER\t-\tB-PER\n2\tran\tO\n"
    assert names(data, file) == ([["B-PER", "O"], None, ["O", "B-LOC", "O"]], [])
    crlf = "# sent_id = a\r\n1\tAda\tB-PER\r\n2\tran\tO\r\n"
    assert names(treebank(["Ada", "ran"], newline="\r\n"), crlf) == ([["B-PER", "O"]], [])


def test_sentences_whose_words_differ_are_left_out(names):
    data = treebank(["Ada", "ran"], ["Go", "!"])
    found = names(data, "# sent_id = a\n1\tAda\tB-PER\n\n# sent_id = b\n1\tGo\tO\n2\t!\tO\n")
    assert found.of_treebank == [None, ["O", "O"]]


@pytest.mark.parametrize("sent_id", ["# sent_id = a\n", ""])
@pytest.mark.parametrize(
    "rows",
    [
        "1\tAda\tB-PER\n2\tran\tO",
        "1\tAda\tB-PER\t-\n2\tran\tO\t-",  # Universal NER: who annotated behind the label
        "1\tAda\tB-PER\t-\t-\n2\tran\tO\t-\t-",
        "1\tAda\tB-PER\tB-OTH\tkim\n2\tran\tO\tO\tkim",
        "1\tAda\tB-PER\tB-PER#O\ts\n2\tran\tO\tO#O\ts",
        "1\tAda\tPER\t-\t-\n2\tran\tO\t-\t-",
        "1 Ada B-PER - -\n2 ran O - -",
        "1-2\tAdaran\t_\t-\t-\n1\tAda\tB-PER\t-\t-\n2\tran\tO\t-\t-",
        "1\tAda\tB-PER\t-\t-\n1.1\tdid\tO\t-\t-\n2\tran\tO\t-\t-",
        "#\thttp://example.org/a [2009-10-17]\n1\tAda\tB-PER\tO\n2\tran\tO\tO",  # GermEval: names within names
        "0\tAda\tB-PER\t00001740n\tQ7259\n1\tran\tO\t\t",  # MultiNERD: counted from 0, numbers of concepts
        "0\tAda\tB-PER\n1\tran\tO",  # WikiNEuRal
        "1\tAda\tNNP\tB-PER\n2\tran\tVBD\tO",  # a tag in front of the label
        "1\tAda\tNNP\tB-NP\tB-PER\n2\tran\tVBD\tB-VP\tO",
    ],
)
def test_words_may_have_numbers_and_labels_others_behind(names, sent_id, rows):
    found = names(treebank(["Ada", "ran"]), f"{sent_id}{rows}\n\n")
    if sent_id:
        assert found == ([["B-PER", "O"]], [])
    else:
        assert found.others == [[("Ada", "B-PER"), ("ran", "O")]]


@pytest.mark.parametrize("rows", ["1996 CD O\n1997 CD O", "1 CD B-NUM\n\n2 CD B-NUM", "1 O\n2 O", "2 CD O\n3 CD O"])
def test_a_number_may_be_a_word(names, rows):
    found = names(treebank(["x"]), rows)
    assert [form for sentence in found.others for form, _ in sentence] == [r.split()[0] for r in rows.split("\n") if r]


@pytest.mark.parametrize("start", ["-DOCSTART- -X- O O", "-DOCSTART- -X- O", "-DOCSTART-", "-DOCSTART-\tO"])
@pytest.mark.parametrize("blank", ["\n", ""])
def test_the_beginning_of_a_document_is_no_word(names, start, blank):
    found = names(treebank(["x"]), 2 * f"{start}\n{blank}Ada NNP B-NP B-PER\nran VBD B-VP O\n\n")
    assert found.others == 2 * [[("Ada", "B-PER"), ("ran", "O")]]


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
@pytest.mark.parametrize("space", [" ", "\t"])
def test_names_are_read_from_column_files(names, line_end, space):
    lines = ["Ada NNP I-PER", "ran VBD O", "", "", "Go VB O"]
    found = names(treebank(["x"]), line_end.join(lines).replace(" ", space))
    assert found.of_treebank == [None]
    assert found.others == [[("Ada", "B-PER"), ("ran", "O")], [("Go", "O")]]


def test_a_hash_is_a_word_and_not_a_comment(names):
    found = names(treebank(["x"]), "Go O\n# O\n#tag O\n1 O\n")
    assert [form for form, _ in found.others[0]] == ["Go", "#", "#tag", "1"]


@pytest.mark.parametrize(
    ("given", "bio"),
    [
        ("PER PER O PER", "B-PER I-PER O B-PER"),  # bare
        ("I-PER I-PER O I-LOC I-PER", "B-PER I-PER O B-LOC B-PER"),  # IOB1
        ("I-PER B-PER I-PER", "B-PER B-PER I-PER"),
        ("B-PER I-PER B-LOC", "B-PER I-PER B-LOC"),  # IOB2
        ("B-PER I-LOC", "B-PER B-LOC"),
        ("S-PER O B-LOC I-LOC E-LOC", "B-PER O B-LOC I-LOC I-LOC"),  # IOBES
        ("S-PER S-PER", "B-PER B-PER"),
    ],
)
def test_labels_become_bio(names, given, bio):
    found = names(treebank(["x"]), "".join(f"w {label}\n" for label in given.split()))
    assert [label for _, label in found.others[0]] == bio.split()


@given(st.lists(st.sampled_from(["O", "B-A", "I-A", "A", "B-B", "I-B"]), min_size=1))
def test_bio_is_well_formed_and_stays(tmp_path_factory, labels):
    def read(labels):
        file = tmp_path_factory.getbasetemp() / "labels"
        file.write_text("".join(f"w {label}\n" for label in labels))
        return [label for _, label in read_entities(treebank(["x"]), [file]).others[0]]

    once = read(labels)
    for before, label in zip(["O", *once], once, strict=False):
        assert label[0] in "OB" or before[2:] == label[2:]
    assert read(once) == once


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Ada B-PER\nran\n", "names0:2: one column; a word has its form and its label"),
        ("# sent_id = z\n1\tAda\tO\n", "names0:1: the treebank has no sentence with the sent_id z"),
        ("\n\n# sent_id = z\n1\tAda\tO\n", "names0:3: the treebank has no sentence with the sent_id z"),
        ("# sent_id = a\n1\tO\n", "names0:2: two columns; a word has its number, its form and its label"),
        ("Ada \0 O\n", "names0"),
    ],
)
def test_errors_have_their_place(names, text, message):
    with pytest.raises(DataError, match=message):
        names(treebank(["Ada"]), text)


def test_a_missing_or_broken_file_is_named(tmp_path):
    with pytest.raises(DataError, match="gone: cannot"):
        read_entities(treebank(["Ada"]), [Path("gone")])
    (tmp_path / "latin").write_bytes(b"Ren\xe9 B-PER\n")
    with pytest.raises(DataError, match="latin"):
        read_entities(treebank(["Ada"]), [tmp_path / "latin"])


TEXT = "Ada met Bob in Rome."
NAMES = [(0, 3, "PER"), (15, 19, "LOC")]
SPACY = {  # Doc.to_json of spaCy 3.8
    "text": TEXT,
    "ents": [{"start": start, "end": end, "label": label} for start, end, label in NAMES],
    "tokens": [{"id": 0, "start": 0, "end": 3}],
}
RECORDS = {
    "spaCy": SPACY,
    "spaCy, with groups of spans": SPACY | {"spans": {"sc": [{"start": 4, "end": 7, "label": "X", "kb_id": ""}]}},
    "a pipeline of transformers": {
        "text": TEXT,
        "entities": [
            {"entity_group": label, "score": 0.99, "word": TEXT[start:end], "start": start, "end": end}
            for start, end, label in NAMES
        ],
    },
    "a language model": {"text": TEXT, "entities": [{"text": TEXT[a:b], "type": label} for a, b, label in NAMES]},
    "a type beside a label": {
        "text": TEXT,
        "spans": [{"start": a, "end": b, "label": label, "type": "span"} for a, b, label in NAMES],
    },
}


@pytest.mark.parametrize("name", RECORDS)
def test_spans_of_other_libraries_are_read(name, tmp_path):
    (tmp_path / "t.jsonl").write_text(json.dumps(RECORDS[name]) + "\n")
    [read] = read_spans(tmp_path / "t.jsonl")
    assert [(span.start, span.end, span.label) for span in read.spans] == NAMES
