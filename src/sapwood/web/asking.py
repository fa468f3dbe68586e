"""What a request asks for, out of a form or JSON; everything in it is checked here."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import parse_qsl

from starlette.requests import Request

from sapwood.errors import DataError
from sapwood.io.text import json_of_line
from sapwood.model.reading import INPUTS
from sapwood.web.limits import Limits, Refused

FORM = "application/x-www-form-urlencoded"
JSON = "application/json"
LINES = "application/x-ndjson"
_DRAINED = 32 << 20  # bytes of a request that is too large that are still read, so that the client hears why
_WHY = re.compile(r"([1-9][0-9]{0,8})\.([1-9][0-9]{0,8})\.([a-z]*)")


class Ask(NamedTuple):
    """Whom to ask, and about what kind of input; empty is the usual model."""

    model: str = ""
    input: str = "auto"
    confidence: bool | None = None  # None: where the model is calibrated


class Place(NamedTuple):
    """Which decisions are to be explained, and against what."""

    sentence: int | None = None
    token: int | None = None
    part: str = ""
    against: str = ""
    why_not: str = ""

    @property
    def value(self) -> str:
        """What a button of the page has that asks about this decision."""
        return f"{self.sentence}.{self.token}.{self.part}"


async def body_of(request: Request, limits: Limits) -> bytes:
    """Return the body. Raises Refused if it is too large, or comes too slowly."""
    parts: list[bytes] = []
    size = 0
    try:
        async with asyncio.timeout(limits.patience):
            async for part in request.stream():
                size += len(part)
                if size > _DRAINED:
                    break
                if size <= limits.bytes:
                    parts.append(part)
                else:
                    parts.clear()
    except TimeoutError:
        raise Refused(408, f"the request did not come in {limits.patience:g} s", {"Connection": "close"}) from None
    if size > limits.bytes:
        raise Refused(413, f"a request has {limits.bytes:,} bytes at most", {"Connection": "close"})
    return b"".join(parts)


def media_type(request: Request) -> str:
    """Return what the request says that its body is."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


async def form_of(request: Request, limits: Limits) -> dict[str, str]:
    """Return the fields of a form. Raises Refused if it is none."""
    if media_type(request) != FORM:
        raise Refused(415, f"a form comes as {FORM}")
    body = await body_of(request, limits)
    try:
        pairs = parse_qsl(body.decode(), keep_blank_values=True, errors="strict", max_num_fields=20)
    except UnicodeDecodeError:
        raise Refused(400, "the form is not UTF-8") from None
    except ValueError:
        raise Refused(400, "the form has too many fields") from None
    return {name: value.replace("\r\n", "\n") for name, value in pairs}  # browsers send line ends as \r\n


async def json_of(request: Request, limits: Limits) -> dict[str, Any]:
    """Return the object that a request has. Raises Refused if it is none."""
    if media_type(request) != JSON:
        raise Refused(415, f"a request comes as {JSON}, or line by line as {LINES}")
    return json_object(await body_of(request, limits), "the request")


def json_object(data: bytes, what: str) -> dict[str, Any]:
    """Return the object that JSON holds. Raises Refused."""
    try:
        value = json_of_line(data.decode(), what)
    except UnicodeDecodeError:
        raise Refused(400, f"{what} is not UTF-8") from None
    except DataError:
        raise Refused(400, f"{what} is not JSON, or has half of a character in it") from None
    if not isinstance(value, dict):
        raise Refused(400, f"{what} is not an object of JSON")
    return value


def ask_of(values: Mapping[str, Any]) -> Ask:
    """Return whom to ask. Raises Refused."""
    ask = Ask(text_in(values, "model"), text_in(values, "input") or "auto", _confidence_in(values))
    if ask.input not in INPUTS and ask.input != "auto":
        raise Refused(400, f"input is auto, {', '.join(INPUTS)}; got {ask.input!a}")
    return ask


def place_of(values: Mapping[str, Any]) -> Place:
    """Return which decisions are asked about. Raises Refused."""
    sentence, token = (_number_in(values, name) for name in ("sentence", "token"))
    part, against, why_not = (text_in(values, name) for name in ("part", "against", "why_not"))
    return Place(sentence, token, part, against, why_not)


def place_in_form(fields: Mapping[str, str]) -> Place:
    """Return which decision a button of the page asks about. Raises Refused."""
    found = _WHY.fullmatch(fields.get("why", ""))
    if found is None:
        raise Refused(400, "why is SENTENCE.TOKEN.PART")
    return Place(int(found[1]), int(found[2]), found[3], why_not=fields.get("why_not", "").strip())


def text_in(values: Mapping[str, Any], name: str) -> str:
    """Return a text, or nothing if there is none. Raises Refused."""
    value = values.get(name)
    if value is not None and not isinstance(value, str):
        raise Refused(400, f"{name} is a text")
    return value or ""


def _number_in(values: Mapping[str, Any], name: str) -> int | None:
    number = values.get(name)
    if number is not None and (type(number) is not int or not 1 <= number < 1 << 32):
        raise Refused(400, f"{name} is a number, counted from 1")
    return number


def _confidence_in(values: Mapping[str, Any]) -> bool:
    given = values.get("confidence", False)
    known = {"true": True, "false": False, True: True, False: False}  # a text in an address
    if not isinstance(given, (bool, str)) or given not in known:
        raise Refused(400, "confidence is true or false")
    return known[given]


def known_only(values: Mapping[str, Any], known: set[str]) -> None:
    """Raise Refused for a field that would be passed over in silence."""
    for name in values:
        if name not in known:
            raise Refused(400, f"{name!a} is none of {', '.join(sorted(known))}")
