"""Names for training: in the MISC of a treebank, in a file with its sentences, or in files of other sentences."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from sapwood._core import Conllu
from sapwood.errors import DataError
from sapwood.io.formats import warn_of_format
from sapwood.io.source import plain_text, read_bytes, shown
from sapwood.parts import PART_OF, Column

NAMES: Column = PART_OF["entity"].columns[0]

_PREFIXES = ("B-", "I-", "E-", "S-", "L-", "U-")  # begin, inside, end of a name; a name of one word; BILUO's


class Entities(NamedTuple):
    """Labels in BIO."""

    of_treebank: list[list[str] | None]  # by sentence; None for sentences that nothing is known of
    others: list[list[tuple[str, str]]]  # form and label of the words of other sentences


def read_entities(treebank: Conllu, files: Sequence[Path], column: Column = NAMES) -> Entities | None:
    """Return the names, or the values of another column, of a treebank and of other sentences; None without any.

    A file whose sentences have ``# sent_id`` is about the treebank: number, form and label of each word. In other files
    a word's form is in the first column and its label in the last. Labels are in BIO, IOB, IOBES, BILUO or
    without a prefix. Raises DataError with the place.
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


def items_of(treebank: Conllu, column: Column) -> list[list[str]] | None:
    """Return the values of a column that is in the MISC of a treebank, chunks in BIO; None if no word has one."""
    item = re.compile(rf"(?:^|\|){re.escape(column.item)}=([^|]*)")
    found = [[item.search(misc) for misc in sentence] for sentence in treebank.column("misc")]
    if not any(map(any, found)):
        return None
    values = [[match[1] or column.nothing if match else column.nothing for match in sentence] for sentence in found]
    return list(map(_bio, values)) if column.has_chunks else values


def _sentences(path: Path) -> Iterator[tuple[int, str | None, list[tuple[str, str]]]]:
    sent_id: str | None = None
    words: list[tuple[str, str]] = []
    begin = 1
    name = shown(path)
    text = plain_text(read_bytes(path), name)
    warn_of_format(text, name, "names")
    for number, line in enumerate([*text.split("\n"), ""], 1):
        cells = [cell.strip() for cell in line.split("\t")] if "\t" in line else line.split()
        if line.startswith("# ") and ("=" in line or not words):
            if line.startswith("# sent_id"):
                sent_id = line.partition("=")[2].strip()
        elif not any(cells):
            if words:
                yield begin, sent_id, words
            sent_id, words, begin = None, [], number + 1
        elif len(cells) < 2:
            raise DataError(f"{name}:{number}: one column; a word has its form and its label")
        elif sent_id is not None and len(cells) < 3:
            raise DataError(f"{name}:{number}: two columns; a word has its number, its form and its label")
        else:
            form = cells[1 if sent_id is not None else 0]
            if form and form != "-DOCSTART-":  # documents of CoNLL-2003; some words of tweets are nothing but spaces
                words.append((form, cells[-1]))


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
