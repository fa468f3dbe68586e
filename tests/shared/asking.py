"""Servers that are asked over sockets of this machine, byte by byte where that matters."""

import atexit
import functools
import json
import socket
import tempfile
import threading
from contextlib import ExitStack, closing
from http.client import HTTPResponse
from pathlib import Path
from urllib.parse import urlencode

from processes import HANG
from servers import running

from sapwood import SequenceTagger

JSON, LINES, FORM = "application/json", "application/x-ndjson", "application/x-www-form-urlencoded"
TEXT = "Ada wrote it. She left."
COLUMNS = "the DT\ndog NN\n"


SERVERS = ExitStack()  # closed at the end of the session, as a worker that takes long to exit is killed
atexit.register(SERVERS.close)


class Server:
    """A server in a process of its own, and its log."""

    def __init__(self, *arguments):
        self.running = SERVERS.enter_context(running(*arguments))
        self.port, self.log = self.running.port, []
        reader = threading.Thread(target=lambda: self.log.extend(iter(self.running.process.stderr.readline, "")))
        reader.daemon = True
        reader.start()

    def connection(self, data=b""):
        """A connection on which some bytes have been sent."""
        found = socket.create_connection(("127.0.0.1", self.port), timeout=HANG)
        found.sendall(data)
        return found

    def raw(self, data, method="POST"):
        """The status, headers and body with which some bytes are answered."""
        with closing(self.connection(data)) as connection, closing(HTTPResponse(connection, method=method)) as answer:
            answer.begin()
            return answer.status, answer.headers, answer.read()

    def ask(self, path, body=b"", media_type=JSON, method="POST", **headers):
        """The same for a request; header names have _ where they have a hyphen."""
        body = body if isinstance(body, bytes) else json.dumps(body).encode()
        given = {"Host": f"localhost:{self.port}", "Content-Type": media_type, "Content-Length": len(body)}
        given |= {name.replace("_", "-"): value for name, value in headers.items()}
        lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in given.items() if value != "")]
        return self.raw("\r\n".join([*lines, "", ""]).encode() + body, method)

    def error(self, *request, **headers):
        """The status and the error of a request."""
        status, _, body = self.ask(*request, **headers)
        return status, json.loads(body)["error"]

    def logged(self, what):
        """Whether a line of the log has this in it."""
        return any(what in line for line in self.log)


@functools.cache
def server():
    """A server that waits for its clients, with the models `en` and `words`, a tagger of columns."""
    folder = Path(tempfile.mkdtemp())
    model = SequenceTagger(template="pos", min_updates=1).fit([["the", "dog"]] * 2, [["DT", "NN"]] * 2)
    model.save(folder / "words.sap")
    return Server("en", folder / "words.sap", "--max-wait", HANG, "--workers", 2)


@functools.cache
def hasty():
    """A server that waits a second."""
    return Server("--max-wait", 1)


def lines(*records):
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


def as_form(**fields):
    return urlencode(fields).encode()


def answers(data):
    return [json.loads(line) for line in data.splitlines()]
