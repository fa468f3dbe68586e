"""Runs the application until it is told to stop; what is running then is finished."""

from __future__ import annotations

import asyncio
import ipaddress
import signal
import sys
import warnings
from collections.abc import Mapping

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from sapwood.errors import OptionError, SapwoodWarning
from sapwood.models.base import Model
from sapwood.signals import handled
from sapwood.web.app import application
from sapwood.web.limits import Limits

_CONNECTIONS = 256  # at once
_IDLE = 15  # seconds that a connection may wait for a request, or for the rest of its head


def serve(models: Mapping[str, Model], host: str, port: int, limits: Limits) -> None:
    """Serve models until SIGINT or SIGTERM. Raises OptionError if the address cannot be had."""
    import socket

    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
    except (OSError, OverflowError) as error:
        listening.close()
        reason = getattr(error, "strerror", None) or error
        raise OptionError(f"cannot listen at {host}, port {port}: {reason}") from None
    port = listening.getsockname()[1]
    alone = is_loopback(host)
    if not alone:
        everyone = f"{host} can be reached from other machines; whoever reaches it may use the models"
        warnings.warn(everyone, SapwoodWarning, stacklevel=2)
    hosts = ("localhost", "127.0.0.1", "[::1]", host) if alone else ()
    app = application(models, limits, hosts)
    config = uvicorn.Config(
        app,
        http=_Patient,
        loop="asyncio",
        lifespan="off",
        ws="none",
        interface="asgi3",
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        limit_concurrency=_CONNECTIONS,
        timeout_keep_alive=_IDLE,
        timeout_graceful_shutdown=int(limits.seconds) + 5,
    )
    shown = f"[{host}]" if ":" in host else host
    print(f"sapwood: {', '.join(models)} at http://{shown}:{port}/ (Ctrl-C stops)", file=sys.stderr, flush=True)
    with warnings.catch_warnings(), handled(lambda number, frame: None, signal.SIGINT, signal.SIGTERM):
        warnings.simplefilter("error", SapwoodWarning)  # a sentence that would take minutes is refused
        uvicorn.Server(config).run(sockets=[listening])


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a host.

    >>> is_loopback("localhost"), is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("0.0.0.0")
    (True, True, True, False)
    """
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


class _Patient(H11Protocol):
    """HTTP/1.1 that does not wait for ever for the head of a request."""

    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self._stop()
        elif self._timer is None:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop()
        super().connection_lost(exc)

    def _wait(self) -> None:
        self._timer = self.loop.call_later(_IDLE, self._cut)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _cut(self) -> None:
        self._timer = None
        if self.cycle is None or self.cycle.response_complete:
            self.transport.close()
