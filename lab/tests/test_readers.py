"""The laboratory's readers of columns and CoNLL-U beside the core's: the same cells, or a refusal by both."""

import gzip
import os
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sapwood
from sapwood._core import Columns, Conllu
from sapwood.datasets import write_treebank
from sapwood.io.conllu import read_conllu as core_conllu
from sapwood.io.source import read_bytes
from sapwood_lab.errors import DataError
from sapwood_lab.parsing import is_projective
from sapwood_lab.readers import FIELDS, read_columns, read_conllu, read_trees

WORD = "{}\tw\t_\tN\tNN\t_\t{}\tdep\t_\t_\n"


def by_core(data):
    """The rows of each sentence of a column file, as the core reads them."""
    columns = Columns.read(data, "data")
    width = len(columns_of(columns)) if columns.sentences else 0
    return [list(zip(*cells, strict=True)) for cells in zip(*map(columns.column, range(width)), strict=True)]


def columns_of(columns):
    found = []
    while True:
        try:
            found.append(columns.column(len(found)))
        except sapwood.DataError:
            return found


def cells_by_core(data, fields=FIELDS):
    treebank = Conllu.read(data, "data")
    return [list(zip(*cells, strict=True)) for cells in zip(*map(treebank.column, fields), strict=True)]


def agree(ours, theirs):
    """Both return the same, or both refuse."""
    try:
        expected = theirs()
    except sapwood.DataError:
        with pytest.raises(DataError):
            ours()
    else:
        assert ours() == expected


lines = st.one_of(
    st.sampled_from(["", " ", "\t", "\r", "# a comment", "#", "# NN B-NP", "\ufeff", "a\t", " a b ", "a  b", "a b\tc"]),
    st.lists(st.sampled_from(["a", "b", "#", "é", "\xa0", "日本", "", "\ufeff"]), max_size=3).map("\t".join),
    st.lists(st.sampled_from(["a", "b", "#", "é", "\u2028", "日本", ""]), max_size=3).map(" ".join),
)


@given(st.lists(lines, max_size=7), st.sampled_from(["\n", "\r\n", "\r"]), st.sampled_from(["", "\ufeff"]))
def test_columns_are_those_of_the_core(tmp_path_factory, rows, end, mark):
    path = tmp_path_factory.getbasetemp() / "columns.txt"
    text = mark + end.join(rows)
    path.write_bytes(text.encode())
    starts = [row.lstrip("\ufeff")[:1] for row in rows if row.strip(" \t\r\ufeff")]
    if starts.count("#") > 1 or set(starts) == {"#"}:
        return  # the core then looks at all the sentences to tell comments from rows
    agree(lambda: read_columns(path), lambda: by_core(text.encode()))


ids = st.sampled_from(
    ["1", "2", "3", "4", "1-2", "2-3", "1-1", "3-2", "0.1", "1.1", "1.2", "2.1", "01", "x", "1-", "٣"]
)
words = st.builds(WORD.format, ids, st.sampled_from(["0", "1", "2", "_", "-1", "x"]))
others = st.sampled_from(
    ["\n", " \n", "\n\n", "# text = x\n", "#\n", "1\tw\n", "\t\n", "1 w _\n", WORD.format(" 1 ", " 0")]
)


@given(st.lists(st.one_of(words, words, words, others), max_size=6), st.sampled_from(["\n", "\r\n"]))
@pytest.mark.filterwarnings("ignore::sapwood.errors.SapwoodWarning")
def test_conllu_is_that_of_the_core(tmp_path_factory, rows, end):
    path = tmp_path_factory.getbasetemp() / "words.conllu"
    text = "".join(rows).replace("\n", end)
    path.write_bytes(text.encode())

    def theirs():
        treebank = core_conllu(text.encode(), "data")
        return [list(zip(*cells, strict=True)) for cells in zip(*map(treebank.column, FIELDS), strict=True)]

    agree(lambda: read_conllu(path, FIELDS), theirs)
    agree(lambda: read_trees(path), lambda: core_conllu(text.encode(), "data").trees(False))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a\tX\n\n# c\nb\tX\tY\n", ":4: 3 columns"),
        ("a X\nb\n", ":2: 1 columns"),
        ("a\tX\n\tY\n", ":2: 2 columns"),
    ],
)
def test_a_ragged_row_is_refused_with_its_line(tmp_path, text, said):
    path = tmp_path / "a.txt"
    path.write_text(text)
    with pytest.raises(DataError, match=re.escape(f"{path}{said}")):
        read_columns(path)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (WORD.format(1, 0) + WORD.format(3, 1), ":2: the id is '3', behind 1 words"),
        ("# c\n" + WORD.format(1, "_"), ":2: the head is '_', not a number"),
        (WORD.format(1, 2) + WORD.format(2, 1), ":1: the head of word 1 is under word 1 itself"),
        (WORD.format(1, 2), ":1: word 1 has head 2; heads are 0"),
        (WORD.format("1-2", "_") + WORD.format(1, 0), ":1: no word, words up to 2 missing"),
        ("# global.columns = ID FORM\n" + WORD.format(1, 0), ":1: "),
        (WORD.format(1, 0) + "# c\n", ":2: 1 columns"),
    ],
)
def test_a_flaw_of_a_treebank_is_refused_with_its_line(tmp_path, text, said):
    path = tmp_path / "a.conllu"
    path.write_text(text)
    with pytest.raises(DataError, match=re.escape(f"{path}{said}")):
        read_trees(path)


def test_what_is_no_text_is_refused_with_its_name(tmp_path):
    path = tmp_path / "a.txt"
    for data in (b"\xff\xfea\0", b"a\0b", "né".encode("latin-1"), gzip.compress(b"a B\n")):
        path.write_bytes(data)
        with pytest.raises(DataError, match=re.escape(f"{path}: no plain text in UTF-8 (")):
            read_columns(path)
    with pytest.raises(DataError, match=r"missing\.txt: cannot read it"):
        read_conllu("missing.txt")
    with pytest.raises(DataError, match="cannot read it: Is a directory"):
        read_columns(tmp_path)


def test_a_generated_treebank_is_read_as_the_core_reads_it(tmp_path):
    write_treebank(tmp_path, 30)
    rows = read_columns(tmp_path / "train.txt")
    assert rows == by_core((tmp_path / "train.txt").read_bytes())
    path = tmp_path / "train.conllu"
    assert read_conllu(path, FIELDS) == cells_by_core(path.read_bytes())
    assert [[(form, tag) for form, tag, _ in sentence] for sentence in rows] == read_conllu(path, ("form", "xpos"))
    assert all(is_projective(heads) for heads, _ in read_trees(path))


@pytest.mark.slow
@pytest.mark.corpus
def test_real_corpora_are_read_as_the_core_reads_them(tmp_path):
    data = os.environ["SAPWOOD_DATA"]
    path = tmp_path / "test"
    path.write_bytes(read_bytes(f"{data}/conll2000/test.txt.xz"))
    assert read_columns(path) == by_core(path.read_bytes())
    for name in ("ewt/en_ewt-ud-test", "ud/he_iahltwiki-ud-test", "wsj_sample/wsj_sample-test"):
        path.write_bytes(read_bytes(f"{data}/{name}.conllu.xz"))
        assert read_conllu(path, FIELDS) == cells_by_core(path.read_bytes())
        assert read_trees(path) == Conllu.read(path.read_bytes(), "data").trees(False)
