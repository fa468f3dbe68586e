"""Load balancers, proxies, browsers, pages of other sites, and clients that are slow or leave."""

import json
import socket
import struct
from contextlib import ExitStack, closing

from asking import FORM, JSON, LINES, TEXT, as_form, hasty, lines, server
from processes import wait_until

from kinds import kind

PATHS = {"/": FORM, "/why": FORM, "/download": FORM, "/annotate": JSON, "/explain": JSON, "/health": "", "/models": ""}


@kind("a load balancer, a proxy or a browser asks")
def others():
    def old(head):
        return lambda folder: server().raw(head, head.split(b" ")[0].decode())[0] == 200

    body = b'{"text": "Ada."}'
    yield "HTTP/1.0 without Host: health", old(b"GET /health HTTP/1.0\r\n\r\n")
    yield "HTTP/1.0 without Host: HEAD", old(b"HEAD /health HTTP/1.0\r\n\r\n")
    yield "HTTP/1.0 without Host: the page", old(b"GET / HTTP/1.0\r\nUser-Agent: probe\r\n\r\n")
    yield (
        "HTTP/1.0 without Host: a text",
        old(
            b"POST /annotate HTTP/1.0\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
            % (len(body), body)
        ),
    )
    for host in ("evil.example", "localhost.evil.example", "evil.example:8000", "127.0.0.1.evil.example", "-"):
        yield f"the name {host}", lambda folder, host=host: server().ask("/health", method="GET", Host=host)[0] == 403
    yield (
        "another name by HTTP/1.0",
        lambda folder: server().raw(b"GET /health HTTP/1.0\r\nHost: evil.example\r\n\r\n", "GET")[0] == 403,
    )
    yield "HTTP/1.1 without Host", lambda folder: server().raw(b"GET /health HTTP/1.1\r\n\r\n", "GET")[0] == 400
    bodies = {FORM: as_form(text=TEXT, why="1.1.tagger", format="json"), JSON: {"text": TEXT}, "": b""}
    for path, media_type in PATHS.items():
        methods = ("POST" if media_type else "GET"), "OPTIONS"
        for slash in ("/", "//")[: 1 if path == "/" else 2]:
            yield (
                f"{path} with {slash} behind",
                lambda folder, path=path + slash, media_type=media_type, method=methods[0]: (
                    server().ask(path, bodies[media_type], media_type, method)[0] == 200
                ),
            )
        yield (
            f"OPTIONS {path}",
            lambda folder, path=path, methods=methods: (
                (found := server().ask(path, method="OPTIONS"))[0] == 204
                and set(methods) <= set(found[1]["Allow"].split(", "))
            ),
        )
    yield "OPTIONS of what is not there", lambda folder: server().ask("/nowhere", method="OPTIONS")[0] == 404
    yield (
        "a method that is not taken",
        lambda folder: (
            (found := server().ask("/health", method="DELETE"))[0] == 405 and found[1]["Allow"] == "GET, HEAD, OPTIONS"
        ),
    )
    yield (
        "HTTP/2 instead, if it likes",
        lambda folder: (
            server().ask(
                "/health", method="GET", Connection="Upgrade, HTTP2-Settings", Upgrade="h2c", HTTP2_Settings="AA"
            )[0]
            == 200
            and not server().logged("pgrade")
        ),
    )


@kind("a page of another site sends a form")
def other_sites():
    form = as_form(text=TEXT)

    def status(expected, path="/", body=form, media_type=FORM, **headers):
        def check(folder):
            given = {name: value.format(port=server().port) for name, value in headers.items()}
            return server().ask(path, body, media_type, **given)[0] == expected

        return check

    yield "cross-site", status(403, Sec_Fetch_Site="cross-site")
    yield "same-site", status(403, Sec_Fetch_Site="same-site")
    yield (
        "same-site with an origin that is ours",
        status(403, Sec_Fetch_Site="same-site", Origin="http://localhost:{port}"),
    )
    for origin in (
        "null", "https://evil.example", "http://localhost", "http://localhost:1", "http://localhost:{port}.evil.example",
        "http://evil.example:{port}", "chrome-extension://abcdefgh", "localhost:{port}", "file://",
    ):  # fmt: skip
        yield f"the origin {origin}", status(403, Origin=origin)
        yield f"the origin {origin}, lines", status(403, "/annotate/lines", lines({"text": "a"}), LINES, Origin=origin)
    yield "text/plain from elsewhere", status(403, "/annotate", b'{"text": "a"}', "text/plain", Origin="null")
    yield "our own origin", status(200, Origin="http://localhost:{port}")
    yield "our own origin in capitals", status(200, Origin="HTTP://LOCALHOST:{port}")
    yield "our own page", status(200, Sec_Fetch_Site="same-origin", Origin="http://localhost:{port}")
    yield "our own page behind a proxy", status(200, Sec_Fetch_Site="same-origin", Origin="https://language.example")
    yield "a person", status(200, Sec_Fetch_Site="none")
    yield "a program", status(200)
    yield "the usual port", status(200, Host="localhost", Origin="https://localhost")
    yield "the usual port, named", status(200, Host="localhost:443", Origin="https://localhost")
    yield (
        "a link from elsewhere",
        lambda folder: (
            server().ask("/", method="GET", Sec_Fetch_Site="cross-site", Origin="https://evil.example")[0] == 200
        ),
    )
    yield (
        "no referrer policy that hides our own origin",
        lambda folder: server().ask("/", method="GET")[1]["Referrer-Policy"] == "same-origin",
    )


@kind("a client is slow, or leaves")
def slow_clients():
    def head(path, *fields):
        return "\r\n".join([f"POST {path} HTTP/1.1", "Host: localhost", *fields, "", ""]).encode()

    chunked = "Transfer-Encoding: chunked"
    a_line = head("/annotate/lines", f"Content-Type: {LINES}", chunked)

    def is_ended(begin, piece):
        """Whether a client is told to go, or cut off, however long it goes on to send a little."""

        def check(folder):
            with closing(hasty().connection(begin)) as connection:
                connection.settimeout(0.05)

                def is_over():
                    try:
                        connection.sendall(piece)
                        return not connection.recv(1 << 16)
                    except TimeoutError:
                        return False
                    except ConnectionError:
                        return True

                wait_until(is_over)
                return True

        return check

    yield "a byte of a line now and then", is_ended(a_line, b"1\r\na\r\n")
    yield "empty lines now and then", is_ended(a_line, b"1\r\n\n\r\n")
    yield (
        "a byte of a body now and then",
        is_ended(head("/annotate", f"Content-Type: {JSON}", "Content-Length: 9999"), b" "),
    )
    yield "a byte of a form now and then", is_ended(head("/", f"Content-Type: {FORM}", chunked), b"1\r\na\r\n")
    yield "a byte of a head now and then", is_ended(b"GET /health HTTP/1.1\r\nX: ", b"a")
    yield "a byte of a body that nobody reads", is_ended(head("/nowhere", "Content-Length: 9999"), b" ")

    def others_are_answered(sent, many=70):
        def check(folder):
            with ExitStack() as stack:
                for _ in range(many):
                    stack.enter_context(closing(server().connection(sent)))
                return server().ask("/annotate", {"text": TEXT})[0] == 200

        return check

    yield "70 streams that have begun", others_are_answered(a_line)
    yield "70 streams with a part of a line", others_are_answered(a_line + b'5\r\n{"tex\r\n')
    yield "70 streams that were answered", others_are_answered(a_line + b'd\r\n{"text":"a"}\n\r\n')
    yield (
        "70 bodies that have begun",
        others_are_answered(head("/annotate", f"Content-Type: {JSON}", "Content-Length: 99")),
    )
    yield "70 heads that have begun", others_are_answered(b"POST /annotate HTTP/1.1\r\n")

    def leaves(*sent, reset=False, begun=True):
        """Whether a client that leaves is one line of the log, and none if its request had not begun."""

        def check(folder):
            before = len(server().log)
            connection = server().connection(b"".join(sent))
            port = connection.getsockname()[1]
            if reset:
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            connection.close()
            wait_until(lambda: not server().running.has(port))
            if begun:  # its line comes a moment later, and would be taken for one of the next client
                wait_until(lambda: any("the client is gone" in line for line in server().log[before:]))
            end = f"/end-{before}-{port}"
            server().ask(end)
            wait_until(lambda: server().logged(end))
            more = server().log[before:]
            return len(more) == 1 + begun and not any("Traceback" in line for line in more)

        return check

    long = json.dumps({"text": TEXT * 2000}).encode()
    yield "leaves in a head", leaves(b"POST /annotate HT", begun=False)
    yield "leaves in a body", leaves(head("/annotate", f"Content-Type: {JSON}", "Content-Length: 99"), b"{")
    yield "leaves in a question", leaves(head("/explain", f"Content-Type: {JSON}", "Content-Length: 99"), b"{")
    yield "leaves in a form", leaves(head("/", f"Content-Type: {FORM}", "Content-Length: 99"), b"text=")
    yield "leaves in a download", leaves(head("/download", f"Content-Type: {FORM}", "Content-Length: 99"), b"text=")
    yield "leaves in a stream", leaves(a_line, b"1\r\n{\r\n")
    yield "leaves in a stream that was answered", leaves(a_line, b'd\r\n{"text":"a"}\n\r\n')
    yield "is cut off in a body", leaves(head("/annotate", f"Content-Type: {JSON}", chunked), b"1\r\n{\r\n", reset=True)
    yield "is cut off in a stream", leaves(a_line, b'd\r\n{"text":"a"}\n\r\n', reset=True)
    yield (
        "leaves before its answer",
        leaves(head("/annotate", f"Content-Type: {JSON}", f"Content-Length: {len(long)}"), long),
    )
