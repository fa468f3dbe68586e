"""Tokens that are given: the rows of column files, with comments between them, and lines of tokens."""

from __future__ import annotations

import re

from sapwood._core import Columns
from sapwood.errors import warn
from sapwood.io.column_looks import READ, header_in
from sapwood.io.formats import named_in_errors
from sapwood.io.source import plain_text

DOCUMENT_START = "-DOCSTART-"  # CoNLL-2003: the first cell of a line that begins a document, and is no token
_SPACES = re.compile(  # nothing but white space, as the core has it (core/text/characters.hpp)
    "[\t-\r \x85\xa0\u1680\u2000-\u200b\u2028\u2029\u202f\u205f\u3000\ufeff]*"
)


def read_rows(data: bytes, name: str, line: int = 1, before: Columns | None = None) -> Columns:
    """Return the rows of a column file's bytes. Raises DataError with the place, and names a format that is another.

    It says once of a file that lines in it are comments. line, before : number of the first line, the rows before it
    """
    header = header_in(data[: 4 * READ].decode(errors="ignore")) if before is None else ""
    with named_in_errors(data, "columns"):
        rows = Columns.read(data, name, line, before, bool(header))
    if header:
        warn(f"{name}: the first row has names of columns ({', '.join(header.split())}), and is passed over")
    count, first = rows.comments
    if count > 0 and (before is None or before.comments[0] == 0):
        lines = "1 line in front of a sentence is a comment" if count == 1 else f"{count:,} lines are comments"
        warn(f"{name}:{first}: {lines}, which begin{'s' if count == 1 else ''} with #, and passed over")
    return rows


def given_tokens(data: bytes, name: str, first_line: int = 1) -> list[list[str]]:
    """Return the tokens of each line: blanks and tabs alone part them, as in the core. Raises DataError."""
    lines = plain_text(data, name, first_line).split("\n")
    return [[token for token in re.split(r"[ \t\r]+", line) if not _SPACES.fullmatch(token)] for line in lines]
