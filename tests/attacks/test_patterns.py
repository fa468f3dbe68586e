"""No regular expression of the package searches long, whatever the text."""

import re
import signal
import subprocess
import sys
from pathlib import Path

import patterns
import pytest
from patterns import SIZE, attacks, patterns_of

SHARED = Path(patterns.__file__).parent
NESTED = [  # they take time without end
    r"(<!--.*?-->\s*)*<svg",
    r"(\w+\s?)+:",
    r"(a|aa)+$",
    r"(?:x*)*y",
    r"\s*(?:[^,]+,?)*;",
    r"(?P<word>\w+|\w+\d)+!",
]
SAFE = [r"(?>(<!--.*?-->)\s*)*+<svg", r"(\w+\s)+:", r"(?:a|b)+$", r"(?:x*+)*+y", r"\s*+(?:[^,]++,?)*+;", r"[(\w\s)]+!"]


def run(code, *arguments):
    """Run code in a process beside the one of this test."""
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, cwd=SHARED)


@pytest.mark.slow
def test_every_pattern_ends():
    tried = run("import patterns; patterns.main()")
    assert tried.stdout.endswith("all\n"), f"{tried.stdout.splitlines()[-1]}\n{tried.stderr}"
    assert tried.stdout.count("\n") > 50


TRY = """
import re, sys
from patterns import attacks, limit_work
for pattern in sys.argv[1:]:
    for text in attacks(re.compile(pattern, re.DOTALL)):
        limit_work(1)
        re.match(pattern, text, re.DOTALL)
"""


@pytest.mark.slow
@pytest.mark.parametrize("pattern", NESTED)
def test_nested_repetition_is_found(pattern):
    assert run(TRY, pattern).returncode == -signal.SIGXCPU


def test_repetition_that_is_not_tried_again_passes():
    assert run(TRY, *SAFE).returncode == 0


def test_patterns_are_found_where_they_are_written():
    source = """
import re
A = re.compile("a+", re.IGNORECASE)
B = rf"(?s){LETTER}b"
def f(text, name):
    A.sub("", text)
    re.match(B, text)
    re.findall(rf"{re.escape(name)}c", text)
    map(re.compile("d").match, text)
"""
    found = {each.compiled.pattern: each for each in patterns_of("m", source, {"LETTER": "x", "B": "(?s)xb", "re": re})}
    assert {written: each.searched for written, each in found.items()} == {
        "a+": True, "(?s)xb": False, "xc": True, "d": False,
    }  # fmt: skip
    assert found["a+"].compiled.flags & 2
    for unknown in ("import re\nre.match(name, text)", "from re import match"):
        with pytest.raises((NameError, AssertionError)):
            list(patterns_of("m", unknown, {}))


def test_texts_are_long_and_begin_as_the_pattern_does():
    texts = list(attacks(re.compile(rb"<p>(?:<!--.*?-->)*<b>")))
    assert b"<p>" + b"<!---->" * (SIZE // 7) + b"!" in texts
    assert all(SIZE - 20 < len(text) < SIZE + 200 for text in texts)


KINDS = """
import sys
from patterns import limit_work
from sapwood.base.writing import written_kind
for path in sys.argv[1:]:
    limit_work(1)
    print(written_kind(path))
"""


@pytest.mark.parametrize(
    ("kind", "end"), [("picture", b"<svg>"), ("HTML", b"<HTML>"), ("text", b"x"), ("text", b"<!--")]
)
def test_a_page_with_many_comments_is_recognised_at_once(tmp_path, kind, end):
    comments = [
        b"<!---->",
        b"<!-- -->",
        b"<!-- a -->\n",
        b"<!-->--> \t\n",
        b"<!--\n<svg>\n-->",
        b"<!---->" * 26 + b"\n",
    ]
    for number, comment in enumerate(comments):
        (tmp_path / f"{number}").write_bytes(comment * ((1 << 12) // len(comment) - 4) + end)
    tried = run(KINDS, *sorted(tmp_path.iterdir()))
    assert (tried.returncode, tried.stdout.split()) == (0, [kind] * len(comments))
