"""What operators and clients of classifiers ask: metrics, readiness, files, ids of requests, and `/classify`."""

import hashlib
import http.client
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from urllib.request import Request as UrlRequest
from urllib.request import urlopen

import psutil
import pytest
from processes import HANG, wait_until
from reviews import TEXTS
from servers import running
from web import client_of, lines_of

import sapwood
from sapwood import Classifier
from sapwood.web.app import Application
from sapwood.web.limits import Limits
from sapwood.web.models import Served

LABELS, BODIES = map(list, zip(*TEXTS, strict=True))


@pytest.fixture(scope="module")
def reviews():
    model = Classifier(min_updates=1).fit(BODIES, LABELS)
    return model.calibrate([f"{text} yes" for text in BODIES], LABELS)


@pytest.fixture(scope="module")
def plain():
    """A classifier that is not calibrated."""
    return Classifier(min_updates=1).fit(BODIES, LABELS)


def classified(client, **asked):
    answer = client.post("/classify", json=asked)
    assert answer.status_code == 200, answer.text
    return answer.json()


def numbers(client):
    """The numbers of /metrics by name and labels."""
    lines = client.get("/metrics").text.splitlines()
    return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines if line[0] != "#")}


def test_confidence_and_margin_stand_apart(reviews, plain):
    client = client_of({"sure": reviews, "plain": plain})
    [answer] = classified(client, text=BODIES[0])["answers"]
    assert list(answer) == ["label", "confidence", "margin"]
    assert answer["label"] == reviews.predict(BODIES[:1])[0]
    assert answer["confidence"] == pytest.approx(max(reviews.predict_proba(BODIES[:1])[0]), abs=1e-4)
    second, best = sorted(reviews.decision_function(BODIES[:1])[0])[-2:]
    assert answer["margin"] == pytest.approx(best - second, rel=1e-4)
    [answer] = classified(client, model="plain", text=BODIES[0])["answers"]
    assert list(answer) == ["label", "margin"]


def test_records_are_answered_with_their_ids_and_reasons(reviews):
    records = [
        {"id": 7, "text": "a good film", "label": "neutral", "confidence": "theirs"},
        {"id": "x", "text": None},
        {"id": None, "body": "a"},
    ]
    found = classified(client_of({"sure": reviews}), records=records, reasons=True)
    assert found["model"] == "sure"
    good, null, wrong = found["answers"]
    assert (good["id"], good["label"]) == (7, "+")
    assert 0 < good["confidence"] <= 1
    assert good["reasons"][0]["feature"].endswith("good")
    assert (null["id"], null["label"], null["confidence"]) == ("x", None, None)
    assert null["warnings"] == ["line 1 of the text: the text is null, so that there is no label"]
    assert set(wrong) == {"error"}
    assert wrong["error"].startswith("text 3: ")


def test_several_labels_are_a_list_and_what_abstains_says_so(reviews):
    several = Classifier(min_updates=1, multi_label=True).fit(BODIES, [[label, "film"] for label in LABELS])
    abstaining = Classifier(min_updates=1).fit(BODIES, LABELS)
    abstaining.calibrate([f"{text} yes" for text in BODIES], LABELS, coverage=0.3)
    client = client_of({"several": several, "abstaining": abstaining})
    [answer] = classified(client, text=BODIES[0])["answers"]
    assert sorted(answer["label"]) == sorted([LABELS[0], "film"])
    answers = classified(client, texts=[*BODIES, "xyzzy"], model="abstaining")["answers"]
    assert {answer["abstained"] for answer in answers} == {True, False}
    assert all((answer["label"] is None) == answer["abstained"] for answer in answers)


def test_what_is_no_classifier_or_too_much_is_refused(reviews, tagger):
    client = client_of({"sure": reviews, "tagger": tagger}, texts=2)
    answer = client.post("/classify?model=tagger", json={"text": "a"})
    assert answer.status_code == 422
    assert "/classify is for classifiers" in answer.json()["error"]
    assert client.post("/classify", json={"texts": ["a"] * 3}).status_code == 413
    for wrong in ({}, {"text": "a", "texts": ["b"]}, {"text": "a", "fields": ["label"]}, {"text": 1}):
        assert client.post("/classify", json=wrong).status_code == 400


def test_metrics_count_requests_labels_and_models(reviews):
    client = client_of({"sure": reviews})
    classified(client, texts=["a good film", "a bad film", "a good plot"])
    client.post("/classify", json={})
    client.get("/wp-admin/1")
    client.get("/wp-admin/2")
    found = numbers(client)
    assert found['sapwood_requests_total{path="/classify",status="200"}'] == 1
    assert found['sapwood_requests_total{path="/classify",status="400"}'] == 1
    assert found['sapwood_requests_total{path="other",status="404"}'] == 2
    assert found['sapwood_request_seconds_count{path="/classify"}'] == 2
    assert found['sapwood_labels_total{label="+",model="sure"}'] == 2
    assert found['sapwood_labels_total{label="-",model="sure"}'] == 1
    assert found['sapwood_confidence_count{model="sure"}'] == 3
    data = reviews.model_.provenance["data_checksum"]
    assert found[f'sapwood_model_info{{data="{data}",model="sure",sha256=""}}'] == 1
    others = numbers(client_of({"sure": reviews}))
    assert not any(name.startswith("sapwood_labels_total") for name in others), "each application counts for itself"


@pytest.mark.slow
def test_several_processes_add_their_numbers_up(tmp_path):
    """Each process of `uvicorn --workers 2` has numbers of its own; with the folder either tells those of both."""
    code = (
        "import sys; sys.path[:0] = [{shared!r}]; from web import client_of; from sapwood import Classifier\n"
        "client = client_of({{'m': Classifier(min_updates=1).fit(['good', 'bad'], ['+', '-'])}})\n"
        "client.post('/classify', json={{'text': 'good'}}); print(client.get('/metrics').text)"
    ).format(shared=str(Path(__file__).parents[1] / "shared"))
    environment = {**os.environ, "PROMETHEUS_MULTIPROC_DIR": str(tmp_path)}
    out = [subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True) for _ in "ab"]
    assert [run.returncode for run in out] == [0, 0], out[1].stderr
    for run, times in zip(out, (1.0, 2.0), strict=True):
        assert f'sapwood_labels_total{{label="+",model="m"}} {times}' in run.stdout.splitlines()


def test_drift_is_that_of_the_verb(reviews, tagger):
    from sapwood.explain.drift import drift

    client = client_of({"sure": reviews, "tagger": tagger})
    new, old = BODIES[:30], BODIES[30:]
    for asked in ({"texts": new, "old": old}, {"texts": new}):
        answer = client.post("/drift", json=asked).json()
        assert answer == {"model": "sure", **json.loads(json.dumps(drift(reviews, new, asked.get("old")).as_dict()))}
    assert {each["measure"] for each in answer["changes"]} == {"labels"}
    assert client.post("/drift?model=tagger", json={"texts": new}).status_code == 422
    for wrong in ({"texts": []}, {"texts": new, "old": []}, {"text": "a"}):
        assert client.post("/drift", json=wrong).status_code == 400


def test_a_request_keeps_its_id_in_answer_and_log(reviews, caplog):
    client = client_of({"sure": reviews})
    answer = client.post("/classify", json={}, headers={"x-request-id": "order-7"})
    assert answer.headers["x-request-id"] == "order-7"
    assert caplog.messages[-1].endswith(" (request order-7)")
    for odd in ("a b", "\xe9", "x" * 129, ""):
        made = client.get("/health", headers={"x-request-id": odd.encode("latin-1")}).headers["x-request-id"]
        assert re.fullmatch("[0-9a-f]{32}", made)
    stream = client.post(
        "/annotate/lines",
        content='{"text": "good"}\n{"txt": 1}\n',
        headers={"content-type": "application/x-ndjson", "x-request-id": "s"},
    )
    assert stream.headers["x-request-id"] == "s"
    assert "error" in lines_of(stream)[1]
    assert caplog.messages[-1].endswith(" (request s)")


def test_it_is_ready_once_the_models_are_there(reviews):
    from starlette.testclient import TestClient

    served = Served({}, Limits())
    client = TestClient(Application(served, []))
    answer = client.get("/ready")
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")
    served.replace({"sure": reviews})
    assert client.get("/ready").json() == {"ready": True}
    assert client.get("/version").json() == {"version": sapwood.__version__}
    for path in ("/ready", "/health"):
        assert client.head(path).status_code == 200


@pytest.mark.slow
def test_the_file_behind_each_model_is_told_also_after_a_failed_reload(tmp_path):
    path = tmp_path / "reviews.sap"
    Classifier(min_updates=1).fit(BODIES, LABELS).save(path, notes={"prompt": "v3"})
    first = hashlib.sha256(path.read_bytes()).hexdigest()

    with running(path, "--max-wait", HANG) as server:

        def told(where):
            with closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=HANG)) as connection:
                connection.request("GET", where)
                return json.loads(connection.getresponse().read())

        [before] = told("/health")["models"]
        assert (before["sha256"], before["bytes"]) == (first, path.stat().st_size)
        assert (before["notes"], before["name"]) == ({"prompt": "v3"}, "reviews")
        (tmp_path / "new").write_bytes(b"no model")
        (tmp_path / "new").replace(path)
        server.process.send_signal(signal.SIGHUP)
        wait_until(lambda: "reload_failed" in told("/health"))
        assert told("/health")["models"] == [before]
        assert {**before, **told("/models")["models"][0]} == told("/models")["models"][0]
        Classifier(min_updates=1).fit(BODIES[1:], LABELS[1:]).save(tmp_path / "new")
        (tmp_path / "new").replace(path)
        server.process.send_signal(signal.SIGHUP)
        wait_until(lambda: "reload_failed" not in told("/health"))
        [after] = told("/health")["models"]
        assert after["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest() != first
        assert after["data_checksum"] != before["data_checksum"]
        assert after["notes"] == {}


@pytest.mark.slow
def test_a_generated_client_classifies_with_types(tmp_path, reviews):
    """The client of openapi-python-client, made of the description of a running server, asks that server."""
    program = shutil.which("openapi-python-client")
    if program is None:
        pytest.skip("openapi-python-client is not installed")
    reviews.save(tmp_path / "reviews.sap")
    with running(tmp_path / "reviews.sap", "--max-wait", HANG) as server:
        with urlopen(f"{server.url}openapi.json") as answer:
            (tmp_path / "openapi.json").write_bytes(answer.read())
        command = [program, "generate", "--path", tmp_path / "openapi.json", "--output-path", tmp_path / "client"]
        made = subprocess.run([*command, "--meta", "none"], capture_output=True, text=True)
        assert made.returncode == 0, made.stderr
        assert re.findall("WARNING parsing ([^ ]+ [^ ]+)", made.stderr) == ["POST /annotate/lines"]
        code = (
            "from client import Client\n"
            "from client.api.default import annotate, classify, health\n"
            "from client.models import Error, Examples, Texts\n"
            f"client = Client(base_url={server.url[:-1]!r})\n"
            "found = classify.sync(client=client, body=Examples(texts=['a good film', 'a bad film']))\n"
            "print([answer.label for answer in found.answers], 0 < found.answers[0].confidence <= 1)\n"
            "wrong = classify.sync(client=client, body=Examples(texts=['a'], model='none'))\n"
            "print(type(wrong).__name__, wrong.error)\n"
            "texts = Texts(texts=['a good film'], confidence=True)\n"
            "print(annotate.sync(client=client, body=texts).documents[0].sentences[0].label)\n"
            "print(health.sync(client=client).models[0].sha256)\n"
        )
        run = subprocess.run(
            [Path(program).with_name("python"), "-c", code], cwd=tmp_path, capture_output=True, text=True
        )
    sha256 = hashlib.sha256((tmp_path / "reviews.sap").read_bytes()).hexdigest()
    said = ["['+', '-'] True", "Error there is no model 'none'; there is reviews", "+", sha256]
    assert run.stdout.splitlines() == said, run.stderr


@pytest.mark.slow
def test_memory_does_not_grow_with_reloads(tmp_path):
    """After twenty reloads a server has at most a quarter more than after its first requests."""
    with running("en", "--workers", 1, "--max-wait", HANG) as server:
        body = json.dumps({"text": "Ada wrote it in London. " * 50}).encode()

        def ask():
            asked = UrlRequest(f"{server.url}annotate", body, {"Content-Type": "application/json"})
            with urlopen(asked) as answer:
                answer.read()

        def reloads():
            with urlopen(f"{server.url}metrics") as answer:
                found = re.search(rb'sapwood_reloads_total{result="done"} (\d+)', answer.read())
            return 0 if found is None else int(found[1])

        for _ in range(20):
            ask()
        before = psutil.Process(server.process.pid).memory_info().rss
        for number in range(1, 21):
            server.process.send_signal(signal.SIGHUP)
            wait_until(lambda number=number: reloads() == number)
            ask()
        assert psutil.Process(server.process.pid).memory_info().rss < 1.25 * before
