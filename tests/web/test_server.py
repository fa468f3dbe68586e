"""`sapwood serve` as a process: slow clients, streams that answer while they are asked, and an orderly end."""

import http.client
import json
import re
import shutil
import signal
import socket
import subprocess
import threading
from contextlib import closing, suppress
from pathlib import Path
from urllib.parse import urlencode

import pytest
from processes import HANG, wait_until
from servers import chunk, head, running
from web import TEXT, Slow, client_of

from sapwood import SequenceTagger
from sapwood.base import optional
from sapwood.errors import OptionError
from sapwood.loading import load_model
from sapwood.web.app import Application, application
from sapwood.web.limits import Limits
from sapwood.web.models import Served
from sapwood.web.server import listening_at, server_of

ROOT = Path(__file__).parents[2]
JSON = "Content-Type: application/json"
LINES = "Content-Type: application/x-ndjson"
PATIENT = "--max-wait", HANG  # a server that waits for the test, however late that is


@pytest.fixture(scope="module")
def server(toy_file, tiny_model):
    with running(toy_file, tiny_model, *PATIENT) as running_server:
        yield running_server


@pytest.fixture(scope="module")
def hasty(toy_file):
    """A server that waits a second for its clients."""
    with running(toy_file, "--max-wait", 1) as running_server:
        yield running_server


def post(server, path, fields, headers=()):
    with closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=HANG)) as connection:
        connection.request("POST", path, json.dumps(fields), {"Content-Type": "application/json", **dict(headers)})
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())


def listens(server):
    """Whether a server takes new connections."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", server.port)) == 0


def test_models_are_called_by_their_files(server):
    status, answer = post(server, "/annotate", {"text": "the DT\n", "model": "tiny"})
    assert (status, answer["model"]) == (200, "tiny")


def test_too_large_requests_hear_why(server):
    assert post(server, "/annotate", {"text": "x" * 10_000_000})[0] == 413


def test_other_names_of_the_machine_are_refused(server):
    assert post(server, "/annotate", {"text": "a"}, {"Host": "evil.example"})[0] == 403


def test_answers_are_sent_at_once(tiny_model):
    """Else the end of an answer waits until the client acknowledges what came before: 40 ms on an open connection."""
    limits = Limits(patience=HANG)
    server = server_of(application({"tiny": load_model(tiny_model)}, limits), limits)
    listening = listening_at("127.0.0.1", 0)
    runner = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    runner.start()
    try:
        with closing(http.client.HTTPConnection(*listening.getsockname(), timeout=HANG)) as connection:
            connection.request("GET", "/health")
            assert connection.getresponse().status == 200
            [accepted] = [each.transport.get_extra_info("socket") for each in server.server_state.connections]
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
    finally:
        server.should_exit = True
        runner.join(HANG)


@pytest.mark.parametrize(
    "sent",
    [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: localhost\r\nX: "],
    ids=["nothing", "half a line", "half a head"],
)
def test_connections_without_a_request_are_closed(hasty, sent):
    with hasty.send(sent) as connection:
        assert connection.recv(1000) == b""


def test_a_body_that_does_not_come_is_refused(hasty):
    with hasty.send(head("/annotate", JSON, "Content-Length: 100"), b"{") as connection:
        assert connection.recv(1000).startswith(b"HTTP/1.1 408 ")


def test_an_answer_that_is_not_taken_is_broken_off(hasty):
    body = json.dumps({"text": TEXT * 6000}).encode()  # whose answer is more than a system keeps for a client
    with hasty.send(head("/annotate", JSON, f"Content-Length: {len(body)}"), body) as slow:
        slow.recv(1)
        wait_until(lambda: not hasty.has(slow.getsockname()[1]))
        answer = b"".join(iter(lambda: slow.recv(1 << 20), b""))
    assert not answer.endswith(b"0\r\n\r\n")


@pytest.mark.parametrize("junk", [b"\x16\x03\x01\x02\0\x01\0", b"GET /\r\n\r\n\r\n", b"\0" * 5000, b"A" * 100_000])
def test_junk_does_no_harm(hasty, junk):
    with hasty.send(junk) as connection, suppress(ConnectionError):
        while connection.recv(10_000):
            pass
    body = json.dumps({"text": TEXT}).encode()
    with hasty.send(head("/annotate", JSON, f"Content-Length: {len(body)}"), body) as connection:
        assert connection.recv(1000).startswith(b"HTTP/1.1 200 ")


def test_a_stream_answers_while_it_is_asked(server):
    with server.send(head("/annotate/lines?model=toy", LINES, "Transfer-Encoding: chunked")) as connection:
        answers = connection.makefile("rb")
        for k in range(3):
            connection.sendall(chunk(json.dumps({"text": f"The {k} sing."}).encode() + b"\n"))
            while b'"sentences"' not in (line := answers.readline()):
                pass
            assert f"The {k} sing." in line.decode()


def test_a_stream_that_stops_is_broken_off(hasty):
    with hasty.send(head("/annotate/lines", LINES, "Transfer-Encoding: chunked"), chunk(b'{"text": "A')) as connection:
        answer = b"".join(iter(lambda: connection.recv(1000), b""))
    assert not answer.endswith(b"0\r\n\r\n")


@pytest.mark.few(1)
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_what_runs_is_finished(toy_file, number):
    with running(toy_file, *PATIENT) as server:
        with server.send(head("/annotate/lines", LINES, "Transfer-Encoding: chunked")) as stream:
            answers = stream.makefile("rb")
            stream.sendall(chunk(b'{"text": "A helt."}\n'))
            while b'"sentences"' not in answers.readline():
                pass
            server.process.send_signal(number)
            wait_until(lambda: not listens(server))
            stream.sendall(chunk(b'{"text": "The 2 sing."}\n') + b"0\r\n\r\n")
            rest = answers.read()
        assert b"The 2 sing." in rest
        assert rest.endswith(b"0\r\n\r\n")
        assert server.process.wait(HANG) == 0
        assert server.process.stderr.read() == ""


def lines_until(server, end):
    """The server's log, up to the line that has `end` in it."""
    lines = []
    while not lines or end not in lines[-1]:
        lines.append(server.process.stderr.readline())
        assert lines[-1], "the server has ended"
    return lines


def answer_of(server):
    return post(server, "/annotate", {"text": "dog\n"})[1]["sentences"][0]["tokens"][0]["label"]


def tagger(label):
    return SequenceTagger(template="pos", min_updates=1).fit([["dog", "x"]] * 2, [[label, "X"]] * 2)


def test_models_are_loaded_again(tmp_path):
    """While a stream goes on, which keeps the model that it began with."""
    path = tmp_path / "tagger.sap"
    tagger("OLD").save(path)
    with (
        running(path, *PATIENT) as server,
        server.send(head("/annotate/lines", LINES, "Transfer-Encoding: chunked")) as stream,
    ):
        answers = stream.makefile("rb")

        def ask_in_stream():
            stream.sendall(chunk(b'{"text": "dog"}\n'))
            while b'"sentences"' not in (line := answers.readline()):
                assert line, "the stream has ended"
            return line

        assert b"OLD" in ask_in_stream()
        tagger("NEW").save(path)
        assert answer_of(server) == "OLD"
        server.process.send_signal(signal.SIGHUP)
        assert lines_until(server, "again") == ["sapwood: tagger loaded again\n"]
        assert answer_of(server) == "NEW"
        assert b"OLD" in ask_in_stream()
        path.write_text("no model")
        server.process.send_signal(signal.SIGHUP)
        [line] = lines_until(server, "stay as they are")
        assert "tagger.sap: not a sapwood model" in line
        assert answer_of(server) == "NEW"
        stream.sendall(b"0\r\n\r\n")
        while (line := answers.readline()) != b"0\r\n":
            assert line, "the answer has no end"
        server.process.terminate()
        assert server.process.wait(HANG) == 0
        assert server.process.stderr.read() == ""


def test_work_that_runs_keeps_its_model():
    """What is loaded meanwhile is for the requests that come then."""
    slow, limits = Slow(), Limits(patience=HANG)
    served = Served({"slow": slow}, limits)
    server, listening = server_of(Application(served, []), limits), listening_at("127.0.0.1", 0)
    runner = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    runner.start()
    try:
        with closing(http.client.HTTPConnection(*listening.getsockname(), timeout=HANG)) as connection:
            connection.request("POST", "/annotate", '{"text": "a"}', {"Content-Type": "application/json"})
            assert slow.begun.acquire(timeout=HANG)
            served.replace({"slow": tagger("NEW")})
            slow.go.set()
            assert json.loads(connection.getresponse().read())["sentences"][0]["tokens"][0]["text"] == "word"
            connection.request("POST", "/annotate", '{"text": "a"}', {"Content-Type": "application/json"})
            assert "label" in json.loads(connection.getresponse().read())["sentences"][0]["tokens"][0]
    finally:
        slow.go.set()
        server.should_exit = True
        runner.join(HANG)


@pytest.mark.slow
def test_a_refused_request_is_a_line_in_the_log(toy_file):
    with running(toy_file, *PATIENT, "--max-bytes", 1000) as server:
        refused = [
            ("/annotate", {"text": "x" * 2000}, {}, "413: a request has 1,000 bytes at most"),
            ("/annotate", {"text": 1}, {}, "400: text should be a valid string; got 1"),
            ("/annotate", {"text": "a", "model": "\n\x1b"}, {}, "404: there is no model '\\n\\x1b'; there is toy"),
            ("/explain", {"text": "A helt.", "part": "no"}, {}, "400: the pipeline's parts are segmenter"),
            ("/none%0A%1B", {}, {}, "404: Not Found"),
            ("/annotate", {"text": "a"}, {"Host": "evil.example"}, "403: the server does not answer to the name"),
            ("/annotate", {"text": "a"}, {"Sec-Fetch-Site": "cross-site"}, "403: another site may not use the server"),
        ]
        for path, fields, headers, _ in refused:
            assert post(server, path, fields, headers)[0] >= 400
        assert post(server, "/annotate", {"text": "A helt."})[0] == 200
        form = urlencode({"text": "a", "input": "columns"}).encode()
        with server.send(
            head("/", "Content-Type: application/x-www-form-urlencoded", f"Content-Length: {len(form)}"), form
        ):
            lines = lines_until(server, "does not read columns")
        with server.send(head("/annotate/lines", LINES, "Transfer-Encoding: chunked"), chunk(b"x" * 2000)) as stream:
            assert b"Transfer-Encoding" in stream.recv(1000)
            lines += lines_until(server, "broken off")
        assert len(lines) == len(refused) + 2
        for line, (path, _, _, reason) in zip(lines, refused, strict=False):
            method = f"sapwood: POST {path.replace('%0A%1B', ' �')} "
            assert line.startswith(method), line
            assert reason in line
        assert lines[-2].startswith("sapwood: POST / 400: this pipeline does not read columns")
        broken = "sapwood: POST /annotate/lines broken off: line 1 has more than 1,000 bytes"
        assert re.fullmatch(rf"{broken} \(request [0-9a-f]{{32}}\)\n", lines[-1])


def test_a_failed_request_is_a_line_in_the_log(toy, caplog, monkeypatch):
    monkeypatch.setattr(toy, "pipeline_", None)
    answer = client_of({"toy": toy}, raised=False).post("/annotate", json={"text": "a"})
    assert answer.status_code == 500
    [record] = [record for record in caplog.records if record.name == "sapwood.web"]
    assert record.getMessage().startswith("POST /annotate 500: AttributeError: ")


@pytest.mark.slow
def test_a_proxy_may_have_another_name(tiny_model):
    asked = {"text": "the DT\n"}
    names = "--allow-host", "Language.Example", "--allow-host", "[2001:db8::1]"
    for host in ("127.0.0.1", "0.0.0.0"):
        with running(tiny_model, *PATIENT, "--host", host, *names) as server:
            for name in ("language.example", "LANGUAGE.example:443", "[2001:db8::1]:8000", f"127.0.0.1:{server.port}"):
                assert post(server, "/annotate", asked, {"Host": name})[0] == 200
            status, answer = post(server, "/annotate", asked, {"Host": "evil.example"})
            assert status == 403
            assert answer["error"] == "the server does not answer to the name 'evil.example'; --allow-host adds a name"


@pytest.mark.parametrize("name", ["https://language.example", "language.example:443", "*", "a b", ""])
def test_names_of_proxies_are_names(run_cli, tiny_model, name):
    run = run_cli(["serve", tiny_model, "--allow-host", name])
    assert (run.status, run.err.count("\n")) == (2, 1)
    assert run.err.startswith("sapwood: --allow-host takes a name such as language.example, without port or https://")


def test_what_cannot_be_served_is_said(run_cli, toy_file, tiny_model, tmp_path):
    from sapwood.tasks.parsing.grammar import PhraseParser

    PhraseParser().fit(["(S (NP a) (VP b))"] * 3).save(tmp_path / "grammar.sap")
    run = run_cli(["serve", tmp_path / "grammar.sap"])
    assert run.status == 2
    assert "grammar: a grammar has nothing to show on a page" in run.err
    run = run_cli(["serve", toy_file, toy_file])
    assert (run.status, "two have the same name" in run.err) == (2, True)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        run = run_cli(["serve", tiny_model, "--port", taken.getsockname()[1]])
    assert run.status == 2
    assert "Address already in use" in run.err
    assert run_cli(["serve", tiny_model, "--host", "no.such.host.invalid"]).status == 2


def test_without_the_extra_it_says_what_to_install(run_cli, tiny_model, monkeypatch):
    found = optional.find_spec
    monkeypatch.setattr(
        optional, "find_spec", lambda library: found(library) if library.startswith("sapwood") else None
    )
    run = run_cli(["serve", tiny_model])
    assert (run.status, run.err) == (2, "sapwood: serving needs fastapi: pip install 'sapwood[web]'\n")
    with pytest.raises(OptionError):
        optional.require("uvicorn", "serving")


@pytest.mark.slow
def test_other_machines_are_warned_of(tiny_model):
    with running(tiny_model, "--host", "0.0.0.0", *PATIENT) as server:
        status, _ = post(server, "/annotate", {"text": "the DT\n"}, {"Host": "some.name"})
        assert status == 200
        server.process.terminate()
        assert server.process.wait(HANG) == 0


CURL = [
    line.strip()
    for page in [Path("README.md"), *sorted(Path("docs").rglob("*.md"))]
    for line in (ROOT / page).read_text(encoding="utf-8").splitlines()
    if line.strip().startswith("curl ")
]


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_curl_lines_of_the_pages_are_answered(tmp_path):
    assert len(CURL) >= 4
    (tmp_path / "lines.jsonl").write_text('{"text": "Ada wrote it."}\n{"id": 7, "text": "She did."}\n')
    with running("en", "de", *PATIENT) as server:  # so that there is `auto`
        for line in CURL:
            here = line.replace("localhost:8000", f"127.0.0.1:{server.port}")
            run = subprocess.run(f"{here} --fail", shell=True, cwd=tmp_path, capture_output=True, timeout=HANG)
            answers = [json.loads(answer) for answer in run.stdout.splitlines()]
            assert run.returncode == 0, line
            assert answers, line
            assert not any("error" in answer for answer in answers), line
