"""CoNLL-U files and trees: nothing is lost, nothing wrong gets in, lifted words find their way back."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sapwood._core import Conllu, deprojectivise, non_projective_words, projectivise
from sapwood.errors import DataError, OptionError
from sapwood.io.source import read_bytes

FIELDS = ("id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")

cells = st.one_of(
    st.sampled_from(["_", "#", "1", "-", "né", "日本", "a b", "# x", "|", "Case=Nom|Number=Sing", "↑"]),
    st.text(st.characters(codec="utf-8", exclude_characters="\0\t\r\n"), min_size=1, max_size=6),
)
row_cells = st.lists(cells, min_size=9, max_size=9)


def row(id: str, *, form: str = "w", head: object = "0", deprel: str = "root") -> str:
    return f"{id}\t{form}\t_\t_\t_\t_\t{head}\t{deprel}\t_\t_"


def read(text: str, name: str = "data", first_line: int = 1) -> Conllu:
    return Conllu.read(text.encode(), name, first_line)


@st.composite
def files(draw: st.DrawFn) -> tuple[str, list[list[list[str]]]]:
    """Return a valid file and its words: [sentence][word][field]."""
    width = draw(st.sampled_from([8, 10]))
    universal = width == 10 and draw(st.booleans())
    line_ends = st.sampled_from(["\n", "\r\n"] if draw(st.booleans()) else ["\n"])
    text = draw(st.sampled_from(["", "\ufeff", "\n", " \n\n"]))
    sentences = []
    for number in range(draw(st.integers(0, 4))):
        words = []
        lines = [f"# sent_id = s{number}", "# text = x\t\ty", "#"][: draw(st.integers(0, 3))] if universal else []
        length = draw(st.integers(1, 5))
        range_end = 0
        for id in range(length + 1):
            if id > 0:
                if universal and id > range_end and draw(st.booleans()):
                    range_end = draw(st.integers(id, length))
                    lines.append("\t".join([f"{id}-{range_end}", *draw(row_cells)]))
                words.append([str(id), *draw(row_cells)[: width - 1]])
                lines.append("\t".join(words[-1]))
            for empty in range(draw(st.integers(0, 2)) if universal else 0):
                lines.append("\t".join([f"{id}.{empty + 1}", *draw(row_cells)]))
        text += "".join(line + draw(line_ends) for line in lines) + draw(st.sampled_from(["\n", "\r\n", "\n\n", " \n"]))
        sentences.append(words)
    return text.rstrip("\n") if draw(st.booleans()) else text, sentences


# -- files


@given(files())
def test_nothing_is_lost(file: tuple[str, list[list[list[str]]]]) -> None:
    text, sentences = file
    data = read(text)
    assert data.sentences == len(sentences)
    assert data.words == sum(map(len, sentences))
    assert data.replace({}) == text.encode()
    for index, name in enumerate(FIELDS):
        expected = [[word[index] if index < len(word) else "_" for word in words] for words in sentences]
        assert data.column(name) == expected


@given(files(), st.data())
def test_what_is_put_in_comes_out_and_all_else_stays(
    file: tuple[str, list[list[list[str]]]], data: st.DataObject
) -> None:
    text, sentences = file
    there = FIELDS[1 : len(sentences[0][0])] if sentences else FIELDS[1:]
    names = data.draw(st.lists(st.sampled_from(there), unique=True))
    new = {name: [[data.draw(cells) for _ in words] for words in sentences] for name in names}
    before = read(text)
    after = Conllu.read(before.replace(new), "data")
    for name in FIELDS:
        assert after.column(name) == new.get(name, before.column(name))
    assert after.replace({name: before.column(name) for name in names}) == text.encode()


def test_sentences_and_parts_know_their_places() -> None:
    data = read("".join(f"# sent_id = s{s}\n{row('1')}\n\n" for s in range(10)), first_line=101)
    assert data.where(2) == "data:108: sentence 's2'"
    with pytest.raises(IndexError):
        data.where(10)
    rest, part = data.select(range(9)), data.select([9])
    assert (rest.sentences, part.sentences, len(part)) == (9, 1, 1)
    with pytest.raises(IndexError):
        data.select([10])
    assert part.where(0) == "data:129: sentence 's9'"
    assert part.replace({"form": [["x"]]}).decode() == f"# sent_id = s9\n{row('1', form='x')}\n\n"
    assert data.checksum == read("".join(f"# sent_id = s{s}\n{row('1')}\n\n" for s in range(10))).checksum
    assert data.name == "data"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("# a\n\0", "data:2: NUL byte"),
        ("1\ta\n", "data:1: this line has 2 columns, not 10 or 8 (separated by tabs)"),
        ("1 a _ _ _ _ 0 root _ _", "data:1: this line has 1 column, not 10 or 8; put tabs, not spaces"),
        (f"{row('1')}\n2{'	_' * 7}", "data:2: this line has 8 columns, the lines before it 10"),
        (row("1", form=""), "data:1: column 2 is empty"),
        (row("2"), "data:1: the id is '2', not 1"),
        (f"# sent_id = x 1\n{row('1')}\n{row('1')}", "data:3: sentence 'x 1': the id is '1', not 2"),
        (f"{row('2-3')}\n{row('1')}", "data:1: the range '2-3' is out of order"),
        (f"{row('1-3')}\n{row('1')}", "data:2: the last range ends at word 3, the sentence at 1"),
        (f"{row('1')}\n{row('2.1')}", "data:2: the empty node '2.1' is out of order"),
        (row("1-x"), "data:1: the id '1-x' is neither a number nor like 1-2 or 1.1"),
        (f"{row('1')}\n# x", "data:2: a comment inside a sentence"),
        (f"# x\n\n{row('1')}", "data:1: a sentence without words"),
        ("\n# sent_id = y", "data:2: sentence 'y': a sentence without words"),
    ],
)
def test_bad_files_are_refused_with_their_place(text: str, message: str) -> None:
    with pytest.raises(DataError) as caught:
        read(text)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


def test_invalid_utf8_is_refused_with_its_line() -> None:
    with pytest.raises(DataError, match=r"^data:7: invalid UTF-8"):
        Conllu.read(row("1").encode() + b"\n\xff", "data", 6)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"head": [["1", "2"]]}, "data: column head has 1 sentences, the file 2"),
        ({"head": [["1"], ["1"]]}, "data:1: column head has 1 cells for the 2 words of this sentence"),
        ({"head": ["12", "1"]}, "data:1: column head has a string for this sentence, not a list of cells"),
        ({"head": [["1", "2"], ["1", "2"]]}, "data:4: column head has 2 cells for the 1 words of this sentence"),
        ({"head": [["1", ""], ["1"]]}, "data:2: the new cell of column head is empty or has a tab"),
        ({"head": [["1", "1\t2"], ["1"]]}, "data:2: the new cell of column head is empty or has a tab"),
        ({"head": [["1", "1"], ["\n"]]}, "data:4: the new cell of column head is empty or has a tab"),
        ({"head": [["1", "1"], [1]]}, "data:4: the new cell of column head is not a string"),
        ({"form": [["1", "\ud800"], ["1"]]}, "data:2: the new cell of column form is not a string of valid Unicode"),
        ({"id": [["1", "2"], ["1"]]}, "data: ids cannot be replaced"),
        ({"misc": [["1", "2"], ["1"]]}, "data: column misc cannot be replaced; the file has 8 columns only"),
    ],
)
def test_bad_replacements_are_refused(columns: dict[str, list[list[str]]], message: str) -> None:
    rows = [row(id).removesuffix("\t_\t_") for id in ("1", "2", "1")]
    data = read("\n".join([*rows[:2], "", rows[2]]))
    with pytest.raises(DataError) as caught:
        data.replace(columns)
    assert str(caught.value).startswith(message)


def test_unknown_columns_are_refused() -> None:
    data = read(row("1"))
    with pytest.raises(OptionError, match="'heads' is no column of CoNLL-U; those are id, form"):
        data.column("heads")
    with pytest.raises(OptionError, match="'tag' is no column"):
        data.replace({"tag": [["x"]]})


# -- trees


@pytest.mark.parametrize(
    ("heads", "message"),
    [
        (["0", "_"], "data:3: sentence 's': the word has no head"),
        (["0", "3"], "data:3: sentence 's': the head is '3', not a number from 0 (root) to 2"),
        (["0", "x"], "data:3: sentence 's': the head is 'x', not a number"),
        (["0", "2"], "data:3: sentence 's': word 2 is its own head"),
        (["2", "1"], "data:2: sentence 's': no word of the sentence has head 0"),
        (["0", "0"], "data:3: sentence 's': word 2 is a second root beside word 1"),
        (["0", "3", "2"], "data:3: sentence 's': the heads form a cycle: 2 -> 3 -> 2"),
    ],
)
def test_bad_trees_are_refused(heads: list[str], message: str) -> None:
    data = read("# sent_id = s\n" + "\n".join(row(str(m), head=head) for m, head in enumerate(heads, 1)))
    with pytest.raises(DataError) as caught:
        data.trees(single_root=True)
    assert str(caught.value).startswith(message)


def test_gold_trees_have_heads_and_relations() -> None:
    data = read(f"{row('1', head=2, deprel='a')}\n{row('2')}\n\n{row('1')}\n{row('2', deprel='b')}")
    assert data.trees(single_root=False) == [([2, 0], ["a", "root"]), ([0, 0], ["root", "b"])]
    with pytest.raises(DataError, match="has the mark of a lifted word"):
        read(row("1", deprel="a↑b")).trees(single_root=True)


@st.composite
def trees(draw: st.DrawFn) -> list[int]:
    """Return heads: each word hangs on the root or on a word that was hung before it."""
    order = draw(st.permutations(range(1, draw(st.integers(1, 10)) + 1)))
    heads = [0] * len(order)
    for k, word in enumerate(order):
        heads[word - 1] = draw(st.sampled_from([0, *order[:k]]))
    return heads


def descends(heads: list[int], word: int, ancestor: int) -> bool:
    while word not in (ancestor, 0):
        word = heads[word - 1]
    return word == ancestor


def lift(heads: list[int]) -> tuple[list[int], int]:
    """Lift by the definition; return the heads and the number of lifts."""
    heads, lifts = list(heads), 0
    while True:
        arcs = [
            (abs(h - m), m)
            for m, h in enumerate(heads, 1)
            if not all(descends(heads, k, h) for k in range(min(h, m) + 1, max(h, m)))
        ]
        if not arcs:
            return heads, lifts
        _, m = min(arcs)
        heads[m - 1] = heads[heads[m - 1] - 1]
        lifts += 1


@given(trees())
def test_lifted_words_come_back(heads: list[int]) -> None:
    relations = [f"r{m}" for m in range(1, len(heads) + 1)]
    projective, marked = projectivise(heads, relations)
    expected, lifts = lift(heads)
    assert projective == expected
    assert non_projective_words(projective) == []
    for relation, mark, head, now in zip(relations, marked, heads, projective, strict=True):
        assert mark == (relation if head == now else f"{relation}↑r{head}")
    restored, plain = deprojectivise(projective, marked)
    assert plain == relations
    if lifts <= 1:
        assert restored == heads


def test_the_first_word_of_the_relation_is_taken() -> None:
    heads, relations = deprojectivise([0, 1, 2, 1, 1], ["root", "a", "b", "b", "x↑b"])
    assert (heads, relations) == ([0, 1, 2, 1, 4], ["root", "a", "b", "b", "x"])
    assert deprojectivise([0, 1, 2], ["root", "x↑a", "a"]) == ([0, 1, 2], ["root", "x", "a"])  # not below itself
    assert deprojectivise([0, 1, 1], ["root", "↑", "x↑y↑z"]) == ([0, 1, 1], ["root", "_", "x"])


@pytest.mark.parametrize("function", [projectivise, deprojectivise])
@pytest.mark.parametrize(
    ("heads", "deprels", "message"),
    [
        ([0], [], "1 heads and 0 relations"),
        ([2, 1], ["a", "b"], "no word of the sentence has head 0"),
        ([0, 3], ["a", "b"], "word 2 has head 3, the last word is 2"),
        ([0, 3, 2], ["a", "b", "c"], "the heads form a cycle"),
    ],
)
def test_heads_that_are_no_trees_are_refused(
    function: object, heads: list[int], deprels: list[str], message: str
) -> None:
    with pytest.raises(DataError, match=message):
        function(heads, deprels)  # type: ignore[operator]


def test_a_mark_that_is_there_already_is_refused() -> None:
    with pytest.raises(DataError, match="'a↑b' has the mark of a lifted word in it already"):
        projectivise([0], ["a↑b"])


# -- real corpora


def corpus(name: str) -> tuple[bytes, Conllu]:
    data = read_bytes(Path(os.environ["SAPWOOD_DATA"]) / name)
    return data, Conllu.read(data, name)


@pytest.mark.slow
@pytest.mark.corpus
@pytest.mark.parametrize(
    ("name", "sentences", "words"),
    [
        ("ewt/en_ewt-ud-train.conllu.xz", 12544, 204577),
        ("ewt/en_ewt-ud-dev.conllu.xz", 2001, 25147),
        ("ewt/en_ewt-ud-test.conllu.xz", 2077, 25094),
        ("wsj_sample/wsj_sample-train.conllu.xz", 3518, 84820),
        ("wsj_sample/wsj_sample-test.conllu.xz", 396, 9264),
    ],
)
def test_real_files_come_out_byte_for_byte(name: str, sentences: int, words: int) -> None:
    data, treebank = corpus(name)
    assert (treebank.sentences, treebank.words) == (sentences, words)
    assert len(treebank.trees(single_root=True)) == sentences
    assert treebank.replace({}) == data
    assert treebank.replace({field: treebank.column(field) for field in FIELDS[1:]}) == data


@pytest.mark.slow
@pytest.mark.corpus
def test_most_real_trees_come_back() -> None:
    _, treebank = corpus("ewt/en_ewt-ud-train.conllu.xz")
    total = restored = 0
    for heads, relations in treebank.trees(single_root=True):
        projective, marked = projectivise(heads, relations)
        assert non_projective_words(projective) == []
        back, plain = deprojectivise(projective, marked)
        assert plain == relations
        if projective != heads:
            total += 1
            restored += back == heads
        else:
            assert back == heads
    assert total == 288
    assert restored >= 271  # the label alone cannot tell two words of one relation apart
