"""Readers of columns, as CoNLL-2000 has them, and of CoNLL-U: a token a line, and a blank line after each sentence.

They return what the core's readers return, and refuse what those refuse; CoNLL-X and CoNLL-U Plus, too.
"""

import os
import re
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import groupby
from pathlib import Path

from sapwood_lab.base.heads import check_heads
from sapwood_lab.errors import DataError

FIELDS = ("id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")
File = str | os.PathLike[str]
Row = tuple[str, ...]


def read_columns(file: File) -> list[list[Row]]:
    """Return the rows of each sentence. A line with # in front of one is a comment if it has other columns."""
    blocks = list(_blocks(file, " \t"))
    first = next((line for block in blocks for _, line in block if line[0] != "#"), "")
    cells = partial(re.split, "\t") if "\t" in first else partial(re.findall, "[^ ]+")
    sentences = []
    for block in blocks:
        rows: list[Row] = []
        for n, line in block:
            row, width = tuple(cells(line)), len(cells(first))
            if len(row) == width and all(row) and "\t" not in "".join(row):
                rows.append(row)
            elif rows or line[0] != "#" or len(row) == width:
                raise DataError(f"{file}:{n}: {len(row)} columns, or a tab too many; the first row is {first!a}")
        sentences += [rows] if rows else []
    return sentences


def read_conllu(file: File, columns: Sequence[str] = ("form", "xpos", "upos", "feats")) -> list[list[Row]]:
    """Return the cells of each word in these columns, by sentence."""
    return [[tuple(row[FIELDS.index(c)] for c in columns) for _, row in words] for words in _sentences(file)]


def read_trees(file: File) -> list[tuple[list[int], list[str]]]:
    """Return the heads and the relations of each sentence of a file in CoNLL-U."""
    trees = []
    for words in _sentences(file):
        for n, row in words:
            if not re.fullmatch("[0-9]{1,9}", row[6]):
                raise DataError(f"{file}:{n}: the head is {row[6]!a}, not a number from 0 (root) to {len(words)}")
        trees.append(([int(row[6]) for _, row in words], [row[7] for _, row in words]))
        check_heads(trees[-1][0], f"{file}:{words[0][0]}")
    return trees


def _sentences(file: File) -> Iterator[list[tuple[int, Row]]]:
    """Yield the words of each sentence, with their lines. Tokens of several words and empty nodes are passed over."""
    for block in _blocks(file, " "):
        words: list[tuple[int, Row]] = []
        begin = end = empty = 0  # first and last word of a token of several; the empty nodes behind the last word
        comments = next((k for k, (_, line) in enumerate(block) if line[0] != "#"), len(block))
        for n, line in block[comments:]:
            id, *others = line.split("\t")
            row, w = (id, *(cell.strip(" ") for cell in others)), len(words)
            if len(row) != len(FIELDS) or not all(row):
                raise DataError(f"{file}:{n}: {len(row)} columns, or one is empty; a word has 10, with tabs between")
            if id == f"{w + 1}":
                words.append((n, row))
                empty = 0
            elif id == f"{w}.{empty + 1}" and begin <= w:
                empty += 1
            elif (
                (token := re.fullmatch("([1-9][0-9]{0,8})-([1-9][0-9]{0,8})", id))
                and end <= w
                and int(token[1]) == w + 1 <= int(token[2])
            ):
                begin, end = w + 1, int(token[2])
            else:
                raise DataError(f"{file}:{n}: the id is {id!a}, behind {w} words; they are numbered 1, 2, 3 ...")
        if not words or end > len(words) or any("global.columns" in line for _, line in block[:comments]):
            raise DataError(f"{file}:{block[0][0]}: no word, words up to {end} missing, or columns of CoNLL-U Plus")
        yield words


def _blocks(file: File, blank: str) -> Iterator[list[tuple[int, str]]]:
    """Yield the numbered lines between blank ones, without what is `blank` at their ends."""
    try:
        text = Path(file).read_text("utf-8")
        if "\0" in text:
            raise ValueError("it has a NUL byte")
    except OSError as error:
        raise DataError(f"{file}: cannot read it: {error.strerror}") from None
    except ValueError as error:  # its message has the byte's place
        raise DataError(f"{file}: no plain text in UTF-8 ({error}); unpack or convert it first") from None
    lines = [(n, line.lstrip("\ufeff").rstrip(blank)) for n, line in enumerate(text.split("\n"), 1)]
    yield from (list(block) for filled, block in groupby(lines, key=lambda line: line[1] != "") if filled)
