"""Updates of the laboratory as HTML: one for a notebook, and a page of a whole training that steps forward and back.

A page is one file, which asks the network for nothing. Arrow keys and buttons step; paper has all updates. Whatever
stands in words, the page's policy lets nothing run but its own script.

>>> from sapwood_lab.greedy import GreedyTagger
>>> page = html_steps("A dog", GreedyTagger("U:%x[0,0]\\n").steps([[("<b>", "D"), ("dog", "N")]]))
>>> page.count("<section"), page.count("<style>"), "<b>" in page
(1, 1, False)
"""

import base64
import hashlib
import re
from collections.abc import Iterable
from html import escape
from itertools import chain
from pathlib import Path

from sapwood_lab.base.drawing.sentence import escaped
from sapwood_lab.base.drawing.svg import style_sheet
from sapwood_lab.draw.step_pictures import svg_step
from sapwood_lab.draw.steps import Step, heading, text_step

LARGEST = 20_000_000  # characters of the updates on a page that have pictures
_STYLE = re.compile(r"<style>(.*?)</style>\n?", re.DOTALL)
_BUTTONS = "".join(f'<button type="button">{name}</button>' for name in ("First", "Back", "Forward", "Last"))


def html_step(step: Step, drawn: bool = True) -> str:
    """Return an update as HTML: its picture if it is `drawn`, then all in words, with styles of its own."""
    return (
        f'<figure style="margin:0;overflow-x:auto">\n{svg_step(step) if drawn else ""}'
        f"<details{' open' * (not drawn)}><summary>The decision and {len(step.violation)} weights in words</summary>"
        f"<pre>{escape(text_step(step, top=100, width=100))}</pre></details></figure>\n"
    )


def html_steps(title: str, steps: Iterable[Step], end: str = "") -> str:
    """Return a page that shows one update at a time, and then `end`, which is HTML, if there is one.

    Beyond `LARGEST` characters updates have no pictures.
    """
    body, styles = "", {style_sheet(__file__, "stepper.css"): None}
    drawn = ((heading(step), html_step(step, len(body) < LARGEST)) for step in steps)
    for name, html in chain(drawn, [("after the last update", end)] if end else []):
        styles |= dict.fromkeys(_STYLE.findall(html))  # each once
        body += f'<section aria-label="{name}">\n<h2>{name}</h2>\n{_STYLE.sub("", html)}</section>\n'
    script = Path(__file__).with_name("stepper.js").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
    return (
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escaped(title)}</title>\n<style>{''.join(styles)}</style>\n<h1>{escaped(title)}</h1>\n"
        f'<nav aria-label="Updates">{_BUTTONS}<output aria-live="polite"></output></nav>\n<main>\n'
        f"{body}</main>\n<script>{script}</script>\n</html>\n"
    )
