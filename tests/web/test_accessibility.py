"""All pages by axe, which looks for what keeps people out: light and dark, empty and full."""

import warnings

import pytest
from browser import BROWSER, launched
from javascript import MISSING_CORE
from processes import HANG
from servers import running
from web import TEXT

from sapwood.cli import run

sync = pytest.importorskip("axe_playwright_python.sync_playwright")
pytestmark = [pytest.mark.slow, pytest.mark.skipif(BROWSER is None, reason="there is no chromium")]


@pytest.fixture(scope="module")
def chromium():
    with launched() as browser:
        yield browser


@pytest.fixture(params=["light", "dark"])
def page(request, chromium):
    """A page whose policy lets axe's script in."""
    context = chromium.new_context(color_scheme=request.param, bypass_csp=True)
    context.set_default_timeout(1000 * HANG)
    yield context.new_page()
    context.close()


def violations(page):
    found = sync.Axe().run(page).response["violations"]
    return [(each["id"], [node["html"] for node in each["nodes"]][:3]) for each in found]


def test_the_page_of_the_server(page, toy_file, tiny_model):
    with running(toy_file, tiny_model, "--max-wait", HANG) as server:
        page.goto(server.url)
        assert violations(page) == []
        page.get_by_label("Text", exact=True).fill(TEXT)
        page.get_by_role("button", name="Analyse").click()
        page.get_by_role("button", name="NOUN, tag of helt").first.click()
        page.get_by_role("complementary", name="Why").get_by_role("heading", name="helt: NOUN").wait_for()
        assert violations(page) == []
        page.goto(server.url + "?")
        page.get_by_label("Model", exact=True).select_option(index=1)
        page.get_by_label("Text", exact=True).fill("the DT\ndog NN\nbarks VBZ\n")
        page.get_by_role("button", name="Analyse").click()
        page.get_by_role("link", name="the dog NP").wait_for()
        assert violations(page) == []


@pytest.mark.skipif(bool(MISSING_CORE), reason=MISSING_CORE)
def test_the_page_without_a_server(page, tmp_path):
    run(["page", "en", "-o", str(tmp_path / "page.html")])
    page.goto((tmp_path / "page.html").as_uri())
    page.get_by_role("button", name="Ada Lovelace wrote").wait_for()
    assert violations(page) == []
    page.get_by_role("button", name="Ada Lovelace wrote").click()
    page.locator("article").wait_for()
    assert violations(page) == []
    page.get_by_role("button", name="VERB, UPOS of wrote").click()
    page.get_by_label("Another value").fill("NOUN")
    page.get_by_role("heading", name="UPOS of wrote: why?").wait_for()
    assert violations(page) == []
    page.get_by_role("button", name="Correct it to this").click()
    assert violations(page) == []


@pytest.mark.parametrize("verb", ["report", "explain"])
def test_pages_that_verbs_write(page, verb, tiny_model, tiny_file, tmp_path):
    with warnings.catch_warnings(action="ignore"):
        run([verb, str(tiny_model), str(tiny_file), "-o", str(tmp_path / "page.html")])
    page.goto((tmp_path / "page.html").as_uri())
    assert violations(page) == []
