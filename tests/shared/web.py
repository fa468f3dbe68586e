"""What the tests of the page and the API share: models of every kind, and a client without a network."""

import json
import signal
import socket
import subprocess
import sys
import threading
from contextlib import contextmanager
from types import SimpleNamespace
from typing import NamedTuple

import psutil
from processes import HANG, ends_with_its_parent
from starlette.testclient import TestClient

from sapwood.model.base import Model
from sapwood.model.records import Records, as_lines, sentence_record
from sapwood.web.app import application
from sapwood.web.limits import Limits

TEXT = "A helt bungs. The 2 helt sing!"


def client_of(models, raised=True, **limits):
    """A client of a server with these models."""
    return TestClient(application(models, Limits(**limits)), raise_server_exceptions=raised)


def lines_of(response):
    return [json.loads(line) for line in response.text.splitlines()]


class Running(NamedTuple):
    """A server in a process of its own."""

    process: subprocess.Popen[str]
    port: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    def send(self, *parts: bytes) -> socket.socket:
        """Open a connection and send what may be no request at all.

        The server stands still meanwhile, so that an impatient one does not count how long that takes.
        """
        data = b"".join(parts)
        self.process.send_signal(signal.SIGSTOP)
        try:
            connection = socket.create_connection(("127.0.0.1", self.port), timeout=HANG)
            sent = connection.send(data)
        finally:
            self.process.send_signal(signal.SIGCONT)
        connection.sendall(data[sent:])
        return connection

    def has(self, port: int) -> bool:
        """Whether the server has its end of a connection open whose other end is this port."""
        return port in self.clients()

    def clients(self) -> list[int]:
        """The ports at the other ends of the connections that the server has open."""
        ends = psutil.Process(self.process.pid).net_connections("tcp")
        return [end.raddr.port for end in ends if end.raddr]


@contextmanager
def running(*arguments):
    """Run `sapwood serve` with these arguments, at a free port, until the block ends."""
    command = [sys.executable, "-m", "sapwood", "serve", "--port", "0", *map(str, arguments)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, preexec_fn=ends_with_its_parent) as process:
        try:
            lines = iter(process.stderr.readline, "")
            address = next(line for line in lines if " at http://" in line)
            yield Running(process, int(address.split("/ (")[0].rpartition(":")[2]))
        finally:
            process.kill()


def head(path: str, *fields: str) -> bytes:
    """The head of a POST."""
    return "\r\n".join([f"POST {path} HTTP/1.1", "Host: localhost", *fields, "", ""]).encode()


def chunk(data: bytes) -> bytes:
    """A part of a body whose length is not known before."""
    return b"%x\r\n%s\r\n" % (len(data), data)


class SlowRecords(Records):
    """A word, once its model is let go."""

    inputs = ("tokens", "columns")
    format = "columns"

    def _written(self, data, kind, format, confidence):
        self._model.begun.release()
        assert self._model.go.wait(HANG)
        yield as_lines([sentence_record("word", ["word"], {"label": "X"})])


class Slow(Model):
    """A tagger of words that says nothing until it is let go."""

    task, _noun, _records_type = "tag", "sleeper", SlowRecords
    contents = SimpleNamespace(learned="patience")

    def __init__(self):
        self.model_ = SimpleNamespace(task="tag")
        self.familiarity_ = SimpleNamespace(with_listener=lambda on_warning, **others: None)
        self.labels_ = ["X"]
        self.go, self.begun = threading.Event(), threading.Semaphore(0)
