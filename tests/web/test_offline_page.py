"""The page of `sapwood page` in a real browser: opened from a file, without network, by mouse and by keyboard."""

import json
import re
from pathlib import Path
from urllib.parse import quote

import pytest
from browser import BROWSER, launched
from javascript import CORE, MISSING_CORE

import sapwood.web.offline
from sapwood import OptionError
from sapwood._core import Question
from sapwood.model.explanation_records import choice, summed_features
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
        conllu = sapwood.load("en")("Ada wrote it.", confidence=True).to_conllu()
        assert page.locator("#conllu pre").text_content() == conllu
        assert page.complaints == []

    def test_why_a_value_was_chosen_and_not_another(self, page, page_file):
        page.goto(f"{page_file.as_uri()}#text={quote(TEXT)}")
        page.get_by_role("button", name="Ada, Lemma of Ada").wait_for()
        tag = page.get_by_role("button", name="VERB, UPOS of wrote")
        assert re.fullmatch(r"VERB, UPOS of wrote, \d+ % sure: why\?", tag.get_attribute("aria-label"))
        tag.click()
        panel = page.get_by_role("complementary", name="Why")
        lines = sapwood.load("en").reasons.of(TEXT, Question(sentence=0, token=2))
        explained = [json.loads(line) for piece in lines for line in piece.splitlines()]
        [said] = [record for record in explained if record["part"] == "tagger" and record["word"] == "wrote"]
        assert panel.get_by_role("heading").all_inner_texts() == ["UPOS of wrote: why?", f"wrote: {choice(said)}"]
        expected = summed_features(said["features"])[:12]
        assert panel.locator("tbody tr td:first-child").all_inner_texts() == [
            f"{row.contribution:+.3f}" for row in expected
        ]
        panel.get_by_label("Another value").fill("NOUN NN")
        panel.get_by_role("button", name="Why not?").click()
        panel.get_by_role("heading", name=re.compile("^wrote: VERB VBD, not NOUN NN, by ")).wait_for()
        panel.get_by_label("Another value").fill("NOTAG")
        panel.get_by_role("button", name="Why not?").click()
        assert panel.get_by_role("alert").inner_text().endswith("'NOTAG'. An answer is written as VERB VBD.")
        page.keyboard.press("Escape")
        panel.wait_for(state="hidden")
        assert tag.evaluate("button => button === document.activeElement")
        assert page.complaints == []

    def test_a_value_is_corrected_by_keyboard_and_saved(self, page, page_file):
        page.goto(f"{page_file.as_uri()}#text={quote(TEXT)}")
        page.get_by_role("button", name="O, Name of wrote").focus()
        page.keyboard.press("Enter")
        panel = page.get_by_role("complementary", name="Why")
        for wrong, flaw in (
            ("MISC", "B- and its type"),
            ("B-A|B", "B- and its type"),
            ("B-A B", "one word"),
            ("", "one word"),
        ):
            panel.get_by_label("Another value").fill(wrong)
            panel.get_by_role("button", name="Correct it to this").press("Enter")
            assert flaw in panel.get_by_role("alert").inner_text()
        panel.get_by_label("Another value").fill("B-MISC")
        panel.get_by_role("button", name="Correct it to this").press("Enter")
        assert page.evaluate("document.activeElement.ariaLabel") == "B-MISC, Name of wrote, corrected: why?"
        assert page.locator("#names li").nth(1).inner_text() == "wrote MISC"
        page.get_by_role("button", name="3, Head of it").click()
        panel.get_by_label("Another value").fill("9")
        panel.get_by_role("button", name="Correct it to this").click()
        assert "up to 5, or 0" in panel.get_by_role("alert").inner_text()
        panel.get_by_label("Another value").fill("1")
        panel.get_by_role("button", name="Correct it to this").click()
        with page.expect_download() as download:
            page.get_by_role("button", name="Save the corrected sentence").press("Enter")
        saved = Path(download.value.path()).read_text()
        before = sapwood.load("en")(TEXT, confidence=True).to_conllu().split("\n\n")[0].splitlines()
        after = saved.rstrip("\n").splitlines()
        changed = [(a, b) for a, b in zip(before, after, strict=True) if a != b]
        assert [b.split("\t") for _, b in changed] == [
            [*changed[0][0].split("\t")[:9], "NER=B-MISC"],
            [*changed[1][0].split("\t")[:6], "1", "obj", "_", changed[1][0].split("\t")[9].split("|Tag")[0]],
        ]
        assert page.complaints == []

    def test_trees_that_cannot_be_learned_from_are_not_saved(self, page, page_file):
        page.goto(f"{page_file.as_uri()}#text={quote(TEXT)}")
        save = page.get_by_role("button", name="Save the corrected sentence")

        def correct(cell, value):
            page.get_by_role("button", name=cell).click()
            page.get_by_label("Another value").fill(value)
            page.get_by_role("button", name="Correct it to this").click()

        correct("0, Head of wrote", "4")
        save.click()
        assert "tree of sentence 1 cannot be learned from: it has not one root" in page.inner_text("#problem")
        correct("3, Head of it", "0")
        correct("3, Head of Ada", "2")
        save.click()
        assert "there is a circle in it" in page.inner_text("#problem")
        correct("2, Head of Ada", "3")
        with page.expect_download():
            save.click()
        assert page.locator("#problem").is_hidden()
        assert page.complaints == []

    def test_corrections_that_are_not_saved_are_asked_about(self, page, page_file):
        page.goto(f"{page_file.as_uri()}#text={quote(TEXT)}")
        page.get_by_role("button", name="VERB, UPOS of wrote").click()
        page.get_by_label("Another value").fill("NOUN")
        page.get_by_role("button", name="Correct it to this").click()
        page.get_by_label("Text", exact=True).fill("It rains.")
        answers = ["dismiss", "accept"]
        asked = []

        def answer(dialog):
            asked.append(dialog.message)
            getattr(dialog, answers[len(asked) - 1])()

        page.on("dialog", answer)
        page.get_by_role("button", name="Analyse").click()
        assert page.locator("article").count() == 2
        page.get_by_role("button", name="Analyse").click()
        page.get_by_text("1 sentences, 3 words").wait_for()
        assert len(asked) == 2 and "not saved" in asked[0]
        assert page.complaints == []

    def test_without_confidences(self, page, page_file):
        page.goto(page_file.as_uri())
        page.get_by_label("How sure it is").uncheck()
        page.get_by_role("button", name="Ada Lovelace wrote").click()
        page.get_by_role("button", name="VERB, UPOS of wrote: why?").wait_for()
        page.locator("#conllu summary").click()
        page.wait_for_selector("#conllu pre:not(:empty)")
        assert "Confidence" not in page.locator("#conllu pre").text_content()
        assert page.complaints == []

    def test_nothing_can_be_fetched(self, page, page_file):
        page.goto(page_file.as_uri())
        found = page.evaluate("fetch('https://example.org').then(() => 'fetched', (error) => error.name)")
        assert found == "TypeError"
        assert "violates the following Content Security Policy directive" in page.complaints[0]
