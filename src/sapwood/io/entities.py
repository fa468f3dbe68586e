"""Names for training: in the MISC of a treebank, in a file with its sentences, or in files of other sentences."""

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from sapwood._core import Conllu
from sapwood.errors import DataError, warn_unfamiliar
from sapwood.io.columns import DOCUMENT_START
from sapwood.io.conllu import with_items
from sapwood.io.formats import warn_of_format
from sapwood.io.source import plain_text, read_bytes, shown
from sapwood.parts import PART_OF, Column

NAMES: Column = PART_OF["entity"].columns[0]

_CHUNK = re.compile(r"(?:^|(?<=\|))(?=[^=|]+=([BIESLU]-[^|]+))([^=|]+)=")  # its value and its name
_NO_WORD = re.compile(r"#|\d+[-.]\d")  # in a column of numbers: a comment, a span 3-4, an empty node 3.1
_MANY = 5  # words, of which can be told whether too many are in names
_NUMBERED = 3  # columns of words with their numbers: number, form, label, and perhaps others
_PREFIXES = ("B-", "I-", "E-", "S-", "L-", "U-")  # begin, inside, end of a name; a name of one word; BILUO's


class Entities(NamedTuple):
    """Labels in BIO."""

    of_treebank: list[list[str] | None]  # by sentence; None for sentences that nothing is known of
    others: list[list[tuple[str, str]]]  # form and label of the words of other sentences


def read_entities(treebank: Conllu, files: Sequence[Path], column: Column = NAMES) -> Entities | None:
    """Return the names, or the values of another column, of a treebank and of other sentences; None without any.

    A file whose sentences have ``# sent_id`` is about the treebank: number, form and label of each word, and perhaps
    more, as in Universal NER, GermEval or MultiNERD, where numbers count the words, too. In other files a word's form
    is in the first column and its label in the last. Labels are in BIO, IOB, IOBES, BILUO or without a prefix. Raises
    DataError with the place.
    """
    ids = {sent_id: s for s, sent_id in enumerate(treebank.sentence_ids) if sent_id}
    found: list[list[str] | None] = [None] * treebank.sentences
    others: list[list[tuple[str, str]]] = []
    if not files:
        found = [*(items_of(treebank, column) or found)]
    forms = treebank.column("form") if files else []
    for path in files:
        for line, sent_id, words in _sentences(path):
            labels = _bio([label for _, label in words])
            if sent_id is None:
                others.append([(form, label) for (form, _), label in zip(words, labels, strict=True)])
            elif sent_id in ids:
                s = ids[sent_id]
                if len(labels) == len(forms[s]):  # where the words differ, an earlier release of the treebank is meant
                    found[s] = labels
            else:
                raise DataError(f"{shown(path)}:{line}: the treebank has no sentence with the sent_id {sent_id}")
    if not others and all(labels is None for labels in found):
        return None
    return Entities(found, others)


def with_names(treebank: Conllu, files: Sequence[Path]) -> tuple[Conllu, list[int]]:
    """Return a treebank with the names of files about its sentences, and the numbers of the sentences in none of them.

    Raises DataError with the place, and if there are names of no sentence.
    """
    labels = [] if (found := read_entities(treebank, files)) is None else found.of_treebank
    if not any(labels):
        raise DataError(f"{', '.join(map(shown, files))}: its sentences are none of {treebank.name}")
    items = dict.fromkeys((NAMES.item, *NAMES.others))
    cells = [
        cells
        if of_words is None
        else [with_items(cell, items | {NAMES.item: label}) for cell, label in zip(cells, of_words, strict=True)]
        for cells, of_words in zip(treebank.column("misc"), labels, strict=True)
    ]
    return treebank.with_columns({"misc": cells}), [s for s, of_words in enumerate(labels) if of_words is None]


def items_of(treebank: Conllu, column: Column) -> list[list[str]] | None:
    """Return the values of a column that is in the MISC of a treebank, chunks in BIO; None if no word has one."""
    own = re.compile(rf"(?:^|\|){re.escape(column.item)}=([^|]*)")
    found = [[own.search(misc) or other_item(misc, column) for misc in each] for each in treebank.column("misc")]
    if not any(map(any, found)):
        return None
    values = [[(match and match[1]) or column.nothing for match in sentence] for sentence in found]
    return list(map(_bio, values)) if column.has_chunks else values


def other_item(misc: str, column: Column) -> re.Match[str] | None:
    """Return the item in which another tool has the chunk of a word: name=B-PER, but not name=Ada."""
    return next((found for found in _CHUNK.finditer(misc) if found[2] in column.others), None)


def not_names(treebank: Conllu) -> str:
    """Return a remark if MISC has entities in the format of coreference, which are not read as names; else ""."""
    found = any("Entity=(" in misc for sentence in treebank.column("misc") for misc in sentence)
    return "; its Entity= is coreference, which is not read as names" if found else ""


def _sentences(path: Path) -> Iterator[tuple[int, str | None, list[tuple[str, str]]]]:
    """Yield the line, the ``sent_id`` if it has one, and the words with their labels, of each sentence of a file."""
    name = shown(path)
    text = plain_text(read_bytes(path), name)
    sentences: list[tuple[int, str | None, list[tuple[int, list[str]]]]] = []
    sent_id: str | None = None
    rows: list[tuple[int, list[str]]] = []
    begin = 1
    for number, line in enumerate([*text.split("\n"), ""], 1):
        line = line.rstrip()
        cells = [cell.strip() for cell in line.split("\t")] if "\t" in line else line.split()
        if line.startswith("# ") and ("=" in line or not rows):
            if line.startswith("# sent_id"):
                sent_id = line.partition("=")[2].strip()
        elif not any(cells):
            if rows:
                sentences.append((begin, sent_id, rows))
            sent_id, rows, begin = None, [], number + 1
        elif cells[0] != DOCUMENT_START:
            rows.append((number, cells))
    of_all = [row for _, _, rows in sentences for _, row in rows]
    counted = _are_counted([[row for _, row in rows] for _, _, rows in sentences]) or (
        any(sent_id is not None for _, sent_id, _ in sentences) and all(re.match(r"#|\d", row[0]) for row in of_all)
    )
    at = int(counted)  # the column of the forms
    warn_of_format(text, name, "names", names=("_", "word", "label") if counted else ())
    has_third = counted and any(row[2] == "O" or row[2][:2] in _PREFIXES for row in of_all if len(row) > 2)
    labels = [row[2 if has_third else -1] for row in of_all if len(row) > 1 + at]
    if (
        len(labels) > _MANY
        and labels.count("O") < len(labels) / 10
        and not any(label[:2] in _PREFIXES for label in labels)
    ):
        odd = f"nearly every word has a name ({', '.join([*dict.fromkeys(labels)][:3])})"
        warn_unfamiliar(f"{name}: {odd}; a word comes first, its label, or O, last")
    for begin, sent_id, rows in sentences:
        words = []
        for number, row in rows:
            if at and _NO_WORD.match(row[0]):
                continue
            if len(row) < 2 + at:
                has = "two columns; a word has its number, its" if len(row) > 1 else "one column; a word has its"
                raise DataError(f"{name}:{number}: {has} form and its label")
            if row[at]:  # some words of tweets are nothing but spaces
                words.append((row[at], row[2 if at and has_third else -1]))
        yield begin, sent_id, words


def _are_counted(sentences: Iterable[list[list[str]]]) -> bool:
    """Return true if all rows begin with the number of their word, from 0 or 1, and some sentence has several words."""
    words = [[row for row in rows if not _NO_WORD.match(row[0])] for rows in sentences]
    rows = [(str(k), row) for rows in words if rows for k, row in enumerate(rows, int(rows[0][0] != "0"))]
    return all(number == row[0] and len(row) >= _NUMBERED for number, row in rows) and len(rows) > len(words)


def _bio(labels: Sequence[str]) -> list[str]:
    """Return labels in BIO: ``PER``, ``I-PER`` and ``E-PER`` begin a name where no such name is open."""
    result: list[str] = []
    before = ""
    for label in labels:
        prefix, kind = (label[0], label[2:]) if label[:2] in _PREFIXES else ("I", "" if label == "O" else label)
        begins = prefix in "BSU" or kind != before
        result.append(f"{'B' if begins else 'I'}-{kind}" if kind else "O")
        before = "" if prefix in "ESLU" else kind
    return result
