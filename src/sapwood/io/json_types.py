"""Types of JSON values: headers of models and checkpoints are checked against them before anything believes them."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from types import UnionType
from typing import TypeGuard, TypeVar, get_args, get_origin, get_type_hints, is_typeddict

from sapwood.errors import ModelError
from sapwood.io.json_text import BadJson, read_json

T = TypeVar("T")


def is_number(value: object) -> TypeGuard[float]:
    """Return true if a value is a number that fits into a float: JSON may have NaN, and integers of any length."""
    match value:
        case bool():
            return False
        case int() | float():
            return abs(value) <= 1e308
    return False


def fits(value: object, kind: type[T]) -> TypeGuard[T]:
    """Return true if a JSON value has a type: a scalar, a list or dict of such, a TypedDict, or one of several.

    `int` is a natural number below 2^62, `float` any finite number, `object` anything.

    >>> fits({"a": [1, 2]}, dict[str, list[int]]), fits([True], list[int])
    (True, False)
    """
    described: object = kind
    return _check_of(described)(value)


@cache
def _check_of(kind: object) -> Callable[[object], bool]:
    """Return the function that says whether a value has a type: types are taken apart once, not for every value."""
    match get_origin(kind) or kind, get_args(kind):
        case [origin, kinds] if origin is UnionType:
            checks = [_check_of(each) for each in kinds]
            return lambda value: any(check(value) for check in checks)
        case [origin, [inner]] if origin is list:
            of_item = _check_of(inner)
            return lambda value: type(value) is list and all(map(of_item, value))
        case [origin, [_, inner]] if origin is dict:
            of_value = _check_of(inner)
            return lambda value: type(value) is dict and all(map(of_value, value.values()))
        case [record, _] if is_typeddict(record):
            required = vars(record)["__required_keys__"]
            of_key = {key: _check_of(hint) for key, hint in get_type_hints(kind).items()}
            return lambda value: (
                type(value) is dict
                and required <= value.keys() <= of_key.keys()
                and all(of_key[key](each) for key, each in value.items())
            )
    if kind is int:
        return lambda value: type(value) is int and 0 <= value < 1 << 62
    return is_number if kind is float else lambda value: kind is object or type(value) is kind


def parsed(text: str, kind: type[T], what: str) -> T:
    """Return the value of a JSON text. Raises ModelError, which calls it `what`, if it is not of this type."""
    try:
        value = read_json(text)
    except BadJson:
        raise ModelError(f"{what} is not JSON, or has a name twice") from None
    if not fits(value, kind):
        raise ModelError(f"{what} is not of the form {_form(kind)}")
    try:
        if "\\u" in text:  # an escape may be half of a character
            json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise ModelError(f"{what} has text that is not Unicode") from None
    return value


def _form(kind: type) -> str:
    """Return a type as messages have it."""
    if is_typeddict(kind):
        return "{" + ", ".join(f"{key}: {_form(inner)}" for key, inner in get_type_hints(kind).items()) + "}"
    if (origin := get_origin(kind)) in (list, dict):
        return f"{origin.__name__} of {_form(get_args(kind)[-1])}"
    return " or ".join(map(_form, get_args(kind))) or ("null" if kind is type(None) else kind.__name__)
