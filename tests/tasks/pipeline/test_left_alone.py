"""What `annotate --input conllu` and `parse` leave as it was, and what goes with the trees."""

import warnings

import pytest

import sapwood
from sapwood import DependencyParser, Pipeline
from sapwood.tasks.pipeline.writer import INPUTS

ROW = "{}\t{}\t_\t{}\t{}\t{}\t{}\t{}\t_\t{}\n"


def sentence(noun, xpos, feats="_"):
    return (
        ROW.format(1, noun, "NOUN", xpos, feats, 2, "nsubj", "_")
        + ROW.format(2, "sells", "VERB", xpos, feats, 0, "root", "_")
        + ROW.format(3, "it", "PRON", xpos, feats, 2, "obj", "SpaceAfter=No")
        + ROW.format(4, ".", "PUNCT", xpos, feats, 2, "punct", "_")
        + "\n"
    )


NOUNS = ("Ada", "Bob", "Eve", "Max")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("left")


def fitted(folder, xpos, feats="_"):
    (path := folder / "train.conllu").write_text("".join(sentence(noun, xpos, feats) for noun in NOUNS * 15))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return Pipeline(beam=1, parts=["tag", "parse"]).fit(path)


@pytest.fixture(scope="module")
def plain(folder):
    return fitted(folder, "_")


@pytest.fixture(scope="module")
def parser(folder):
    (path := folder / "parser.conllu").write_text("".join(sentence(noun, "X1") for noun in NOUNS * 15))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return DependencyParser(beam=1, epochs=1).fit(path)


def cells(text, column):
    text = text.decode() if isinstance(text, bytes) else text
    return [line.split("\t")[column] for line in text.splitlines() if "\t" in line]


@pytest.mark.filterwarnings("ignore")
def test_columns_without_a_part_stay(plain):
    text = sentence("Ada", "NNP", "Number=Sing") + sentence("Zoe", "_", "A=B|C=D")
    filled = plain.fill(text.encode())
    assert (cells(filled, 4), cells(filled, 5)) == (cells(text, 4), cells(text, 5))
    assert cells(filled, 3) == ["NOUN", "VERB", "PRON", "PUNCT"] * 2
    written = b"".join(plain.writer.written([text.encode()], input="conllu"))
    assert written == filled


@pytest.mark.filterwarnings("ignore")
def test_columns_with_a_part_are_answered(folder):
    filled = fitted(folder, "T1", "A=B").fill(sentence("Ada", "OLD", "Old=Yes").encode())
    assert (set(cells(filled, 4)), set(cells(filled, 5))) == ({"T1"}, {"A=B"})


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "misc", ["a=b|_", "_|SpaceAfter=No", "_|_", "a=b||c=d", "a=b|", "|a=b", "_", "x|_|y=1", "LTranslit=_", "_=_"]
)
def test_misc_stays(plain, parser, misc):
    text = ROW.format(1, "Ada", "NOUN", "X1", "_", 0, "root", misc) + "\n"
    assert cells(plain.fill(text.encode()), 9) == [misc]
    assert cells(b"".join(parser.annotate([text.encode()])), 9) == [misc]


NODE = "{}\tthem\tthey\tPRON\tPRP\t_\t_\t_\t2:obj\t_\n"
GRAPH = ["1\tAda\t_\tNOUN\tX1\t_\t2\tnsubj\t2:nsubj\t_", "2\tsells\t_\tVERB\tX1\t_\t0\troot\t0:root|4:x\t_", ""]
LINES = "\n".join(GRAPH)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "text",
    [
        LINES + "\n",
        NODE.format("0.1") + LINES + "\n",
        NODE.format("0.1") + NODE.format("0.2") + LINES + "\n",
        "# text = a\n" + NODE.format("0.1") + LINES + "\n",
        "\ufeff# text = a\n" + NODE.format("0.1") + LINES + "\n",
        "# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC\n" + NODE.format("0.1") + LINES + "\n",
        LINES[:-1] + "\n" + NODE.format("2.1") + NODE.format("2.2") + NODE.format("2.3") + "\n",
        LINES.replace("\n2\t", "\n" + NODE.format("1.1") + "2\t") + "\n",
        (LINES + "\n").replace("\n", "\r\n"),
        LINES.replace("2:nsubj", "_").replace("0:root|4:x", "_")[:-1] + "\n" + NODE.format("2.1") + "\n",
        "1-2\tAdas\t_\t_\t_\t_\t_\t_\t_\t_\n" + LINES + "\n",
        (LINES + "\n") * 2 + NODE.format("0.1") + LINES + "\n",
    ],
)
def test_a_graph_goes_with_its_trees(plain, parser, text):
    for written in (
        plain.fill(text.encode()),
        b"".join(plain.writer.written([text.encode()], input="conllu")),
        b"".join(parser.annotate([text.encode()])),
    ):
        assert set(cells(written, 8)) == {"_"}
        assert not [number for number in cells(written, 0) if "." in number]
        kept = [number for number in cells(text, 0) if "." not in number]
        assert cells(written, 0) == kept
        assert written.count(b"\r") in (0, text.count("\r"))


@pytest.mark.filterwarnings("ignore")
def test_a_graph_stays_where_no_trees_are_set(plain):
    text = (LINES + "\n").encode()
    filled = plain.only("tag").fill(text)
    assert cells(filled, 8) == ["2:nsubj", "0:root|4:x"]


@pytest.mark.filterwarnings("ignore")
def test_documents_have_no_graph(parser):
    assert "conllu" in INPUTS
    text = NODE.format("0.1") + LINES + "\n"
    assert set(cells(sapwood.Doc.from_conllu(text).to_conllu(), 8)) == {"_"}
