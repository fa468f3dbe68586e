"""Runs the application until it is told to stop; what is running then is finished."""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import math
import signal
import socket
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from threading import Lock, Thread

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from sapwood.errors import OptionError, SapwoodError, SapwoodWarning
from sapwood.io.writing import escape_controls
from sapwood.model.base import AnyModel
from sapwood.signals import handled
from sapwood.web.app import Application
from sapwood.web.limits import Limits
from sapwood.web.models import Served

_CONNECTIONS = 256  # at once
_LOADING = Lock()  # of the thread that loads models again


def serve(
    load: Callable[[], Mapping[str, AnyModel]], host: str, port: int, limits: Limits, names: Sequence[str] = ()
) -> None:
    """Serve models until SIGINT or SIGTERM; SIGHUP has them loaded again.

    names : host names that requests may have besides its own, such as the name of a proxy

    Raises SapwoodError if they cannot be loaded, for a model with nothing to show or a wrong address.
    """
    shown = f"[{host}]" if ":" in host else host
    alone = is_loopback(host)
    served = Served(load(), limits)
    app = Application(served, ["localhost", "127.0.0.1", "[::1]", shown, *names] if alone or names else [])
    logging.basicConfig(format="sapwood: %(message)s")
    with listening_at(host, port) as listening:
        if not alone:
            everyone = f"{host} can be reached from other machines; whoever reaches it may use the models"
            warnings.warn(everyone, SapwoodWarning, stacklevel=2)
        port = listening.getsockname()[1]
        _say(f"{', '.join(served.models)} at http://{shown}:{port}/ (Ctrl-C stops)")
        with (
            warnings.catch_warnings(),
            handled(lambda number, frame: None, signal.SIGINT, signal.SIGTERM),
            handled(lambda number, frame: Thread(target=_load_again, args=(served, load)).start(), signal.SIGHUP),
        ):
            warnings.simplefilter("error", SapwoodWarning)  # a sentence that would take minutes is refused
            server_of(app, limits).run(sockets=[listening])


def _load_again(served: Served, load: Callable[[], Mapping[str, AnyModel]]) -> None:
    """Load the models again, in a thread beside the requests, and serve them if nothing is wrong with them."""
    with _LOADING:
        try:
            served.replace(load())
        except SapwoodError as error:
            _say(f"the models stay as they are: {error}")
        else:
            _say(f"{', '.join(served.models)} loaded again")


def _say(what: str) -> None:
    print(f"sapwood: {escape_controls(what)}", file=sys.stderr, flush=True)


def server_of(app: ASGIApp, limits: Limits) -> uvicorn.Server:
    """Return what runs an application."""
    config = uvicorn.Config(
        app,
        http=_patient(limits.patience),
        loop="asyncio",
        lifespan="off",
        ws="none",
        interface="asgi3",
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        limit_concurrency=_CONNECTIONS,
        timeout_keep_alive=math.ceil(limits.patience),
        timeout_graceful_shutdown=math.ceil(limits.seconds + limits.patience),
    )
    return uvicorn.Server(config)


def listening_at(host: str, port: int) -> socket.socket:
    """Return a socket that takes connections, so that whoever reads its address can use it at once.

    Raises OptionError if the address cannot be had.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server(
            (host, port), family=family, backlog=_CONNECTIONS, dualstack_ipv6=family == socket.AF_INET6
        )
    except OSError as error:
        raise OptionError(f"cannot listen at {host}, port {port}: {error.strerror or error}") from None


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a host.

    >>> is_loopback("localhost"), is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("0.0.0.0")
    (True, True, True, False)
    """
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _patient(seconds: float) -> type[H11Protocol]:
    """Return a protocol that looks so often whether something moves."""
    return type("Patient", (_Patient,), {"every": seconds})


class _Patient(H11Protocol):
    """HTTP/1.1 that closes connections on which nothing moves.

    These are: no request since the last look, nor the whole head of one; an answer of which nothing was taken.
    """

    every: float  # seconds between two looks
    _timer: asyncio.TimerHandle | None = None
    _seen: object = None  # the request at the last look
    _unsent = 0  # bytes at the last look
    _took = False  # whether the client took something since then

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        # asyncio does so itself only where the socket's protocol is named. Without, the end of an answer waits 40 ms.
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._timer = self.loop.call_later(self.every, self._look)

    def resume_writing(self) -> None:
        self._took = True
        super().resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
        super().connection_lost(exc)

    def _look(self) -> None:
        unsent = self.transport.get_write_buffer_size()
        working = self.cycle is not None and not self.cycle.response_complete
        idle = not working and self.cycle is self._seen
        not_taken = not self._took and unsent >= self._unsent > 0
        if not_taken if unsent else idle:
            self.transport.abort()
            return
        self._seen, self._unsent, self._took = self.cycle, unsent, False
        self._timer = self.loop.call_later(self.every, self._look)
