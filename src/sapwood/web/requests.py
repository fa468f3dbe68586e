"""The bytes of requests, read within limits: JSON and forms, and what they ask for."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Mapping
from urllib.parse import parse_qsl

from pydantic_core import ErrorDetails, from_json
from starlette.datastructures import Headers
from starlette.requests import Request

from sapwood.io.source import RepeatedName, unique
from sapwood.web.limits import Limits, Refused
from sapwood.web.schemas import Ask, Place

FORM = "application/x-www-form-urlencoded"
JSON = "application/json"
LINES = "application/x-ndjson"
_DRAINED = 32 << 20  # bytes of a request that is too large that are still read, so that the client hears why
_MEMBERS = json.JSONDecoder(object_pairs_hook=unique)
_WHY = re.compile(r"([1-9][0-9]{0,8})\.([1-9][0-9]{0,8})\.([a-z]*)")


def wrong(error: ErrorDetails) -> str:
    """Return what pydantic found to be wrong in a request, as a line."""
    where = ".".join(str(part) for part in error["loc"] if part not in ("body", "query")) or "the request"
    if error["type"] == "missing":
        return f"{where} is missing"
    message, given = error["msg"], error["input"]
    if not message.startswith("Input "):
        return message
    got = f"; got {given!a}" if isinstance(given, (str, int, float)) and len(str(given)) < 50 else ""
    return f"{where} {message.removeprefix('Input ')}{got}"


def parsed(data: bytes) -> object:
    """Return what JSON holds. Raises Refused."""
    try:
        found: object = from_json(data)
        _MEMBERS.decode(data.decode())
        return found
    except RepeatedName as error:
        raise Refused(400, f"the request has {error}") from None
    except ValueError as error:
        raise Refused(400, f"the request is not JSON: {str(error).replace(' line 1 column', ' column')}") from None


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


def media_type(headers: Headers) -> str:
    """Return what a request says that its body is."""
    return headers.get("content-type", "").partition(";")[0].strip().lower()


async def form_of(request: Request, limits: Limits) -> dict[str, str]:
    """Return the fields of a form. Raises Refused if it is none."""
    if media_type(request.headers) != FORM:
        raise Refused(415, f"a form comes as {FORM}")
    body = await body_of(request, limits)
    try:
        pairs = parse_qsl(body.decode(), keep_blank_values=True, errors="strict", max_num_fields=20)
    except UnicodeDecodeError:
        raise Refused(400, "the form is not UTF-8") from None
    except ValueError:
        raise Refused(400, "the form has too many fields") from None
    return {name: value.replace("\r\n", "\n") for name, value in pairs}  # browsers send line ends as \r\n


def ask_in_form(fields: Mapping[str, str]) -> Ask:
    """Return whom a form asks. Raises ValidationError."""
    return Ask(model=fields.get("model", ""), input=fields.get("input", ""))


def place_in_form(fields: Mapping[str, str]) -> Place:
    """Return which decision a button of the page asks about. Raises Refused."""
    found = _WHY.fullmatch(fields.get("why", ""))
    if found is None:
        raise Refused(400, "why is SENTENCE.TOKEN.PART")
    sentence, token, part = found.groups()
    return Place(sentence=int(sentence), token=int(token), part=part, why_not=fields.get("why_not", "").strip())
