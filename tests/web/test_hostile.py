"""What a server meets outside: requests that are too large, too deep, too slow, too many, or not requests at all."""

import asyncio
import json

import httpx2
import pytest
from web import Slow, client_of, lines_of

from sapwood.web.app import application
from sapwood.web.limits import Limits

JSON = {"content-type": "application/json"}
FORM = {"content-type": "application/x-www-form-urlencoded"}
LINES = {"content-type": "application/x-ndjson"}


@pytest.fixture(scope="module")
def nlp(toy):
    return toy


@pytest.fixture(scope="module")
def client(nlp):
    return client_of({"nlp": nlp})


def test_what_is_too_large_is_refused(client):
    text = "x" * 10_000_000
    answer = client.post("/annotate", json={"text": text})
    assert (answer.status_code, answer.json()) == (413, {"error": "a request has 1,048,576 bytes at most"})
    assert client.post("/", data={"text": text}).status_code == 413
    assert client.post("/explain", json={"text": text}).status_code == 413
    assert client.post("/annotate/lines", content=text, headers=LINES).text == ""  # begun, and broken off


@pytest.mark.parametrize("path", ["/annotate", "/explain"])
@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"text",
        b"[]",
        b'"text"',
        b'{"text": "a"',
        b'{"text": "\xff\xfe"}',
        b'{"text": "\\ud83d"}',
        b"[" * 200_000,
        b'{"text":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b'{"text": ' + b"9" * 100_000 + b"}",
        b"\0" * 100,
    ],
)
def test_what_is_no_request_is_refused(client, path, body):
    answer = client.post(path, content=body, headers=JSON)
    assert answer.status_code == 400
    assert list(answer.json()) == ["error"]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"text=\xff\xfe", "the form is not UTF-8"),
        (b"text=%ff%fe", "the form is not UTF-8"),
        (b"text=%00", "NUL byte"),
        (b"&".join(b"a%d=1" % k for k in range(30)), "the form has too many fields"),
        (b"text=a&input=pdf", "input should be &#39;auto&#39;, &#39;text&#39;"),
        (b"text=a&model=%3Cb%3E", "there is no model &#39;&lt;b&gt;&#39;"),
        (b"text=a&why=1.1.tagger%22onload", "why is SENTENCE.TOKEN.PART"),
    ],
)
def test_what_is_no_form_is_refused(client, body, message):
    answer = client.post("/", content=body, headers=FORM)
    assert answer.status_code in (400, 404)
    assert message in answer.text


def test_wrong_media_types_and_methods_are_refused(client):
    assert client.post("/annotate", content="{}").status_code == 415
    assert client.post("/", json={"text": "a"}).status_code == 415
    assert client.get("/annotate").status_code == 405
    assert client.get("/nowhere").json() == {"error": "Not Found"}


def test_lines_that_are_none_do_not_end_a_stream(client):
    lines = [b'{"text": "\xff"}', b"[" * 100_000, b'{"text": "a\\u0000"}', b'{"text": "A helt."}']
    answers = lines_of(client.post("/annotate/lines", content=b"\n".join(lines), headers=LINES))
    assert [list(answer) for answer in answers] == [["error"], ["error"], ["error"], ["sentences"]]


def test_strange_text_is_analysed_as_it_is(client, nlp):
    for text in ("\u202e\u2066abc\ufffe", "\U0001f600" * 50, "\x01\x1b[31m", "a" * 5000, " \r\n\r\n ", "﷽ " * 20):
        sentences = client.post("/annotate", json={"text": text}).json()["sentences"]
        assert sentences == json.loads(nlp(text).to_json())
        assert client.post("/", data={"text": text}).status_code == 200


def test_explanations_of_long_texts_want_a_place(client):
    text = "A helt bungs. " * 1000
    answer = client.post("/explain", json={"text": text, "sentence": 2})
    assert (answer.status_code, "name sentence and token" in answer.json()["error"]) == (413, True)
    answer = client.post("/explain", json={"text": text, "sentence": 2, "token": 1, "part": "tagger"})
    assert len(answer.json()["explanations"]) == 1


def test_what_takes_too_long_is_given_up(nlp):
    hasty = client_of({"nlp": nlp}, seconds=0)
    answer = hasty.post("/explain", json={"text": "A helt."})
    assert (answer.status_code, answer.json()) == (503, {"error": "it took longer than 0 s; send less at a time"})
    answer = hasty.post("/annotate", json={"text": "A helt bungs.\n\n" * 20_000})
    assert len(answer.content) < 5_000_000  # it had begun, and is broken off
    with pytest.raises(json.JSONDecodeError):
        answer.json()


def test_long_pages_show_the_beginning(nlp):
    short = client_of({"nlp": nlp}, sentences=2, words=10, drawn_words=2)
    page = short.post("/", data={"text": "A helt bungs.\n\n" * 20}).text
    assert page.count("<article") == 2
    assert "The first 2 are shown" in page
    assert "too long for its tree" in page
    endless = "helt " * 50
    page = short.post("/", data={"text": endless}).text
    assert page.count("<article") == 0
    assert "The first sentence is too long to be shown" in page
    for text in ("A helt.\n\n" * 20, endless):
        assert short.post("/download", data={"text": text, "format": "svg"}).status_code == 413
        assert short.post("/download", data={"text": text, "format": "conllu"}).status_code == 200


def asked(models, limits, work):
    """Run a coroutine work(client) with a client of a server in the same event loop."""

    async def run():
        transport = httpx2.ASGITransport(application(models, limits), raise_app_exceptions=False)
        async with httpx2.AsyncClient(transport=transport, base_url="http://localhost") as client:
            return await work(client)

    return asyncio.run(run())


def test_too_many_are_told_to_come_again():
    slow = Slow()

    async def work(client):
        tasks = [asyncio.create_task(client.post("/annotate", json={"text": "a"})) for _ in range(3)]
        await asyncio.to_thread(slow.begun.acquire)
        while sum(task.done() for task in tasks) < 1:
            await asyncio.sleep(0.01)
        health = await client.get("/health")
        page = await client.post("/", data={"text": "a"})
        slow.go.set()
        return health.status_code, page, await asyncio.gather(*tasks)

    health, page, answers = asked({"slow": slow}, Limits(workers=1, waiting=1), work)
    assert health == 200
    assert sorted(answer.status_code for answer in answers) == [200, 200, 429]
    [refused] = [answer for answer in answers if answer.status_code == 429]
    assert refused.headers["retry-after"] == "1"
    assert refused.json() == {"error": "the server is busy; try again in a second"}
    assert page.status_code == 429
    assert "try again in a second" in page.text


def test_slow_requests_are_refused(nlp):
    async def drop():
        yield b'{"text": '
        await asyncio.Event().wait()  # for what never comes

    async def work(client):
        body = await client.post("/annotate", content=drop(), headers=JSON)
        return body.status_code, body.json()["error"]

    assert asked({"nlp": nlp}, Limits(patience=0.1), work) == (408, "the request did not come in 0.1 s")


def test_other_sites_are_refused(nlp):
    from starlette.testclient import TestClient

    client = TestClient(application({"nlp": nlp}, hosts=["localhost", "[::1]"]), base_url="http://localhost:8000")
    assert client.get("/health").status_code == 200
    assert client.get("/health", headers={"host": "[::1]:8000"}).status_code == 200
    for host in ("evil.example", "localhost.evil.example", "", "127.0.0.1.evil.example:8000"):
        assert client.get("/", headers={"host": host}).status_code == 403
    assert client.post("/", data={"text": "a"}, headers={"sec-fetch-site": "cross-site"}).status_code == 403


@pytest.mark.slow
def test_a_sentence_that_would_take_minutes_is_refused(parsers):
    client = client_of({"parser": parsers["eisner-2"]})
    for words in (700, 15_000):
        text = "".join(f"{k}\tword\t_\tNOUN\tNN\t_\t_\t_\t_\t_\n" for k in range(1, words + 1)) + "\n"
        answer = client.post("/annotate", json={"text": text})
        assert answer.status_code in (400, 413)
        assert "words" in answer.json()["error"]
