"""More connections than a server takes, or than it has descriptors for."""

import errno
import logging
import socket
from contextlib import ExitStack, closing
from http.client import HTTPResponse

import psutil
import pytest
from processes import HANG
from servers import running

from sapwood.web.server import CONNECTIONS, OnceAMinute


def connected(server, stack, many):
    """Open connections and return them; those that the server does not take yet wait in the system's queue."""
    made = [socket.create_connection(("127.0.0.1", server.port), timeout=HANG) for _ in range(many)]
    for each in made:
        stack.enter_context(closing(each))
    return made


def is_answered(connection):
    connection.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
    with closing(HTTPResponse(connection)) as answer:
        answer.begin()
        return answer.read().startswith(b'{"status":"ok"')


def ended_log(server):
    """Have the server end, and return what it has logged."""
    server.process.terminate()
    assert server.process.wait(HANG) == 0
    return server.process.stderr.read()


@pytest.mark.slow
def test_no_more_connections_are_open_than_is_said(tiny_model):
    with running(tiny_model, "--max-wait", HANG) as server, ExitStack() as stack:
        process = psutil.Process(server.process.pid)
        made = connected(server, stack, 1)
        assert is_answered(made[0])
        before = process.num_fds()
        made += connected(server, stack, CONNECTIONS + 60)
        line = server.process.stderr.readline()
        assert line == f"sapwood: {CONNECTIONS} connections are open, and others wait; said once a minute at most\n"
        assert len(server.clients()) == CONNECTIONS
        assert process.num_fds() == before + CONNECTIONS - 1
        assert is_answered(made[0])
        made[1].close()  # in whose place comes the first that waits
        assert is_answered(made[CONNECTIONS])
        assert len(server.clients()) == CONNECTIONS
        for each in made[:100]:
            each.close()
        assert all(map(is_answered, made[100:]))
        stack.close()
        assert ended_log(server) == ""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(psutil.Process, "rlimit"), reason="limits of other processes are set on Linux only")
def test_without_descriptors_clients_wait(tiny_model):
    with running(tiny_model, "--max-wait", HANG) as server, ExitStack() as stack:
        process = psutil.Process(server.process.pid)
        assert is_answered(connected(server, stack, 1)[0])
        most = process.num_fds() + 20
        process.rlimit(psutil.RLIMIT_NOFILE, (most, process.rlimit(psutil.RLIMIT_NOFILE)[1]))
        made = connected(server, stack, 60)
        line = server.process.stderr.readline()
        assert line == "sapwood: Too many open files, so clients wait; said once a minute at most\n"
        assert process.num_fds() == most
        assert is_answered(made[0])
        for each in made[:40]:
            each.close()
        assert all(map(is_answered, made[40:]))
        stack.close()
        assert ended_log(server) == ""


def record(number):
    error = OSError(number, "why") if number else None
    info = (type(error), error, None) if error else None
    return logging.LogRecord("asyncio", logging.ERROR, "", 1, "socket.accept() out of system resource", (), info)


def test_of_many_messages_one_is_seen():
    for number in (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM):
        seen = list(filter(OnceAMinute().filter, [record(number) for _ in range(1000)]))
        assert [(each.getMessage(), each.exc_info) for each in seen] == [("why; said once a minute at most", None)]


def test_a_minute_later_it_is_said_again(monkeypatch):
    now = [5.0]
    monkeypatch.setattr("sapwood.web.server.time.monotonic", lambda: now[0])
    once = OnceAMinute()
    seen = []
    for now[0] in (5.0, 5.5, 64.9, 65.0, 66.0, 300.0):
        if once.filter(record(errno.EMFILE)):
            seen.append(now[0])
    assert seen == [5.0, 65.0, 300.0]


def test_other_messages_are_seen():
    once = OnceAMinute()
    for number in (0, errno.EPIPE, errno.EMFILE, errno.ECONNRESET, 0):
        assert once.filter(record(number))
