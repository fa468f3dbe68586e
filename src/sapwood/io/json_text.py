"""JSON from outside, read within bounds, and checked against types before anything believes it.

Its depth is known before Python's parser, which calls itself, sees it. Headers of models and checkpoints have types.
"""

import json
import re
from collections.abc import Callable
from functools import cache
from itertools import accumulate
from types import UnionType
from typing import TypeGuard, TypeVar, get_args, get_origin, get_type_hints, is_typeddict

from sapwood.errors import DataError, ModelError

LONG = "has a whole number of over 4,300 digits"  # Python's limit, as the time for digits grows with their square
DEPTH = 200  # levels of arrays and objects; a thread with a small stack can take them
_STEPS = {"[": 1, "{": 1, "]": -1, "}": -1, "\n": 0}
_OTHERS = re.compile(r"[^][{}\n]+")
T = TypeVar("T")


class BadJson(ValueError):
    """JSON that is not read, and why, as a predicate: "is not JSON"; perhaps with the line of the text."""

    def __str__(self) -> str:
        return str(self.args[0])


def unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Make the dict of an object of JSON, for `object_pairs_hook`. Raises BadJson if a name comes twice."""
    members: dict[str, object] = {}
    for name, value in pairs:
        if name in members:
            raise BadJson(f"has the name {name[:40]!a} twice")
        members[name] = value
    return members


_DECODER = json.JSONDecoder(object_pairs_hook=unique)


def check_depth(text: str) -> None:
    """Raise BadJson if arrays and objects are nested more than DEPTH deep. The time is linear in the text's length."""
    if text.count("[") + text.count("{") > DEPTH:
        outside = "".join(text.replace("\\\\", "").replace('\\"', "").split('"')[::2])  # strings are left out
        depths = list(accumulate(map(_STEPS.__getitem__, brackets := _OTHERS.sub("", outside))))
        if max(depths) > DEPTH:
            line = 1 + brackets.count("\n", 0, depths.index(DEPTH + 1))
            raise BadJson(f"is nested too deeply, over {DEPTH} levels", line)


def read_json(text: str) -> object:
    """Return the value of a text of JSON. Raises BadJson."""
    return value_at(text)[0]


def value_at(text: str, at: int | None = None) -> tuple[object, int]:
    """Return the value that begins at a place of a text and the place behind it; without a place, the whole text's.

    Raises BadJson. Whoever names a place has checked the depth.
    """
    try:
        if at is not None:
            return json.JSONDecoder().raw_decode(text, at)  # a name twice is its line's fault
        check_depth(text)
        return _DECODER.decode(text), len(text)
    except (BadJson, json.JSONDecodeError) as error:
        raise BadJson(str(error) if isinstance(error, BadJson) else "is not JSON") from None
    except ValueError:
        raise BadJson(LONG) from None


def json_of_line(line: str, where: str) -> object:
    """Return the value of a line of JSON. Raises DataError, also for an escape that is half of a character."""
    try:
        values = read_json(line)
        if "\\u" in line:
            json.dumps(values, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        half = re.search(r"(?i)\\ud[89a-f][0-9a-f]{2}", line)
        which = "" if half is None else f" ({half[0]})"
        raise DataError(
            f"{where}: the line has half of a Unicode character in it{which}; write both halves, or the character"
        ) from None
    except BadJson as error:
        raise DataError(f"{where}: the line {error}") from None
    return values


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
    if is_typeddict(kind):
        return "{" + ", ".join(f"{key}: {_form(inner)}" for key, inner in get_type_hints(kind).items()) + "}"
    if (origin := get_origin(kind)) in (list, dict):
        return f"{origin.__name__} of {_form(get_args(kind)[-1])}"
    return " or ".join(map(_form, get_args(kind))) or ("null" if kind is type(None) else kind.__name__)
