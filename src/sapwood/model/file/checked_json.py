"""JSON in the headers of model files and checkpoints, checked against types before anything believes it."""

from __future__ import annotations

import json
from types import UnionType
from typing import TypeGuard, TypeVar, get_args, get_origin, get_type_hints, is_typeddict

from sapwood.errors import ModelError

T = TypeVar("T")


def is_number(value: object) -> TypeGuard[float]:
    """Whether a value is a number that fits into a float: JSON may have NaN, and integers of any length."""
    match value:
        case bool():
            return False
        case int() | float():
            return abs(value) <= 1e308
    return False


def fits(value: object, kind: type[T]) -> TypeGuard[T]:
    """Whether a value of JSON has a type: a scalar, a list or dict of such, a TypedDict, or one of several of these.

    `int` is a natural number below 2^62, `float` any finite number, `object` anything.

    >>> fits({"a": [1, 2]}, dict[str, list[int]]), fits([True], list[int])
    (True, False)
    """
    match get_origin(kind) or kind, get_args(kind):
        case [origin, kinds] if origin is UnionType:
            return any(fits(value, each) for each in kinds)
        case [origin, [inner]] if origin is list:
            return type(value) is list and all(fits(each, inner) for each in value)
        case [origin, [_, inner]] if origin is dict:
            return type(value) is dict and all(fits(each, inner) for each in value.values())
        case [record, _] if is_typeddict(record):
            hints = get_type_hints(kind)
            if type(value) is not dict or not vars(record)["__required_keys__"] <= value.keys() <= hints.keys():
                return False
            return all(fits(each, hints[key]) for key, each in value.items())
    if kind is int:
        return type(value) is int and 0 <= value < 1 << 62
    return is_number(value) if kind is float else kind is object or type(value) is kind


def parsed(text: str, kind: type[T], what: str) -> T:
    """Return what a JSON text holds, of this type. Raises ModelError, in which `what` is its name."""
    try:
        value = json.loads(text, object_pairs_hook=_unique)
    except (ValueError, RecursionError):
        raise ModelError(f"{what} is not JSON, or has a name twice") from None
    if not fits(value, kind):
        raise ModelError(f"{what} is not of the form {_form(kind)}")
    try:
        if "\\u" in text:  # which may be half of a character
            json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise ModelError(f"{what} has text that is not Unicode") from None
    return value


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    entries = dict(pairs)
    if len(entries) < len(pairs):
        raise ValueError("a name twice")
    return entries


def _form(kind: type) -> str:
    """Return a type as messages have it."""
    if is_typeddict(kind):
        return "{" + ", ".join(f"{key}: {_form(inner)}" for key, inner in get_type_hints(kind).items()) + "}"
    if (origin := get_origin(kind)) in (list, dict):
        return f"{origin.__name__} of {_form(get_args(kind)[-1])}"
    return " or ".join(map(_form, get_args(kind))) or ("null" if kind is type(None) else kind.__name__)
