"""A request ends with its first model; clients that leave, shut their half or send no HTTP are few lines of the log."""

import http.client
import json
import signal
import subprocess
import sys
import threading
from contextlib import closing
from urllib.parse import urlencode

import psutil
import pytest
from processes import HANG, wait_until
from servers import Log, connected, head, rest_of, running
from starlette.testclient import TestClient

from sapwood import ModelError, SequenceTagger
from sapwood.web.app import Application
from sapwood.web.limits import Limits
from sapwood.web.models import Served

JSON = "Content-Type: application/json"
LINES = "Content-Type: application/x-ndjson"
FORM = "Content-Type: application/x-www-form-urlencoded"
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
