"""JSON lines and CSV files as records: values by name, and the place that messages give."""

import csv
import io
import sys
from collections.abc import Iterator
from typing import Any, NamedTuple

from sapwood.errors import DataError
from sapwood.io.text import decoded, json_of_line


class Record(NamedTuple):
    """A line of JSON, or a row of a CSV file."""

    line: int
    where: str
    values: dict[str, Any]  # as JSON has them

    def text(self, key: str) -> str:
        """Return a value as text; what is not there, or null, is empty. Raises DataError if it is a list or object."""
        value = self.values.get(key)
        if value is None:
            return ""
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, (str, int, float)):
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
