"""Middleware: whose requests the application takes, and what browsers may do with its answers."""

import re
from asyncio import CancelledError
from collections.abc import Collection

from starlette.datastructures import Headers
from starlette.middleware.gzip import GZipMiddleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sapwood.web.responses import Broken, as_json, log_refusal

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",  # without a referrer browsers call the page's own forms' origin null
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
_SMALL = 2000  # bytes of an answer that is sent as it is
_LEVEL = 5  # level of gzip: half of the time of the usual one, for a few more bytes
_PORT = re.compile(r":[0-9]*$")
_PORTS = {"http": 80, "https": 443}  # an origin leaves them out


class SameSiteMiddleware:
    """Refuses requests that another site makes in a visitor's name, and adds the headers of security to all answers.

    hosts : the names under which the server answers; empty: all. A page elsewhere whose name is made to lead to this
        machine asks for its own name, and is refused.
    origins : of other sites whose pages may ask; "*": all
    """

    def __init__(self, app: ASGIApp, hosts: Collection[str], origins: Collection[str] = ()) -> None:
        self._app = app
        self._origins = frozenset(origins)
        self._hosts = frozenset(host.lower() for host in hosts)
        self._headers = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                there = {name for name, _ in message["headers"]}
                message["headers"] = [*message["headers"], *(h for h in self._headers if h[0] not in there)]
            await send(message)

        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        if scope["type"] != "http":
            return
        why = self._refused(Headers(scope=scope), scope["method"])
        if why:
            log_refusal(scope, 403, why)
        path, folder = scope["path"], scope.get("root_path", "")
        if path.endswith("/") and path != f"{folder}/":  # /annotate/ is /annotate, and needs no other address for it
            scope = {**scope, "path": path.rstrip("/") or "/"}
        try:
            await (as_json({"error": why}, 403) if why else self._app)(scope, receive, with_headers)
        except CancelledError:  # the time that requests have to end after SIGTERM is over
            log_refusal(scope, "broken off", "the server stops, and it did not end")
        except Broken as broken:  # the server closes the connection, so that what was sent does not pass for the whole
            log_refusal(scope, "broken off", str(broken))

    def _refused(self, headers: Headers, method: str) -> str:
        asked = headers.get("host")
        # A request without Host is none of a browser's, which always names the host that it asks, and so no page
        # elsewhere is behind it. Load balancers ask so, by HTTP/1.0; HTTP/1.1 without Host is no request.
        if asked is not None and self._hosts:
            host = _PORT.sub("", asked).lower()
            if host not in self._hosts:
                return f"the server does not answer to the name {host!a}; --allow-host adds a name"
        if method != "POST" or not _is_of_another_site(headers):
            return ""
        origin = headers.get("origin", "")
        if self._origins & {"*", origin}:
            return ""
        return f"another site may not use the server; --allow-origin {origin or 'ORIGIN'} lets its pages ask"


def _is_of_another_site(headers: Headers) -> bool:
    """Return true if a browser says that a page of another origin asks; an address typed by a person has none.

    Where a browser does not say it plainly, as over plain HTTP from other machines, it names the page's origin, which
    is "null" for a page that has none, such as a file. A proxy may have made another scheme and another Host of those
    that the page has; then only the plain word helps.
    """
    if (site := headers.get("sec-fetch-site")) is not None:
        return site not in ("same-origin", "none")
    if (origin := headers.get("origin")) is None:
        return False
    scheme, _, place = origin.lower().partition("://")
    host = headers.get("host", "").lower()
    return not place or host not in (place, f"{place}:{_PORTS.get(scheme)}")


class Compression(GZipMiddleware):
    """Compresses answers for clients that take gzip, but for streams of lines, each of which has to come at once."""

    def __init__(self, app: ASGIApp) -> None:
        super().__init__(app, minimum_size=_SMALL, compresslevel=_LEVEL)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        lines = scope["type"] == "http" and scope["path"].endswith("/lines")
        await (self.app if lines else super().__call__)(scope, receive, send)
