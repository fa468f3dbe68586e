"""The API for programs: texts in, JSON out; one text, a batch, or a stream of lines."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Callable, Coroutine
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

import sapwood
from sapwood.errors import SapwoodError, SapwoodWarning
from sapwood.io.text import encoded
from sapwood.model.reading import INPUTS
from sapwood.web.answering import Streamed, as_json, begun, refusal
from sapwood.web.asking import LINES, Ask, ask_of, json_object, json_of, known_only, media_type, place_of, text_in
from sapwood.web.limits import Limits, Refused
from sapwood.web.openapi import description
from sapwood.web.work import Served

_ASKED = {"model", "input"}
_CONFIDENCE = {"confidence"}
_PLACE = {"sentence", "token", "part", "against", "why_not", "top"}

Endpoint = Callable[[Request], Coroutine[Any, Any, Response]]


def endpoints(served: Served) -> dict[str, tuple[str, Endpoint]]:
    """Return path -> method and what answers it."""
    limits = served.limits

    async def annotate(request: Request) -> Response:
        if media_type(request) == LINES:
            return await _annotate_stream(served, request)
        values = await json_of(request, limits)
        known_only(values, _ASKED | _CONFIDENCE | {"text", "texts"})
        ask = ask_of(values)
        served.model(ask.model)
        texts = _texts(values, limits)
        if texts is not None:
            pieces = _batch(served, ask, texts)
        else:
            pieces = _document(served, ask, encoded(text_in(values, "text")), named=True)
        return Streamed(await begun(served.gate.through(pieces)), "application/json", request.is_disconnected)

    async def explain(request: Request) -> Response:
        values = await json_of(request, limits)
        known_only(values, _ASKED | _PLACE | {"text"})
        ask, place, top = ask_of(values), place_of(values), values.get("top")
        if "text" not in values:
            raise Refused(400, "a request has a text")
        if top is not None and (type(top) is not int or top < 0):
            raise Refused(400, "top is a number of features, 0 or more")
        data = encoded(text_in(values, "text"))
        async with served.gate.entered():
            lines = await served.explanations(ask, data, place)
        records = [json.loads(line) for line in lines]
        for record in records if top is not None else ():
            del record["features"][top:]
        return as_json({"model": served.name(ask), "explanations": records})

    async def health(request: Request) -> Response:
        return as_json({"status": "ok", "version": sapwood.__version__})

    async def models(request: Request) -> Response:
        listed = [
            {"name": name, "task": model.task, "learned": model.learned(), "inputs": list(model.inputs())}
            for name, model in served.models.items()
        ]
        return as_json({"models": listed})

    async def openapi(request: Request) -> Response:
        return as_json(description(list(served.models), list(INPUTS), limits))

    return {
        "/annotate": ("POST", annotate),
        "/explain": ("POST", explain),
        "/health": ("GET", health),
        "/models": ("GET", models),
        "/openapi.json": ("GET", openapi),
    }


def _texts(values: dict[str, Any], limits: Limits) -> list[bytes] | None:
    """Return the texts of a batch, or None if there is one text. Raises Refused."""
    if ("text" in values) == ("texts" in values):
        raise Refused(400, "a request has a text, or texts")
    if "text" in values:
        return None
    texts = values["texts"]
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise Refused(400, "texts is a list of texts")
    if len(texts) > limits.texts:
        raise Refused(413, f"a batch has {limits.texts:,} texts at most; more go line by line, as {LINES}")
    return [encoded(text) for text in texts]


async def _document(served: Served, ask: Ask, data: bytes, *, named: bool = False) -> AsyncGenerator[bytes]:
    """Yield an object with the sentences of a text."""
    model = f'"model": {json.dumps(served.name(ask), ensure_ascii=False)}, ' if named else ""
    begin = f'{{{model}"sentences": ['.encode()
    async for lines in served.pieces(ask, data, lambda block: block.json_lines().rstrip(b"\n").replace(b"\n", b", ")):
        if lines:
            yield begin + lines
            begin = b", "
    yield b"]}" if begin == b", " else begin + b"]}"


async def _batch(served: Served, ask: Ask, texts: list[bytes]) -> AsyncGenerator[bytes]:
    """Yield an object with a document for each text of a batch, or the error of a text that cannot be analysed."""
    begin = f'{{"model": {json.dumps(served.name(ask), ensure_ascii=False)}, "documents": ['.encode()
    for number, data in enumerate(texts, start=1):
        try:
            pieces = await begun(_document(served, ask, data))
        except (Refused, SapwoodError, SapwoodWarning) as error:
            yield begin + _error(f"text {number}", error)
        else:
            yield begin
            async for piece in pieces:
                yield piece
        begin = b", "
    yield b"]}" if texts else begin + b"]}"


def _error(where: str, error: Exception) -> bytes:
    return json.dumps({"error": f"{where}: {refusal(error)}"}, ensure_ascii=False).encode()


async def _annotate_stream(served: Served, request: Request) -> Response:
    """Answer each line of a request with a line, as soon as it has come."""
    known_only(dict(request.query_params), _ASKED | _CONFIDENCE)
    ask = ask_of(request.query_params)
    served.model(ask.model)

    async def answers() -> AsyncGenerator[bytes]:
        yield b""
        async for number, line in _lines(request, served.limits):
            yield await _line(served, ask, number, line)

    return Streamed(await begun(served.gate.through(answers())), LINES)


async def _line(served: Served, ask: Ask, number: int, line: bytes) -> bytes:
    try:
        values = json_object(line, "the line")
        known_only(values, {"text"})
        if "text" not in values:
            raise Refused(400, "the line has no text")
        data = encoded(text_in(values, "text"))
        answer = b"".join([piece async for piece in _document(served, ask, data)])
    except (Refused, SapwoodError, SapwoodWarning) as error:
        answer = _error(f"line {number}", error)
    return answer + b"\n"


async def _lines(request: Request, limits: Limits) -> AsyncGenerator[tuple[int, bytes]]:
    """Yield the lines of a request with their numbers. Raises Refused for one that is too long, or too slow."""
    rest, number = b"", 0
    parts = aiter(request.stream())
    while True:
        try:
            async with asyncio.timeout(limits.patience):
                part = await anext(parts, None)
        except TimeoutError:
            raise Refused(408, f"nothing came for {limits.patience:g} s") from None
        if part is None:
            break
        *lines, rest = (rest + part).split(b"\n")
        for line in lines:
            number += 1
            if line.strip():
                yield number, line
        if len(rest) > limits.bytes:
            raise Refused(413, f"line {number + 1} has more than {limits.bytes:,} bytes")
    if rest.strip():
        yield number + 1, rest
