"""Updates of the laboratory as HTML: one for a notebook, and a page of a whole training that steps forward and back.

A page is one file, which asks the network for nothing. Arrow keys and buttons step; paper has all updates. Whatever
stands in words, the page's policy lets nothing run but its own script.

>>> from sapwood.lab.greedy import GreedyTagger
>>> page = html_steps("A dog", GreedyTagger("U:%x[0,0]\\n").steps([[("<b>", "D"), ("dog", "N")]]))
>>> page.count("<section"), page.count("<style>"), "<b>" in page
(1, 1, False)
"""

import base64
import hashlib
import re
from collections.abc import Iterable
from itertools import chain
from pathlib import Path

from sapwood.draw.sentence import escaped
from sapwood.draw.step_pictures import svg_step
from sapwood.draw.steps import Step, decision_lines, heading, weight_rows, weight_text
from sapwood.draw.svg import style_sheet

LARGEST = 20_000_000  # characters of the updates on a page that have pictures
_STYLE = re.compile(r"<style>(.*?)</style>\n?", re.DOTALL)


def html_step(step: Step, top: int = 100, drawn: bool = True) -> str:
    """Return an update as HTML: its picture if it is `drawn`, then the decision and `top` weights in words.

    All text is escaped, and all styles are of the picture alone.
    """
    picture = svg_step(step) if drawn else ""
    rows = weight_rows(step)
    body = "".join(
        f"<tr><td>{escaped(row.feature)}</td><td>{escaped(row.output)}</td>"
        f"<td>{weight_text(row.before)}</td><td>{weight_text(row.after)}</td><td>{row.updates}</td></tr>"
        for row in rows[:top]
    )
    more = f"<p>and {len(rows) - top} other weights</p>" if len(rows) > top else ""
    head = "".join(f"<th>{name}</th>" for name in ("feature", "weight of", "before", "after", "updates"))
    lines = "\n".join(map(escaped, decision_lines(step)))
    return (
        f'<figure style="margin:0;overflow-x:auto">\n{picture}<details{" open" * (not drawn)}>'
        f"<summary>The decision and {len(rows)} weights in words</summary><pre>{lines}</pre>\n"
        f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}</details></figure>\n"
    )


def html_steps(title: str, steps: Iterable[Step], end: str = "") -> str:
    """Return a page that shows one update at a time, and then `end`, which is HTML, if there is one.

    Beyond `LARGEST` characters updates have no pictures.
    """
    sections = ""
    styles = {style_sheet("stepper.css"): None}
    for name, html in chain(
        ((heading(step), html_step(step, drawn=len(sections) < LARGEST)) for step in steps),
        [("after the last update", end)] if end else [],
    ):
        styles |= dict.fromkeys(_STYLE.findall(html))  # each once
        sections += f'<section aria-label="{name}">\n<h2>{name}</h2>\n{_STYLE.sub("", html)}</section>\n'
    script = Path(__file__).with_name("stepper.js").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
    buttons = "".join(
        f'<button type="button" data-to="{to}">{name}</button>'
        for to, name in (("first", "First"), ("back", "Back"), ("forward", "Forward"), ("last", "Last"))
    )
    return (
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escaped(title)}</title>\n<style>{''.join(styles)}</style>\n<h1>{escaped(title)}</h1>\n"
        f'<nav aria-label="Updates">{buttons}<output aria-live="polite"></output></nav>\n<main>\n'
        f"{sections}</main>\n<script>{script}</script>\n</html>\n"
    )
