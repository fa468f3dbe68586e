"""Answers: errors in one line, for the client and the log on standard error, and bodies sent piece by piece."""

import asyncio
import json
import logging
import re
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import aclosing
from typing import Self

from fastapi.exceptions import RequestValidationError
from pydantic import ValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Match
from starlette.types import HTTPExceptionHandler, Receive, Scope, Send

from sapwood.base.drawing.sentence import on_one_line
from sapwood.errors import ModelError, SapwoodError, SapwoodWarning
from sapwood.model.records import INPUT
from sapwood.web.limits import Refused
from sapwood.web.requests import wrong

# Errors that are the fault of a request, or of a text in it.
FAULTS = (Refused, RequestValidationError, ValidationError, SapwoodError, SapwoodWarning)
_LINE = re.compile(rf"{INPUT}:(\d+): ")
_OPTION = re.compile(r"(?<!\S)--input (\w+)")
_OF_COMMANDS = re.compile(r"'sapwood \w|(?<!\S)--[a-z]")
_LOG = logging.getLogger("sapwood.web")
_FIRST = 20  # failures of one request that have a line each
_MOST = 500  # characters of an address or a reason, which the client may have chosen


class Broken(Exception):
    """An answer that has begun cannot be completed; it says why."""


class Streamed(Response):
    """An answer that is sent piece by piece, until the client is gone: `gone` tells."""

    def __init__(
        self,
        pieces: AsyncGenerator[bytes],
        media_type: str,
        gone: Callable[[], Awaitable[bool]] | None = None,
        headers: dict[str, str] | None = None,
    ) -> None:
        super().__init__(None, 200, headers, media_type)
        del self.headers["content-length"]
        self._pieces = pieces
        self._gone = gone

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        try:
            async with aclosing(self._pieces):
                async for piece in self._pieces:
                    await send({"type": "http.response.body", "body": piece, "more_body": True})
                    await asyncio.sleep(0)  # else what is answered without waiting hears of nothing else
                    if self._gone is not None and await self._gone():
                        raise ClientDisconnect
        except (*FAULTS, ClientDisconnect) as error:
            raise Broken(refusal(error)) from error
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def begun(pieces: AsyncGenerator[bytes]) -> AsyncGenerator[bytes]:
    """Wait for the first piece, so that what fails at once is an error and no broken answer; return all pieces."""
    first = await anext(pieces, b"")

    async def all_pieces() -> AsyncGenerator[bytes]:
        async with aclosing(pieces):
            yield first
            async for piece in pieces:
                yield piece

    return all_pieces()


def as_json(value: object, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Return an answer in JSON."""
    body = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
    return Response(body, status, headers, "application/json")


def in_words_of_request(message: str) -> str:
    """Return a message as a client is told it: of its text's lines, and without advice for the command line.

    >>> in_words_of_request("input:3: this looks like CSV; classifiers read it by --format csv")
    'line 3 of the text: this looks like CSV'
    >>> in_words_of_request("without it, give --input tokens")
    'without it, give input=tokens'
    """
    message = _LINE.sub(r"line \1 of the text: ", message, count=1)
    if message.startswith(f"{INPUT}: "):
        message = f"the text: {message.removeprefix(f'{INPUT}: ')}"
    first, *others = message.split("; ")
    said = [clause for clause in others if not _OF_COMMANDS.search(_OPTION.sub("", clause))]
    return _OPTION.sub(r"input=\1", "; ".join([first, *said]))


def log_refusal(scope: Scope, what: int | str, why: str) -> None:
    """Write a line. `what` is the status, or what else became of the request."""
    address, reason = (on_one_line(text[:_MOST]) for text in (scope["path"], why))
    name = scope.get("state", {}).get("request_id")
    _LOG.warning("%s %s %s: %s%s", scope["method"], address, what, reason, f" (request {name})" if name else "")


def refusal(error: Exception) -> Refused:
    """Return an error as what the client is told: a status and one line."""
    match error:
        case HTTPException():
            return Refused(error.status_code, error.detail, error.headers)
        case RequestValidationError() | ValidationError():
            return Refused(400, wrong(error.errors()[0]))
        case SapwoodError():
            return Refused(422 if isinstance(error, ModelError) else 400, in_words_of_request(str(error)))
        case ClientDisconnect():
            return Refused(400, "the client is gone")
        case SapwoodWarning():  # as errors here: what is slow
            return Refused(413, in_words_of_request(str(error)))
    return Refused(500, "the server failed; its log says how")


class Failures:
    """The texts of a request that fail, while others are answered: a line for each of the first, then their number."""

    def __init__(self, scope: Scope) -> None:
        self._scope, self._number = scope, 0

    def add(self, where: str, error: Exception) -> dict[str, object]:
        """Add a text that cannot be analysed, and return the member of its answer."""
        refused = refusal(error)
        said = f"{where}: {refused}"
        self._number += 1
        if self._number <= _FIRST:
            log_refusal(self._scope, refused.status_code, said)
        return {"error": said}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._number > _FIRST:
            log_refusal(self._scope, 400, f"{self._number:,} texts failed, the first {_FIRST} as said")


def error_handlers(in_html: Callable[[Request, Refused], Response]) -> dict[type[Exception], HTTPExceptionHandler]:
    """Return the handlers of errors: they answer in JSON for programs, with a page for forms."""

    async def handle(request: Request, error: Exception) -> Response:
        refused = refusal(error)
        if refused.status_code == 405:
            allow = {"Allow": ", ".join(sorted(_methods(request)))}
            if request.method == "OPTIONS":
                return Response(None, 204, allow)
            refused = Refused(405, f"it is asked by {allow['Allow']}", allow)
        why = str(refused) if refused.status_code != 500 else f"{type(error).__name__}: {error}"
        log_refusal(request.scope, refused.status_code, why)
        if request.url.path.rpartition("/")[2] in ("", "why", "download"):
            return in_html(request, refused)
        return as_json({"error": str(refused)}, refused.status_code, refused.headers)

    return dict.fromkeys((*FAULTS, HTTPException, ClientDisconnect, Exception), handle)


def _methods(request: Request) -> set[str]:
    """Return the methods by which a path can be asked, which may have several routes."""
    routes = (each for each in request.app.routes if each.matches(request.scope)[0] is not Match.NONE)
    return {method for route in routes for method in route.methods} | {"OPTIONS"}
