"""What a tagger reads: column files, and sentences or dicts of features in memory."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from sapwood import _core
from sapwood.errors import DataError, OptionError
from sapwood.io.source import read_bytes, shown
from sapwood.model.base import is_file
from sapwood.model.file.schema import ModelFile

Source = os.PathLike[str] | _core.Columns | Iterable[Sequence[str | Sequence[str]]]

WANTED = "sentences, each a list of tokens"


def read_columns(source: Source, labels: Sequence[Sequence[str]] | None, name: str, least: int = 0) -> _core.Columns:
    """Return data as columns; dicts of features become at least so many columns and one for the labels."""
    if isinstance(source, _core.Columns):
        return source
    if is_file(source, WANTED):
        if labels is not None:
            raise OptionError("labels beside a file: a file has them in its columns")
        return _core.Columns.read(read_bytes(source), shown(source))  # type: ignore[arg-type]
    given, gold = list(source), None if labels is None else list(labels)  # type: ignore[arg-type]
    if has_dicts(given):
        return _core.Columns.build_features(given, gold, name, least)  # type: ignore[arg-type]
    return _core.Columns.build(given, gold, name)


def header(columns: Sequence[str] | str | None, data: _core.Columns) -> tuple[list[str], int]:
    """Return the columns' names and which of them is the label."""
    if data.width < 2:
        raise DataError(f"{data.where(0)}: there is no label column; the data has 1 column")
    if columns is None:
        return [str(c) for c in range(data.width)], data.width - 1
    names = columns.split(",") if isinstance(columns, str) else list(columns)
    if names.count("label") != 1:
        raise OptionError(f"one of the columns is called 'label'; got {','.join(names)}")
    named = [name for name in names if name != "_"]
    if len(set(named)) != len(named) or not all(named):
        raise OptionError(f"columns have distinct names ('_' for one that is not used); got {','.join(names)}")
    if data.width != len(names):
        raise DataError(f"{data.where(0)}: {data.width} columns, but columns names {len(names)}: {','.join(names)}")
    return names, names.index("label")


def check_columns(model: ModelFile, labels: Collection[str], data: _core.Columns) -> None:
    """Raise DataError if a file seems to be plain text, and the model was made for one word a line.

    What stands behind the words may be gold labels or a placeholder, the same everywhere, but no other words.
    """
    names, label = model.columns, model.label
    if not data.has_gaps and names[:1] == ["feature 1"]:
        raise DataError(
            f"{data.name}: the model was trained on dicts of features and reads no files; use it from Python"
        )
    if len(names) > 2 or data.width < 2 or data.tokens == 0:
        return
    known = set(labels)
    if not known.isdisjoint(data.select([0]).column(label)[0]):
        return
    found = {value for sentence in data.column(label) for value in sentence}
    if len(found) > 1 and known.isdisjoint(found):
        raise DataError(
            f"{data.where(0)}: {data.width} columns, and the second one has none of the model's labels; it was "
            "made for one word a line, perhaps with a label: is this plain text?"
        )


def has_dicts(source: object) -> bool:
    """Whether the tokens of sentences in memory are dicts of features, going by the first one."""
    match source:
        case [*found]:
            sentences: list[Any] = found
            first = next((each for each in sentences if isinstance(each, str) or len(each)), "")
            return not isinstance(first, str) and isinstance(first[0], dict)
    return False
