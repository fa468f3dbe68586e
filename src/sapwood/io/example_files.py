"""Files of examples for classifiers, in six formats.

=========  =======================================================================================================
fasttext   ``__label__NAME text``, a document a line; words that begin with ``__label__`` are labels wherever they stand
svmlight   ``NAME 3:0.5 17:1``, features by number
jsonl      an object a line, or an array of objects: ``label`` and ``text``; or ``tokens`` (strings or lists of
           strings) and perhaps ``marked`` (the number of one, from 0); or ``features`` (an object of numbers and
           strings)
csv        with a header: the columns ``label`` and ``text``; commas or, in .tsv and where the header has them, tabs
parquet    a table whose rows are records as those of jsonl
senseval   Senseval 2's XML-like files: tagged words, the target inside ``<head>``
=========  =======================================================================================================

A row of JSON or CSV whose ``answer`` is ``reject`` or ``ignore``, as Prodigy writes it, is no example to train on or to
score, nor is a row of CSV that equals the header.
"""

import os
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import sapwood._core as _core
from sapwood.base.optional import require
from sapwood.errors import DataError, OptionError
from sapwood.io.examples import Document, Examples, Layout, is_null, of_documents, of_records, texts_as_examples
from sapwood.io.formats import LOOKED_AT, named_in_errors, warn_of_format
from sapwood.io.records import CsvReader, Record, Remarks, json_records
from sapwood.io.source import ENDINGS, plain_text, read_bytes, shown

FORMATS = ("fasttext", "svmlight", "jsonl", "csv", "parquet", "senseval")
BYTES = ("csv", "parquet")  # formats that are not made of lines: a cell of CSV may have line ends
LINES = "lines"  # a text a line, as it is, to be classified
_BY_ENDING = {
    ".svm": "svmlight", ".svmlight": "svmlight", ".libsvm": "svmlight", ".jsonl": "jsonl", ".ndjson": "jsonl",
    ".json": "jsonl", ".csv": "csv", ".tsv": "csv", ".parquet": "parquet", ".pos": "senseval", ".xml": "senseval",
}  # fmt: skip

_ODD_LABELS = "each label is a word of its own that __label__ begins, with spaces between them and no commas"


def format_by_name(path: str | os.PathLike[str], otherwise: str = "fasttext") -> str:
    """Return the format that a file's name tells; `otherwise` if it tells none.

    >>> format_by_name("reviews.jsonl.xz"), format_by_name("reviews.txt")
    ('jsonl', 'fasttext')
    """
    return _BY_ENDING.get(_ending(path), otherwise)


def has_tabs(path: str | os.PathLike[str]) -> bool:
    """Return true if a file's name tells that its cells are separated by tabs, not by commas."""
    return _ending(path) == ".tsv"


def _ending(path: str | os.PathLike[str]) -> str:
    name = Path(os.fspath(path).rstrip("'\""))  # quotes stand around an odd name where it is shown
    if name.suffix in ENDINGS:
        name = name.with_suffix("")
    return name.suffix.lower()


def read_examples(
    path: str | os.PathLike[str], layout: Layout | None = None, *, fixed: bool = False, tag_in_label: bool = False
) -> Examples:
    """Read a file of examples. Raises DataError with the place. See `parse_examples`."""
    layout = layout or Layout("", [], [])
    layout = layout._replace(format=layout.format or format_by_name(path))
    data = read_bytes(path, lines=layout.format not in BYTES)
    name, tabs = shown(path), has_tabs(path)
    with Remarks() as remarks:
        return parse_examples(data, name, layout, remarks, fixed=fixed, tag_in_label=tag_in_label, tabs=tabs)


def parse_examples(
    data: bytes,
    name: str,
    layout: Layout,
    remarks: Remarks,
    *,
    fixed: bool,
    tag_in_label: bool = False,
    keep_all: bool = False,
    tabs: bool = False,
    first_line: int = 1,
    csv: CsvReader | None = None,
) -> Examples:
    """Parse the bytes of a file. Raises DataError with name and line.

    remarks : gets what is odd about lines
    fixed : the layout is a model's, so that columns and fields are not looked for in the data
    tag_in_label : join the marked word's tag to its sense, as one label ("NN:interest_6")
    keep_all : each line gets an answer, also blank lines of fasttext files, null texts, and rejected rows, which have
        no label
    tabs : CSV cells are separated by tabs; csv : has read the blocks before this one
    """
    form = layout.format
    if form == LINES and fixed:
        lines = plain_text(data, name, first_line).split("\n")
        return texts_as_examples(lines if lines[-1] else lines[:-1], name, layout, first_line)
    check_format_of_examples(form)
    with named_in_errors(data, form):
        if form == "fasttext":
            documents = _core.Documents.read_fasttext(data, name, first_line, not keep_all, layout.several)
            odd, line, word = documents.odd_labels
            if odd:
                remarks.add(_ODD_LABELS, f"{name}:{line}", f"{word!a:.60}", odd)
            if first_line == 1 and b"__label__" not in data[:LOOKED_AT]:
                warn_of_format(data, name, form, remarks.on_warning)
            layout = layout._replace(columns=["word"])
            return of_documents(documents, layout, hint="a label is a word such as __label__NAME")
        if form == "svmlight":
            rows, answers = _core.FeatureRows.read_svmlight(data, name, first_line)
            if first_line == 1 and b":" not in data:
                warn_of_format(data, name, form, remarks.on_warning)
            layout = layout._replace(columns=["feature"])
            return Examples(None, rows, answers, layout, partial(_indices, data), hint="a label begins its line")
        if form == "senseval":
            built = [_of_instance(each, tag_in_label) for each in instances(plain_text(data, name), name)]
            return of_documents(_core.Documents.build(built, 2, 0, name), layout._replace(columns=["word", "pos"]))
        records = records_in(data, name, form, csv or CsvReader(name, layout.text, tabs, remarks), first_line)
        null = [k for k, record in enumerate(records) if is_null(record, layout.text)] if keep_all else []
        if null:
            remarks.add("the text is null, so that there is no label", records[null[0]].where, times=len(null))
        if not keep_all and layout.label != "answer":
            for record in filter(Record.is_rejected, records):
                remarks.add("a row whose answer is reject or ignore is left out", record.where)
            records = [record for record in records if not record.is_rejected()]
        return of_records(records, name, layout, fixed, null)


def records_in(data: bytes, name: str, form: str, csv: CsvReader, first_line: int = 1) -> list[Record]:
    """Return the records of a file in the format csv, parquet or jsonl. Raises DataError, and what `table_of` does."""
    if form == "parquet":
        return table_of(data, name)
    return list(csv.records(data, first_line) if form == "csv" else json_records(data, name, first_line))


def table_of(data: bytes, name: str) -> list[Record]:
    """Return the rows of a Parquet file. Raises DataError, OptionError if pyarrow is missing."""
    require("pyarrow", "reading Parquet")
    from sapwood.io.tables import table_records

    return table_records(data, name)


def check_format_of_examples(format: str) -> None:
    """Raise OptionError if there is no such format."""
    if format not in FORMATS:
        raise OptionError(f"the format of examples is one of {', '.join(FORMATS)}, not {format!r}")


def are_lines(data: bytes, layout: Layout) -> bool:
    """Return true if data that may be JSON or CSV are a text a line, by their first line.

    It is no JSON if it begins with neither an object nor an array. It is no CSV if it does not name the column of the
    text, a space follows each comma, and there is no tab.
    """
    first = next((line for line in data.decode("utf-8-sig", "replace").split("\n") if line.strip()), "")
    if layout.format == "jsonl":
        return first != "" and not first.lstrip().startswith(("{", "["))
    cells = first.strip().split(",")
    named = layout.text in (cell.strip(" '\"") for cell in re.split(r"[,;|\t]", first.strip()))
    spaced = all(cell.startswith(" ") for cell in cells[1:])
    return layout.format == "csv" and not named and spaced and "\t" not in first


def _indices(data: bytes) -> list[str]:
    return list({index.decode().lstrip("0") or "0" for index in set(re.findall(rb"\s\+?(\d++):", data))})


class Instance(NamedTuple):
    """A word of a Senseval file in its context: of words with parts of speech, the one inside ``<head>``."""

    tokens: list[tuple[str, str]]  # words and their parts of speech
    marked: int  # the number of the word that has the sense
    sense: str  # or ""
    line: int


_SENSE = re.compile(r'<answer\b[^<>]*?\bsenseid="([^"<>]*)"')
_WORD = re.compile(r'<(/?)head>|<wf pos="([^<>]*)">([^<]*|\s*<\s*)</wf>')


def instances(text: str, name: str) -> Iterator[Instance]:
    """Yield the instances of a Senseval file, which is like XML but need not be well-formed.

    Raises DataError with the line.
    """
    end, line = 0, 1
    while (start := text.find("<instance", end)) >= 0:
        line += text.count("\n", end, start)
        where = f"{name}:{line}"
        stop = text.find("</instance>", start)
        if stop < 0:
            raise DataError(f"{where}: the instance does not end")
        instance = text[start + len("<instance") : stop]
        if "<instance" in instance:
            raise DataError(f"{where}: the instance does not end before the next one begins")
        sense = _SENSE.search(instance)
        tokens: list[tuple[str, str]] = []
        marked = None
        for item in _WORD.finditer(instance.partition("<context>")[2]):
            if item[2] is None:
                if not item[1]:
                    marked = len(tokens)
            elif item[2] and (word := item[3].strip()):
                tokens.append((word, item[2]))
        if marked is None or marked >= len(tokens):
            raise DataError(f"{where}: the instance has no word inside <head>")
        yield Instance(tokens, marked, sense[1] if sense is not None else "", line)
        line += text.count("\n", start, stop)
        end = stop
    if end == 0:
        raise DataError(f"{name}: there is no <instance> in it; is it a Senseval file?")


def _of_instance(instance: Instance, tag_in_label: bool) -> Document:
    tokens, marked, label, line = instance
    if label and tag_in_label:
        label = f"{tokens[marked][1]}:{label}"
    return tokens, marked, label, [], line
