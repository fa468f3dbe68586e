"""Records with answers: each has the members that came in, in their order, and behind them what a model says of it."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from sapwood.base.optional import require
from sapwood.errors import DataError, OptionError

if TYPE_CHECKING:
    from sapwood.io.records import Record

TO = ("jsonl", "csv", "parquet")
HELP = (
    "write records in this format in place of lines: every member that came in, and behind them the answer's; a member "
    "is called predicted_NAME where a record has had one of this NAME"
)
_MORE = "in CSV every record has the members of the first one, or of its file; write jsonl"

Answer = Mapping[str, object]  # the members that a model adds to a record


class RecordWriter:
    """A writer of the records of one file, which may come in parts.

    to : one of TO. Parquet has all records in one part.
    name : of the file, in errors
    """

    def __init__(self, to: str, name: str) -> None:
        if to not in TO:
            raise OptionError(f"records are written as {', '.join(TO)}, not as {to!a}")
        if to == "parquet":
            require("pyarrow", "writing Parquet")
        self._to, self._place = to, name
        self._members: dict[str, None] = {}  # members of all records so far
        self._header: list[str] = []

    def written(self, records: Sequence[Record], answers: Sequence[Answer]) -> bytes:
        """Return the next records with their answers. Raises DataError for a value that the format does not have."""
        self._members |= dict.fromkeys(chain.from_iterable(record.values for record in records))
        named = [{self._name(name): value for name, value in answer.items()} for answer in answers]
        if self._to == "parquet":
            from sapwood.io.tables import with_columns

            return with_columns(records, list(self._members), named, self._place)
        rows = [record.values | answer for record, answer in zip(records, named, strict=True)]
        if self._to == "csv":
            return self._as_csv(rows, dict.fromkeys(chain(self._members, *named)))
        return "".join(json.dumps(row, ensure_ascii=False, default=self._as_text) + "\n" for row in rows).encode()

    def _name(self, name: str) -> str:
        while name in self._members:
            name = f"predicted_{name}"
        return name

    def _as_csv(self, rows: Iterable[Mapping[str, object]], names: Iterable[str]) -> bytes:
        import csv

        text = io.StringIO()
        plain = csv.writer(text, lineterminator="\n")
        quoted = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_ALL)
        if not self._header and (header := list(names)):
            self._header = header
            plain.writerow(self._header)
        if more := [name for name in names if name not in self._header]:
            raise DataError(f"{self._place}: a later record has the member {more[0]!a}; {_MORE}")
        for row in rows:
            cells = [self._cell(row.get(name)) for name in self._header]
            (quoted if any("\r" in cell for cell in cells) else plain).writerow(cells)
        return text.getvalue().encode()

    def _cell(self, value: object) -> str:
        if isinstance(value, str):
            return value
        return "" if value is None else json.dumps(value, ensure_ascii=False, default=self._as_text).strip('"')

    def _as_text(self, value: object) -> str:
        """Return a value that only Parquet has, such as a date, as text."""
        if isinstance(value, bytes):
            raise DataError(f"{self._place}: a member has bytes, which only Parquet holds; write parquet")
        return str(value)
