"""Connections: how many are open at once, and how long one stays on which nothing moves.

uvicorn ends connections that wait between two requests (`timeout_keep_alive`), and has a limit of the size of a head.
Its limit of connections (`limit_concurrency`) keeps none out: at the limit every request is refused, on whichever
connection, and connections without a request are still opened. So the listening socket counts them here. At the limit
it says what a system says that has no descriptor left, and asyncio tries again a second later; meanwhile further
clients wait in the system's queue.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import socket
import time

from uvicorn.protocols.http.h11_impl import H11Protocol

from sapwood.errors import OptionError

CONNECTIONS = 256  # at once
_MINUTE = 60.0  # seconds
_EXHAUSTED = {errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM}


def listening_at(host: str, port: int) -> socket.socket:
    """Return a socket that takes connections, so that whoever reads its address can use it at once.

    Raises OptionError if the address cannot be had.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        plain = socket.create_server(
            (host, port), family=family, backlog=CONNECTIONS, dualstack_ipv6=family == socket.AF_INET6
        )
    except OSError as error:
        raise OptionError(f"cannot listen at {host}, port {port}: {error.strerror or error}") from None
    return _Counting(fileno=plain.detach())


class _Counting(socket.socket):
    """A listening socket that takes a connection only while fewer than CONNECTIONS of those that it took are open."""

    _taken: tuple[socket.socket, ...] = ()

    def accept(self) -> tuple[socket.socket, object]:
        """Take a connection. Raises OSError as if no descriptor were left."""
        self._taken = tuple(each for each in self._taken if each.fileno() >= 0)
        if len(self._taken) >= CONNECTIONS:
            raise OSError(errno.EMFILE, f"{CONNECTIONS} connections are open, and others wait")
        connection, address = super().accept()
        self._taken += (connection,)
        return connection, address

    def listen(self, backlog: int = CONNECTIONS) -> None:
        """Listen with a long queue, whatever asyncio says, which takes as many connections in one go as it names."""
        super().listen(max(backlog, CONNECTIONS))


class OnceAMinute(logging.Filter):
    """Lets asyncio say once a minute, in one line, that it cannot take a connection."""

    _next = 0.0

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a message is to be seen."""
        error = record.exc_info[1] if record.exc_info else None
        if not isinstance(error, OSError) or error.errno not in _EXHAUSTED:
            return True
        now = time.monotonic()
        if now < self._next:
            return False
        self._next = now + _MINUTE
        why = error.strerror if error.strerror != os.strerror(error.errno) else f"{error.strerror}, so clients wait"
        record.msg, record.args, record.exc_info = f"{why}; said once a minute at most", (), None
        return True


def patient(seconds: float) -> type[H11Protocol]:
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

    def _unsupported_upgrade_warning(self) -> None:
        """Say nothing: a client that would rather speak HTTP/2 is answered in HTTP/1.1, as it expects."""

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
