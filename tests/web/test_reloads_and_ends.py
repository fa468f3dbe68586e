"""A request ends with its first model; clients that leave, shut their half or send no HTTP are few lines of the log."""

import http.client
import json
import re
import signal
import socket
import struct
import subprocess
import sys
import threading
from contextlib import closing, suppress
from urllib.parse import urlencode

import psutil
import pytest
from processes import HANG, wait_until
from servers import chunk, head, running
from starlette.testclient import TestClient

from sapwood import ModelError, SequenceTagger
from sapwood.web.app import Application
from sapwood.web.limits import Limits
from sapwood.web.models import Served

JSON = "Content-Type: application/json"
LINES = "Content-Type: application/x-ndjson"
FORM = "Content-Type: application/x-www-form-urlencoded"
PATHS = {JSON: "/annotate", LINES: "/annotate/lines"}
CHUNKED = "Transfer-Encoding: chunked"
PATIENT = "--max-wait", HANG, "--workers", 2
RELOADS = 20
WORDS = "dog\n" * 900 + "\n"  # several are more than one piece of work
BODIES = {
    "a text": ("/annotate", JSON, json.dumps({"text": WORDS * 8}).encode()),
    "a batch": ("/annotate", JSON, json.dumps({"texts": ["dog\n"] * 300}).encode()),
    "a batch of long texts": ("/annotate", JSON, json.dumps({"texts": [WORDS * 8] * 4}).encode()),
    "lines": ("/annotate/lines", LINES, b'{"text": "dog"}\n' * 300),
    "reasons": ("/explain", JSON, json.dumps({"text": "dog\n\n" * 100}).encode()),
    "the page": ("/", FORM, urlencode({"text": "dog\n" * 300, "why": "1.1."}).encode()),
    "a download": ("/download", FORM, urlencode({"text": WORDS * 10, "format": "columns"}).encode()),
}


def tagger(number):
    return SequenceTagger(template="pos", min_updates=1).fit([["dog", "x"]] * 2, [[f"L{number}z", "X"]] * 2)


def answered_by(data):
    """The numbers of the models that had a part in an answer."""
    return {number for number in range(RELOADS + 1) if f"L{number}z".encode() in data}


class Log:
    """The log of a running server, as it grows."""

    def __init__(self, server):
        self.lines = []
        stderr = server.process.stderr
        threading.Thread(target=lambda: self.lines.extend(iter(stderr.readline, "")), daemon=True).start()

    def has(self, what, times=1):
        return sum(what in line for line in self.lines) >= times


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


def connected(server, data=b""):
    connection = socket.create_connection(("127.0.0.1", server.port), timeout=HANG)
    connection.sendall(data)
    return connection


def rest_of(connection):
    return b"".join(iter(lambda: connection.recv(1 << 16), b""))


@pytest.mark.slow
@pytest.mark.parametrize("kind", BODIES)
def test_no_answer_is_of_two_models(tmp_path, kind):
    """While clients ask, the models are loaded again twenty times, each time another one."""
    path, (where, media_type, body) = tmp_path / "tagger.sap", BODIES[kind]
    tagger(0).save(path)
    with running(path, *PATIENT) as server:
        log, answers, over = Log(server), [], threading.Event()

        def ask():
            while not over.is_set():
                with closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=HANG)) as connection:
                    connection.request("POST", where, body, dict([media_type.split(": ")]))
                    answer = connection.getresponse()
                    answers.append((answer.status, answered_by(answer.read())))

        clients = [threading.Thread(target=ask) for _ in range(3)]
        for client in clients:
            client.start()
        for number in range(1, RELOADS + 1):
            tagger(number).save(path)
            server.process.send_signal(signal.SIGHUP)
            wait_until(lambda number=number: log.has("loaded again", number))
        wait_until(lambda: (200, {RELOADS}) in answers)
        over.set()
        for client in clients:
            client.join(HANG)
    assert {status for status, _ in answers} == {200}
    assert {len(models) for _, models in answers} == {1}


def test_a_model_that_cannot_be_made_leaves_the_one_before_in_its_place():
    """A model before is let go first, and made again from its file, which is still held."""
    made = []

    def old():
        made.append(tagger(0))
        return {"tagger": made[-1]}

    def broken():
        assert served.models == {}, "memory would hold two models"
        raise ModelError("it is broken")

    served = Served({}, Limits())
    served.make(old)
    with pytest.raises(ModelError, match="it is broken"):
        served.make(broken)
    assert served.models == {"tagger": made[1]}
    assert served.names == ["tagger"]


def test_a_request_waits_while_a_model_is_made():
    served = Served({"tagger": tagger(0)}, Limits())
    asked, go = threading.Event(), threading.Event()

    def slow():
        assert go.wait(HANG)
        return {"tagger": tagger(1)}

    def ask():
        asked.set()
        answers.append(client.post("/annotate", json={"text": "dog"}).content)

    answers, client = [], TestClient(Application(served, []))
    threads = [threading.Thread(target=served.make, args=(slow,))]
    threads[0].start()
    wait_until(lambda: not served.models)
    threads.append(threading.Thread(target=ask))
    threads[1].start()
    assert asked.wait(HANG)
    assert answers == []
    go.set()
    for thread in threads:
        thread.join(HANG)
    assert answered_by(answers[0]) == {1}


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_memory_holds_one_model_while_it_is_loaded_again():
    """The English pipeline takes over 40 MB; a reload takes no second place for it, and gives back what it took."""

    def megabytes(name):
        return int(status_of(server.process.pid, name)) / 1024

    with running("en", *PATIENT) as server:
        log = Log(server)
        for number in range(RELOADS + 1):
            if number > 0:
                server.process.send_signal(signal.SIGHUP)
                wait_until(lambda number=number: log.has("loaded again", number))
            with closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=HANG)) as connection:
                connection.request("POST", "/annotate", json.dumps({"text": "Ada wrote it."}), dict([JSON.split(": ")]))
                assert connection.getresponse().status == 200
            if number == 0:
                first, highest = megabytes("VmRSS"), megabytes("VmHWM")
        assert megabytes("VmRSS") < 1.2 * first
        assert megabytes("VmHWM") < highest + 30


@pytest.mark.slow
def test_a_request_whose_body_comes_after_a_reload_is_answered_by_the_model_before(tmp_path):
    path = tmp_path / "tagger.sap"
    tagger(0).save(path)
    with running(path, *PATIENT) as server:
        log, waiting = Log(server), {}
        for kind, (where, media_type, body) in BODIES.items():
            if media_type != LINES:  # an existing test reloads within a stream
                more = f"Content-Length: {len(body)}", "Expect: 100-continue", "Connection: close"
                waiting[kind] = connected(server, head(where, media_type, *more))
                assert b" 100 " in waiting[kind].recv(1000)
        for number in (1, 2):
            tagger(number).save(path)
            server.process.send_signal(signal.SIGHUP)
            wait_until(lambda number=number: log.has("loaded again", number))
        for kind, connection in waiting.items():
            connection.sendall(BODIES[kind][2])
            assert answered_by(rest_of(connection)) == {0}, kind
            connection.close()


@pytest.mark.slow
@pytest.mark.parametrize("models", [1, 2])
def test_sighup_while_it_starts_does_not_end_a_server(tmp_path, models):
    """SIGHUP comes all the time from the moment that Python runs the command, and the last one is obeyed."""
    paths = [tmp_path / f"tagger{k}.sap" for k in range(models)]
    for path in paths:
        tagger(1).save(path)
    command = [sys.executable, "-m", "sapwood", "serve", "--port", "0", *map(str, paths)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            status = psutil.Process(process.pid)
            caught = lambda: int(status_of(status.pid, "SigCgt"), 16) >> (signal.SIGHUP - 1) & 1  # noqa: E731
            wait_until(caught)
            started = threading.Event()

            def knock():
                while not started.is_set():
                    process.send_signal(signal.SIGHUP)
                    started.wait(0.01)

            knocking = threading.Thread(target=knock)
            knocking.start()
            line = next(line for line in process.stderr if " at http://" in line)
            started.set()
            knocking.join(HANG)
            assert line
            process.send_signal(signal.SIGHUP)
            assert any("loaded again" in line for line in process.stderr)
            process.terminate()
            process.stderr.read()
            assert process.wait(HANG) == 0
        finally:
            process.kill()


def status_of(pid, name):
    with open(f"/proc/{pid}/status") as lines:  # noqa: PTH123
        return next(line.split()[1] for line in lines if line.startswith(name))


@pytest.mark.slow
def test_a_server_that_ignores_sighup_goes_on_to(path):
    """As one that nohup started."""
    code = "import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN); from sapwood.cli import main; main()"
    command = [sys.executable, "-c", code, "serve", "--port", "0", str(path)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            line = next(line for line in process.stderr if " at http://" in line)
            process.send_signal(signal.SIGHUP)
            port = int(line.partition("/ (")[0].rpartition(":")[2])
            with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=HANG)) as connection:
                connection.request("GET", "/health")
                assert connection.getresponse().status == 200
            process.terminate()
            assert process.wait(HANG) == 0
            assert process.stderr.read() == ""
        finally:
            process.kill()


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
