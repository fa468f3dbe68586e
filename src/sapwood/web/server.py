"""Runs the application until it is told to stop; what is running then is finished."""

from __future__ import annotations

import ipaddress
import logging
import math
import signal
import sys
import warnings
from collections.abc import Callable, Sequence
from functools import partial
from threading import Lock, Thread

import uvicorn
from starlette.types import ASGIApp

from sapwood import _core
from sapwood.base.signals import handled
from sapwood.base.writing import escape_controls
from sapwood.errors import SapwoodError, SapwoodWarning, warn
from sapwood.web.app import Application
from sapwood.web.connections import IdleConnections, OnceAMinute, Protocol, is_new, listening_at
from sapwood.web.limits import Limits
from sapwood.web.models import Make, Served

_LOADING = Lock()  # held by the thread that loads models again


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
    logging.getLogger("uvicorn.error").addFilter(is_new)
    server = uvicorn.Server(config)
    config.callback_notify = IdleConnections(server.server_state.connections).end  # type: ignore[arg-type]
    return server


def is_loopback(host: str) -> bool:
    """Return true if only this machine can reach a host.

    >>> is_loopback("localhost"), is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("0.0.0.0")
    (True, True, True, False)
    """
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
