"""JSON from outside, read within bounds: its depth is known before Python's parser, which calls itself, sees it."""

import json
import re
from itertools import accumulate

from sapwood.errors import DataError

LONG = "has a whole number of over 4,300 digits"  # Python's limit, as the time for digits grows with their square
DEPTH = 200  # levels of arrays and objects; a thread with a small stack can take them
_STEPS = {"[": 1, "{": 1, "]": -1, "}": -1, "\n": 0}
_OTHERS = re.compile(r"[^][{}\n]+")


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
