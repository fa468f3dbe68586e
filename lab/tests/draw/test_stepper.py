"""Updates as HTML: one in a notebook, and the page that steps through a training, in a browser without a network."""

import re
from html import unescape
from html.parser import HTMLParser

import pytest
from browser import BROWSER, launched
from processes import HANG

from sapwood_lab import GreedyTagger, ViterbiTagger
from sapwood_lab.draw import stepper
from sapwood_lab.draw.stepper import html_steps
from sapwood_lab.draw.steps import text_step
from sapwood_lab.walks.walk import EXAMPLES, make_walk

HOSTILE = "</script><script>document.title='broken'</script>"
FILLS = "found => [...new Set(found.map((each) => getComputedStyle(each).fill))]"
EVERY = [(example, algorithm) for example, algorithms in EXAMPLES.items() for algorithm in algorithms]


class Tags(HTMLParser):
    """The elements of a page, its addresses, and its style sheets."""

    def __init__(self, html):
        super().__init__()
        self.names, self.addresses, self.events = [], [], []
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        self.names.append(tag)
        self.addresses += [value for name, value in attributes if name in ("src", "href", "action", "data")]
        self.events += [name for name, _ in attributes if name.startswith("on")]


@pytest.mark.few(4)
@pytest.mark.parametrize(("example", "algorithm"), EVERY)
def test_an_update_shows_itself_with_its_picture_and_its_weights(example, algorithm):
    for step in make_walk(example, algorithm, epochs=1).steps():
        html = step._repr_html_()
        tags = Tags(html)
        assert tags.names[0] == "figure"
        assert html.count(" weight of ") == 1
        assert text_step(step, 100, 100) in unescape(html)
        assert "script" not in tags.names
        assert not tags.addresses + tags.events
        for sheet in re.findall(r"<style>(.*?)</style>", html, re.DOTALL):
            rules = re.sub(r"@media[^{]*\{", "", sheet)
            for selectors in re.findall(r"([^{}]+)\{", rules):
                assert all(each.strip().startswith(".sapwood-") for each in selectors.split(",")), selectors


def test_words_that_would_be_markup_are_words():
    rows = [(HOSTILE, "D"), ("x" * 300, HOSTILE)]
    for make in (GreedyTagger, ViterbiTagger):
        page = html_steps(HOSTILE, make("U:%x[0,0]\nB\n", epochs=2).steps([rows]))
        tags = Tags(page)
        assert tags.names.count("script") == 1
        assert "&lt;script&gt;document.title" in page


@pytest.mark.slow
def test_a_page_of_hundreds_of_updates_has_styles_once_and_keeps_its_size(monkeypatch):
    sentence = [(f"word{k}", f"T{k % 7}") for k in range(12)]
    data = [[(f"{word}-{k}", label) for word, label in sentence] for k in range(60)]
    steps = list(GreedyTagger("U:%x[0,0]\n", epochs=1).steps(data))
    assert len(steps) >= 300
    page = html_steps("Hundreds", steps)
    assert len(page) < 8_000 * len(steps)
    assert page.count("<style>") == 1
    assert page.count(".sapwood-step{") == 1
    assert page.count("<svg ") == len(steps)
    monkeypatch.setattr(stepper, "LARGEST", len(page) // 3)
    small = html_steps("Hundreds", steps)
    assert len(steps) // 4 < small.count("<svg ") < len(steps) // 2
    assert small.count("<section ") == len(steps) == small.count("<svg ") + small.count("<details open>")
    assert len(small) < 0.6 * len(page)


@pytest.mark.slow
@pytest.mark.skipif(BROWSER is None, reason="there is no chromium")
def test_the_page_steps_by_keys_and_buttons_without_a_network(tmp_path):
    steps = list(make_walk("plane").steps())
    file = tmp_path / "steps.html"
    file.write_text(html_steps("A training", [*steps[:4], *GreedyTagger("B\n").steps([[(HOSTILE, "D"), ("a", "N")]])]))
    with launched() as browser:
        context = browser.new_context(offline=True, color_scheme="dark")
        page = context.new_page()
        page.set_default_timeout(1000 * HANG)
        asked, complaints = [], []
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(file.as_uri())

        def shown():
            [at] = [k for k, each in enumerate(page.query_selector_all("section"), 1) if each.is_visible()]
            said = page.inner_text("output")
            assert said.startswith(f"{at} of 5: update ")
            assert page.get_attribute("output", "aria-live") == "polite"
            return at

        assert shown() == 1
        for keys, at in (("ArrowRight", 2), ("ArrowRight", 3), ("ArrowLeft", 2), ("End", 5), ("ArrowRight", 5)):
            page.keyboard.press(keys)
            assert shown() == at
        page.keyboard.press("Alt+ArrowUp")
        for button, at in (("Back", 4), ("First", 1), ("Forward", 2), ("Last", 5)):
            page.get_by_role("button", name=button).click()
            assert shown() == at
        disabled = [each.get_attribute("aria-disabled") for each in page.query_selector_all("button")]
        assert disabled == ["false", "false", "true", "true"]
        page.keyboard.press("Home")
        page.reload()  # the page remembers the update in its address
        assert shown() == 1
        page.goto(file.as_uri() + "#3")
        assert shown() == 3
        assert page.title() == "A training"
        page.emulate_media(media="print")
        assert all(each.is_visible() for each in page.query_selector_all("section"))
        assert not page.is_visible("nav")
        assert page.eval_on_selector_all(".page", FILLS) == ["rgb(255, 255, 255)"]  # paper is light
        page.emulate_media(media="screen")
        assert page.eval_on_selector_all(".page", FILLS) == ["rgb(22, 25, 29)"]
        assert set(asked) == {file.as_uri()}
        assert not complaints
        context.close()
        plain = browser.new_context(java_script_enabled=False).new_page()
        plain.goto(file.as_uri())
        assert all(each.is_visible() for each in plain.query_selector_all("section"))
        assert not plain.is_visible("nav")
