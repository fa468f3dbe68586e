"""The page without JavaScript: forms in, HTML out, in which nothing of a text is taken for HTML."""

import json
import re
from html.parser import HTMLParser
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import escape
from web import TEXT, client_of


@pytest.fixture(scope="module")
def nlp(toy):
    return toy


@pytest.fixture(scope="module")
def client(nlp, tiny_file):
    from tiny import train_tiny

    return client_of({"nlp": nlp, "chunker": train_tiny(tiny_file)})


def test_the_empty_page_has_a_form(client):
    page = client.get("/")
    assert page.status_code == 200
    assert '<textarea id="text" name="text"' in page.text
    assert "<article" not in page.text


def test_sentences_have_trees_and_tables(client, nlp):
    page = client.post("/", data={"text": TEXT}).text
    assert page.count("<article") == len(nlp(TEXT).sentences) == 2
    assert page.count('class="sapwood-tree"') == 2
    for token in nlp(TEXT):
        assert f'aria-label="{token.upos}, tag of {token.text}: why?"' in page


def test_a_button_says_why(client, nlp):
    page = client.post("/", data={"text": TEXT, "why": "1.2.tagger"}).text
    [why] = [e for e in nlp.explain(TEXT, sentence=1, token=2) if e.part == "tagger"]
    shown = page[page.index("<aside") :]
    assert f"<h3>{why.word}: {why.chosen}, not {why.against}, by {why.margin:.3f}</h3>" in shown
    assert client.post("/why", data={"text": TEXT, "why": "1.2.tagger"}).text in page
    assert re.findall('<option value="([^"]*)">', shown) == list(map(escape, nlp.models_["tagger"].labels_))
    whole = client.post("/why", data={"text": TEXT, "why": "1.2."})  # all parts
    assert whole.status_code == 200
    assert whole.text.count("<section>") > 3


def test_columns_show_chunks(client):
    page = client.post("/", data={"model": "chunker", "text": "the DT\ndog NN\nbarks VBZ\n"}).text
    assert '<mark class="n0">the dog <small>NP</small></mark> <mark class="n1">barks <small>VP</small></mark>' in page


def test_names_are_listed_in_their_colours(client):
    text = "the DT\ndog NN\nbarks VBZ\n\n" * 2 + "a DT\ndog NN\nbarks VBZ\n"
    page = client.post("/", data={"model": "chunker", "text": text}).text
    listed = re.findall(r'<li><a href="#(s\d)" class="n(\d)">(.*?) <small>(.*?)</small>(.*?)</a></li>', page)
    assert listed == [
        ("s1", "0", "the dog", "NP", " (2)"),
        ("s1", "1", "barks", "VP", " (3)"),
        ("s3", "0", "a dog", "NP", ""),
    ]


def test_a_text_is_shared_by_its_address(client):
    page = client.post("/", data={"text": f"{TEXT} <&>"}).text
    [link] = re.findall('<a href="#text=([^"]*)">Link to this text</a>', page)
    assert unquote(link) == f"{TEXT} <&>"


def test_examples_run_at_a_click(nlp):
    client = client_of({"en": nlp})
    page = client.get("/").text
    examples = re.findall('<button name="text" value="([^"]*)">', page)
    assert len(examples) == 2
    assert "Ada Lovelace" in examples[0]
    answer = client.post("/", data={"model": "en", "text": examples[0]}).text
    assert "<article" in answer and '<button name="text"' not in answer
    assert '<button name="text"' not in client_of({"nlp": nlp}).get("/").text


@pytest.mark.parametrize(
    ("format", "kind"), [("conllu", "text/plain"), ("json", "application/json"), ("svg", "image/svg+xml")]
)
def test_answers_are_downloaded(client, nlp, format, kind):
    answer = client.post("/download", data={"text": TEXT, "format": format})
    assert answer.headers["content-disposition"] == f'attachment; filename="sapwood.{format}"'
    assert answer.headers["content-type"].startswith(kind)
    doc = nlp(TEXT)
    if format == "conllu":
        assert answer.text == doc.to_conllu()
    elif format == "json":
        assert answer.json() == json.loads(doc.to_json())
    else:
        assert answer.text.count('class="form"') == len(doc)


def test_script_in_a_text_is_text(client):
    hostile = "<script>alert(1)</script> \"onload=' </textarea><img src=x>"
    for fields in ({"text": hostile}, {"text": hostile, "why": "1.1.tagger"}, {"text": "a", "model": hostile}):
        page = client.post("/", data=fields).text
        assert set(re.findall(r"<script[^>]*>", page)) == {'<script src="static/page.js" defer>'}
        assert "<img" not in page
        assert "onload='" not in page.replace("&#39;", "")


class Elements(HTMLParser):
    """The names of a page's elements and of their attributes."""

    def __init__(self, page):
        super().__init__()
        self.found = set()
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.found.add(tag)
        self.found.update(f"{tag} {name}" for name, _ in attributes)


@pytest.fixture(scope="module")
def known(client):
    """What pages of harmless and of wrong texts are made of."""
    whys = ("1.2.parser", "99.1.tagger")
    fields = [{}, {"text": TEXT}, {"text": "a\0"}, {"text": "a|b"}, *({"text": TEXT, "why": why} for why in whys)]
    pages = [client.post("/", data={"input": "auto", **each}).text for each in fields]
    return {"mark", "wbr"}.union(*(Elements(page).found for page in pages))


@given(st.text(max_size=60), st.sampled_from(["", "1.1.tagger", "1.2.parser"]), st.text(max_size=8))
def test_no_text_adds_an_element_to_the_page(client, known, text, why, against):
    answer = client.post("/", data={"text": text, "against": against} | ({"why": why} if why else {}))
    assert answer.status_code == (400 if "\0" in text else 200)
    assert Elements(answer.text).found <= known


def test_errors_are_on_the_page(client):
    page = client.post("/", data={"text": "a b\nc\n", "model": "chunker"})
    assert page.status_code == 400
    assert '<p class="error" role="alert">line 2 of the text: this line has 1 column' in page.text
    assert '<option value="chunker" selected>' in page.text
    assert "a b\nc\n</textarea>" in page.text


def test_a_reason_that_is_not_there_leaves_the_rest(client):
    for field in ({"why": "99.1.tagger"}, {"why": "1.1.nobody"}, {"why": "1.1.tagger", "against": "NOTHING"}):
        page = client.post("/", data={"text": TEXT, **field})
        assert page.status_code == 200
        assert page.text.count("<article") == 2
        assert '<p class="error" role="alert">' in page.text[page.text.index("<aside") :]
        assert client.post("/why", data={"text": TEXT, **field}).status_code == 400


def test_the_policy_forbids_what_is_not_the_servers(client):
    for path in ("/", "/health", "/static/page.js", "/nowhere"):
        policy = client.get(path).headers["content-security-policy"]
        assert policy.startswith("default-src 'none'")
        assert "unsafe" not in policy
    page = client.post("/", data={"text": TEXT, "why": "1.1.parser"}).text
    assert " style=" not in page
    assert "<style" not in page
    assert not re.search(r"\son[a-z]+=", page)


def test_only_the_packages_files_are_served(client):
    assert client.get("/static/page.css").status_code == 200
    for name in ("../app.py", "%2e%2e/app.py", "..%2fapp.py", "page.html", "/etc/passwd"):
        path = f"/static/{name}"
        assert client.get(path).status_code == 404
