"""The manual pages, which docs/manual.py writes."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from sapwood.cli.app import all_verbs
from sapwood.cli.base.verb import parser_of

SCRIPT = Path(__file__).parents[2] / "docs" / "manual.py"


@pytest.fixture(scope="module")
def manual_pages(tmp_path_factory):
    """The folder of all manual pages."""
    pytest.importorskip("argparse_manpage")
    folder = tmp_path_factory.mktemp("man") / "man1"
    done = subprocess.run([sys.executable, SCRIPT, folder], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return folder


def words_of(page):
    """The text of a page without roff's names of characters, its words between single spaces."""
    text = page.read_text()
    for roff, character in (("\\-", "-"), ("\\(aq", "'"), ("\\(ga", "`"), ("\\(ha", "^"), ("\\(ti", "~")):
        text = text.replace(roff, character)
    return " ".join(text.split())


def test_every_verb_has_a_page_with_every_option(manual_pages):
    overview = words_of(manual_pages / "sapwood.1")
    for name, verb in all_verbs().items():
        page = f"sapwood-{name.replace(' ', '-')}"
        text = words_of(manual_pages / f"{page}.1")
        parser = parser_of(name, verb)
        for action in parser._actions:
            if action.dest != "help":
                assert parser._get_formatter()._expand_help(action) in text  # with the default
                for option in action.option_strings:
                    assert f"\\fB{option}\\fR" in text
        assert f"\\fB{page}(1)\\fR {verb.title}" in overview


@pytest.mark.skipif(shutil.which("groff") is None, reason="needs groff")
def test_the_pages_are_roff_without_a_warning(manual_pages):
    command = ["groff", "-man", "-Tutf8", "-ww", *sorted(manual_pages.iterdir())]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert done.stderr == ""
    shown = re.sub(".\b", "", done.stdout)
    assert "sapwood train tag [-h] -o MODEL " in " ".join(shown.split())
    assert '{"text": "Ada wrote it."}\'' in shown  # quotes and braces stay as they are
