"""Tokens that are given, a sentence a line, and the mark of a document among rows of tokens."""

import re

from sapwood.io.source import plain_text

DOCUMENT_START = "-DOCSTART-"  # CoNLL-2003: the first cell of a line that begins a document, and is no token
_SPACES = re.compile(  # nothing but white space, as the core has it (core/text/characters.hpp)
    "[\t-\r \x85\xa0\u1680\u2000-\u200b\u2028\u2029\u202f\u205f\u3000\ufeff]*"
)


def given_tokens(data: bytes, name: str, first_line: int = 1) -> list[list[str]]:
    """Return the tokens of each line: blanks and tabs alone part them, as in the core. Raises DataError."""
    lines = plain_text(data, name, first_line).split("\n")
    return [[token for token in re.split(r"[ \t\r]+", line) if not _SPACES.fullmatch(token)] for line in lines]
