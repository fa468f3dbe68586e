"""Servers in processes of their own, and requests to them byte by byte."""

import signal
import socket
import subprocess
import sys
import threading
from contextlib import contextmanager
from typing import NamedTuple

import psutil
from processes import HANG, ends_with_its_parent


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
    import uvicorn  # noqa: F401  # a test is skipped without what the server needs, see conftest.py

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


class Log:
    """The log of a running server, as it grows."""

    def __init__(self, server):
        self.lines = []
        stderr = server.process.stderr
        threading.Thread(target=lambda: self.lines.extend(iter(stderr.readline, "")), daemon=True).start()

    def has(self, what, times=1):
        return sum(what in line for line in self.lines) >= times


def connected(server, data=b""):
    """Open a connection to a server, and send the beginning of a request."""
    connection = socket.create_connection(("127.0.0.1", server.port), timeout=HANG)
    connection.sendall(data)
    return connection


def rest_of(connection):
    """All that comes until a server closes the connection."""
    return b"".join(iter(lambda: connection.recv(1 << 16), b""))
