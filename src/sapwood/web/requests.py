"""The bytes of requests, read within limits: JSON and forms, and what they ask for.

Members other than the text may stand in the body or in the address, each once.
"""

import asyncio
import codecs
import json
import re
from collections.abc import AsyncGenerator, Mapping
from urllib.parse import parse_qsl

from pydantic_core import ErrorDetails, from_json
from starlette.datastructures import Headers
from starlette.requests import Request

from sapwood.io.json_text import LONG, BadJson, check_depth, read_json
from sapwood.web.limits import Limits, Refused
from sapwood.web.schemas import Ask, Members, Place

FORM = "application/x-www-form-urlencoded"
JSON = "application/json"
LINES = "application/x-ndjson"
_DRAINED = 32 << 20  # bytes of a request that is too large that are still read, so that the client hears why
_GZIP = b"\x1f\x8b"
_FIELDS = "against", "format", "input", "model", "text", "why"  # the fields of the page's forms
_WHY = re.compile(r"([1-9][0-9]{0,8})\.([1-9][0-9]{0,8})\.([a-z]*)")


def wrong(error: ErrorDetails) -> str:
    """Return an error that pydantic found in a request, as a line."""
    where = ".".join(str(part) for part in error["loc"] if part not in ("body", "query")) or "the request"
    if error["type"] == "missing":
        return f"{where} is missing"
    message, given = error["msg"], error["input"]
    if not message.startswith("Input "):
        return message
    got = f"; got {given!a}" if isinstance(given, (str, int, float)) and len(str(given)) < 50 else ""
    return f"{where} {message.removeprefix('Input ')}{got}"


def parsed_json(data: bytes) -> object:
    """Return the value of JSON. Raises Refused."""
    data = data.removeprefix(codecs.BOM_UTF8)
    try:
        check_depth(data.decode())
        found: object = from_json(data)
        read_json(data.decode())
        return found
    except BadJson as error:
        raise Refused(400, f"the request {error}") from None
    except ValueError as error:
        raise _no_json(data, str(error)) from None


def _no_json(data: bytes, why: str) -> Refused:
    """Return the refusal of a body that is not JSON; `why` is the message of a reader of JSON."""
    if data.startswith(_GZIP):
        return _compressed("gzip")
    encoding = json.detect_encoding(data)
    if not encoding.startswith("utf-8") and b"{" in data[:8]:
        return Refused(400, f"the request is {encoding[:6].upper()}; JSON is sent in UTF-8")
    try:
        data.decode()
    except UnicodeDecodeError as error:
        byte = f"byte {error.start + 1} is {data[error.start]:02X}"
        return Refused(400, f"the request is not UTF-8, in which JSON is sent: {byte}")
    if "out of range" in why:
        return Refused(400, f"the request {LONG}")
    half = "; half of a pair of surrogates is no character" if "hex escape" in why else ""
    return Refused(400, f"the request is not JSON: {why.replace(' line 1 column', ' column')}{half}")


def _compressed(coding: str) -> Refused:
    return Refused(415, f"the request is compressed ({coding}); send it as it is", {"Accept-Encoding": "identity"})


def check_coding(headers: Headers) -> None:
    """Raise Refused for a body that is compressed: few bytes may stand for very many."""
    coding = headers.get("content-encoding", "").strip().lower()
    if coding not in ("", "identity"):
        raise _compressed(ascii(coding[:20])[1:-1])


def beside(kind: type[Members], request: Request, body: object = None) -> object:
    """Return the members that a request has in its address, where all values are texts, beside those of its body.

    kind : has those that the address may have. Raises Refused and ValidationError.
    """
    if not (query := _query_of(request)):
        return {} if body is None else body
    given = _once(query, "the address")
    found = kind.model_validate(given, strict=False).model_dump(exclude_unset=True)
    if body is None:
        return found
    if not isinstance(body, dict):
        return body
    for name in found.keys() & body.keys():
        raise Refused(400, f"{name} is in the address and in the request; give it once")
    return body | found


def _query_of(request: Request) -> str:
    query: bytes = request.scope["query_string"]
    return query.decode("latin-1")


def _once(pairs: str, where: str) -> dict[str, str]:
    """Return names and values, such as those of a form. Raises Refused for a name that comes twice."""
    try:
        read = parse_qsl(pairs, keep_blank_values=True, errors="strict", max_num_fields=20)
    except UnicodeDecodeError:
        raise Refused(400, f"{where} is not UTF-8") from None
    except ValueError:
        raise Refused(400, f"{where} has too many fields") from None
    found = dict(read)
    if len(found) < len(read):
        names = [name for name, _ in read]
        twice = next(name for name in found if names.count(name) > 1)
        raise Refused(400, f"{where} has {twice!a} twice; give it once")
    return found


async def body_of(request: Request, limits: Limits) -> bytes:
    """Return the body. Raises Refused if it is compressed, too large, or comes too slowly."""
    check_coding(request.headers)
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


async def request_lines(request: Request, limits: Limits) -> AsyncGenerator[tuple[int, bytes]]:
    """Yield the lines of a stream that are not empty, with their numbers.

    Raises Refused for a line that is too long, or that does not come as soon as a request has to. That holds for the
    whole line, so that a client cannot stay for long by sending a byte now and then.
    """
    number, size = 0, 0
    held: list[bytes] = []  # the pieces of the line that has begun
    parts = aiter(request.stream())
    ended = False
    while not ended:
        found: list[tuple[int, bytes]] = []
        try:
            async with asyncio.timeout(limits.patience):
                while not found and not ended and size <= limits.bytes:
                    part = await anext(parts, None)
                    ended = part is None
                    *ends, begun = [b""] if part is None else part.split(b"\n")
                    for end in [*ends, b""] if ended else ends:
                        number += 1
                        line = b"".join([*held, end])
                        held.clear()
                        if line.strip():
                            found.append((number, line))
                    held.append(begun)
                    size = size + len(begun) if not ends else len(begun)
        except TimeoutError:
            raise Refused(408, f"line {number + 1} did not come in {limits.patience:g} s") from None
        for each in found:
            yield each
        if size > limits.bytes:
            raise Refused(413, f"line {number + 1} has more than {limits.bytes:,} bytes")


def media_type(headers: Headers) -> str:
    """Return the media type that a request names for its body."""
    return headers.get("content-type", "").partition(";")[0].strip().lower()


async def form_of(request: Request, limits: Limits) -> dict[str, str]:
    """Return the fields of a form, and of its address. Raises Refused if it is none."""
    if media_type(request.headers) != FORM:
        raise Refused(415, f"a form comes as {FORM}")
    body = await body_of(request, limits)
    try:
        fields = "&".join(filter(None, (body.decode(), _query_of(request))))
    except UnicodeDecodeError:
        raise Refused(400, "the form is not UTF-8") from None
    found = _once(fields, "the form")
    for name in found.keys() - set(_FIELDS):
        raise Refused(400, f"{name!a} is none of {', '.join(_FIELDS)}")
    return {name: value.replace("\r\n", "\n") for name, value in found.items()}  # browsers send line ends as \r\n


def ask_in_form(fields: Mapping[str, str]) -> Ask:
    """Return whom a form asks. Raises ValidationError."""
    return Ask(model=fields.get("model", ""), input=fields.get("input", ""))


def place_in_form(fields: Mapping[str, str]) -> Place:
    """Return the decision that a button of the page asks about. Raises Refused."""
    found = _WHY.fullmatch(fields.get("why", ""))
    if found is None:
        raise Refused(400, "why is SENTENCE.TOKEN.PART")
    sentence, token, part = found.groups()
    return Place(sentence=int(sentence), token=int(token), part=part, against=fields.get("against", "").strip())
