"""Word lists that templates name: one word or phrase a line, all in one folder."""

import os
from collections.abc import Iterable
from pathlib import Path

from sapwood import _core
from sapwood.errors import DataError, shown
from sapwood.io.text import read_bytes

WordLists = list[tuple[str, _core.WordList]]  # by name


def read_word_lists(names: Iterable[str], folder: str | os.PathLike[str]) -> WordLists:
    """Return the word lists of these names, read from a folder; what lies outside of it is not opened.

    A template may come from a stranger, and what it reads becomes part of the model. Raises DataError.
    """
    return [(name, _read(name, Path(folder))) for name in names]


def _read(name: str, folder: Path) -> _core.WordList:
    path = folder / name
    inside = Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))
    if not inside or Path(name).is_absolute() or ".." in Path(name).parts:
        why = f"it does not lie in {shown(folder)}, the folder for word lists; the option word_lists names another"
        raise DataError(f"word list {shown(name)}: {why}")
    try:
        data = read_bytes(path)
    except DataError as error:
        raise DataError(f"word list {error}") from None
    try:
        return _core.WordList.read(data)
    except DataError as error:
        raise DataError(f"word list {shown(path)}: {error}") from None
