"""The page of `sapwood page` in a real browser: opened from a file, without network, by mouse and by keyboard."""

import re
from urllib.parse import quote

import pytest
from browser import BROWSER, launched
from javascript import CORE, MISSING_CORE

import sapwood.web.offline
from sapwood import OptionError
from sapwood.web.offline import offline_page

needs_core = pytest.mark.skipif(bool(MISSING_CORE), reason=MISSING_CORE)
in_browser = [needs_core, pytest.mark.slow, pytest.mark.skipif(BROWSER is None, reason="there is no chromium")]
TEXT = "Ada Lovelace wrote it. IBM was not in <b>London</b>."


def test_a_copy_without_the_core_says_how_it_is_built(tmp_path, monkeypatch):
    monkeypatch.setattr(sapwood.web.offline, "_STATIC", tmp_path)
    with pytest.raises(OptionError, match="without the core for browsers; 'make js'"):
        offline_page({"en": b""})


@needs_core
def test_the_verb_writes_one_file_that_loads_nothing(run_cli, tmp_path, tiny_model):
    assert run_cli(["page", "en", "-o", tmp_path / "page.html"]).status == 0
    page = (tmp_path / "page.html").read_text()
    assert len(page) < 5_200_000
    assert CORE.stat().st_size < 900_000
    assert not re.search(r"""(src|href)=["'](?!data:)""", page)
    refused = run_cli(["page", tiny_model, "-o", tmp_path / "other.html"])
    assert (refused.status, (tmp_path / "other.html").exists()) == (1, False)
    assert "a model for tagging, not for raw text" in refused.err
    assert run_cli(["page", "en", "en", "-o", tmp_path / "other.html"]).status == 2


@pytest.fixture(scope="module")
def page_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("offline") / "page.html"
    model = sapwood.model.file.bundled.FOLDER / "en.sap"
    path.write_bytes(offline_page({"en": model.read_bytes()}))
    return path


@pytest.fixture(scope="module")
def chromium():
    with launched() as browser:
        yield browser


@pytest.fixture
def page(chromium):
    """A page whose errors fail the test, without a network."""
    context = chromium.new_context(offline=True)
    complaints = []
    opened = context.new_page()
    opened.on("console", lambda message: complaints.append(message.text))
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    opened.complaints = complaints
    yield opened
    context.close()


class TestInTheBrowser:
    pytestmark = in_browser

    def test_a_text_in_the_address_is_analysed_at_once(self, page, page_file):
        page.goto(f"{page_file.as_uri()}#text={quote(TEXT)}")
        page.wait_for_selector("article")
        assert page.input_value("#text") == TEXT
        words = sum(len(sentence) for sentence in sapwood.load("en")(TEXT).sentences)
        assert page.inner_text("#status") == f"2 sentences, {words} words"
        assert page.locator("article p").all_inner_texts()[0] == "Ada Lovelace PER wrote it."
        assert page.locator("#names li").all_inner_texts()[0] == "Ada Lovelace PER"
        assert page.locator("article").first.locator("svg text.label").all_inner_texts()
        assert page.complaints == []

    def test_an_example_runs_at_a_click_and_is_shared(self, page, page_file):
        page.goto(page_file.as_uri())
        page.get_by_role("button", name="Ada Lovelace wrote").click()
        page.wait_for_selector("article")
        page.get_by_role("link", name="Link to this text").click()
        assert page.url == f"{page_file.as_uri()}#text={quote('Ada Lovelace wrote the first program in 1843.')}"
        page.reload()
        page.wait_for_selector("article")
        assert page.locator("article").count() == 1
        assert page.complaints == []

    def test_a_long_text_is_shown_part_by_part(self, page, page_file):
        page.goto(page_file.as_uri())
        page.evaluate("""() => {
            window.seen = new Set();
            const found = document.getElementById("found");
            new MutationObserver(() => window.seen.add(found.children.length)).observe(found, { childList: true });
        }""")
        page.evaluate("text => (document.getElementById('text').value = text)", "Ada wrote it.\n\n" * 450)
        page.get_by_role("button", name="Analyse").click()
        page.get_by_text("450 sentences").wait_for()
        assert page.evaluate("[...window.seen].sort((a, b) => a - b).filter((n) => n > 0)") == [200, 400, 450]
        assert page.locator("article").count() == 450
        assert page.complaints == []

    def test_the_keyboard_is_enough(self, page, page_file):
        page.goto(page_file.as_uri())
        page.keyboard.press("Tab")
        page.keyboard.type("Ada wrote it.")
        page.keyboard.press("Control+Enter")
        page.wait_for_selector("article")
        page.locator("#conllu summary").focus()
        page.keyboard.press("Enter")
        page.wait_for_selector("#conllu pre:not(:empty)")
        assert page.locator("#conllu pre").text_content() == sapwood.load("en")("Ada wrote it.").to_conllu()
        assert page.complaints == []

    def test_nothing_can_be_fetched(self, page, page_file):
        page.goto(page_file.as_uri())
        found = page.evaluate("fetch('https://example.org').then(() => 'fetched', (error) => error.name)")
        assert found == "TypeError"
        assert "violates the following Content Security Policy directive" in page.complaints[0]
