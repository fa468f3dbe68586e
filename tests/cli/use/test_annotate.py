"""`sapwood annotate`: what goes in, what comes out, and what it says when something is wrong."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from processes import on_terminal
from treebanks import treebank

import sapwood
from sapwood._core import Conllu
from sapwood.documents.doc import Doc
from sapwood.io.source import shown
from sapwood.model.file.bundled import BUNDLED
from sapwood.tasks.pipeline.model import _MODELS

TEXT = 'A helt bungs. The 2 helt sing!\n\nNo <b> & "so".\n'


@pytest.fixture(scope="module")
def model(toy_file):
    return toy_file


@pytest.fixture(scope="module")
def nlp(model):
    return sapwood.load(model)


@pytest.fixture
def annotate(run_cli, model, tmp_path):
    """Run it on a text in a file; return what comes out."""

    def run(text, *options):
        file = tmp_path / "text.txt"
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        return run_cli(["annotate", str(model), str(file), *options])

    return run


def test_conllu_is_what_goes_into_a_pipe(annotate, nlp):
    run = annotate(TEXT)
    assert run == (0, nlp(TEXT).to_conllu(), "")
    assert Conllu.read(run.out.encode(), "out").text().text.decode() == TEXT


def test_json_lines_are_what_the_views_say(annotate, nlp):
    text = "\u00e9\U0001f600 " + TEXT
    doc = nlp(text)
    lines = [json.loads(line) for line in annotate(text, "--format", "json").out.splitlines()]
    assert lines == json.loads(doc.to_json())
    assert len(lines) == len(doc.sentences)
    for line, sentence in zip(lines, doc.sentences, strict=True):
        assert (line["text"], line["start"], line["end"]) == (sentence.text, sentence.start, sentence.end)
        assert text[line["start"] : line["end"]] == line["text"]
        for found, token in zip(line["tokens"], sentence, strict=True):
            assert found == {name: getattr(token, name) for name in found}


def test_of_several_files_each_is_named(run_cli, model, tmp_path):
    """Sentences are numbered through all of them, so that numbers are unique; offsets are those of the file."""
    (tmp_path / "a.txt").write_text("A helt bungs. It sings.\n")
    (tmp_path / "empty.txt").write_text("")
    (tmp_path / "b.txt").write_text("The helt sings.\n")
    files = [str(tmp_path / name) for name in ("a.txt", "empty.txt", "b.txt")]
    out = run_cli(["annotate", str(model), *files]).out
    heads = [line for line in out.splitlines() if line.startswith(("# newdoc", "# newpar", "# sent_id"))]
    assert heads == [
        f"# newdoc id = {files[0]}", "# newpar", "# sent_id = 1", "# sent_id = 2",
        f"# newdoc id = {files[2]}", "# newpar", "# sent_id = 3",
    ]  # fmt: skip
    lines = [
        json.loads(line) for line in run_cli(["annotate", str(model), *files, "--format", "json"]).out.splitlines()
    ]
    assert [(line["file"], line["start"]) for line in lines] == [(files[0], 0), (files[0], 14), (files[2], 0)]


def test_a_model_stands_first(run_cli, model, tmp_path):
    (tmp_path / "a.txt").write_text("A helt bungs.\n")
    run = run_cli(["annotate", str(tmp_path / "a.txt"), str(model)])
    assert (run.status, run.out) == (1, "")
    assert "is a model, and no text; it stands first" in run.err


def test_a_table_has_the_columns_of_the_analysis(annotate):
    heading, first, *_ = annotate("A helt bungs.\n", "--format", "table").out.splitlines()
    assert heading.split() == ["id", "text", "lemma", "upos", "xpos", "head", "deprel"]
    assert first.split()[:3] == ["1", "A", "a"]


def test_tree_and_text_are_those_of_the_document(annotate, nlp):
    assert annotate(TEXT, "--format", "tree").out == nlp(TEXT).draw() + "\n\n"
    lines = annotate(TEXT, "--format", "text").out.splitlines()
    assert lines == [" ".join(token.text for token in sentence) for sentence in nlp(TEXT).sentences]


def test_a_page_escapes_what_it_shows(annotate):
    page = annotate("A <script>alert('&')</script> helt.\n", "--format", "html").out
    assert page.startswith("<!doctype html>")
    assert page.endswith("</html>\n")
    assert "<script>" not in page
    assert "<svg" in page
    assert "<svg" not in annotate(TEXT, "--format", "html", "--parts", "segment,tag").out


def test_tokens_and_conllu_are_taken_as_they_are(annotate):
    out = annotate("A helt\tbungs.\n\n  The helt\n", "--input", "tokens", "--format", "text").out
    assert out == "A helt bungs.\nThe helt\n"
    given = "# sent_id = x\n# note\n1-2\tAhelt\t_\t_\t_\t_\t_\t_\t_\tq=1\n1\tA\t_\t_\t_\t_\t_\t_\t_\tq=2\n"
    given += "2\thelt\t_\t_\t_\t_\t_\t_\t_\tNER=B-X|q=3\n\n"
    lines = annotate(given, "--input", "conllu").out.splitlines()
    assert lines[:3] == given.splitlines()[:3]
    cells = [line.split("\t") for line in lines[3:5]]
    assert [row[9].split("|")[-1] for row in cells] == ["q=2", "q=3"]
    assert {"0"} < {row[6] for row in cells}
    assert "NER=B-X" not in cells[1][9]


def test_only_the_parts_asked_for_write_and_threads_change_nothing(annotate):
    columns = [line.split("\t") for line in annotate("A helt.\n", "--parts", "segment,tag").out.splitlines()[3:5]]
    assert all(c[3] != "_" and c[2] == c[6] == "_" for c in columns)
    text = treebank(300, 4).text().text
    assert annotate(text, "--threads", "2") == annotate(text)


def test_only_the_parts_that_are_asked_for_are_loaded(annotate, monkeypatch):
    made = []

    class Counted(dict):
        def __getitem__(self, task):
            made.append(task)
            return super().__getitem__(task)

    monkeypatch.setattr("sapwood.tasks.pipeline.model._MODELS", Counted(_MODELS))
    annotate("A helt.\n", "--parts", "segment")
    assert made.count("segment") == 1
    assert not {"tag", "parse"} & set(made)
    annotate("A helt.\n")
    assert {"tag", "parse"} < set(made)


def test_bytes_that_are_not_text_can_be_replaced(annotate):
    out = annotate(b"A h\xfft \0.", "--errors", "replace", "--format", "text").out
    assert "".join(out.split()) == "Ah\ufffdt\ufffd."


@pytest.mark.few(24)
@pytest.mark.parametrize("text", ["", " ", "\n\n", " \t\r\n\u3000\u200b"])
@pytest.mark.parametrize("format", ["conllu", "json", "table", "tree", "text", "html"])
@pytest.mark.parametrize("input", ["text", "tokens", "conllu"])
def test_nothing_that_goes_in_gives_nothing(annotate, text, format, input):
    if input == "conllu" and text.strip("\n"):
        return
    run = annotate(text, "--format", format, "--input", input)
    assert run.status == 0
    assert run.err == ""
    assert "figure>" not in run.out.replace(text, "") if format == "html" else run.out.strip() == ""


@pytest.mark.parametrize(
    "text",
    [
        "A helt.\r\nThe helt.\r\n\r\nA helt.",
        "\ufeffA\u200bhelt \u202ebungs\u202c.",
        "\U0001f600\U0001f3fd\u200d\U0001f467 \u0301\u0301",
        "x" * 70_000,
        "a\x0b\x0c\x1c\x85\u2028\u2029b\x1b[31m",
    ],
)
def test_nothing_is_lost(annotate, text):
    out = annotate(text).out
    assert Conllu.read(out.encode(), "out").text().text.decode() == text
    for format in ("table", "tree", "html"):
        shown = annotate(text, "--format", format).out
        assert "\x1b" not in shown
        assert "\u202e" not in shown


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        (b"A b.\n\nc \xff", "", "byte 8: invalid UTF-8; if it is Latin-1, convert it first"),
        ("A b.".encode("utf-16"), "", "byte 0: it looks like UTF-16; convert it first (iconv -f utf-16 -t utf-8)"),
        ("A b.".encode("utf-16"), "--errors replace", "it looks like UTF-16; convert it first"),
        ("A b.".encode("utf-16-be"), "--errors replace", "it looks like UTF-16; convert it first"),
        (b"A \0", "", "byte 2: NUL byte: this is not a text file"),
        (b"\x7fELF\0\xff", "", "byte 4: NUL byte: this is not a text file"),
        (b"A \0", "--input tokens", "byte 2: NUL byte: this is not a text file"),
        (b"A b.", "--input conllu", "this line has 1 column, not 10 or 8"),
        (b"A b.", "--parts segmnt", "the pipeline's parts are segment, tag, lemmatize, parse, entities; got segmnt"),
        (b"A b.", "--parts ,", "the pipeline's parts are segment, tag, lemmatize, parse, entities; got none"),
        (b"A b.", "--parts tag", "raw text needs the part segment; without it, give --input tokens"),
        (b"A b.", "--parts segment,parse", "lemmas, trees and names need tags: add the part tag"),
        (b"A b.", "--parts segment --format tree", "trees need the part parse"),
        (b"A b.", "--format xml", "invalid choice: 'xml'"),
    ],
)
def test_errors_are_one_clear_line(annotate, text, options, message):
    run = annotate(text, *options.split())
    assert run.status != 0
    assert message in run.err
    assert run.err.startswith("sapwood: ")
    assert run.err.count("\n") == 1


CONLLU = "1\tA\ta\tDET\tDT\t_\t2\tdet\t_\t_\n2\thelt\thelt\tNOUN\tNN\t_\t0\troot\t_\t_\n\n"


@pytest.mark.parametrize(
    ("text", "options", "warning"),
    [
        (CONLLU, "", "CoNLL-U, and is read as plain text; 'sapwood annotate --input conllu' and parsers"),
        (CONLLU, "--input tokens", "CoNLL-U, and is read as a sentence a line, its tokens between"),
        ("A\nhelt\nbungs\n.\n\n" * 3, "--input tokens", "a token a line, and is read as a sentence a line"),
        ("A DT B-NP\nhelt NN I-NP\nbungs VBZ B-VP\n. . O\n\n" * 3, "", "columns of words and labels"),
        ("name,age,town\nAda,36,London\nGrace,85,New York\nAlan,41,London\n", "", "CSV, and is read as plain text"),
        ("id\ttext\n1\tA helt.\n2\tThe helt sings.\n", "", "columns between tabs"),
        ('{"label": "good", "text": "A helt bungs."}\n' * 3, "", "JSON, and is read as plain text; take the text out"),
        ("<html><body><p>A helt.</p>\n<p>A helt.</p></body></html>", "", "HTML"),
        ("<TEI><s n='1'>A helt.</s>\n<s n='2'>A helt bungs.</s></TEI>", "", "HTML or XML"),
        (r"{\rtf1\ansi\pard A helt bungs.\par}", "", "RTF"),
        ("(S (NP (DT A) (NN helt)) (VP (VBZ bungs)))\n" * 3, "", "bracketed trees"),
    ],
)
@pytest.mark.filterwarnings("default")
def test_what_is_no_prose_is_named(annotate, text, options, warning):
    run = annotate(text, *options.split())
    assert run.status == 0
    assert "text.txt: this looks like " + warning in run.err
    assert run.err.count("\n") == 1


@pytest.mark.parametrize(
    "text",
    [
        "Hello Bob. Bye.",
        "Come in, she said, and sit down, please.\nHe came in, sat down, and waited.\nSo, what now, then?\n",
        "Roses are red\nViolets are blue\nSugar is sweet\nAnd so are you\n",
        "For whom was it, then?\nFor him; for her; for them (it seems).\nIf he comes, tell him:\nwe left.\n",
        "1. Wash the rice.\n2. Boil it (ten minutes).\n3. Serve.\n4. Enjoy!\n",
        'He wrote "yes": 5 times.\n\n> And <b>she</b> wrote: "no".\n',
    ],
)
def test_prose_is_read_without_a_warning(annotate, text):
    assert annotate(text).err == ""


def test_models_that_are_none(run_cli, model, tmp_path):
    run = run_cli("annotate xx")
    there = ", ".join(BUNDLED)
    assert f"'xx': no such file, and no model of this name comes with sapwood (there is {there})" in run.err
    assert "gone.sap: cannot be read: no such file" in run_cli("annotate gone.sap").err
    assert "'gone.txt': no such file" in run_cli(["annotate", str(model), "gone.txt"]).err
    (tmp_path / "text.sap").write_text("A helt bungs.")
    message = "text.sap: not a sapwood model: it is a text; the model stands before the texts\n"
    assert run_cli(["annotate", str(tmp_path / "text.sap")]).err.endswith(message)
    sapwood.load(model).models_["tagger"].save(tmp_path / "tagger.sap")
    run = run_cli(["annotate", str(tmp_path / "tagger.sap")])
    assert "a model for tagging, not for raw text; see 'sapwood tag'" in run.err


def test_without_the_bundled_model_one_line_says_so(run_cli, monkeypatch):
    monkeypatch.setattr("sapwood.model.file.bundled.FOLDER", Path("/nowhere"))
    for command, model in (("annotate", "language"), ("annotate en", "en"), ("inspect en", "en")):
        run = run_cli(command)
        assert run.status != 0
        assert f"the model '{model}' is not in this copy of sapwood" in run.err


def test_a_pipe_is_answered_as_it_comes(model):
    command = [sys.executable, "-m", "sapwood", "annotate", str(model), "--format", "text"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        for paragraph in (b"A helt bungs.\n\n", b"\n\nThe helt bungs.\n\n"):
            process.stdin.write(paragraph)
            process.stdin.flush()
            assert process.stdout.readline().split() == paragraph.replace(b".", b" .").split()
        process.stdin.close()
        assert process.stdout.read() == b""
    assert process.returncode == 0


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="Linux says what a process alone has used")
def test_a_line_without_end_does_not_fill_the_memory(model, tmp_path):
    """ru_maxrss of a process has what the tests' own process used when it started it; VmHWM has not."""
    code = "import sys; from sapwood.cli import run; status = run(sys.argv[1:]); "
    code += "print(open('/proc/self/status').read(), file=sys.stderr); sys.exit(status)"
    peaks = []
    for megabytes in (1, 9):
        (tmp_path / "line").write_bytes(b"helt-" * (megabytes * 200_000))
        command = [sys.executable, "-c", code, "annotate", str(model), str(tmp_path / "line"), "--parts", "segment"]
        run = subprocess.run(command, capture_output=True, text=True, check=True)
        peaks.append(int(re.search(r"^VmHWM:\s*(\d+) kB$", run.stderr, re.MULTILINE)[1]))
    assert peaks[1] < peaks[0] + 60_000  # kB


def test_on_a_terminal_it_is_a_table_that_fits(model, tmp_path):
    (tmp_path / "text.txt").write_text("A helt bungs " + "x" * 200 + ".\n")
    for environment, bold in (({}, True), ({"NO_COLOR": "1"}, False)):
        status, shown = on_terminal(["annotate", model, tmp_path / "text.txt"], **environment)
        assert status == 0
        assert shown.startswith(b"\x1b[1mid") == bold
        lines = shown.decode().replace("\x1b[1m", "").replace("\x1b[0m", "").splitlines()
        assert lines[0].startswith("id  text")
        assert max(map(len, lines)) <= 80


def test_views_have_the_places_of_the_text(nlp):
    text = "é😀 A helt bungs <now>.\n\nThe helt."
    doc = nlp(text)
    assert doc.text == text
    assert "".join(doc.text[s.start : s.end] for s in doc.sentences) == "".join(s.text for s in doc.sentences)
    assert len(doc) == len(list(doc)) == sum(map(len, doc.sentences))
    for sentence in doc.sentences:
        assert [token.id for token in sentence] == list(range(1, len(sentence) + 1))
        assert sentence[-1].text == list(sentence)[-1].text
        with pytest.raises(IndexError):
            sentence[len(sentence)]
        assert "<now>" not in sentence._repr_html_()
    for token in doc:
        assert text[token.start : token.end].startswith(token.text[0])
    for entity in doc.entities:
        assert text[entity.start : entity.end] == entity.text
    assert "<now>" not in doc._repr_html_()
    assert isinstance(nlp(""), Doc)
    assert nlp("").sentences == []
    assert (nlp("").to_json(), nlp("").to_conllu(), nlp("").draw(), nlp("")._repr_html_()) == ("[]", "", "", "")


def test_a_pipe_of_texts_gives_what_each_gives_alone(nlp):
    texts = [f"A helt bungs {n}." for n in range(100)]
    alone = [nlp(text).to_conllu() for text in texts]
    assert [doc.to_conllu() for doc in nlp.pipe(iter(texts))] == alone
    assert [doc.to_conllu() for doc in nlp.pipe(texts, threads=2)] == alone
    with pytest.raises(sapwood.DataError, match="a text is a string, not bytes"):
        nlp(b"A helt.")
    with pytest.raises(sapwood.DataError, match=r"character 1 of text 1 .counted from 1., U.DC80, is not Unicode"):
        nlp("a\udc80")
    with pytest.raises(sapwood.DataError, match="byte 1: NUL"):
        nlp("a\0")


def test_the_least_sure_sentences_stand_under_the_names_of_their_files(run_cli, model, tmp_path):
    """Of a calibrated model; a sentence of few words does not go before longer ones for that."""
    sapwood.load(model).calibrate(treebank(100, 9)).save(tmp_path / "sure.sap")
    texts = {"a.txt": "A helt bungs. Qwx zrr helt qq bungs!\n", "b.txt": "Zzt!\n\nThe helt xq sings qq.\n"}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    files = [str(tmp_path / name) for name in texts]
    out = run_cli(["annotate", str(tmp_path / "sure.sap"), *files, "--least-sure", "4"]).out
    file, before, found = "", "", []
    for line in out.splitlines():
        if line.startswith("# newdoc id = "):
            before, file = file, line.removeprefix("# newdoc id = ")
            assert file != before
        elif line.startswith("# text = "):
            found.append(line.removeprefix("# text = "))
            assert found[-1] in Path(file).read_text()
    assert len(found) == 4
    assert set(found[:2]) == {"Qwx zrr helt qq bungs!", "The helt xq sings qq."}
    alone = run_cli(["annotate", str(tmp_path / "sure.sap"), files[1], "--least-sure", "1"]).out
    assert "newdoc" not in alone
    assert "# text = The helt xq sings qq." in alone


@pytest.mark.parametrize("name", [b"caf\xe9.txt", b"two\nlines.txt", b"\xef\xbb\xbfx.txt", b'"\x1b.txt', b" x "])
def test_odd_names_are_shown_in_one_way(run_cli, model, tmp_path, name):
    files = [str(tmp_path / os.fsdecode(name)), str(tmp_path / "plain.txt")]
    for file in files:
        Path(file).write_text("A helt bungs.\n")
    run = run_cli(["annotate", str(model), *files])
    assert run.status == 0
    assert run.err == ""
    assert [line for line in run.out.splitlines() if "newdoc" in line] == [f"# newdoc id = {shown(f)}" for f in files]
    lines = run_cli(["annotate", str(model), *files, "--format", "json"]).out.splitlines()
    assert [json.loads(line)["file"] for line in lines] == [shown(file) for file in files]
    Path(files[0]).write_bytes(b"A \xff")
    error = run_cli(["annotate", str(model), *files]).err
    assert error.startswith(f"sapwood: {shown(files[0])}: byte 2: invalid UTF-8")
