"""Checks of data in memory: one text in place of a list, a missing value, a level too few.

Texts, examples, sentences and tokens are counted from 1 in all messages, and these say so.
"""

import os
from collections.abc import Iterable, Mapping
from typing import Any

from sapwood.errors import DataError

COUNTED = "(counted from 1)"


def is_missing(label: object) -> bool:
    """Return true if a label is the empty cell of a table: NaN, NaT or NA, which equal nothing."""
    try:
        return bool(label != label)
    except TypeError:  # whether NA equals NA is not known
        return True


def called(value: object) -> str:
    """Return the words by which messages call a value that cannot stand where it is.

    >>> [called(value) for value in ("a", b"a", ["a"], None, 3, float("nan"))]
    ['a string', 'bytes', 'a list', 'None', 'the number 3', 'nan, a missing value']
    """
    if value is None or isinstance(value, bool):
        return str(value)
    if isinstance(value, (str, bytes)):
        return "a string" if isinstance(value, str) else "bytes"
    if not hasattr(value, "__len__") and is_missing(value):
        return f"{value}, a missing value"
    if isinstance(value, (int, float)):
        return f"the number {value}"
    kind = type(value).__name__
    return f"{'an' if kind[0] in 'aeiouAEIOU' else 'a'} {kind}"


def is_list(value: object) -> bool:
    """Return true if a value is a list, an array or another series of things, and not one text or one dict."""
    one = isinstance(value, (str, bytes, bytearray, Mapping, os.PathLike)) or getattr(value, "ndim", 1) == 0
    return not one and isinstance(value, Iterable)


def check_list(value: object, what: str) -> None:
    """Raise DataError if data, which messages call `what`, are no list."""
    if not is_list(value):
        raise DataError(f"{what}: a list is wanted, not {called(value)}")


def of_arrow(value: Any) -> Any:
    """Return an array of pyarrow's as a list of Python's values, with None for null; all else as it is."""
    return value.to_pylist() if hasattr(value, "to_pylist") else value


def sentences_in(source: Iterable[Any], name: str, parts: str = "tokens") -> list[Any]:
    """Return sentences as a list; each is itself a list of `parts`.

    Raises DataError, with the number of the sentence, if one is a string, a dict or no list at all; `name` is that of
    the data.
    """
    found = list(of_arrow(source))
    for number, sentence in enumerate(found, 1):
        if not has_parts(sentence):
            how = " (split it first)" if isinstance(sentence, str) else ""
            if isinstance(sentence, Mapping):
                how = ", which may be dicts of features: put those of one sentence into a list"
            raise DataError(
                f"{name}: sentence {number} is {called(sentence)}; a sentence is a list of {parts}{how} {COUNTED}"
            )
    return found


def answers_in(given: Iterable[Any], name: str, what: str = "labels") -> list[Any]:
    """Return the labels of sentences, or their trees, as a list. Raises DataError as `sentences_in` does."""
    check_list(given, f"{name}, {what}")
    found = list(of_arrow(given))
    for number, each in enumerate(found, 1):
        if not has_parts(each):
            raise DataError(f"{name}: the {what} of sentence {number} {COUNTED} are a list, not {called(each)}")
    return found


def has_parts(value: object) -> bool:
    """Return true if a value is a list, a tuple, an array or the like."""
    return is_list(value) and hasattr(value, "__len__") and hasattr(value, "__getitem__")
