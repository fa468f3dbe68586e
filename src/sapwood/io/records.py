"""Files of examples as records: JSON lines and CSV have values by name, Senseval 2 has words in context."""

import csv
import io
import re
import sys
from collections.abc import Iterator
from typing import NamedTuple

from sapwood.errors import DataError
from sapwood.io.source import decoded, json_of_line


class Record(NamedTuple):
    """A line of JSON, or a row of a CSV file."""

    line: int
    where: str
    values: dict[str, object]  # as JSON has them

    def text(self, key: str) -> str:
        """Return a value as text; what is not there, or null, is empty. Raises DataError if it is a list or object."""
        match self.values.get(key):
            case None:
                return ""
            case bool(value):
                return "true" if value else "false"
            case str() | int() | float() as value:
                return str(value)
        raise DataError(f"{self.where}: '{key}' is neither a text nor a number")


def json_records(data: bytes, name: str, first_line: int = 1) -> Iterator[Record]:
    """Yield the objects of a file, one a line. Raises DataError with the line."""
    for number, line in enumerate(decoded(data, name, first_line).split("\n"), first_line):
        if not line.strip():
            continue
        where = f"{name}:{number}"
        values = json_of_line(line, where)
        if not isinstance(values, dict):
            raise DataError(f"{where}: the line is not a JSON object")
        yield Record(number, where, values)


def csv_records(data: bytes, name: str, needed: str, tabs: bool) -> Iterator[Record]:
    """Yield the rows below a header that has the needed column. Raises DataError with the line."""
    csv.field_size_limit(min(sys.maxsize, (1 << 31) - 1))
    reader = csv.reader(io.StringIO(decoded(data, name), newline=""), delimiter="\t" if tabs else ",", strict=True)
    line = 1
    try:
        header = next(reader, [])
        if needed not in header:
            had = ", ".join(header) or "nothing"
            raise DataError(f"{name}:1: the header has no column '{needed}' for the text; it has {had}")
        if len(set(header)) != len(header):
            raise DataError(f"{name}:1: the header names a column twice")
        line = reader.line_num + 1
        for row in reader:
            if row and len(row) != len(header):
                raise DataError(f"{name}:{line}: the row has {len(row)} cells, and the header {len(header)}")
            if row:
                yield Record(line, f"{name}:{line}", dict(zip(header, row, strict=True)))
            line = reader.line_num + 1
    except csv.Error as error:
        raise DataError(f"{name}:{line}: {error}") from None


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
