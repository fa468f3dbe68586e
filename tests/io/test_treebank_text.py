"""The raw text of a treebank: what CoNLL-U says about spaces, put together again, with the place of every token."""

import os
import re
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sapwood._core import Conllu
from sapwood.io.source import read_bytes


class Token(NamedTuple):
    form: str
    misc: str
    words: int  # 0 for a plain token, otherwise those of a multiword token


class Sentence(NamedTuple):
    comments: list[str]
    tokens: list[Token]


GAPS = {  # MISC and what it says of the space behind the token
    "_": " ",
    "SpaceAfter=No": "",
    "Gloss=x|SpaceAfter=No|X=y": "",
    "SpaceAfter=Yes": " ",
    "NoSpaceAfter=No": " ",
    r"SpacesAfter=\s\s": "  ",
    r"SpacesAfter=\n\n": "\n\n",
    r"SpacesAfter=\u00A0\t": "\u00a0\t",
    r"SpacesAfter=\p\\": "|\\",
    r"SpacesAfter=\p\\\x\u00": " ",  # not understood
    "SpaceAfter=maybe": " ",
    r"SpaceAfter=No|SpacesAfter=\r\n": "\r\n",
}
PARAGRAPHS = ["# newpar", "# newdoc id = a", "#newpar id=b", "# newdoc = c"]
OTHERS = ["# sent_id = 1", "# text = # newpar", "# newparagraph", "#", "# a newpar"]

tokens = st.builds(
    Token,
    form=st.sampled_from(["a", "bc", "né", "日本", "10 000", ".", "word", "longer-word"]),
    misc=st.sampled_from(list(GAPS)),
    words=st.sampled_from([0, 0, 0, 1, 2, 3]),
)
comments = st.lists(st.sampled_from(PARAGRAPHS + OTHERS), max_size=2)
treebanks = st.lists(st.builds(Sentence, comments, st.lists(tokens, min_size=1, max_size=8)), max_size=6)


def conllu(treebank: list[Sentence]) -> bytes:
    lines = []
    for sentence in treebank:
        lines += sentence.comments
        number = 0
        for token in sentence.tokens:
            if token.words:
                lines.append(f"{number + 1}-{number + token.words}\t{token.form}" + "\t_" * 7 + f"\t{token.misc}")
            for _ in range(max(token.words, 1)):
                number += 1
                form, misc = ("x", "SpaceAfter=No") if token.words else (token.form, token.misc)
                lines.append(f"{number}\t{form}" + "\t_" * 7 + f"\t{misc}")
            lines.append(f"{number}.1\tempty" + "\t_" * 7 + "\tSpacesAfter=?")
        lines.append("")
    return "".join(f"{line}\n" for line in lines).encode()


def gaps(treebank: list[Sentence]) -> list[str]:
    """What stands behind each token."""
    found = []
    for number, sentence in enumerate(treebank):
        if number and any(comment in PARAGRAPHS for comment in sentence.comments) and "\n" not in found[-1]:
            found[-1] = "\n\n"
        found += [GAPS[token.misc] for token in sentence.tokens]
    if found and re.search(r"SpacesAfter=(?!.*\\x)", treebank[-1].tokens[-1].misc) is None:
        found[-1] = "\n"
    return found


def wrapped(forms: list[str], behind: list[str], width: int) -> list[str]:
    """The gaps when paragraphs are wrapped: tokens that no single space divides go to a line together."""
    line = ""  # what stands on this line
    result = list(behind)
    space = None  # the last single space on this line, and what follows it
    rest = ""
    for k, form in enumerate(forms):
        line += form
        rest += form
        if len(line) > width and space is not None:
            result[space], line, space = "\n", rest, None
        if behind[k] == " ":
            space, rest = k, ""
            line += " "
        else:
            rest += behind[k]
            line += behind[k]
            if "\n" in behind[k]:
                line, space = behind[k].rpartition("\n")[2], None
    return result


@given(treebanks, st.integers(0, 30))
def test_text_is_put_together_as_misc_says(treebank: list[Sentence], width: int) -> None:
    found = Conllu.read(conllu(treebank), "data").text(width)
    flat = [token for sentence in treebank for token in sentence.tokens]
    forms = [token.form for token in flat]
    behind = gaps(treebank) if width == 0 else wrapped(forms, gaps(treebank), width)
    assert found.text.decode() == "".join(form + gap for form, gap in zip(forms, behind, strict=True))
    assert [found.text[begin:end].decode() for begin, end in found.tokens] == forms
    assert found.marked == sum(GAPS[token.misc] != " " for token in flat)
    unknown = [token.misc for token in flat if re.search(r"maybe|\\x", token.misc)]
    assert {field: count for field, count, _ in found.unknown} == {field: unknown.count(field) for field in unknown}

    sentence_starts, word_starts = [0], [0]
    for sentence in treebank:
        sentence_starts.append(sentence_starts[-1] + len(sentence.tokens))
    for token in flat:
        word_starts.append(word_starts[-1] + max(token.words, 1))
    assert (found.sentences, found.words) == (sentence_starts, word_starts)


@given(treebanks, st.lists(st.booleans(), min_size=6, max_size=6))
def test_selected_sentences_keep_their_multiword_tokens(treebank: list[Sentence], wanted: list[bool]) -> None:
    chosen = [k for k in range(len(treebank)) if wanted[k]]
    part = Conllu.read(conllu(treebank), "data").select(chosen)
    alone = Conllu.read(conllu([treebank[k] for k in chosen]), "data")
    assert part.multiwords == alone.multiwords
    assert part.text().text == alone.text().text


def row(id: str, form: str, misc: str = "_") -> str:
    return f"{id}\t{form}" + "\t_" * 7 + f"\t{misc}\n"


def text_of(lines: str, width: int = 0) -> str:
    return Conllu.read(lines.encode(), "data").text(width).text.decode()


def test_spaces_and_multiword_tokens_are_put_together() -> None:
    dont = row("1-2", "don't") + row("1", "do", "SpaceAfter=No") + row("2", "n't") + row("3", "go", "SpaceAfter=No")
    data = Conllu.read((dont + row("4", ".")).encode(), "data")
    assert data.multiwords == [(0, 2, "don't")]
    assert data.text().text == b"don't go.\n"
    assert data.text().tokens == [(0, 5), (6, 8), (8, 9)]
    assert data.text().words == [0, 2, 3, 4]
    assert text_of("") == ""
    assert text_of(row("1", "a") + "\n" + "# newpar\n" + row("1", "b") + "\n" + row("1", "c")) == "a\n\nb c\n"
    assert text_of(row("1", "a", r"SpacesAfter=\n") + "\n# newpar\n" + row("1", "b")) == "a\nb\n"
    assert text_of(row("1", "a", r"SpacesBefore=\s\s") + row("2", "b", r"SpacesBefore=\t")) == "  a \tb\n"
    assert text_of(row("1", "a") + row("2", "b", "SpacesBefore=.")) == "a b\n"
    assert text_of(row("1", "10 000", r"SpacesInToken=10\t000")) == "10\t000\n"
    assert text_of(row("1", "10 000", r"SpacesInToken=10\t001")) == "10 000\n"  # which is another form
    assert text_of("\ufeff\n# newpar\r\n" + row("1", "a") + "\r\n#  newdoc\r\n" + row("1", "b")) == "a\n\nb\n"
    eight = "1\ta\t_\t_\t_\t_\t0\tx\n\n1\tb\t_\t_\t_\t_\t0\tx\n"
    assert text_of(eight) == "a b\n"
    assert Conllu.read(eight.encode(), "data").text().marked == 0


def test_lines_are_as_long_as_fits() -> None:
    words = ["the", "cat", "sat", "on", "the", "extraordinary", "mat"]
    lines = "".join(row(str(k), word) for k, word in enumerate(words, 1))
    assert text_of(lines, 7).splitlines() == ["the cat", "sat on", "the", "extraordinary", "mat"]
    assert text_of(lines, 10).splitlines() == ["the cat", "sat on the", "extraordinary", "mat"]
    assert text_of(row("1", "né") + row("2", "日本") + row("3", "a b"), 5).splitlines() == ["né 日本", "a b"]


@pytest.mark.slow
@pytest.mark.corpus
@pytest.mark.skipif("SAPWOOD_DATA" not in os.environ, reason="needs SAPWOOD_DATA")
@pytest.mark.parametrize("treebank", ["ewt/en_ewt-ud-dev", "gum/en_gum_open-ud-dev", "ud/he_iahltwiki-ud-test"])
def test_sentences_of_real_treebanks_are_their_texts(treebank: str) -> None:
    data = read_bytes(Path(os.environ["SAPWOOD_DATA"], f"{treebank}.conllu.xz"))
    found = Conllu.read(data, treebank).text()
    tokens, sentences, whole = found.tokens, found.sentences, found.text  # each made by the core when it is asked for
    spans = [(tokens[first][0], tokens[after - 1][1]) for first, after in pairwise(sentences)]
    texts = [line[9:].rstrip() for line in data.decode().splitlines() if line.startswith("# text = ")]
    assert [whole[begin:end].decode() for begin, end in spans] == texts
