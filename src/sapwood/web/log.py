"""The log on standard error: a line for each request that is refused or fails, with its reason."""

import logging
from typing import Self

from starlette.types import Scope

from sapwood.base.drawing.sentence import on_one_line

_LOG = logging.getLogger("sapwood.web")
_FIRST = 20  # failures of one request that have a line each
_MOST = 500  # characters of an address or a reason, which the client may have chosen


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
