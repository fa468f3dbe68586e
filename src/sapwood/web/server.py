"""Runs the application until it is told to stop, and watches its connections; what is running then is finished.

How many connections are open at once, and how long one stays on which nothing moves: uvicorn ends connections that wait
between two requests (`timeout_keep_alive`), and has a limit of the size of a head. A head that never ends, or an answer
that nobody takes, it waits for without end, so `IdleConnections` looks for them. uvicorn's limit of connections
(`limit_concurrency`) keeps none out: at the limit every request is refused, on whichever connection, and connections
without a request are still opened. So the listening socket counts them here. At the limit it says what a system says
that has no descriptor left, and asyncio tries again a second later; meanwhile further clients wait in the system's
queue.
"""

import errno
import ipaddress
import logging
import math
import os
import signal
import socket
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from functools import partial
from threading import Lock, Thread

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

import sapwood._core as _core
from sapwood.base.signals import handled
from sapwood.base.writing import escape_controls
from sapwood.errors import OptionError, SapwoodError, SapwoodWarning, warn
from sapwood.web.app import Application
from sapwood.web.limits import Limits
from sapwood.web.middleware import HEADERS
from sapwood.web.models import Make, Served
from sapwood.web.responses import as_json

CONNECTIONS = 256  # at once
_MINUTE = 60.0  # seconds
_EXHAUSTED = {errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM}
_LOADING = Lock()  # held by the thread that loads models again


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
    # asyncio sends answers at once where the protocol is named. Without, the end of an answer waits 40 ms.
    return _Counting(family, socket.SOCK_STREAM, socket.IPPROTO_TCP, plain.detach())


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
        """Return true if a message is to be seen."""
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


class IdleConnections:
    """Ends connections on which nothing has moved since the last look.

    These have no request, not even the whole head of one, or an answer of which the client took nothing.

    connections : uvicorn's protocols of all connections that are open
    """

    def __init__(self, connections: set[H11Protocol]) -> None:
        self._connections = connections
        self._before: dict[object, tuple[object, int]] = {}  # connection -> its last request, and bytes to be sent

    async def end(self) -> None:
        """Look at all connections."""
        before, self._before = self._before, {}
        for each in list(self._connections):
            request, unsent = each.cycle, each.transport.get_write_buffer_size()
            waits = unsent > 0 or request is None or request.response_complete
            if waits and before.get(each) == (request, unsent):
                each.transport.abort()
            self._before[each] = request, unsent


class Protocol(H11Protocol):
    """A connection whose client may shut its half behind a request, and hears in JSON why what it sent is none."""

    _shut = False

    def eof_received(self) -> bool:  # type: ignore[override]
        """Return true to stay until a whole request is answered."""
        self._shut = self.cycle is not None and not (self.cycle.response_complete or self.cycle.more_body)
        return self._shut

    def on_response_complete(self) -> None:
        """End a connection on which nothing more can come."""
        super().on_response_complete()
        if self._shut and self.cycle.response_complete:
            self.transport.close()

    def send_400_response(self, msg: str) -> None:
        """Answer what is no HTTP with the reason of its reader, unless an answer has begun, and end the connection."""
        error = sys.exception()
        status = error.error_status_hint if isinstance(error, h11.RemoteProtocolError) else 400
        why = f"this is no request of HTTP: {str(error).partition(': bytearray')[0]}"
        logging.getLogger("sapwood.web").warning("%s: %s", status, why)
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            answer = as_json({"error": why}, status, HEADERS)
            answer.headers["connection"] = "close"
            parts = h11.Response(status_code=status, headers=answer.raw_headers), h11.Data(bytes(answer.body))
            for part in (*parts, h11.EndOfMessage()):
                self.transport.write(self.conn.send(part) or b"")
        if self.cycle is not None:  # its request has no end
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        self.transport.close()


# Messages of uvicorn about a request that has its own line in the log, or is answered all the same: clients that would
# rather speak HTTP/2 are answered in HTTP/1.1.
_SAID = ("Unsupported upgrade", "WebSocket", "ASGI callable returned without", "Invalid HTTP", "timeout graceful")


def serve(
    read: Callable[[], Make],
    host: str,
    port: int,
    limits: Limits,
    names: Sequence[str] = (),
    origins: Sequence[str] = (),
) -> None:
    """Serve models until SIGINT or SIGTERM; SIGHUP has them loaded again.

    read : reads the model files, and returns what makes the models of them
    origins : of other sites whose pages may ask
    names : host names that requests may have besides its own, such as the name of a proxy

    Raises SapwoodError if they cannot be loaded, for a model with nothing to show or a wrong address.
    """
    shown = f"[{host}]" if ":" in host else host
    alone = is_loopback(host)
    _core.return_large_memory()
    served = Served({}, limits)
    with handled(lambda number, frame: Thread(target=_load_again, args=(served, read)).start(), signal.SIGHUP):
        with _LOADING:
            served.make(read())
        hosts = ["localhost", "127.0.0.1", "[::1]", shown, *names] if alone or names else []
        app = Application(served, hosts, origins)
        logging.basicConfig(format="sapwood: %(message)s")
        logging.getLogger("asyncio").addFilter(OnceAMinute())
        with listening_at(host, port) as listening:
            if not alone:
                warn(f"{host} can be reached from other machines; whoever reaches it may use the models")
            server = server_of(app, limits)  # it takes these signals over once it runs
            end = partial(setattr, server, "should_exit", True)
            with warnings.catch_warnings(), handled(lambda number, frame: end(), signal.SIGINT, signal.SIGTERM):
                warnings.simplefilter("error", SapwoodWarning)  # a sentence that would take minutes is refused
                port = listening.getsockname()[1]
                _say(f"{', '.join(served.models)} at http://{shown}:{port}/ (Ctrl-C stops)")
                server.run(sockets=[listening])


def _load_again(served: Served, read: Callable[[], Make]) -> None:
    """Load the models again, in a thread beside the requests, and serve them if nothing is wrong with them."""
    with _LOADING:
        if not served.models:  # they could not be loaded at first
            return
        try:
            served.make(read())
        except SapwoodError as error:
            served.reloaded(failed=True)
            _say(f"the models stay as they are: {error}")
        else:
            served.reloaded(failed=False)
            _say(f"{', '.join(served.models)} loaded again")


def _say(what: str) -> None:
    print(f"sapwood: {escape_controls(what)}", file=sys.stderr, flush=True)


def server_of(app: ASGIApp, limits: Limits) -> uvicorn.Server:
    """Return the server of an application."""
    config = uvicorn.Config(
        app,
        http=Protocol,
        loop="asyncio",
        lifespan="off",
        ws="none",
        interface="asgi3",
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        backlog=1,  # connections that are taken in one go
        timeout_keep_alive=math.ceil(limits.patience),
        timeout_notify=math.ceil(limits.patience),  # seconds between two looks for idle connections
        timeout_graceful_shutdown=math.ceil(limits.seconds + limits.patience),
    )
    logging.getLogger("uvicorn.error").addFilter(_is_new)
    server = uvicorn.Server(config)
    config.callback_notify = IdleConnections(server.server_state.connections).end  # type: ignore[arg-type]
    return server


def _is_new(record: logging.LogRecord) -> bool:
    return not any(each in record.getMessage() for each in _SAID)


def is_loopback(host: str) -> bool:
    """Return true if only this machine can reach a host.

    >>> is_loopback("localhost"), is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("0.0.0.0")
    (True, True, True, False)
    """
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
