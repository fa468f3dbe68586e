"""The looks of a table's columns: what is no word, or no label, is noticed once the table is read.

All limits are far from what columns of words and labels are like in real corpora: docs/decisions/columns.md.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import chain, pairwise
from typing import NamedTuple

from sapwood.errors import DataError

READ = 1 << 15  # characters that are looked at
_FEW, _MORE = 3, 20  # values, of which nothing can be told, and of which more can be told
_TEXT = 12  # characters of a value, on average; words have fewer than 8
_NUMBER = re.compile(r"\d{1,9}(?=\W?$)")
_BRACKETS = re.compile(r"(?:\([^\s()*]*)*\*?\)*|-")  # (PERSON* * *) (A0*) of CoNLL-2005 and 2012
_COLUMN_NAME = re.compile(
    r"(?i)(?:sent(?:ence)?|doc(?:ument)?|word|token)?[\W_]*(?:id|idx|index|#|no|nr)|sentences?|tokens?|words?|forms?"
    r"|text|lemmas?|[ux]?pos(?:[\W_]?tags?)?|tags?|chunks?(?:[\W_]tags?)?|deprel|head|labels?|gold|ne[\W_].+|misc"
    r"|(?:ner?|iob2?|bio|entity|named[\W_]entity)(?:[\W_]?(?:tags?|labels?|type))?"
)


class Column(NamedTuple):
    """The values of a column, by sentence."""

    sentences: Sequence[Sequence[str]]

    @property
    def values(self) -> list[str]:
        """The values of all sentences."""
        return [*chain.from_iterable(self.sentences)]

    def __str__(self) -> str:
        """Return three values, for messages."""
        return f"({', '.join([*dict.fromkeys(self.values)][:3])})"

    def share(self, test: Callable[[str], object]) -> float:
        """Return the fraction of the values that pass a test."""
        return sum(map(bool, map(test, values := self.values))) / len(values)

    def distinct(self) -> float:
        """Return the number of distinct values by that of all."""
        return len(set(values := self.values)) / len(values)

    def counts(self) -> bool:
        """Return true if values end with numbers, within each sentence those of the row before, or 1 more."""
        numbers = [[int(n[0]) if (n := _NUMBER.search(value)) else -9 for value in each] for each in self.sentences]
        steps = [b - a in (0, 1) and b >= 0 for each in numbers for a, b in pairwise(each)]
        return len(steps) >= _FEW and sum(steps) > 0.9 * len(steps)

    def has_heads(self) -> bool:
        """Return true if values are the numbers of words in the sentence, and in nearly all of them one is 0."""
        fit = [
            all(n.isdecimal() and int(n) <= len(each) for n in each) and each.count("0") == 1 for each in self.sentences
        ]
        return sum(fit) > 0.8 * len(fit) and len(set(self.values)) > _FEW

    def odd_word(self) -> str:
        """Return what makes the column no column of words, if anything does."""
        values = self.values
        if self.counts():
            return "counts"
        if self.share(lambda value: " " in value) > 0.5 or sum(map(len, values)) > _TEXT * len(values):
            return "has texts, not words"
        return "has one value" if len(values) >= _MORE and self.most() > 0.9 else ""

    def most(self) -> float:
        """Return the share of the most frequent value."""
        return Counter(values := self.values).most_common(1)[0][1] / len(values)


def columns_of(text: str) -> list[Column]:
    """Return the columns at the beginning of a column file, without comments and a header.

    Where rows have different numbers of cells, those with the most frequent number are meant.
    """
    lines = [line.rstrip() for line in text[:READ].removeprefix("\ufeff").splitlines()]
    if len(text) > READ and len(lines) > 1:
        lines.pop()  # it may be cut
    tabs = any("\t" in line for line in lines)
    rows = [line.split("\t") if tabs else line.split() for line in lines if not re.match("# [^\t]*$", line)]
    width = Counter(map(len, filter(any, rows))).most_common(1)
    sentences: list[list[list[str]]] = [[]]
    for row in rows:
        if not any(row):
            sentences.append([])
        elif len(row) == width[0][0]:
            sentences[-1].append(row)
    return [*map(Column, zip(*([*zip(*rows, strict=True)] for rows in sentences if rows), strict=True))]


def header_in(text: str) -> str:
    """Return the first row if it has names of columns, and in its last cell one that no other row has there."""
    first = next((line for line in text[:READ].removeprefix("\ufeff").splitlines() if line.strip()), "").rstrip()
    cells = first.split("\t") if "\t" in first else first.split()
    if sum(_COLUMN_NAME.fullmatch(cell.strip("\"'")) is not None for cell in cells) < 2:
        return ""
    *_, last = columns_of(text)
    return first if last.values[0] == cells[-1] and last.values.count(cells[-1]) == 1 < len(last.values) else ""


def are_words_and_labels(text: str) -> bool:
    """Return true if the first column has words, some of them punctuation, or the last one the same labels again."""
    columns = columns_of(text)
    if len(columns) == 1:
        return not columns[0].odd_word() and any(not any(map(str.isalnum, value)) for value in columns[0].values)
    return len(columns) > 1 and columns[-1].distinct() < 0.8


def odd_column(text: str, name: str, names: Sequence[str] = (), *, labelled: bool = True) -> str:
    """Return what is odd about the columns of a text, and the option that helps; nothing if they are as usual.

    names : those that the user gave, or a model has; labelled : whether the last column has labels to learn

    Raises DataError for labels in brackets, of which no tagger learns.

    >>> odd_column("1\\tAda\\tB-PER\\n2\\tsang\\tO\\n3\\tof\\tO\\n4\\tLee\\tB-PER\\n", "names.tsv")
    'column 1 counts (1, 2, 3), and is read as the word; --columns _,word,label leaves it out'
    """
    columns = columns_of(text)
    width = len(columns)
    if not columns or len(columns[0].values) < _FEW:
        return ""
    place = names.index("word") if "word" in names else next((k for k, n in enumerate(names or "0") if n != "_"), width)
    label = columns[-1]
    labelled = labelled and width > 1 and (not names or (len(names) <= width and names[-1] == "label"))
    if labelled and label.share(_BRACKETS.fullmatch) > 0.9 and any(map(re.compile(r"\(.|.\)").search, label.values)):
        raise DataError(
            f"{name}: column {width} has labels in brackets, as CoNLL-2005 and 2012 {label}; a tagger's are B-A0, I-A0"
        )
    quoted = [str(k) for k, column in enumerate(columns, 1) if column.share(re.compile('".*"').fullmatch) > 0.5]
    if quoted:
        how = "write the table without them (R: quote = FALSE, row.names = FALSE, col.names = FALSE)"
        return f"column {', '.join(quoted)}: values stand between quotes {columns[int(quoted[0]) - 1]}; {how}"
    if place < width and (odd := columns[place].odd_word()):
        return f"column {place + 1} {odd} {columns[place]}, and is read as the word{_advice(columns)}"
    if labelled and not names and len(label.values) >= _MORE and 0.9 > label.distinct() > 2 * columns[0].distinct():
        return f"column 1 looks like labels {columns[0]}, and is read as the word; --columns label,word if it is"
    heads = next((k for k in range(1, width) if labelled and not names and columns[k].has_heads()), 0)
    return f"column {heads + 1} has the heads of a tree {columns[heads]}{_advice(columns, heads)}" if heads else ""


def _advice(columns: Sequence[Column], passed_over: int = 0) -> str:
    """Return the option with names of columns: the first one that can be words, and the last for labels."""
    words = [k for k, column in enumerate(columns[:-1]) if not column.odd_word() and k != passed_over]
    if not words:
        return ""
    names = ["word" if k == words[0] else "_" for k in range(len(columns) - 1)]
    return f"; --columns {','.join([*names, 'label'])} leaves it out"
