"""Messages about requests: those to clients, in the words of a request, and the lines of the log on standard error."""

import logging
import re
from typing import Self

from starlette.types import Scope

from sapwood.base.drawing.sentence import on_one_line
from sapwood.model.records import INPUT

_LINE = re.compile(rf"{INPUT}:(\d+): ")
_OPTION = re.compile(r"(?<!\S)--input (\w+)")
_OF_COMMANDS = re.compile(r"'sapwood \w|(?<!\S)--[a-z]")
_LOG = logging.getLogger("sapwood.web")
_FIRST = 20  # failures of one request that have a line each
_MOST = 500  # characters of an address or a reason, which the client may have chosen


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


class Failures:
    """The texts of a request that fail, while others are answered: a line for each of the first, then their number."""

    def __init__(self, scope: Scope) -> None:
        self._scope, self._number = scope, 0

    def add(self, status: int, why: str) -> None:
        """Add a text that cannot be analysed."""
        self._number += 1
        if self._number <= _FIRST:
            log_refusal(self._scope, status, why)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._number > _FIRST:
            log_refusal(self._scope, 400, f"{self._number:,} texts failed, the first {_FIRST} as said")
