"""Plain text for `sapwood serve`: classifiers take it whatever they were trained on, taggers of words a sentence."""

import http.client
import json
from contextlib import closing
from urllib.parse import urlencode

import pytest
from processes import HANG
from reviews import TWO, delimited, fasttext, jsonl
from servers import running

from sapwood import Classifier, SequenceTagger
from sapwood.web.inputs import likely_kind

WRITTEN = {
    "fasttext": ("train.txt", fasttext(TWO)),
    "jsonl": ("train.jsonl", jsonl(TWO)),
    "csv": ("train.csv", delimited(",", TWO)),
    "tsv": ("train.tsv", delimited("\t", TWO)),
}
MAIL = 'Dear all,\n\n__label__good it was a dull, dull film,\nand a boring one.\n\n{"text": 1}\nYours, X'
SENTENCES = [[("Ada", "B-PER"), ("lives", "O"), ("in", "O"), ("Rome", "B-LOC")]] * 4


@pytest.fixture(scope="module")
def classifiers(tmp_path_factory):
    """Classifiers that were trained on files of these formats."""
    folder, found = tmp_path_factory.mktemp("classifiers"), {}
    for form, (name, content) in WRITTEN.items():
        (folder / name).write_text(content)
        found[form] = Classifier(epochs=3, min_updates=1).fit(folder / name)
        found[form].save(folder / f"{form}.sap")
    return folder, found


@pytest.fixture(scope="module")
def server(classifiers):
    folder, found = classifiers
    words, labels = ([[pair[k] for pair in sentence] for sentence in SENTENCES] for k in (0, 1))
    SequenceTagger(template="pos", epochs=3, min_updates=1).fit(words, labels).save(folder / "tagger.sap")
    names = [*found, "tagger"]
    with running(*(folder / f"{name}.sap" for name in names), "--max-wait", HANG) as running_server:
        yield running_server


def post(server, path, fields):
    """The answer to a request with JSON, or with a form to the page."""
    as_form = path != "/annotate"
    body, kind = (urlencode(fields), "x-www-form-urlencoded") if as_form else (json.dumps(fields), "json")
    with closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=HANG)) as connection:
        connection.request("POST", path, body, {"Content-Type": f"application/{kind}"})
        answer = connection.getresponse()
        return answer.status, answer.read().decode() if as_form else json.loads(answer.read())


@pytest.mark.parametrize("asked", [{}, {"input": "text"}], ids=["usual", "text"])
@pytest.mark.parametrize("form", WRITTEN)
def test_a_text_is_one_text(server, classifiers, form, asked):
    status, answer = post(server, "/annotate", {"model": form, "text": MAIL, **asked})
    assert status == 200
    [found] = answer["sentences"]
    assert (found["text"], [found["label"]]) == (MAIL, classifiers[1][form].predict([MAIL]))
    _, answer = post(server, "/annotate", {"model": form, "texts": ["a good film", "", "a\ndull\nfilm"], **asked})
    good, dull = classifiers[1][form].predict(["a good film", "a dull film"])
    assert [[found["label"] for found in each["sentences"]] for each in answer["documents"]] == [[good], ["_"], [dull]]
    assert [len(each.get("warnings", ())) for each in answer["documents"]] == [0, 1, 0]


@pytest.mark.parametrize("form", WRITTEN)
def test_the_page_takes_a_text(server, form):
    status, page = post(server, "/", {"model": form, "text": MAIL, "why": "1.1."})
    assert status == 200
    assert page.count("<article") == 1
    assert 'aria-label="-, label of example 1: why?"' in page
    assert "__label__good" in page
    assert "dull" in page.partition('id="why"')[2]
    status, page = post(server, "/", {"model": form, "text": MAIL, "input": "text"})
    assert (status, page.count("<article")) == (200, 1)


def test_examples_are_still_read(server):
    two = jsonl([("", "a good film"), ("", "a dull plot")])
    _, answer = post(server, "/annotate", {"model": "jsonl", "text": two, "input": "examples"})
    assert [found["label"] for found in answer["sentences"]] == ["+", "-"]


@pytest.mark.parametrize("text", ["Ada lives in Rome", "Ada lives in Rome\n"])
def test_a_tagger_of_words_takes_a_sentence(server, text):
    _, answer = post(server, "/annotate", {"model": "tagger", "text": text})
    [sentence] = answer["sentences"]
    assert [(token["text"], token["label"]) for token in sentence["tokens"]] == SENTENCES[0]


def test_a_tagger_of_words_still_takes_columns(server):
    for text in ("Ada\nlives\nin\nRome\n", "Ada B-PER\nlives O\nin O\nRome O\n", "Ada\tB-PER\n\nin\tO\n"):
        _, answer = post(server, "/annotate", {"model": "tagger", "text": text})
        words = [token["text"] for sentence in answer["sentences"] for token in sentence["tokens"]]
        assert words == [line.split()[0] for line in text.splitlines() if line]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Rome", "tokens"),
        ("Hello Rome", "tokens"),
        ("Ada went .\nShe lives in Rome .", "tokens"),
        ("Ada\nlives", "columns"),
        ("Ada B-PER\n" * 2000, "columns"),
        ("1\tAda\t_", "columns"),
    ],
)
def test_columns_are_told_from_sentences(text, kind):
    assert likely_kind(text.encode(), "auto", ("tokens", "columns")) == kind
