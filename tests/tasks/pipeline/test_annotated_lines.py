"""`sapwood annotate --input lines`: files, folders, pipes, what comes out, and what it says when something is wrong."""

import gzip
import json

import pytest
from treebanks import treebank

from sapwood.tasks.pipeline.model import Pipeline

TEXT = "A helt bungs. It sings!\nThe helt\n\nIt bungs.\n"
LINES = [line for line in TEXT.splitlines() if line]


@pytest.fixture(scope="module")
def model(toy_file):
    return toy_file


@pytest.fixture
def annotate(run_cli, model):
    """Run it on files, or on what is on standard input; return what comes out."""

    def run(*arguments, stdin=b""):
        return run_cli(["annotate", str(model), *map(str, arguments), "--input", "lines"], stdin=stdin)

    return run


def texts(out):
    return [line.removeprefix("# text = ") for line in out.splitlines() if line.startswith("# text = ")]


def test_offsets_are_those_of_each_file(annotate, tmp_path):
    (tmp_path / "a.txt").write_bytes(b"\xef\xbb\xbf  A helt.  It.\r\n\r\nIt bungs.")
    (tmp_path / "b.txt.gz").write_bytes(gzip.compress("é helt.\n😀\n".encode()))
    (tmp_path / "none.txt").write_text(" \n\u200b\n")
    run = annotate(tmp_path, "--format", "json")
    places = [(r["file"].rpartition("/")[2], r["start"], r["end"]) for r in map(json.loads, run.out.splitlines())]
    assert places == [("a.txt", 3, 15), ("a.txt", 19, 28), ("b.txt.gz", 0, 7), ("b.txt.gz", 8, 9)]
    conllu = annotate(tmp_path / "a.txt", tmp_path / "none.txt", tmp_path / "b.txt.gz").out
    assert texts(conllu) == ["A helt.  It.", "It bungs.", "é helt.", "😀"]
    assert [line for line in conllu.splitlines() if "newdoc" in line or "sent_id" in line] == [
        f"# newdoc id = {tmp_path / 'a.txt'}", "# sent_id = 1", "# sent_id = 2",
        f"# newdoc id = {tmp_path / 'b.txt.gz'}", "# sent_id = 3", "# sent_id = 4",
    ]  # fmt: skip


@pytest.mark.parametrize("format", ["conllu", "json", "table", "tree", "text", "html"])
def test_every_format_has_a_sentence_for_each_line(annotate, tmp_path, format):
    (tmp_path / "text").write_text(TEXT)
    out = annotate(tmp_path / "text", "--format", format).out
    shown = {
        "conllu": lambda: texts(out),
        "json": lambda: [json.loads(line)["text"] for line in out.splitlines()],
        "text": lambda: [line.replace(" .", ".").replace(" !", "!") for line in out.splitlines()],
    }
    if format in shown:
        assert shown[format]() == LINES
    else:
        assert (out.count("<svg") if format == "html" else len(out.rstrip().split("\n\n"))) == len(LINES)


def test_standard_input_and_threads_and_a_folder_give_the_same(annotate, tmp_path):
    (tmp_path / "text.txt").write_text(TEXT * 50)
    out = annotate(tmp_path / "text.txt").out
    assert texts(out) == LINES * 50
    for arguments in (("-",), (), ("-", "--threads", "4")):
        assert annotate(*arguments, stdin=TEXT.encode() * 50).out == out
    assert annotate(tmp_path / "text.txt", "--threads", "4").out == out
    assert annotate(tmp_path / "text.txt", "-o", tmp_path / "out", "--threads", "2").status == 0
    assert (tmp_path / "out" / "text.conllu").read_text() == out


def test_nothing_but_spaces_gives_nothing(annotate, tmp_path):
    for text in ("", "\n", " \r\n\t\n\ufeff\u2028"):
        (tmp_path / "text").write_text(text, newline="")
        assert annotate(tmp_path / "text") == (0, "", "")


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        (b"A b.\nc \xff\n", [], "text: byte 7: invalid UTF-8; if it is Latin-1, convert it first"),
        (b"A b.\n\0\n", [], "text: byte 5: NUL byte: this is not a text file"),
        ("A b.\n".encode("utf-16"), [], "text: byte 0: it looks like UTF-16"),
        (b"A b.\n", ["--parts", "tag"], "raw text needs the part segment; without it, give --input tokens"),
    ],
)
def test_errors_are_one_clear_line(annotate, tmp_path, text, options, message):
    (tmp_path / "text").write_bytes(text)
    run = annotate(tmp_path / "text", *options)
    assert run.status != 0
    assert message in run.err
    assert run.err.startswith("sapwood: ")
    assert run.err.count("\n") == 1


def test_a_model_without_segmenter_does_not_read_lines(run_cli, tmp_path):
    Pipeline(parts=["tag"]).fit(treebank(60, 1)).save(tmp_path / "tags.sap")
    (tmp_path / "text").write_text(TEXT)
    run = run_cli(["annotate", str(tmp_path / "tags.sap"), str(tmp_path / "text"), "--input", "lines"])
    assert (run.status, run.out) == (2, "")
    assert "raw text needs the part segment" in run.err


def test_bytes_that_are_not_text_can_be_replaced(annotate, tmp_path):
    (tmp_path / "text").write_bytes(b"A h\xfft.\nIt \0\n")
    assert texts(annotate(tmp_path / "text", "--errors", "replace").out) == ["A h\ufffdt.", "It \ufffd"]
