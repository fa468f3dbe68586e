"""Text of which each line is a sentence: its sentences, offsets and spaces, however it arrives."""

import json
import pickle

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from treebanks import treebank

import sapwood
from sapwood import DataError, OptionError
from sapwood._core import Conllu
from sapwood.tasks.pipeline.model import Pipeline

SPACES = " \t\v\f\x85\xa0\u2028\u2029\u200b\u3000"


@pytest.fixture(scope="module")
def pipeline(toy) -> Pipeline:
    return toy


def written(pipeline, chunks, format="conllu"):
    return b"".join(pipeline.writer.written(chunks, input="lines", format=format)).decode()


def lines_of(text):
    """The lines that are not only spaces, with their places in characters."""
    found, at = [], 0
    for line in text.replace("\r\n", " \n").replace("\r", "\n").split("\n"):
        content = line.strip(SPACES + "\r\ufeff")
        if content:
            begin = at + line.index(content)
            found.append((begin, begin + len(content), content))
        at += len(line) + 1
    return found


@pytest.mark.parametrize(
    "text",
    [
        "A helt bungs.\nThe helt sings.\n",
        "A helt. The helt! It sings?\nA helt\n",  # one line that would be cut in three
        "The helt of Mr.\nSmith bungs\n",
        "A helt\r\n\r\nbungs.\r\nIt\r\n",
        "A\rhelt\r\rbungs",
        "\ufeffA helt.\nIt bungs.",
        "\n\n  A helt.\n \t\u3000\n\u200b\n\tIt bungs. \n\n\n",
        "no line end",
        "A helt.\u2028It bungs.\x85It sings.\vIt.\fA\u2029b\nThe helt\n",  # these end no lines
        "- A helt\n- The helt\n1. It\n2. It\n",  # items of lists begin sentences in running text
        "😀 A helt.\né 🇩🇪\n👨‍👩‍👧.\n",
        "A helt.\n" * 3000,
        "A helt bungs. " * 200 + "\nIt.\n",
        "x" * 60_000 + "\ny\n",
        "。" * 900,
    ],
)
@pytest.mark.filterwarnings("ignore::sapwood.UnfamiliarWarning")
def test_each_line_is_a_sentence_and_offsets_are_those_of_the_text(pipeline, text):
    records = [json.loads(line) for line in written(pipeline, [text.encode()], "json").split("\n")[:-1]]
    assert [(r["start"], r["end"], r["text"]) for r in records] == lines_of(text)
    places = [(t["start"], t["end"]) for r in records for t in r["tokens"]]
    assert places == sorted(places)
    out = written(pipeline, [text.encode()])
    assert Conllu.read(out.encode(), "out").text().text.decode() == text
    assert sapwood.Doc.from_conllu(out).to_conllu().count("# sent_id") == len(records)


@given(
    text=st.text(st.sampled_from("ab.。- \t\u2028\ufeff\n\n\n\r"), max_size=40),
    sizes=st.lists(st.integers(1, 9), min_size=1, max_size=40),
)
@example(text="a\n\nb\nc", sizes=[1] * 9)
@example(text="a\nb c", sizes=[4])  # a line goes on behind the chunk
@example(text="a\r\nb\r\n\r\nc", sizes=[2, 4, 1])
def test_how_lines_arrive_changes_nothing(pipeline, text, sizes):
    data, chunks = text.encode(), []
    for size in sizes:
        chunks.append(data[:size])
        data = data[size:]
    chunks.append(data)
    whole = written(pipeline, [text.encode()])
    assert written(pipeline, chunks) == whole
    docs = list(pipeline.writer.documents(chunks, name="x", input="lines", prompt=True))
    prompt = Conllu.of_docs(docs, "x").to_bytes().decode()
    if text == text.rstrip(SPACES + "\r\n\ufeff"):  # answers come as soon as they can; spaces at the end may be missing
        assert prompt == whole


@pytest.mark.few(1)
@pytest.mark.parametrize("unit", ["helt ", "x", "A helt. ", "中", "👨‍👩‍👧"])
def test_a_long_line_is_cut_at_the_same_places_however_it_arrives(pipeline, unit):
    """At 1,000 tokens, as a sentence of running text, and at 65,536 bytes."""
    text = (unit * (150_000 // len(unit.encode())) + "\nA helt.\n").encode()
    nlp = pipeline.only("segment")
    whole = written(nlp, [text])
    longest = max(sum(row[:1].isdigit() for row in block.split("\n")) for block in whole.split("\n\n"))
    assert 3 <= whole.count("# sent_id") <= 60 and longest <= 1000
    assert whole.count("# newpar") == 1
    for size in (10_000, 70_000):
        assert written(nlp, (text[at : at + size] for at in range(0, len(text), size))) == whole
    assert Conllu.read(whole.encode(), "out").text().text == text


def test_an_empty_line_ends_a_paragraph(pipeline):
    out = written(pipeline, [b"A helt.\nIt bungs.\n\n\nIt sings.\nIt.\n \nA helt.\n"])
    heads = [line for line in out.splitlines() if line.startswith(("# newpar", "# text"))]
    assert heads == [
        "# newpar", "# text = A helt.", "# text = It bungs.",
        "# newpar", "# text = It sings.", "# text = It.", "# newpar", "# text = A helt.",
    ]  # fmt: skip


def test_lines_are_answered_when_they_end(pipeline):
    asked = []

    def chunks():
        for chunk in (b"A helt b", b"ungs.\n", b"The helt", b" sings.\nIt ", b"bungs.\n"):
            asked.append(chunk)
            yield chunk

    docs = pipeline.writer.documents(chunks(), input="lines", prompt=True)
    assert next(docs).text == "A helt bungs.\n"
    assert asked[-1] == b"ungs.\n"
    assert next(docs).text == "The helt sings.\n"
    assert next(docs).text == "It bungs.\n"
    assert list(docs) == []


@pytest.mark.slow
def test_threads_change_nothing(pipeline):
    text = "\n".join(treebank(300, 4).text().text.decode().split(" ")).encode() * 30
    assert len(text) > 3 << 16
    one, four = (pipeline.only("segment").set_params(threads=threads) for threads in (1, 4))
    for format in ("conllu", "json"):
        assert written(four, [text], format) == written(one, [text], format)


def test_a_document_of_lines_can_be_pickled(pipeline):
    [core] = pipeline.pipeline_.read(b"A helt.\n\n  It.\n", "x", lines=True)
    doc = sapwood.Doc(core)
    assert "SpacesBefore=\\n\\s\\s" in doc.to_conllu()
    assert pickle.loads(pickle.dumps(doc)).to_conllu() == doc.to_conllu()


def test_what_cannot_be_read_is_named(pipeline):
    with pytest.raises(DataError, match=r"^input: byte 10: invalid UTF-8"):
        written(pipeline, [b"A helt.\nb \xff\nc\n"])
    with pytest.raises(DataError, match=r"^input: byte 8: NUL byte"):
        written(pipeline, [b"A helt.\n", b"\0"])
    with pytest.raises(OptionError, match="raw text needs the part segment"):
        written(pipeline.only("tag"), [b"A helt.\n"])
