"""Tokens that are not words as they stand in a text: they are named, and texts about them are not."""

import pytest
from commands import run_command

from sapwood.tasks.pipeline.writer import warn_of_escapes


def said(text, tag=("PUNCT",)):
    messages = []
    warn_of_escapes(text.encode(), "x", lambda _: list(tag), messages.append)
    return messages


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Tom &amp; Jerry ran .", "Moses's escapes (&amp;)"),
        ("he said &quot; no &quot; twice", "Moses's escapes (&quot;)"),
        ("it &apos;s &#91; sic &#93; a &#124; b", "Moses's escapes (&#124;, &#91;, &#93;)"),
        ("go &lt; away &gt; !\n\nit &apos;s late", "Moses's escapes (&apos;, &gt;, &lt;)"),
        ("an entity &apos;s name in HTML", "Moses's escapes (&apos;)"),
        ("the new@@ er mo@@ del", "pieces of words (o@@, w@@)"),
        ("play ##ing the gui ##tar", "pieces of words (##i, ##t)"),
        ("\u2581The \u2581old \u2581m an", "pieces of words (\u2581)"),
        ("new er</w> mo del</w>", "pieces of words (l</w>, r</w>)"),
        ("new \uffeder mo\uffed del and \uffedx", "pieces of words (\uffed)"),
    ],
)
def test_escapes_and_pieces_are_named(text, named):
    assert len(said(text)) == 1
    assert said(text)[0].startswith(f"x: among its tokens are {named}; ")


@pytest.mark.parametrize("token", ["-LRB-", "-RRB-", "-LSB-", "-RCB-"])
def test_brackets_are_named_if_the_model_does_not_know_them(token):
    assert f"Penn's brackets ({token}), which the model does not know" in said(f"a {token} b", ["NOUN"])[0]
    assert said(f"a {token} b") == []


@pytest.mark.parametrize(
    "text",
    [
        "",
        "in HTML , &amp; stands for an ampersand",
        "write &lt; and &gt; as entities of XML",
        "the shell 's & and &amp; differ",
        'he wrote " &quot; " again',
        "AT&T ; R&D ; fish & chips",
        "## Heading\n\n# one ## two\nC## and a@@b",
        "mail me @@ noon , foo@@ only once",
        "the left-hand -LR- side ; -- and -",
        "<w>one</w> two",
    ],
)
def test_texts_about_them_are_not(text):
    assert said(text) == []


@pytest.mark.parametrize(
    ("text", "named"),
    [
        (
            "The old man , he did n&apos;t go &amp; that was it .\n",
            "Moses's escapes (&amp;, &apos;); write the char",
        ),
        ("The old man -LRB- my uncle -RRB- did go .\n", "Penn's brackets (-LRB-, -RRB-), which the model does not"),
    ],
)
@pytest.mark.filterwarnings("default")
def test_annotate_says_so(text, named, tmp_path):
    (tmp_path / "x.txt").write_text(text)
    run = run_command(["annotate", "en", "--input", "tokens", tmp_path / "x.txt"])
    assert f"x.txt: among its tokens are {named}" in run.err
    assert run.status == 0 and all(f"\t{token}\t" in run.out for token in text.split())  # forms are the text's
    run = run_command(["annotate", "en", "--input", "tokens", "--strict", tmp_path / "x.txt"])
    assert run.status == 1 and "among its tokens are" in run.err
