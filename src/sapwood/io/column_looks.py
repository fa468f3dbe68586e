"""The looks of a table's columns: what is no word, or no label, is noticed once the table is read.

All limits are far from what columns of words and labels are like in real corpora: docs/decisions/columns.md.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import chain, pairwise
from typing import NamedTuple

from sapwood.errors import DataError

READ = 1 << 14  # characters that are looked at
_FEW, _MORE = 3, 20  # values, of which nothing can be told, and of which more can be told
_TEXT = 12  # characters of a value, on average; words have fewer than 8
_NUMBER = re.compile(r"\d{1,9}(?=\W?$)")
_FRACTION = re.compile(r"-?\d+\.\d+(?:e-?\d+)?|[01]|inf")
_QUOTED = re.compile(r"""".*"|'.+'|‘.+’|[“„].+[”“]|«.+»|`.+`""")
_BRACKETS = re.compile(r"(?:\([^\s()*]*)*\*?\)*|-")  # (PERSON* * *) (A0*) of CoNLL-2005 and 2012
_CHUNK = re.compile(r"[BIESLU]-.+|O")
_COMMENT, _COMMENT_OF_TABS = re.compile("# "), re.compile("# [^\t]*$")
_COLUMN_NAME = (
    r"(?i)(?:sent(?:ence)?|doc(?:ument)?|word|token)?[\W_]*(?:id|idx|index|#|no|nr)|sentences?|tokens?|words?|forms?"
    r"|text|lemmas?|[ux]?pos(?:[\W_]?tags?)?|tags?|chunks?(?:[\W_]tags?)?|deprel|head|labels?|gold|ne[\W_].+|misc"
    r"|(?:ner?|iob2?|bio|entity|named[\W_]entity)(?:[\W_]?(?:tags?|labels?|type))?"
)


class TableColumn(NamedTuple):
    """The values of a column, by sentence, and one after another."""

    sentences: list[list[str]]
    values: list[str]

    def __str__(self) -> str:
        """Return three values, for messages."""
        return f"({', '.join([*dict.fromkeys(self.values)][:3])})"

    def share(self, test: Callable[[str], object]) -> float:
        """Return the fraction of the values that pass a test."""
        return sum(map(bool, map(test, self.values))) / len(self.values)

    def distinct(self) -> float:
        """Return the number of distinct values by that of all."""
        return len(set(self.values)) / len(self.values)

    def counts(self, *, rising: bool = False) -> bool:
        """Return true if values end in numbers that stay or go up by one in a sentence; or in ever larger ones."""
        if 2 * sum(map(bool, map(_NUMBER.search, self.values[:_MORE]))) < min(len(self.values), _MORE):
            return False
        ends = [[int(n[0]) if (n := _NUMBER.search(value)) else -9 for value in each] for each in self.sentences]
        steps = [b > a >= 0 if rising else b - a in (0, 1) and b >= 0 for each in ends for a, b in pairwise(each)]
        return len(steps) > (_FEW * _FEW if rising else 1) and sum(steps) > 0.9 * len(steps)

    def odd_word(self) -> str:
        """Return the reason why this is no column of words, if there is one."""
        if self.counts():
            return "counts"
        if self.share(re.compile(" ").search) > 0.5 or len("".join(self.values)) > _TEXT * len(self.values):
            return "has texts, not words"
        most = Counter(self.values).most_common(1)[0][1]
        return "has one value" if most > max(0.9 * len(self.values), _MORE) else ""

    def prefix(self) -> str:
        """Return the beginning up to a colon that all values have, such as ``en:``; an empty text if they have none."""
        begin = self.values[0].partition(":")[0] + ":"
        is_same = len(self.values) >= _MORE and all(value[: len(begin)] == begin != value for value in self.values)
        return begin if is_same and begin[0].isalpha() else ""

    def has_heads(self) -> bool:
        """Return true if values are the numbers of words in the sentence, and in nearly all of them one is 0."""
        fit = [each.count("0") == 1 and {*each} <= {*map(str, range(len(each) + 1))} for each in self.sentences[:50]]
        return sum(fit) > 0.8 * len(fit) and len(set(self.values)) >= _FEW


def _rows_of(text: str) -> list[list[str]]:
    """Return the rows of a table, blank lines as empty ones, without its comments."""
    lines = [line.rstrip() for line in text.removeprefix("\ufeff").splitlines()]
    mark = "\t" if any("\t" in line for line in lines if not line.startswith("# ")) else None
    comment = _COMMENT_OF_TABS if mark else _COMMENT
    return [line.split(mark) if line else [] for line in lines if not comment.match(line)]


def is_even(text: str) -> bool:
    """Return true for a table of several columns, with as many cells in each row."""
    widths = {len(row) for row in _rows_of(text) if row}
    return len(widths) == 1 and widths != {1}


def table_columns(text: str) -> list[TableColumn]:
    """Return the columns at the beginning of a table without its comments, and without rows of another width."""
    rows = _rows_of(text[:READ])
    if len(text) > READ and len(rows) > 1:
        rows.pop()  # it may be cut
    width = Counter(map(len, filter(None, rows))).most_common(1)[0][0] if any(rows) else 0
    sentences: list[list[list[str]]] = [[]]
    for row in rows:
        if not row:
            sentences.append([])
        elif len(row) == width:
            sentences[-1].append(row)
    cells = [[[row[c] for row in each] for each in sentences if each] for c in range(width)]
    return [TableColumn(each, [*chain.from_iterable(each)]) for each in cells]


def header_in(text: str) -> str:
    """Return the first row if it has names of columns, and in its last cell one that no other row has there."""
    first = text[:READ].removeprefix("\ufeff").lstrip("\r\n").partition("\n")[0].rstrip()
    cells = first.split("\t") if "\t" in first else first.split()
    if sum(re.fullmatch(_COLUMN_NAME, cell.strip("\"'")) is not None for cell in cells) < 2:
        return ""
    if not (columns := table_columns(text)):  # there are comments only
        return ""
    last = columns[-1].values
    return first if last[0] == cells[-1] and last.count(cells[-1]) == 1 < len(last) else ""


def are_words_and_labels(text: str) -> bool:
    """Return true if the first column has words, some of them punctuation, or the last one the same labels again."""
    columns = table_columns(text)
    if len(columns) > 1:
        return columns[-1].distinct() < 0.8
    return bool(columns) and not columns[0].odd_word() and columns[0].share(re.compile(r"[^\w\s]+").fullmatch) > 0


def odd_column(text: str, name: str, names: Sequence[str] = (), *, labelled: bool = True) -> str:
    """Return a line on an odd column of a text, with the option that helps; nothing if all are as usual.

    names : those that the user gave, or a model has; labelled : whether the last column has labels to learn

    Raises DataError for labels in brackets, of which no tagger learns.

    >>> odd_column("1\\tAda\\tB-PER\\n2\\tsang\\tO\\n3\\tof\\tO\\n4\\tLee\\tB-PER\\n", "names.tsv")
    'column 1 counts (1, 2, 3), and is read as the word; --columns _,word,label leaves it out'
    """
    columns = table_columns(text)
    if not columns or len(columns[0].values) < _FEW:
        return ""
    width, label = len(columns), columns[-1]
    place = names.index("word") if "word" in names else next((k for k, n in enumerate(names or "0") if n != "_"), width)
    labelled = labelled and width > 1 and (not names or (len(names) <= width and names[-1] == "label"))
    if labelled and label.share(_BRACKETS.fullmatch) > 0.9 and label.share(re.compile(r"\(.|.\)").search) > 0:
        brackets = f"column {width} has labels in brackets {label}, as CoNLL-2005 and 2012"
        raise DataError(f"{name}: {brackets}; a tagger's are B-A0, I-A0, O for (A0* *) *")
    if quoted := [k for k in range(width) if columns[k].share(_QUOTED.fullmatch) > 0.5]:
        how = "write the table without them (R: quote = FALSE, row.names = FALSE, col.names = FALSE)"
        return f"column {quoted[0] + 1} has quotes around its values {columns[quoted[0]]}; {how}"
    if place < width and (odd := columns[place].odd_word()):
        return f"column {place + 1} {odd} {columns[place]}, and is read as the word{_advice(columns)}"
    if place < width and (prefix := columns[place].prefix()):
        return f"all words of column {place + 1} begin with {prefix} {columns[place]}; leave it out, as no text has it"
    if labelled and not names and _are_lemmas(columns[0], label):
        read = f"column {width} has the words again, or their lemmas {label}, and is read as the label"
        return read + (f"; --columns word,label{',_' * (width - 2)} if tags stand in column 2" if width > 2 else "")
    others = any(not each.odd_word() and each.distinct() > 2 * label.distinct() for each in columns[place + 1 : -1])
    if others and columns[place].counts(rising=True):  # a column of years stands beside none of words
        return (
            f"column {place + 1} has rising numbers {columns[place]}, and is read as the word{_advice(columns, place)}"
        )
    if labelled and not names and len(label.values) >= _MORE and 0.9 > label.distinct() > 2 * columns[0].distinct():
        return f"column 1 looks like labels {columns[0]}, and is read as the word; --columns label,word if it is"
    of_chunks = [
        labelled and each.share(_CHUNK.fullmatch) > 0.8 and any(v[:2] == "B-" for v in each.values) for each in columns
    ]
    for k in range(1, width * (labelled and not names)):
        if columns[k].counts(rising=True) and not (k == width - 1 and label.distinct() > 0.9):  # said of labels already
            return f"column {k + 1} has rising numbers {columns[k]}{_advice(columns, k)}"
        if columns[k].has_heads():
            return f"column {k + 1} has the heads of a tree {columns[k]}{_advice(columns, k)}"
        if of_chunks[k] and not of_chunks[-1] and "O" not in label.values:
            return (
                f"column {k + 1} has labels of chunks {columns[k]}, and the last one, read as the label, none {label}"
            )
    has_fractions = label.share(_FRACTION.fullmatch) > 0.9 and label.share(re.compile(r"\.\d+[1-9]").search) > 0
    if labelled and not names and has_fractions:
        return f"column {width} has weights or probabilities {label}{_advice(columns, width - 1)}"
    if labelled and not names and (outer := _place_of_labels(columns)) < width - 1:
        return (
            f"column {outer + 1} has more names of the kinds of the last one, read as the label{_advice(columns, -1)}"
        )
    return ""


def _are_lemmas(words: TableColumn, labels: TableColumn) -> bool:
    """Return true if a fifth of the words with letters are their own labels, but for capitals."""
    pairs = [(a, b) for a, b in zip(words.values, labels.values, strict=True) if re.search(r"[^\W\d_]", a)]
    return len(pairs) >= _MORE and 5 * sum(a.lower() == b.lower() for a, b in pairs) > len(pairs)


def _place_of_labels(columns: Sequence[TableColumn]) -> int:
    """Return the place of the last column, or of one with names of all its kinds and twice as many: the outer ones."""
    kinds = [Counter(value[2:] for value in each.values if value[:2] == "B-") for each in columns]
    last = kinds[-1]
    have_all = (k for k, each in enumerate(kinds) if last.keys() <= each.keys() and each.total() > 2 * last.total() > 0)
    return next(have_all, len(columns) - 1)


def _advice(columns: Sequence[TableColumn], passed_over: int = 0) -> str:
    """Return the option with names of columns: the first one that can be words, and the one of the labels."""
    last, label = len(columns) - 1, _place_of_labels(columns)
    words = next((k for k, each in enumerate(columns[:-1]) if not each.odd_word() and k != passed_over), len(columns))
    if passed_over == last > 0:
        return ", and is read as the label; --columns names the one that is"
    names = ["word" if k == words else "label" if k == label else "_" for k in range(len(columns))]
    what = "leaves it out" if label == last else "takes the outer names"
    return f"; --columns {','.join(names)} {what}" if words < last else "; each line is one token"
