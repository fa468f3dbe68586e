"""A client gets the members that it asks for, in its own units; pages of allowed origins may ask."""

import gzip
import json

import pytest
from openapi_schema_validator import OAS31Validator
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.routing import Mount
from starlette.testclient import TestClient
from web import client_of, lines_of

import sapwood
from sapwood.web.app import application

ELSEWHERE = {"Origin": "http://localhost:3000", "Sec-Fetch-Site": "cross-site"}
TEXTS = [
    "Ada Lovelace lived in London.",
    "😀 Ada Lovelace lived in London. 𝔸 friend of hers, Charles Babbage 🧮, did so too.",
    "Zoë met 👩‍👩‍👧 Ada Lovelace in Türkiye 🇹🇷. Then she left for Paris 🗼 and London.",
]


@pytest.fixture(scope="module")
def english():
    return sapwood.load("en")


@pytest.fixture(scope="module")
def client(english):
    return client_of({"en": english})


def in_utf16(text, start, end):
    """Cut a text as JavaScript does."""
    return text.encode("utf-16-le")[2 * start : 2 * end].decode("utf-16-le")


@pytest.mark.parametrize("text", TEXTS)
def test_a_client_cuts_names_out_of_its_text(client, text):
    for offsets, cut in (("characters", lambda text, start, end: text[start:end]), ("utf16", in_utf16)):
        answer = client.post("/annotate", json={"text": text, "fields": ["entities"], "offsets": offsets}).json()
        assert all(sentence.keys() == {"entities"} for sentence in answer["sentences"])
        names = [name for sentence in answer["sentences"] for name in sentence["entities"]]
        assert {"Ada Lovelace", "London"} <= {name["text"] for name in names}
        assert [cut(text, name["start"], name["end"]) for name in names] == [name["text"] for name in names]


@pytest.mark.parametrize("text", TEXTS)
def test_words_and_sentences_are_cut_out_alike(client, text):
    for offsets, cut in (("characters", lambda text, start, end: text[start:end]), ("utf16", in_utf16)):
        for sentence in client.post("/annotate", json={"text": text, "offsets": offsets}).json()["sentences"]:
            assert cut(text, sentence["start"], sentence["end"]) == sentence["text"]
            for token in sentence["tokens"]:
                assert cut(text, token["start"], token["end"]) == token["text"]


def test_fields_are_members_of_sentences_and_tokens(client):
    whole = client.post("/annotate", json={"text": TEXTS[0]}).json()["sentences"]
    for fields in (["lemma"], ["text", "upos", "start"], ["text"], ["familiarity"], ["head", "deprel", "id"]):
        [sentence] = client.post("/annotate", json={"text": TEXTS[0], "fields": fields}).json()["sentences"]
        tokens = [{name: token[name] for name in fields if name in token} for token in whole[0]["tokens"]]
        assert sentence.pop("tokens", [{}] * len(tokens)) == tokens
        assert sentence == {name: whole[0][name] for name in fields if name in whole[0]}


def test_without_fields_an_answer_has_what_it_had(client, english):
    answer = client.post("/annotate", json={"text": TEXTS[0]}).json()
    assert answer["sentences"] == json.loads(english(TEXTS[0]).to_json())
    assert client.post("/annotate", json={"text": TEXTS[0], "offsets": "utf16"}).json() == answer


def test_batches_and_streams_have_fields_too(client):
    asked = {"texts": TEXTS, "fields": ["text", "entities"], "offsets": "utf16"}
    documents = client.post("/annotate", json=asked).json()["documents"]
    lines = "".join(json.dumps({"text": text}) + "\n" for text in TEXTS)
    address = "/annotate/lines?fields=text,entities&offsets=utf16"
    assert lines_of(client.post(address, content=lines, headers={"content-type": "application/x-ndjson"})) == documents
    one = [client.post("/annotate", json={**asked, "texts": [text]}).json()["documents"][0] for text in TEXTS]
    assert documents == one


def test_given_words_have_offsets_in_their_sentence(client):
    asked = {"text": "😀 Ada Lovelace left .", "input": "tokens", "fields": ["text", "entities"], "offsets": "utf16"}
    [sentence] = client.post("/annotate", json=asked).json()["sentences"]
    [name] = sentence["entities"]
    assert in_utf16(sentence["text"], name["start"], name["end"]) == name["text"] == "Ada Lovelace"


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ({"fields": ["lemmas"]}, "'lemmas' is none of text, start, end, entities"),
        ({"offsets": "bytes"}, "offsets should be 'characters' or 'utf16'"),
        ({"offsets": None}, "offsets"),
    ],
)
def test_a_wrong_wish_is_named(client, asked, why):
    answer = client.post("/annotate", json={"text": "Ada.", **asked})
    assert answer.status_code == 400
    assert why in answer.json()["error"]


def test_a_sentence_of_fields_is_as_described(client):
    described = client.get("/openapi.json").json()
    for schema in described["components"]["schemas"].values():
        schema.setdefault("additionalProperties", False)
    schema = described["paths"]["/annotate"]["post"]["responses"]["200"]["content"]["application/json"]["schema"]
    for fields in (["entities"], ["lemma"], ["text", "entities", "confidence", "start", "end"]):
        answer = client.post("/annotate", json={"text": TEXTS[1], "fields": fields}).json()
        OAS31Validator(schema | {"components": described["components"]}).validate(answer)


def client_for(origins, english):
    return TestClient(application({"en": english}, origins=origins), raise_server_exceptions=False)


def test_pages_of_an_allowed_origin_may_ask(english):
    asked = {"json": {"text": "Ada."}, "headers": ELSEWHERE}
    refused = client_for([], english).post("/annotate", **asked)
    assert refused.status_code == 403
    assert "--allow-origin http://localhost:3000" in refused.json()["error"]
    for origins in (["http://localhost:3000"], ["*"]):
        answer = client_for(origins, english).post("/annotate", **asked)
        assert answer.status_code == 200
        assert answer.headers["access-control-allow-origin"] in (origins[0], "*")
    other = client_for(["http://localhost:3001"], english).post("/annotate", **asked)
    assert other.status_code == 403
    assert "access-control-allow-origin" not in other.headers


def test_a_browser_that_asks_first_is_told(english):
    before = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "content-type"}
    told = client_for(["http://localhost:3000"], english).options("/annotate", headers=ELSEWHERE | before)
    assert told.status_code == 200
    assert told.headers["access-control-allow-origin"] == "http://localhost:3000"
    assert "POST" in told.headers["access-control-allow-methods"]
    other = client_for(["http://other.example"], english).options("/annotate", headers=ELSEWHERE | before)
    assert "access-control-allow-origin" not in other.headers


def test_an_application_in_another_with_its_own_rule_of_origins(english):
    around = Middleware(CORSMiddleware, allow_origins=["http://localhost:3000"], allow_headers=["content-type"])
    inner = application({"en": english}, origins=["http://localhost:3000"])
    client = TestClient(Starlette(routes=[Mount("/nlp", inner)], middleware=[around]))
    assert client.post("/nlp/annotate", json={"text": "Ada."}, headers=ELSEWHERE).status_code == 200


@pytest.mark.parametrize("origin", ["localhost:3000", "http://localhost:3000/", "http://a b", "", "null"])
def test_what_is_no_origin_is_refused(run_cli, origin):
    run = run_cli(["serve", "--allow-origin", origin])
    assert run.status != 0
    assert "--allow-origin takes an origin such as http://localhost:3000" in run.err


def test_long_answers_are_compressed_for_who_takes_it(client):
    for text, coding in ((TEXTS[1] * 20, "gzip"), ("Ada.", None)):
        answer = client.post("/annotate", json={"text": text}, headers={"Accept-Encoding": "gzip"})
        assert answer.headers.get("content-encoding") == coding
        plain = client.post("/annotate", json={"text": text}, headers={"Accept-Encoding": "identity"})
        assert "content-encoding" not in plain.headers
        assert answer.json() == plain.json()
    with client.stream(
        "POST",
        "/annotate/lines",
        content=json.dumps({"text": TEXTS[1] * 20}),
        headers={"Accept-Encoding": "gzip", "content-type": "application/x-ndjson"},
    ) as lines:
        assert "content-encoding" not in lines.headers


def test_a_compressed_answer_is_much_shorter(client):
    asked = {"json": {"text": TEXTS[1] * 20}}
    with client.stream("POST", "/annotate", **asked, headers={"Accept-Encoding": "gzip"}) as answer:
        raw = b"".join(answer.iter_raw())
    assert len(raw) < len(gzip.decompress(raw)) / 5
