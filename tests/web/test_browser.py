"""The page in a real browser: by mouse, by keyboard alone, without JavaScript, on a telephone, light and dark."""

import json
import subprocess
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import quote

import pytest
from browser import BROWSER, launched
from javascript import NODE
from processes import HANG
from servers import running
from web import TEXT

pytestmark = [pytest.mark.slow, pytest.mark.skipif(BROWSER is None, reason="there is no chromium")]
HOSTILE = "<img src=x onerror='document.title=\"broken\"'> <script>document.title='broken'</script> A helt bungs."

# Texts whose contrast to what is behind them is below 4.5, as WCAG 2 has it.
CONTRAST = """() => {
  const parse = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const light = (rgb) => {
    const [r, g, b] = rgb.slice(0, 3).map((v) => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    for (let e = element; e; e = e.parentElement) {
      const colour = parse(getComputedStyle(e).backgroundColor);
      if (colour.length === 3 || colour[3] > 0) return colour;
    }
    return [255, 255, 255];
  };
  const poor = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.data.trim() || !element.checkVisibility() || element.closest("script,.hidden")) continue;
    const style = getComputedStyle(element);
    const colour = element.closest("svg") ? style.fill : style.color;
    const [a, b] = [light(parse(colour)), light(behind(element))].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < 4.5) poor.push(`${ratio.toFixed(2)} ${node.data.trim().slice(0, 30)}`);
  }
  return [...new Set(poor)];
}"""


@pytest.fixture(scope="module")
def server(toy_file, tiny_model):
    with running(toy_file, tiny_model, "--max-wait", HANG) as running_server:
        yield running_server


@pytest.fixture(scope="module")
def chromium():
    with launched() as browser:
        yield browser


@pytest.fixture
def open_page(chromium, server):
    """open_page(**settings): the page in a window of its own; errors that the browser reports fail the test.

    What else a browser prints, as advice and warnings, depends on its version and on the moment.
    """
    contexts, complaints, wanted = [], [], []

    def open_one(expected=None, **settings):
        contexts.append(chromium.new_context(**settings))
        page = contexts[-1].new_page()
        page.set_default_timeout(1000 * HANG)
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        wanted.append(expected)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(server.url)
        return page

    yield open_one
    for context in contexts:
        context.close()
    assert [text for text in complaints if wanted[0] is None or wanted[0] not in text] == []


def analyse(page, text=TEXT):
    page.get_by_label("Text", exact=True).fill(text)
    page.get_by_role("button", name="Analyse").click()
    wait_for_sentences(page)


def wait_for_sentences(page):
    """Wait until the answer is there as a whole, and its script has run."""
    page.locator("article").first.wait_for()
    page.wait_for_load_state()


def focused(page):
    """The accessible name of what has the focus."""
    return page.evaluate("(document.activeElement.ariaLabel || document.activeElement.textContent).trim()")


def test_a_shared_address_is_analysed(open_page, server):
    page = open_page()
    page.goto("about:blank")
    page.goto(f"{server.url}#text={quote(TEXT)}")
    wait_for_sentences(page)
    assert page.get_by_label("Text", exact=True).input_value() == TEXT
    page.get_by_role("link", name="Link to this text").click()
    assert page.url.endswith(f"#text={quote(TEXT)}")
    assert page.locator("article").count() == 2


def test_the_page_works_by_mouse(open_page):
    page = open_page()
    analyse(page)
    assert page.locator("article").count() == 2
    address = page.url
    page.get_by_role("button", name="NOUN, tag of helt: why?").first.click()
    why = page.get_by_role("complementary", name="Why")
    why.get_by_role("heading", name="helt: NOUN").wait_for()
    assert why.get_by_role("row").count() > 1
    assert page.url == address
    page.get_by_role("link", name="arc to helt: why?").first.click()
    why.get_by_text("decided by the parser").wait_for()
    why.get_by_label("Why not").fill("shift")
    why.get_by_label("Why not").press("Enter")
    why.get_by_text("not shift").first.wait_for()
    why.get_by_role("button", name="Close").click()
    assert why.is_hidden()


def test_the_page_works_by_keyboard_alone(open_page):
    page = open_page()
    page.locator("#text:focus").wait_for()
    page.keyboard.type(TEXT)
    page.keyboard.press("Control+Enter")
    wait_for_sentences(page)
    page.keyboard.press("Tab")
    for _ in range(40):
        page.keyboard.press("Tab")
        if "lemma of" in focused(page):
            break
    assert focused(page) == "a, lemma of A: why?"
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    assert focused(page) == "NOUN, tag of helt: why?"
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="helt: NOUN").wait_for()
    assert page.evaluate("document.activeElement.id") == "why"
    page.keyboard.press("Escape")
    assert focused(page) == "NOUN, tag of helt: why?"
    page.keyboard.press("Home")
    assert focused(page) == "helt, a word of its own: why?"


@pytest.mark.parametrize("javascript", [True, False])
def test_everything_has_a_name_for_a_screen_reader(open_page, javascript):
    page = open_page(java_script_enabled=javascript)
    analyse(page)
    page.get_by_role("button", name="NOUN, tag of helt: why?").first.click()
    page.get_by_role("heading", name="helt: NOUN").wait_for()
    page.wait_for_load_state()
    nodes = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    used = [n for n in nodes if n.get("role", {}).get("value") in ("button", "link", "textbox", "combobox", "heading")]
    assert len(used) > 50
    assert [n for n in used if not n.get("name", {}).get("value", "").strip()] == []
    roles = {node.get("role", {}).get("value") for node in nodes}
    assert {"main", "banner", "contentinfo", "complementary", "article", "table", "columnheader", "rowheader"} <= roles


def test_the_page_works_without_javascript(open_page):
    page = open_page(java_script_enabled=False)
    analyse(page)
    page.get_by_role("button", name="NOUN, tag of helt: why?").first.click()
    why = page.get_by_role("complementary", name="Why")
    why.get_by_role("heading", name="helt: NOUN").wait_for()
    page.wait_for_load_state()
    assert page.url.endswith("#why")
    why.get_by_label("Why not").fill("VERB")
    why.get_by_label("Why not").press("Enter")
    assert "VERB" in why.get_by_role("alert").inner_text()
    page.wait_for_load_state()
    assert page.locator("article").count() == 2


def test_models_are_switched_and_errors_keep_the_text(open_page):
    page = open_page(expected="400 (Bad Request)")
    page.get_by_label("Model").select_option("tiny")
    analyse(page, "the DT\ndog NN\nbarks VBZ\n")
    assert page.locator("mark").all_inner_texts() == ["the dog NP", "barks VP"]
    page.get_by_label("Text", exact=True).fill("the DT\ndog\n")
    with page.expect_response(lambda response: response.status == 400):
        page.get_by_role("button", name="Analyse").click()
    page.get_by_role("alert").wait_for()
    page.wait_for_load_state()
    assert page.get_by_label("Text", exact=True).input_value() == "the DT\ndog\n"
    assert page.get_by_label("Model").input_value() == "tiny"


def test_answers_are_downloaded(open_page):
    page = open_page()
    analyse(page)
    for name in ("JSON", "CoNLL-U", "SVG"):
        with page.expect_download() as download:
            page.get_by_role("button", name=name).click()
        assert download.value.suggested_filename == f"sapwood.{name.lower().replace('-', '')}"
        assert "helt" in download.value.path().read_text()


def test_hostile_text_does_nothing(open_page):
    page = open_page()
    analyse(page, HOSTILE)
    page.get_by_role("button", name="why?").first.click()
    page.get_by_role("complementary", name="Why").wait_for()
    assert page.title() == "sapwood"
    assert page.locator("main img").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_it_fits_and_can_be_read(open_page, width, scheme):
    page = open_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
    analyse(page, TEXT * 4)
    page.get_by_role("button", name="NOUN, tag of helt: why?").first.click()
    page.get_by_role("heading", name="helt: NOUN").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(CONTRAST) == []


# A client of another origin, or in Node: it asks for offsets as JavaScript counts and cuts the names out of the text.
ASKING = """async (place) => {
  const text = "\\u{1F600}\\u{1F469} Ada Lovelace wrote to Charles Babbage. \\u{1F44D} Alan Turing lived in England.";
  const body = JSON.stringify({ text, offsets: "utf16", fields: ["entities", "start", "end"] });
  const headers = { "content-type": "application/json" };
  const answer = await (await fetch(`${place}annotate`, { method: "POST", headers, body })).json();
  return answer.sentences.flatMap(({ entities }) => entities.map(({ start, end }) => text.slice(start, end)));
}"""
NAMES = ["Ada Lovelace", "Charles Babbage", "Alan Turing", "England"]


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory):
    """The address of a page of another origin."""
    folder = tmp_path_factory.mktemp("elsewhere")
    (folder / "index.html").write_text("<!doctype html><title>another origin</title>", encoding="utf-8")
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory=folder)) as pages:
        Thread(target=pages.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{pages.server_port}"
        pages.shutdown()


@pytest.fixture(scope="module")
def english_server(elsewhere):
    with running("en", "--allow-origin", elsewhere, "--max-wait", HANG) as running_server:
        yield running_server


def test_a_page_of_another_origin_cuts_names_out_of_a_text_with_emoji(chromium, elsewhere, english_server):
    page = chromium.new_page()
    page.goto(elsewhere)
    assert page.evaluate("() => location.origin") == elsewhere
    assert page.evaluate(ASKING, english_server.url) == NAMES
    page.close()


@pytest.mark.skipif(NODE is None, reason="there is no Node")
def test_a_client_in_node_cuts_names_out_of_a_text_with_emoji(english_server):
    script = f"console.log(JSON.stringify(await ({ASKING})({json.dumps(english_server.url)})));"
    done = subprocess.run([*NODE, "--input-type=module", "-e", script], capture_output=True, timeout=HANG, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout) == NAMES
