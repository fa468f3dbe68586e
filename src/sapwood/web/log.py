"""The log on standard error: a line for each request that is refused or fails, with its reason."""

import logging

from starlette.types import Scope

from sapwood.draw.sentence import on_one_line

_LOG = logging.getLogger("sapwood.web")
_MOST = 500  # characters of an address or a reason, which the client may have chosen


def log_refusal(scope: Scope, what: int | str, why: str) -> None:
    """Write a line. `what` is the status, or what else became of the request."""
    address, reason = (on_one_line(text[:_MOST]) for text in (scope["path"], why))
    _LOG.warning("%s %s %s: %s", scope["method"], address, what, reason)
