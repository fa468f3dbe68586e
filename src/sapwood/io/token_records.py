"""Records with a list of tokens, and lists of their labels beside it, as the rows that a column file would have.

Data sets of names and tags come so, as lines of JSON or Parquet: ``{"tokens": ["Ada", "ran"], "tags": ["PER", "O"]}``.
The tokens are the first column. The other columns are the lists that are as long, in the order of the records' members,
so that the last one has the labels.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import sapwood._core as _core
from sapwood.errors import DataError, warn
from sapwood.io.json_text import BadJson, check_depth, value_at
from sapwood.io.memory import called

if TYPE_CHECKING:
    from sapwood.io.records import Record

_OBJECT = re.compile(rb'(?:\xef\xbb\xbf)?\s*(?:\[\s*)?(?=\{\s*")')
_TOKENS = "tokens"
_ATOMS = (str, int)
_TREEBANK = {"upos", "head", "deprel"}  # the lists that records of a treebank have beside others
_UNLIKELY = {"misc", "deps", "head", "feats"}  # lists of a treebank that nobody means when no label is named
_LOOKED_AT = 1 << 20  # bytes in which the first record ends


def columns_of_records(data: bytes, name: str, *, named: bool = False) -> _core.Columns | None:
    """Return the rows of a file's records; None if it has none, or if the first one has no tokens. Raises DataError.

    named : somebody has named the columns. If not, it is said of a treebank's records which list has the labels.
    """
    is_table = data.startswith(b"PAR1") and data.endswith(b"PAR1")
    if not is_table and not _begins_with_tokens(data):
        return None
    from sapwood.io.example_files import table_of
    from sapwood.io.records import json_records

    records = table_of(data, name) if is_table else list(json_records(data, name))
    for record in records:
        if not isinstance(record.values.get(_TOKENS), list):
            raise DataError(f"{record.where}: '{_TOKENS}' is no list; the record has {record.members()}")
    columns = _columns_in(records)
    if not named and columns and columns[-1] in _UNLIKELY and {*columns} >= _TREEBANK:
        names = ["word", *("label" if column == "upos" else "_" for column in columns)]
        how = f"--columns {','.join(names)}"
        warn(f"{name}: labels are taken from '{columns[-1]}', the last list of the records; {how} takes 'upos'")
    return _core.Columns.build([_rows(record, columns) for record in records], None, name)


def refuse_records(data: bytes, name: str) -> None:
    """Raise DataError if the first record of a file has tokens, where answers are written as columns."""
    if _begins_with_tokens(data):
        raise DataError(f"{name}: records with '{_TOKENS}' are labelled by 'sapwood tag --to jsonl', and stay records")


def _begins_with_tokens(data: bytes) -> bool:
    begin = _OBJECT.match(data)
    if begin is None:
        return False
    first = data[begin.end() : begin.end() + _LOOKED_AT].decode(errors="replace")
    try:
        check_depth(first)
        match value_at(first, 0)[0]:
            case {"tokens": list()}:
                return True
    except BadJson:
        pass
    return False


def _columns_in(records: Sequence[Record]) -> list[str]:
    """Return the members that are lists as long as the tokens in most of the records that have tokens."""
    full = [record.values for record in records if record.values[_TOKENS]]
    names = dict.fromkeys(name for values in full for name in values if name != _TOKENS)
    return [name for name in names if 2 * sum(_fits(values, name) for values in full) > len(full)]


def _fits(values: dict[str, object], name: str) -> bool:
    match values[_TOKENS], values.get(name):
        case list(tokens), list(items):
            return len(items) == len(tokens) and all(isinstance(item, _ATOMS) for item in items)
    return False


def _rows(record: Record, columns: Sequence[str]) -> list[tuple[str, ...]]:
    for name in columns:
        if not _fits(record.values, name):
            raise DataError(f"{record.where}: '{name}' has no label for each of the '{_TOKENS}', as in other records")
    tokens: list[object] = record.values[_TOKENS]  # type: ignore[assignment]
    lists: list[list[object]] = [record.values[name] for name in columns]  # type: ignore[misc]
    if any(not isinstance(label, str) for label in (lists[-1] if lists else ())):
        raise DataError(
            f"{record.where}: '{columns[-1]}' has numbers; put the names of the labels there (Parquet that the library "
            "datasets writes has them)"
        )
    return [(*_cells(token, record), *map(str, labels)) for token, *labels in zip(tokens, *lists, strict=True)]


def _cells(token: object, record: Record) -> list[str]:
    """Return the cells of a token: a word, or a list of its columns."""
    cells = token if isinstance(token, list) else [token]
    if any(not isinstance(cell, str) for cell in cells):
        raise DataError(f"{record.where}: tokens are texts, not {called(token)}")
    return [str(cell) for cell in cells]
