"""Clients that leave, shut their half or send no HTTP are few lines of the log, and keep no server from its end."""

import http.client
import json
import re
import signal
import socket
import struct
import subprocess
from contextlib import closing, suppress

import pytest
from processes import HANG, wait_until
from servers import Log, chunk, connected, head, rest_of, running

from sapwood import SequenceTagger

JSON = "Content-Type: application/json"
LINES = "Content-Type: application/x-ndjson"
PATHS = {JSON: "/annotate", LINES: "/annotate/lines"}
CHUNKED = "Transfer-Encoding: chunked"
PATIENT = "--max-wait", HANG, "--workers", 2


def tagger(number):
    return SequenceTagger(template="pos", min_updates=1).fit([["dog", "x"]] * 2, [[f"L{number}z", "X"]] * 2)


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("served") / "tagger.sap"
    tagger(0).save(path)
    return path


@pytest.fixture(scope="module")
def served(path):
    """A server and its log."""
    with running(path, *PATIENT) as server:
        yield server, Log(server)


GOOD, WRONG = b'{"text": "dog"}\n', b'{"text": 1}\n'


@pytest.mark.few(2)
@pytest.mark.parametrize("reset", [False, True])
@pytest.mark.parametrize("line", [GOOD, WRONG, b"\n", b"{\n", b'{"text": "a\\tb c"}\n'])
def test_a_client_that_leaves_a_stream_is_a_few_lines(served, line, reset):
    server, log = served
    before = len(log.lines)
    connection = connected(server, head("/annotate/lines", LINES, CHUNKED))
    if reset:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.settimeout(0.3)
    with suppress(OSError):
        connection.sendall(chunk(line * 4_000))
    connection.close()
    wait_until(lambda: any("the client is gone" in line for line in log.lines[before:]))
    more = log.lines[before:]
    assert len(more) <= 22
    assert not any("socket.send" in line or "Traceback" in line for line in more)


@pytest.mark.parametrize("media_type", [LINES, JSON])
def test_texts_that_fail_are_logged_with_their_reasons(served, media_type):
    """The first twenty each, then their number."""
    server, log = served
    before = len(log.lines)
    texts = ["dog", "a\0b", "a\tb\nc", *["\0"] * 30]
    if media_type == LINES:
        body, where = b"".join(json.dumps({"text": text}).encode() + b"\n" for text in texts), "line"
    else:
        body, where = json.dumps({"texts": texts}).encode(), "text"
    length = f"Content-Length: {len(body)}"
    path = PATHS[media_type]
    with closing(connected(server, head(path, media_type, length, "Connection: close") + body)) as connection:
        answer = rest_of(connection)
    assert answer.count(b'"error"') == 32
    wait_until(lambda: any("texts failed" in line for line in log.lines[before:]))
    first, second, *others, last = log.lines[before:]
    why = f"{where} 2: character 2 of the text is \\u0000 (a NUL byte), which no text has"
    assert without_id(first) == f"sapwood: POST {path} 400: {why}\n"
    assert second.startswith(f"sapwood: POST {path} 400: {where} 3: line 2 of the text")
    assert len(others) == 18
    assert without_id(last) == f"sapwood: POST {path} 400: 32 texts failed, the first 20 as said\n"


def without_id(line):
    """A line of the log without the id of the request, which is a new one each time."""
    short, ids = re.subn(r" \(request [0-9a-f]{32}\)$", "", line, flags=re.MULTILINE)
    assert ids == 1, line
    return short


BODY, LONG = b'{"text": "dog"}', json.dumps({"text": "dog\n" * 30_000}).encode()
WHOLE = head("/annotate", JSON, f"Content-Length: {len(BODY)}") + BODY
HEALTH = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"


@pytest.mark.parametrize(
    ("sent", "answers"),
    [
        (HEALTH, 1),
        (HEALTH * 3, 3),
        (b"GET /health HTTP/1.0\r\n\r\n", 1),
        (WHOLE, 1),
        (WHOLE * 2 + HEALTH, 3),
        (head("/annotate/lines", LINES, CHUNKED) + chunk(GOOD * 50) + b"0\r\n\r\n", 1),
        (head("/annotate", JSON, f"Content-Length: {len(LONG)}") + LONG, 1),
    ],
    ids=["health", "three", "HTTP/1.0", "a text", "two texts and health", "lines", "a long text"],
)
def test_a_client_that_shuts_its_half_is_answered(served, sent, answers):
    server, log = served
    before = len(log.lines)
    with closing(connected(server, sent)) as connection:
        connection.shutdown(socket.SHUT_WR)
        got = rest_of(connection)
    assert got.count(b"HTTP/1.1 200 OK") == answers
    assert got.endswith((b"}", b"0\r\n\r\n"))
    assert log.lines[before:] == []


@pytest.mark.parametrize("sent", [b"", b"GET / HT", head("/annotate", JSON, "Content-Length: 9") + b"{"])
def test_a_client_that_shuts_its_half_before_its_request_is_gone(served, sent):
    server, log = served
    before = len(log.lines)
    with closing(connected(server, sent)) as connection:
        connection.shutdown(socket.SHUT_WR)
        assert b" 200 " not in rest_of(connection)
    if sent.startswith(b"POST"):
        wait_until(lambda: any("the client is gone" in line for line in log.lines[before:]))


@pytest.mark.parametrize(
    ("sent", "status", "why"),
    [
        (b"GARBAGE\r\n\r\n", 400, "illegal request line"),
        (b"\x16\x03\x01\0\0\r\n\r\n", 400, "illegal request line"),
        (b"GET /health HTTP/1.1\r\n\r\n", 400, "Missing mandatory Host: header"),
        (b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400, "Found multiple Host: headers"),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\nno colon\r\n\r\n", 400, "illegal header line"),
        (head("/annotate", JSON, "Content-Length: -1"), 400, "bad Content-Length"),
        (head("/annotate", JSON, "Transfer-Encoding: zip"), 501, "Only Transfer-Encoding: chunked is supported"),
        (head("/annotate/lines", LINES, CHUNKED) + b"zz\r\n", 400, "illegal chunk header"),
        (b"GET / HTTP/1.1\r\nX: " + b"a" * 70_000, 431, "Receive buffer too long"),
    ],
)
def test_what_is_no_http_is_answered_in_json(served, sent, status, why):
    server, log = served
    before = len(log.lines)
    with closing(connected(server, sent)) as connection, closing(http.client.HTTPResponse(connection)) as answer:
        answer.begin()
        got = answer.status, answer.headers, json.loads(answer.read())
    assert (got[0], got[2]) == (status, {"error": f"this is no request of HTTP: {why}"})
    assert got[1]["Content-Type"] == "application/json"
    assert got[1]["X-Content-Type-Options"] == "nosniff"
    wait_until(lambda: any(why in line for line in log.lines[before:]))
    assert not any("Invalid HTTP" in line or "Traceback" in line for line in log.lines[before:])


def test_a_chunk_that_is_none_in_an_answer_breaks_it_off(served):
    server, log = served
    before = len(log.lines)
    with closing(connected(server, head("/annotate/lines", LINES, CHUNKED) + chunk(GOOD))) as connection:
        got = b""
        while b'"sentences"' not in got:
            got += connection.recv(1 << 16)
        connection.sendall(b"zz\r\n")
        assert not rest_of(connection).endswith(b"0\r\n\r\n")
    wait_until(lambda: any("the client is gone" in line for line in log.lines[before:]))
    assert not any("Traceback" in line for line in log.lines[before:])


@pytest.mark.slow
@pytest.mark.parametrize("streams", [1, 3])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_stream_that_does_not_end_does_not_keep_a_server(path, number, streams):
    with running(path, "--max-wait", 1, "--max-seconds", 1) as server:
        log, begin = Log(server), head("/annotate/lines", LINES, CHUNKED) + chunk(GOOD)
        connections = [connected(server, begin) for _ in range(streams)]
        for connection in connections:
            connection.recv(1)
        server.process.send_signal(number)
        while server.process.poll() is None:
            for connection in connections:
                with suppress(OSError):
                    connection.sendall(chunk(GOOD))
            with suppress(subprocess.TimeoutExpired):
                server.process.wait(0.1)
        for connection in connections:
            connection.close()
        assert server.process.returncode == 0
        wait_until(lambda: log.has("broken off", streams))
    said = "sapwood: POST /annotate/lines broken off: the server stops, and it did not end\n"
    assert [without_id(line) for line in log.lines] == [said] * streams


DEEP, DIGITS = "[" * 990 + "]" * 990, "9" * 10**6


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ('{"text": ' + DEEP + "}", "is nested too deeply, over 200 levels"),
        ('{"text": "dog", "x": ' + '{"a":' * 500 + "1" + "}" * 500 + "}", "is nested too deeply, over 200 levels"),
        ("[" * 100_000, "is nested too deeply, over 200 levels"),
        ('{"text": ' + DIGITS + "}", "has a whole number of over 4,300 digits"),
        ('{"id": -' + DIGITS + ', "text": "dog"}', "has a whole number of over 4,300 digits"),
        ('{"text": "dog"', "is not JSON: "),
    ],
    ids=["lists", "objects", "no end", "digits", "digits of an id", "no JSON"],
)
def test_json_that_is_not_read_is_refused_by_its_true_reason(served, body, why):
    server, _ = served
    for media_type, before in ((JSON, ""), (LINES, "line 1: ")):
        length = f"Content-Length: {len(body)}"
        sent = head(PATHS[media_type], media_type, length, "Connection: close") + body.encode()
        with closing(connected(server, sent)) as connection, closing(http.client.HTTPResponse(connection)) as answer:
            answer.begin()
            assert json.loads(answer.read())["error"].startswith(f"{before}the request {why}")
