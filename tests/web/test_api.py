"""The JSON API: answers are those of the models, and what is wrong is said in one line."""

import json

import pytest
from openapi_schema_validator import OAS31Validator
from openapi_spec_validator import validate
from web import TEXT, client_of, lines_of

import sapwood
from sapwood import Classifier
from sapwood.web.inputs import INPUT_NAMES

LINES = {"content-type": "application/x-ndjson"}


@pytest.fixture(scope="module")
def models(toy, tiny_file, parsers):
    from reviews import TEXTS
    from tiny import train_tiny

    return {
        "pipeline": toy,
        "chunker": train_tiny(tiny_file),
        "parser": parsers["beam"],
        "reviews": Classifier(epochs=3, min_updates=1).fit([text for _, text in TEXTS], [label for label, _ in TEXTS]),
    }


@pytest.fixture(scope="module")
def client(models):
    with client_of(models) as client:  # a server that says when it starts and ends
        yield client


def post(client, path, **fields):
    return client.post(path, json=fields)


def test_text_is_analysed_as_the_pipeline_does(client, models):
    answer = post(client, "/annotate", text=TEXT)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/json"
    assert answer.json() == {"model": "pipeline", "sentences": json.loads(models["pipeline"](TEXT).to_json())}


def test_batch_has_a_document_for_each_text(client, models):
    texts = [TEXT, "", "A helt sing. " * 3]
    documents = [{"sentences": json.loads(models["pipeline"](text).to_json())} for text in texts]
    assert post(client, "/annotate", texts=texts).json() == {"model": "pipeline", "documents": documents}
    assert post(client, "/annotate", texts=[]).json() == {"model": "pipeline", "documents": []}


def test_a_text_that_is_none_does_not_spoil_its_batch(client):
    documents = post(client, "/annotate", texts=["A helt.", "A\0helt.", "The 2 sing."]).json()["documents"]
    assert [list(document) for document in documents] == [["sentences"], ["error"], ["sentences"]]
    assert documents[1]["error"].startswith("text 2: character 2 of the text is \\u0000 (a NUL byte)")


def test_short_texts_of_a_request_are_counted_together():
    """Each of them has too few words to say in which language it is."""
    client = client_of({"en": sapwood.load("en")})
    german, english = ["Der Hund bellt."] * 10, ["The dog barks.", "It rains.", "Thanks!"] * 4
    for texts, warned in ((german, 1), (english, 0)):
        documents = post(client, "/annotate", texts=texts).json()["documents"]
        lines = "\n".join(json.dumps({"text": text}) for text in texts)
        for found in (documents, lines_of(client.post("/annotate/lines", content=lines, headers=LINES))):
            said = [warning for document in found for warning in document.get("warnings", [])]
            assert ["together with the short texts before it" in warning for warning in said] == [True] * warned


def test_long_text_comes_in_pieces_that_make_one_whole(client, models):
    text = "A helt bungs. The 2 helt sing!\n\n" * 3000
    sentences = post(client, "/annotate", text=text).json()["sentences"]
    assert sentences == json.loads(models["pipeline"](text).to_json())


def test_short_texts_are_answered_in_one_go(client):
    short, long = (post(client, "/annotate", text=text) for text in (TEXT, TEXT * 200))
    assert int(short.headers["content-length"]) == len(short.content)
    assert "content-length" not in long.headers


def test_lines_are_answered_line_by_line(client):
    lines = [json.dumps({"text": TEXT}), "", "[1]", '{"text": 5}', "nonsense", json.dumps({"text": "A helt."})]
    headers = {"content-type": "application/x-ndjson"}
    answers = lines_of(client.post("/annotate/lines?model=pipeline", content="\n".join(lines), headers=headers))
    whole = post(client, "/annotate", text=TEXT).json()
    assert answers[0] == {"sentences": whole["sentences"]}
    assert [answer["error"] for answer in answers[1:4]] == [
        "line 3: the request should be an object of JSON",
        "line 4: text should be a valid string; got 5",
        "line 5: the request is not JSON: expected ident at column 2",
    ]
    assert [token["text"] for token in answers[4]["sentences"][0]["tokens"]] == ["A", "helt", "."]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ('{"text": null}', "text should be a valid string"),
        ('{"text": "A helt.", "text": "The 2 sing."}', "the request has the name 'text' twice"),
    ],
)
def test_a_text_that_is_null_or_given_twice_is_refused(client, body, message):
    headers = {"content-type": "application/json"}
    for path in ("/annotate", "/explain"):
        answer = client.post(path, content=body, headers=headers)
        assert (answer.status_code, answer.json()) == (400, {"error": message})
    [line] = lines_of(client.post("/annotate/lines", content=body, headers={"content-type": "application/x-ndjson"}))
    assert line == {"error": f"line 1: {message}"}


def test_explanations_are_those_of_the_model(client, models):
    asked = {"sentence": 1, "token": 2}
    answer = post(client, "/explain", text=TEXT, **asked).json()
    assert answer["explanations"] == [e.to_dict() for e in models["pipeline"].explain(TEXT, **asked)]
    [tag] = post(client, "/explain", text=TEXT, **asked, part="tagger", top=1).json()["explanations"]
    assert (tag["part"], len(tag["features"])) == ("tagger", 1)


def test_columns_are_labelled_and_explained(client, models):
    text = "the DT\ndog NN\nbarks VBZ\n"
    [sentence] = post(client, "/annotate", model="chunker", text=text).json()["sentences"]
    assert [token["label"] for token in sentence["tokens"]] == ["B-NP", "I-NP", "B-VP"]
    [why] = post(client, "/explain", model="chunker", text=text, sentence=1, token=2).json()["explanations"]
    assert why["chosen"] == "I-NP"


@pytest.mark.parametrize("text", ["", "\n", " \n\n"])
def test_columns_without_a_row_have_no_sentence(client, text):
    for model in ("chunker", "parser"):
        answer = post(client, "/annotate", model=model, text=text)
        assert (answer.status_code, answer.json()) == (200, {"model": model, "sentences": []})


def test_parser_reads_conllu(client, models, bank):
    text = (bank / "test.conllu").read_text()
    sentences = post(client, "/annotate", model="parser", text=text).json()["sentences"]
    parses = models["parser"].predict(bank / "test.conllu")
    assert [[token["head"] for token in s["tokens"]] for s in sentences] == [parse.heads for parse in parses]
    [why] = post(client, "/explain", model="parser", text=text, sentence=2, token=1).json()["explanations"]
    assert (why["sentence"], why["token"]) == (2, 1)


def test_records_are_answered_with_their_ids(client, tmp_path):
    (tmp_path / "t.csv").write_text("label,message\nx,refund now\ny,it crashes\n")
    (tmp_path / "t.jsonl").write_text(
        '{"ticket": {"body": "refund now"}, "label": "x"}\n{"ticket": {"body": "it crashes"}, "label": "y"}\n'
    )
    models = {
        "csv": Classifier(min_updates=1, text="message").fit(tmp_path / "t.csv"),
        "jsonl": Classifier(min_updates=1, text="ticket.body").fit(tmp_path / "t.jsonl"),
    }
    client = client_of(models)
    for name, records in (
        ("csv", [{"id": 7, "message": "a refund", "lang": "en"}, {"id": "b", "message": "crashes"}]),
        ("jsonl", [{"id": 7, "ticket": {"body": "a refund"}}, {"id": "b", "ticket": {"body": "crashes"}}]),
    ):
        found = post(client, "/annotate", model=name, records=records).json()["documents"]
        assert [(each["id"], each["sentences"][0]["label"]) for each in found] == [(7, "x"), ("b", "y")]
        lines = "".join(json.dumps(record) + "\n" for record in records)
        assert lines_of(client.post(f"/annotate/lines?model={name}", content=lines, headers=LINES)) == found
    null = post(client, "/annotate", model="jsonl", records=[{"id": 1, "ticket": {"body": None}}, {"id": 2}]).json()
    assert null["documents"][0]["sentences"][0]["label"] == "_"
    assert null["documents"][1]["id"] == 2
    assert "there is no text in 'ticket.body'" in null["documents"][1]["error"]


def test_only_classifiers_read_records(client):
    answer = post(client, "/annotate", model="pipeline", records=[{"text": "a"}]).json()
    assert "does not read records" in answer["documents"][0]["error"]


def test_classifier_reads_examples(client, models):
    text = "a good film\na dull plot\n"
    sentences = post(client, "/annotate", model="reviews", text=text, input="examples").json()["sentences"]
    assert (
        [s["label"] for s in sentences]
        == models["reviews"].predict(["a good film", "a dull plot"]).tolist()
        == ["+", "-"]
    )
    assert [s["text"] for s in sentences] == ["a good film", "a dull plot"]
    assert {best["label"] for best in sentences[0]["best"]} == {"+", "-", "neutral"}


def test_confidences_are_those_of_the_model(client):
    en = sapwood.load("en")
    calibrated = client_of({"en": en})
    answer = post(calibrated, "/annotate", text="I saw her duck.", confidence=True).json()
    assert answer["sentences"] == json.loads(en("I saw her duck.", confidence=True).to_json())
    assert "confidence" in answer["sentences"][0]["tokens"][0]
    assert "confidence" not in post(calibrated, "/annotate", text="I saw.").json()["sentences"][0]["tokens"][0]
    lines = calibrated.post("/annotate/lines?confidence=true", content='{"text": "I saw."}', headers=LINES)
    assert "confidence" in lines_of(lines)[0]["sentences"][0]["tokens"][0]
    sure = answer["sentences"][0]["tokens"][2]["confidence"]["tag"]
    assert sure < 0.9
    page = calibrated.post("/", data={"text": "I saw her duck."}).text
    assert f"PRON, tag of her, {int(100 * sure)} % sure: why?" in page
    assert "TagConfidence=" in calibrated.post("/download", data={"text": "I saw.", "format": "conllu"}).text


def test_models_that_are_not_calibrated_say_so(client, models):
    for model, text in (("pipeline", TEXT), ("chunker", "the DT\n"), ("reviews", "good film\n")):
        answer = post(client, "/annotate", model=model, text=text, confidence=True)
        assert answer.status_code == 422
        assert "calibrate" in answer.json()["error"]
    assert post(client, "/annotate", text=TEXT, confidence="yes").status_code == 400


def test_models_and_health_are_told(client):
    listed = client.get("/models").json()["models"]
    assert [model["name"] for model in listed] == ["pipeline", "chunker", "parser", "reviews"]
    assert [model["inputs"][0] for model in listed] == ["text", "columns", "conllu", "text"]
    health = client.get("/health").json()
    assert (health["status"], health["version"]) == ("ok", sapwood.__version__)
    assert [model["name"] for model in health["models"]] == [model["name"] for model in listed]
    assert [client.head(path).status_code for path in ("/health", "/models")] == [200, 200]


def test_description_is_valid_openapi(client):
    described = client.get("/openapi.json").json()
    validate(described)
    asked = {"/annotate", "/annotate/lines", "/classify", "/drift", "/explain"}
    assert set(described["paths"]) == asked | {"/health", "/metrics", "/models", "/ready", "/version"}
    schemas = described["components"]["schemas"]
    for asked in ("Texts", "Question"):
        assert schemas[asked]["properties"]["model"]["examples"] == ["pipeline", "chunker", "parser", "reviews"]
        assert schemas[asked]["properties"]["input"]["enum"] == ["auto", *INPUT_NAMES]
        assert "1,048,576 bytes" in schemas[asked]["properties"]["text"]["description"]
        assert schemas[asked]["additionalProperties"] is False
    assert schemas["Texts"]["properties"]["texts"]["maxItems"] == 1000
    annotate = described["paths"]["/annotate"]["post"]
    assert [each["name"] for each in annotate["parameters"]] == ["model", "input", "confidence", "offsets", "fields"]
    assert set(annotate["requestBody"]["content"]) == {"application/json"}
    lines = described["paths"]["/annotate/lines"]["post"]
    assert set(lines["requestBody"]["content"]) == {"application/x-ndjson"}
    assert [each["name"] for each in lines["parameters"]] == [each["name"] for each in annotate["parameters"]]
    assert set(lines["responses"]["200"]["content"]) == {"application/x-ndjson"}
    assert {"400", "404", "408", "413", "415", "422", "429", "503"} < set(annotate["responses"])


@pytest.mark.parametrize(
    ("path", "asked"),
    [
        ("annotate", {"text": TEXT}),
        ("annotate", {"texts": [TEXT, "a\0b"]}),
        ("annotate", {"text": "a good film\n", "model": "reviews"}),
        ("annotate", {"text": "the DT\n", "model": "chunker"}),
        ("annotate", {"text": TEXT, "fields": ["lemma", "start"], "offsets": "utf16"}),
        ("annotate", {}),
        ("explain", {"text": TEXT}),
        ("explain", {"text": "a good film\n", "model": "reviews"}),
    ],
)
def test_answers_are_as_described(client, path, asked):
    """Nor have they a member that is not described."""
    described = client.get("/openapi.json").json()
    for schema in described["components"]["schemas"].values():
        schema.setdefault("additionalProperties", False)
    answer = client.post(f"/{path}", json=asked)
    responses = described["paths"][f"/{path}"]["post"]["responses"]
    schema = responses[str(answer.status_code)]["content"]["application/json"]["schema"]
    OAS31Validator(schema | {"components": described["components"]}).validate(answer.json())


def test_there_is_no_page_that_loads_scripts_from_elsewhere(client):
    assert [client.get(path).status_code for path in ("/docs", "/redoc")] == [404, 404]


@pytest.mark.parametrize(
    ("fields", "status", "message"),
    [
        ({}, 400, "a request has a text, or texts"),
        ({"text": "a", "texts": ["b"]}, 400, "a request has a text, or texts"),
        ({"text": 1}, 400, "text should be a valid string; got 1"),
        ({"texts": "a"}, 400, "texts should be a valid list; got 'a'"),
        ({"texts": ["a", 1]}, 400, "texts.1 should be a valid string; got 1"),
        ({"text": "a", "model": "no"}, 404, "there is no model 'no'; there is pipeline, chunker, parser, reviews"),
        (
            {"text": "a", "input": "pdf"},
            400,
            "input should be 'auto', 'text', 'tokens', 'conllu', 'columns', 'examples' or 'records'; got 'pdf'",
        ),
        (
            {"text": "a", "fast": True},
            400,
            "'fast' is none of confidence, fields, input, model, offsets, records, text, texts",
        ),
        ({"text": "a\0b"}, 400, "character 2 of the text is \\u0000 (a NUL byte)"),
        ({"text": "a", "model": "chunker", "input": "text"}, 400, "does not read text; it reads columns"),
    ],
)
def test_what_is_wrong_is_said(client, fields, status, message):
    answer = post(client, "/annotate", **fields)
    assert answer.status_code == status
    assert message in answer.json()["error"]
