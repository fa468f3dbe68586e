"""The labels of a gold file and of systems' answers to it, in any of the formats that sapwood reads and writes."""

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import chain, zip_longest
from typing import NamedTuple

from sapwood._core import Conllu, composed
from sapwood.errors import DataError, OptionError, warn
from sapwood.io.columns import DOCUMENT_START
from sapwood.io.conllu import has_values, is_conllu, read_conllu, rows_of
from sapwood.io.entities import items_of
from sapwood.io.example_files import format_by_name, has_tabs, parse_examples, records_in
from sapwood.io.examples import Layout
from sapwood.io.formats import named_in_errors, warn_of_format
from sapwood.io.label_sets import BETWEEN, labels_in, listed_labels
from sapwood.io.normal_form import equal_composed, warn_of_normal_form
from sapwood.io.records import CsvReader, Remarks
from sapwood.io.source import plain_text, read_bytes, shown
from sapwood.parts import PARTS

_PREFIX = "__label__"
_LABELLED = re.compile(r"(?m)(?:^|[ \t])__label__\S")  # a line of fastText's
_COMMENT = re.compile(r"# (?:sent_id|text|newdoc|newpar|global\.columns)\b")
_MARK = re.compile(r"[,;|\t]")  # between the cells of a table
_WORD = re.compile(r"\d+\t")  # a word of CoNLL-U, no range and no word that is not in the text
LABELS = "labels"  # the name of the labels if the file is no treebank
_Units = list[list[str]]


class _Labels(NamedTuple):
    """The labels of a file's units: examples of one label, or sentences."""

    name: str
    units: list[list[str]]
    lines: list[int]  # [units] the line that each begins in
    end: int  # lines in the file
    words: list[list[str]]  # the first cells of the lines, in front of the labels; "" for a label alone


def read_labels(
    gold: str | os.PathLike[str], *guesses: str | os.PathLike[str], column: int | None = None, label: str = "label"
) -> dict[str, list[_Units]]:
    """Return the labels of each file, gold's first: a list of units, the same in all, each a list of labels.

    The gold file decides what the units are. A file with blank lines inside is a column file: its units are sentences,
    with the labels in the last column. In other files each line is an example, with its label in the first column.
    Files of examples, fastText's (``__label__NAME text``) and those whose names tell another format, are read as
    `classify` reads them. A line of guesses answers the same line of gold, or the example of the same number, as do the
    items of a list of labels, and records, by what they call the label or their one column of gold's labels. Several
    labels of an example are one text in the order of the alphabet, ``a|b``, and none of several an empty one. The only
    key is LABELS.

    Of CoNLL-U there are tags, features, lemmas, trees and names (NER in MISC), each by its name, as far as gold and one
    of the others have them. With `column` there are the labels of that column alone, of the words.

    column : the column of the labels, from 1, or from -1 at the end; gold's, too, unless it is a file of examples
    label : what records of gold call the label

    Raises DataError with the place where a file has no label or others than gold, OptionError if column is 0.
    """
    if column == 0:
        raise OptionError("there is no column 0: columns count from 1, or from -1 at the end")
    others = [(shown(path), read_bytes(path)) for path in guesses]
    sentences = False
    name, data, form = shown(gold), read_bytes(gold), format_by_name(gold)
    if form != "fasttext":
        member = _written(data, label) if len(guesses) == 1 else ""  # an answer, too, if two are compared alone
        wanted = _of_examples(data, name, form, member or label, tabs=has_tabs(gold))
    else:
        if column is None and (treebanks := [is_conllu(each) for _, each in [(name, data), *others]]).count(True):
            if not all(treebanks):
                which = [[name, *(other for other, _ in others)][treebanks.index(is_one)] for is_one in (True, False)]
                raise DataError(f"{which[0]} is CoNLL-U, and {which[1]} is not; --column names a column that all have")
            return _of_treebanks([read_conllu(each, named) for named, each in [(name, data), *others]])
        lines = _lines(name, data)
        text = "\n".join(lines).strip()
        sentences = not text.startswith(_PREFIX) and (is_conllu(data) or "\n\n" in text)
        tagged = not sentences and _LABELLED.search(text) is not None
        if tagged:
            wanted = _of_examples(data, name, form, label, tabs=False)
        else:
            wanted = _of_lines(name, lines, column, sentences)
        if column is None and not tagged:
            warn_of_format(text, name, "columns" if sentences else "labels")
    check = _same_sentences if sentences else _same_lines
    said = []
    for path, (other, answers) in zip(guesses, others, strict=True):
        form, member = format_by_name(path), _written(answers, label)
        if column is None and not sentences and form in ("csv", "jsonl"):
            member = member or _answering(answers, other, form, wanted, label)
        if column is None and not sentences and form in ("csv", "jsonl") and member:
            said.append(_of_examples(answers, other, form, member, tabs=has_tabs(path)))
        else:
            said.append(_of_lines(other, _answers(other, _lines(other, answers)), column, sentences))
    found = [wanted.units, *(check(wanted, labels) for labels in said)]
    several = any(BETWEEN in label or not label for units in found[1:] for [label, *_] in units)
    if not sentences and not several and ([""] in wanted.units) and not any(BETWEEN in y for [y] in wanted.units):
        raise DataError(f"{name}:{wanted.lines[wanted.units.index([''])]}: there is no label")
    return {LABELS: _in_one_form(found, name)}


def _written(data: bytes, label: str) -> str:
    """Return the name of the answers that `classify --to` wrote, or none: predicted_label where records had a label."""
    first = data.partition(b"\n")[0].decode(errors="replace")
    names = re.findall(rf'(?:^|[",;\t])(predicted_label|{re.escape(label)})"?\s*(?=[:,;\t]|$)', first)
    return max(names, key="predicted_label".__eq__, default="")


def _answering(data: bytes, name: str, form: str, gold: _Labels, label: str) -> str:
    """Return the name of the only column whose values are labels of gold, or none if the file has labels alone.

    Raises DataError if there is no such column, or several, in records or below a header.
    """
    first, *rows = _lines(name, data)
    known = {label for [label, *_] in gold.units}
    cells = [cell.strip(" \"'") for cell in re.split("[,;\t]", first)]
    is_labelled = len(cells) > 1 and first.split("\t")[0] not in known and not known.isdisjoint(cells)
    if form == "csv" and len(rows) < gold.end and is_labelled:
        raise DataError(f"{name}:1: a label of {gold.name} is one cell of several; name the columns in a row before it")
    if not (first.lstrip("[ ").startswith("{") if form == "jsonl" else len(rows) >= gold.end and _MARK.search(first)):
        return ""
    names = dict.fromkeys(re.findall(r'"([^"\\]+)"\s*:', first) if form == "jsonl" else _MARK.split(first))
    fitting: list[str] = []
    for each in (cell.strip(" \"'") for cell in names):
        with suppress(DataError):
            answers = _of_examples(data, name, form, each, tabs=has_tabs(name))
            if answers.end == gold.end and all(found in known for [found, *_] in answers.units):
                fitting.append(each)
    if len(fitting) != 1:
        what = f"{len(fitting) or 'none'} of its columns have labels of {gold.name} alone"
        raise DataError(f"{name}:1: {what}: call the column with the answers {label!r}; it has {first[:80]}")
    return fitting[0]


def _of_treebanks(treebanks: Sequence[Conllu]) -> dict[str, list[_Units]]:
    """Return the labels of the words of treebanks, gold's first. Raises DataError if the words are not gold's."""
    gold, *others = treebanks
    for other in others:
        _check_words(gold, other)
    found = {}
    for column in (column for part in PARTS for column in part.columns):
        if column.item:
            items = [items_of(treebank, column) for treebank in treebanks]
            if items[0] is not None and any(items[1:]):
                nothing = [[column.nothing] * len(sentence) for sentence in items[0]]
                found[column.compared] = _in_one_form([nothing if each is None else each for each in items], gold.name)
            continue
        names = ["head", "deprel"] if column.name == "deprel" else [column.name]  # a relation is that to a head
        if has_values(gold, names) and any(has_values(other, names) for other in others):
            cells = ([[*map(" ".join, words)] for words in rows_of(each, names)] for each in treebanks)
            found[column.compared] = _in_one_form(list(cells), gold.name)
    if not found:
        raise DataError(f"{gold.name}: {' and '.join(other.name for other in others)} have no column that it has")
    return found


def _in_one_form(files: list[_Units], place: str) -> list[_Units]:
    """Return the labels of each file, composed if some differ in normal form only, with a warning."""
    labels = {label for units in files for unit in units for label in unit if not label.isascii()}
    by_form = {composed(label): label for label in labels}
    if warn_of_normal_form(place, ((label, by_form[composed(label)]) for label in sorted(labels))):
        return [[[*map(composed, unit)] for unit in units] for units in files]
    return files


def _check_words(gold: Conllu, other: Conllu) -> None:
    """Raise DataError where another treebank has other sentences or words than gold."""
    nothing: list[str] = []
    pairs = zip_longest(gold.column("form"), other.column("form"), fillvalue=nothing)
    for k, (wanted, found) in enumerate(pairs, 1):
        if not equal_composed(wanted, found):
            differ = (composed(a) != composed(b) for a, b in zip_longest(wanted, found, fillvalue=""))
            word = list(differ).index(True)
            here, there = (repr(words[word]) if word < len(words) else "missing" for words in (found, wanted))
            raise DataError(
                f"{other.name}: sentence {k}, word {word + 1} is {here}; in {gold.name} it is {there}. Systems are "
                "compared on the same words; 'sapwood annotate --input conllu' keeps them"
            )
    forms = (chain.from_iterable(each.column("form")) for each in (other, gold))
    warn_of_normal_form(f"words of {other.name} and {gold.name}", zip(*forms, strict=True))


def _of_examples(data: bytes, name: str, form: str, label: str, *, tabs: bool) -> _Labels:
    """Return the labels of examples; `lines` are the numbers of those that have one, or that have none of several."""
    with Remarks() as remarks:
        if form in ("csv", "jsonl"):
            with named_in_errors(data, form):
                records = records_in(data, name, form, CsvReader(name, label, tabs, remarks))
            found = labels_in(records, label, several=True)
            if flaw := next((flaw for _, flaw in found if flaw), ""):
                raise DataError(flaw)
            said = [text for text, _ in found]
            kept = [k for k, record in enumerate(records) if label == "answer" or not record.is_rejected()]
        else:
            layout = Layout(form, [], [], several=True)
            documents, _, answers, *_ = parse_examples(data, name, layout, remarks, fixed=False, keep_all=True)
            texts = answers.labels  # the core copies them each time
            said = [texts[y] if y >= 0 else "" for y in answers.gold]
            kept = [k for k, text in enumerate(said) if text or documents is None or documents.words(k)]
    between = "," if form == "svmlight" else BETWEEN
    units = [[_in_order(said[k].replace(between, BETWEEN))] for k in kept]
    return _Labels(name, units, [k + 1 for k in kept], len(said), [])


def _in_order(label: str) -> str:
    """Return the labels of an example, if it has several, in the order of the alphabet."""
    parts = label.split(BETWEEN)
    return BETWEEN.join(sorted(parts)) if all(parts) else label


def _lines(name: str, data: bytes) -> list[str]:
    """Return the lines of a file without what is blank at their ends."""
    text = plain_text(data, name)
    return [line.rstrip() for line in text.removesuffix("\n").split("\n")]


def _answers(name: str, lines: list[str]) -> list[str]:
    """Return the items of a list of labels, or lines without the header of LIBLINEAR's and LIBSVM's probabilities."""
    if listed := listed_labels("\n".join(lines)):
        if None in listed:
            where = f"{name}: item {listed.index(None) + 1} of the list"
            raise DataError(f"{where} is no label (NumPy shortens what it shows); write a label in each line")
        return [str(label) for label in listed]
    word, *labels = lines[0].split() or [""]
    if word != "labels" or not labels or not lines[1:]:
        return lines
    known = {*labels}
    return lines[1:] if all(line.partition(" ")[0] in known for line in lines[1:]) else lines


def _of_lines(name: str, lines: list[str], column: int | None, sentences: bool) -> _Labels:
    units: list[list[str]] = []
    words: list[list[str]] = []
    starts: list[int] = []
    after = 0  # the number of the line after the last label, and after lines without a word that follow it
    for number, label, first in _cells(name, lines, column or (-1 if sentences else 1)):
        if label is None:
            after += number == after
            continue
        if sentences and number == after:
            units[-1].append(label)
            words[-1].append(first)
        else:
            units.append([label])
            words.append([first])
            starts.append(number)
        after = number + 1
    if not units:
        raise DataError(f"{name}: there is no label in it")
    return _Labels(name, units, starts, len(lines), words)


def _cells(name: str, lines: list[str], column: int) -> Iterator[tuple[int, str | None, str]]:
    """Yield number, label and first cell of each line that is not blank; no label where it is about no word."""
    words = is_conllu("\n".join(lines).encode())
    for number, line in enumerate(lines, 1):
        if not line:
            continue
        cells = line.split("\t") if "\t" in line else line.split()
        if _COMMENT.match(line) or (words and not _WORD.match(line)) or cells[:1] == [DOCUMENT_START]:
            yield number, None, ""
            continue
        if not -len(cells) <= column <= len(cells):
            raise DataError(f"{name}:{number}: there is no column {column}, only {len(cells)}")
        label = cells[column - 1 if column > 0 else column].removeprefix(_PREFIX)
        if not label and not (column == 1 and len(cells) > 1):  # as 'classify' writes an example without labels
            raise DataError(f"{name}:{number}: there is no label in column {column}")
        yield number, label, cells[0] if len(cells) > 1 else ""


def _same_lines(gold: _Labels, guess: _Labels) -> list[list[str]]:
    found = dict(zip(guess.lines, guess.units, strict=True))
    for line in gold.lines:
        if line not in found:
            raise DataError(f"{guess.name}:{line}: there is no label here; {gold.name} has {len(gold.units)} labels")
    if guess.lines[-1] > gold.end:
        raise DataError(f"{guess.name}:{gold.end + 1}: one label too many; {gold.name} has {len(gold.units)} labels")
    return [[*map(_in_order, found[line])] for line in gold.lines]


def _same_sentences(gold: _Labels, guess: _Labels) -> list[list[str]]:
    for k, (a, b) in enumerate(zip(gold.units, guess.units, strict=False)):
        if len(a) != len(b):
            raise DataError(
                f"{guess.name}:{guess.lines[k]}: sentence {k + 1} has {len(b)} labels; in {gold.name} it has {len(a)}"
            )
    if len(gold.units) != len(guess.units):
        raise DataError(f"{guess.name}: it has {len(guess.units)} sentences, and {gold.name} has {len(gold.units)}")
    words = [(a, b) for a, b in zip(gold.words, guess.words, strict=True) if all(a) and all(b)]
    if 2 * sum(not equal_composed(a, b) for a, b in words) > len(words):
        what = f"in most sentences the first column is not that of {gold.name}; are these answers to another file?"
        warn(f"{guess.name}: {what}")
    return guess.units
