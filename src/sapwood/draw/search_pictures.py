"""What a search of the laboratory saw before an update, as SVG: a trellis, a chart, a beam, an order.

>>> from types import SimpleNamespace
>>> trellis = SimpleNamespace(
...     alpha=[{("<start>",): 0.0}, {("D",): 2.0, ("N",): 1.5}], back=[{}, {("D",): ("<start>",), ("N",): ("<start>",)}]
... )
>>> svg = search_picture(SimpleNamespace(input=[("dog", "N")], gold=("N",), guess=("D",), search=trellis))
>>> svg.count("1.5</text>"), svg.count('class="node guess wrong"')
(1, 1)
"""

from collections.abc import Sequence
from typing import Any

from sapwood.draw.beam import draw_beam
from sapwood.draw.charts import draw_cky, draw_eisner
from sapwood.draw.easy_first import draw_attachments, draw_choices
from sapwood.draw.parts import paragraph, stacked
from sapwood.draw.plane import Turned, svg_turning
from sapwood.draw.steps import step_words
from sapwood.draw.svg import Picture
from sapwood.draw.trellis import draw_trellis

_TABLES = {"roots": "root", "I_right": "I→", "I_left": "I←", "C_right": "C→", "C_left": "C←", "siblings": "S"}


def search_picture(step: Any) -> str | None:
    """Draw what the search of an update saw, as a self-contained SVG, or return None if it kept nothing.

    The scores are those by which the guess was made, before the update; beneath a trellis is that after it. The picture
    has its own background, light or dark as the reader prefers; it is light in print.
    """
    seen = getattr(step, "search", None)
    if isinstance(seen, Turned):
        return svg_turning(*seen)
    title, parts = _drawn(step, seen)
    legend = ("side", "solid: gold; broken lines: the guess; corners and a cross: wrong")
    return stacked(title, [paragraph([("title", title), legend]), *parts], "search") if title else None


def grammar_picture(grammar: Any, words: Sequence[str]) -> str:
    """Draw the chart of Cocke, Kasami and Younger's algorithm for a `Grammar` of the laboratory, as an SVG."""
    title = "CKY: the best log probabilities of each span; solid: the best tree"
    parts = draw_cky(words, grammar.chart(words), grammar.root)
    return stacked(title, [paragraph([("title", title)]), *parts], "search")


def _drawn(step: Any, seen: Any) -> tuple[str, list[Picture]]:
    """Return the title and the parts of a picture, which the fields of the search's record tell."""
    words = step_words(step)
    match seen:
        case object(alpha=alpha, back=back):
            title = "Viterbi: alpha of each state; thin lines are back pointers"
            parts = draw_trellis(words, alpha, back, step.gold, step.guess)
            if then := getattr(step, "then", None):
                guess, (alpha, back) = then
                after = "after the update: the path that is found now, and its scores"
                parts += [paragraph([("title", after)]), *draw_trellis(words, alpha, back, step.gold, guess)]
            return title, parts
        case object(I_right=_):
            tables = [(name, getattr(seen, field)) for field, name in _TABLES.items()]
            scores = {name: {span: item.score for span, item in table.items()} for name, table in tables if table}
            title = "Eisner: the best score of each span, I with an arc between its ends, C complete"
            return title, draw_eisner(words, scores, step.gold.heads, step.guess.heads)
        case object(successors=successors, beam=beam, gold=gold, guess=guess):
            title = f"A beam of {beam}: the successors at each step, the best first"
            return title, draw_beam(successors, beam, gold, guess)
        case object(arcs=arcs, items=items, scores=scores, gold=gold, guess=guess):
            title = f"Easy-first: {len(arcs)} attachments so far, and the scores of the next"
            choices = {_choice(action): score for action, score in scores.items()}
            return title, draw_attachments(words, arcs, items, choices, _choice(gold), _choice(guess))
        case object(words=words, given=given, scores=scores, gold=gold, guess=guess):
            title = f"Easiest first: {len(given)} labels so far, by their numbers, and the scores of the next"
            done = {choice: f"{k}." for k, choice in enumerate(given, 1)}
            return title, draw_choices(words, done, scores, gold, guess)
    return "", []


def _choice(action: Any) -> tuple[int, str]:
    return action.i, f"{action.side} {action.label}"
