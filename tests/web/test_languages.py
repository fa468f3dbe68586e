"""`auto` on the page and in the API: each text by the pipeline of its language."""

import json
import re
from urllib.request import urlopen

import pytest
from servers import running
from web import client_of, lines_of

import sapwood
from sapwood.model.file.bundled import PIPELINES
from sapwood.web.models import with_choice

TEXTS = {
    "de": "Die Kinder spielen im Park und gehen danach mit ihrer Mutter nach Hause.",
    "en": "The children play in the park and then go home with their mother.",
    "fr": "Les enfants jouent dans le parc puis rentrent à la maison avec leur mère.",
}
DUTCH = "De kinderen spelen in het park en gaan daarna met hun moeder naar huis."


@pytest.fixture(scope="module")
def models():
    return {code: sapwood.load(code) for code in ("de", "en")}


@pytest.fixture(scope="module")
def client(models):
    return client_of(with_choice(models, first=True))


def analysed(models, code):
    return json.loads(models[code](TEXTS[code]).to_json())


def test_where_it_stands_and_when_it_is_there(models, toy):
    assert list(with_choice(models, first=True)) == ["auto", "de", "en"]
    assert list(with_choice({"own": toy} | models, first=False)) == ["own", "de", "en", "auto"]
    for few in ({"en": models["en"]}, {"en": models["en"], "de": sapwood.load("language")}, {"auto": toy} | models):
        assert with_choice(few, first=True) == few


@pytest.mark.parametrize("code", ["de", "en"])
@pytest.mark.parametrize("asked", [{}, {"model": "auto"}])
def test_a_text_is_answered_by_the_pipeline_of_its_language(client, models, code, asked):
    answer = client.post("/annotate", json={"text": TEXTS[code]} | asked)
    assert answer.json() == {"model": code, "sentences": analysed(models, code)}


def test_batches_and_lines_name_the_model_of_each_text(client, models):
    texts = [TEXTS["de"], DUTCH, TEXTS["en"]]
    found = client.post("/annotate", json={"texts": texts}).json()
    assert found["model"] == "auto"
    assert [document.get("model") for document in found["documents"]] == ["de", None, "en"]
    assert found["documents"][0]["sentences"] == analysed(models, "de")
    assert "the text: it is in the language 'nl'" in found["documents"][1]["error"]
    lines = "".join(json.dumps({"id": k, "text": text}) + "\n" for k, text in enumerate(texts))
    answers = lines_of(client.post("/annotate/lines", content=lines, headers={"content-type": "application/x-ndjson"}))
    assert [(answer["id"], answer.get("model"), "error" in answer) for answer in answers] == [
        (0, "de", False), (1, None, True), (2, "en", False),
    ]  # fmt: skip


def test_a_language_that_is_not_served_is_refused(client):
    for text, code in ((DUTCH, "nl"), (TEXTS["fr"], "fr")):
        answer = client.post("/annotate", json={"text": text})
        assert answer.status_code == 400
        assert f"it is in the language '{code}'" in answer.json()["error"]
        assert "there are pipelines for de, en" in answer.json()["error"]


def test_a_guess_is_a_warning(client):
    answer = client.post("/annotate", json={"text": "Hallo du!"}).json()
    assert answer["model"] == "de"  # the first one that is served
    [warning] = answer["warnings"]
    assert warning.startswith("the text: fewer than 20 letters do not tell the language; it is read by 'de'")
    named = client.post("/annotate", json={"text": "Hallo du!", "model": "en"}).json()
    assert (named["model"], "warnings" in named) == ("en", False)


def test_words_of_conllu_tell_the_language(client, models):
    data = models["de"](TEXTS["de"]).to_conllu()
    assert client.post("/annotate", json={"text": data}).json()["model"] == "de"


def test_reasons_are_those_of_the_pipeline_of_the_language(client):
    asked = {"text": TEXTS["de"], "sentence": 1, "token": 2, "part": "tagger"}
    answer = client.post("/explain", json=asked).json()
    assert answer == client.post("/explain", json=asked | {"model": "de"}).json()
    assert (answer["model"], answer["explanations"][0]["word"]) == ("de", "Kinder")


def test_it_is_listed_and_described(client):
    auto, *others = client.get("/models").json()["models"]
    assert (auto["name"], auto["task"], auto["inputs"]) == ("auto", "pipeline", others[0]["inputs"])
    assert client.get("/openapi.json").status_code == 200


def test_the_page_switches_and_stays_with_the_choice(client):
    page = client.get("/").text
    assert re.search(r'<option value="auto" selected>auto', page)
    for code, word in (("de", "Kinder"), ("en", "children")):
        page = client.post("/", data={"text": TEXTS[code], "model": "auto"}).text
        assert re.search(r'<option value="auto" selected>auto', page)
        assert f"Read by the model {code}, by the language of the text." in page
        assert f">{word}" in page
    named = client.post("/", data={"text": TEXTS["en"], "model": "en"}).text
    assert "Read by the model" not in named


def test_reasons_and_downloads_of_the_page(client, models):
    form = {"text": TEXTS["de"], "model": "auto"}
    why = client.post("/why", data=form | {"why": "1.2.tagger"})
    assert (why.status_code, "Kinder" in why.text) == (200, True)
    page = client.post("/", data=form | {"why": "1.2.tagger"}).text
    assert page.count('class="bar"') == client.post("/", data=form | {"why": "1.2.tagger", "model": "de"}).text.count(
        'class="bar"'
    )
    downloaded = client.post("/download", data=form | {"format": "json"})
    assert [sentence["text"] for sentence in downloaded.json()] == [TEXTS["de"]]
    assert "<svg" in client.post("/download", data=form | {"format": "svg"}).text
    refused = client.post("/", data={"text": DUTCH, "model": "auto"})
    assert (refused.status_code, "it is in the language" in refused.text) == (400, True)


@pytest.mark.slow
def test_the_command_serves_the_nine():
    with running("auto") as server, urlopen(f"{server.url}models") as answer:
        listed = json.load(answer)["models"]
    assert [model["name"] for model in listed] == ["auto", *PIPELINES]
