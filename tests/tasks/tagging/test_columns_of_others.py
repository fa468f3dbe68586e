"""Column files as other tools write them: lines that begin a document, and words without tags."""

import pytest
from commands import run_command

from sapwood import SapwoodWarning, SequenceTagger, TemplateError
from sapwood._core import Columns

WORDS = "Bob{0}B-PER\nsaw{0}O\nRome{0}B-LOC\n", "Ada{0}B-PER\nsaw{0}O\nOslo{0}B-LOC\n", "Ann{0}B-PER\nran{0}O\n"
STARTS = {
    "Label Studio": ("-DOCSTART- -X- O\n", " -X- _ "),
    "CoNLL-2003": ("-DOCSTART- -X- -X- O\n\n", " NN B-NP "),
    "two cells": ("-DOCSTART- O\n\n", " NN B-NP "),
    "alone": ("-DOCSTART-\n\n", " NN B-NP "),
    "tabs": ("-DOCSTART-\t-X-\tO\n\n", "\tNN\tB-NP\t"),
    "tabs, alone": ("-DOCSTART-\n", "\tNN\tB-NP\t"),
    "wider than its rows": ("-DOCSTART- -X- -X- -X- O\n\n", " NN "),
    "with a comment": ("# global\n-DOCSTART- -X- O\n\n", " NN B-NP "),
}


def column_file(start, gap, *, every=True, end="\n"):
    sentences = [(start if every or k == 0 else "") + words.format(gap) for k, words in enumerate(WORDS)]
    return ("\n".join(sentences) + "\n" + start).replace("\n", end)


@pytest.fixture(params=STARTS)
def kind(request):
    return STARTS[request.param]


@pytest.mark.parametrize("every", [True, False])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_lines_that_begin_a_document_are_no_tokens(kind, every, end):
    data = Columns.read(column_file(*kind, every=every, end=end).encode(), "x")
    assert data.column(0) == [["Bob", "saw", "Rome"], ["Ada", "saw", "Oslo"], ["Ann", "ran"]]
    assert data.column(data.width - 1) == [["B-PER", "O", "B-LOC"], ["B-PER", "O", "B-LOC"], ["B-PER", "O"]]


def test_they_end_a_sentence():
    data = Columns.read(b"a X\n-DOCSTART- X\nb Y\n-DOCSTART-\n-DOCSTART- -X-\n\nc Z\n-DOCSTART-s Z\n", "x")
    assert data.column(0) == [["a"], ["b"], ["c", "-DOCSTART-s"]]


@pytest.mark.parametrize("cut", range(1, 4))
def test_they_may_stand_in_a_part_of_their_own(kind, cut):
    parts = column_file(kind[0].replace("# global\n", ""), kind[1]).split("\n\n")
    before, found = None, []
    for part in ["\n\n".join(parts[:cut]), *parts[cut:]]:
        before = Columns.read(part.encode(), "x", 1, before)
        found += before.column(0) if before.tokens else []
    assert found == [["Bob", "saw", "Rome"], ["Ada", "saw", "Oslo"], ["Ann", "ran"]]


@pytest.mark.filterwarnings("ignore:.*(comment|there are no tags)")
def test_their_lines_stay_in_what_is_tagged(kind, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    start, gap = kind
    (tmp_path / "x.txt").write_text(column_file(start, gap))
    assert run_command(["train", "tag", "x.txt", "-o", "m.sap", "--template", "ner", "--min-updates", "1"]).status == 0
    tagged = run_command(["tag", "m.sap", "x.txt"]).out
    want = []
    for line in column_file(start, gap).splitlines():
        mark = "\t" if "\t" in line or (line == "-DOCSTART-" and "\t" in gap) else " "
        label = "O" if line.startswith("-DOCSTART-") else line.split()[-1:]
        want.append(line if not line or line.startswith("#") else f"{line}{mark}{''.join(label)}")
    assert tagged.splitlines() == want
    (tmp_path / "tagged.txt").write_text(tagged.replace("# global\n", ""))
    (tmp_path / "plain.txt").write_text(column_file("", gap))  # another tool leaves them out
    assert "8 of 8 correct" in run_command(["eval", "m.sap", "x.txt"]).out
    (tmp_path / "x.txt").write_text(column_file(start.replace("# global\n", ""), gap))
    compared = run_command(["compare", "tagged.txt", "plain.txt", "x.txt"])
    assert compared.status == 0 and compared.out.count("100.00") >= 2, compared


def test_a_label_that_says_nothing_is_written_where_there_is_no_o():
    sentences = [[("a", "NN"), ("b", "VB")], [("b", "VB"), ("a", "NN")]]
    tagger = SequenceTagger(template="pos", min_updates=1).fit(sentences)
    assert b"".join(tagger.annotate([b"-DOCSTART- -X-\n\na NN\n\n"])) == b"-DOCSTART- -X- -X-\n\na NN NN\n\n"
    assert b"".join(tagger.annotate([b"-DOCSTART-\n\n", b"a\n\n", b"-DOCSTART-\n"])).splitlines()[0::2][1:] == [
        b"a\tNN",
        b"-DOCSTART-\t-X-",
    ]


@pytest.mark.parametrize(
    ("rows", "columns", "template"),
    [
        ("Bob B-PER\nsaw O\n\nAda B-PER\nsaw O\n", None, "ner"),
        ("Bob\tB-PER\nsaw\tO\n\nAda\tB-PER\nsaw\tO\n", "word,label", "ner"),
        ("B-PER Bob\nO saw\n\nB-PER Ada\nO saw\n", "label,word", "ner"),
        ("Bob S-PER\nsaw O\n\nAda S-PER\nsaw O\n", None, "ner"),
        ("Bob NNP\nsaw VBD\n\nAda NNP\nsaw VBD\n", None, "pos"),
        ("1 Bob NNP\n2 saw VBD\n\n1 Ada NNP\n2 saw VBD\n", "_,word,label", "pos"),
        ("Bob NNP B-NP\nsaw VBD O\n\nAda NNP B-NP\nsaw VBD O\n", None, None),
    ],
)
def test_a_template_that_fits_is_taken_and_said(rows, columns, template, tmp_path, recwarn):
    (tmp_path / "x.txt").write_text(rows)
    tagger = SequenceTagger(columns=columns, min_updates=1, epochs=2).fit(tmp_path / "x.txt")
    assert tagger.template is None
    said = [str(warning.message) for warning in recwarn if "template" in str(warning.message)]
    assert len(said) == (template is not None)
    if template is None:
        return
    assert said[0].endswith(f"no tags for the template chunking, so {template} is taken; --template names another")
    asked = SequenceTagger(columns=columns, min_updates=1, epochs=2, template=template).fit(tmp_path / "x.txt")
    assert asked.model_.template == tagger.model_.template
    with pytest.raises(TemplateError, match="these fit the data: ner, pos"):
        SequenceTagger(columns=columns, template="chunking").fit(tmp_path / "x.txt")


def test_a_template_is_taken_for_data_in_memory_too():
    with pytest.warns(SapwoodWarning, match=r"training data: there are no tags .* so pos is taken"):
        SequenceTagger(min_updates=1, epochs=2).fit([[("a", "X"), ("b", "Y")], [("b", "Y")]])


def test_a_value_that_is_always_negative_tells_labels_apart():
    """CRFsuite leaves out a feature whose values have a negative sum."""
    X = [[{"v": -1.0, "bias": 1.0}]] * 20 + [[{"bias": 1.0}]] * 20
    y = [["B"]] * 20 + [["A"]] * 20
    assert SequenceTagger(min_updates=1).fit(X, y).predict(X) == y
