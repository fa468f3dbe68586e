"""What a search of the laboratory saw before an update, as SVG: a trellis, a chart, a beam, an order.

>>> from types import SimpleNamespace
>>> trellis = SimpleNamespace(
...     alpha=[{("<start>",): 0.0}, {("D",): 2.0, ("N",): 1.5}], back=[{}, {("D",): ("<start>",), ("N",): ("<start>",)}]
... )
>>> svg = search_picture(SimpleNamespace(input=[("dog", "N")], gold=("N",), guess=("D",), search=trellis))
>>> svg.count("1.5</text>"), svg.count('class="node guess wrong"')
(1, 1)
"""

from collections.abc import Callable, Sequence
from typing import Any

from sapwood.draw.beam import draw_beam
from sapwood.draw.charts import draw_cky, draw_eisner
from sapwood.draw.easy_first import draw_attachments, draw_labels
from sapwood.draw.parts import paragraph, stacked
from sapwood.draw.plane import Turned, svg_turning
from sapwood.draw.svg import Picture
from sapwood.draw.trellis import draw_trellises

_KINDS: dict[str, tuple[str, Callable[[Any], list[Picture]]]] = {  # by a field that the search's record has
    "alpha": ("Viterbi: alpha of each state; thin lines are back pointers", draw_trellises),
    "I_right": ("Eisner: the best score of each span, I with an arc between its ends, C complete", draw_eisner),
    "successors": ("The beam: the successors at each step, the best first", draw_beam),
    "items": ("Easy-first: attachments by their numbers, and the scores of the next", draw_attachments),
    "given": ("Easiest first: labels by their numbers, and the scores of the next", draw_labels),
}


def search_picture(step: Any) -> str | None:
    """Draw what the search of an update saw, as a self-contained SVG, or return None if it kept nothing.

    The scores are those by which the guess was made, before the update; beneath a trellis is that after it. The picture
    has its own background, light or dark as the reader prefers; it is light in print.
    """
    seen = getattr(step, "search", None)
    if isinstance(seen, Turned):
        return svg_turning(*seen)
    for field, (title, draw) in _KINDS.items():
        if hasattr(seen, field):
            legend = ("side", "solid: gold; broken lines: the guess; corners and a cross: wrong")
            return stacked(title, [paragraph([("title", title), legend]), *draw(step)], "search")
    return None


def grammar_picture(grammar: Any, words: Sequence[str]) -> str:
    """Draw the chart of Cocke, Kasami and Younger's algorithm for a `Grammar` of the laboratory, as an SVG."""
    title = "CKY: the best log probabilities of each span; solid: the best tree"
    parts = draw_cky(words, grammar.chart(words), grammar.root)
    return stacked(title, [paragraph([("title", title)]), *parts], "search")
