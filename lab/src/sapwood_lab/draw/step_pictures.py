"""Updates of the laboratory as SVG: the decision, gold above the guess, and the weights before and after as bars.

>>> from sapwood_lab.greedy import GreedyTagger
>>> step = next(GreedyTagger("U:%x[0,0]\\nB\\n").steps([[("the", "D"), ("dog", "N")]]))
>>> svg_step(step).count('class="after"')
4
"""

from collections.abc import Sequence

from sapwood_lab.base.drawing.sentence import printable
from sapwood_lab.base.drawing.svg import FORM_SIZE, MARGIN, Picture, px, svg_inline, text_width
from sapwood_lab.draw.columns import Column, Node, draw_columns, marked, short
from sapwood_lab.draw.parts import LINE, paragraph, stacked, svg_text, within
from sapwood_lab.draw.search_pictures import search_parts
from sapwood_lab.draw.steps import Step, WeightRow, answers, heading, number, step_place, step_words, weight_rows

BAR = 120  # pixels of the longest bar
GAP = 14  # between a text and a bar


def svg_step(step: Step, top: int = 12) -> str:
    """Draw an update as a self-contained SVG: what the search saw, and the `top` weights that changed most."""
    title = heading(step)
    rows = weight_rows(step)
    parts = [paragraph([("title", title)]), *_decision(step), *search_parts(step), _bars(rows[:top])]
    if len(rows) > top:
        parts.append(paragraph([("side", f"and {len(rows) - top} other weights")]))
    return stacked(title, parts)


def _decision(step: Step) -> list[Picture]:
    words = step_words(step)
    right, heads = (getattr(y, "heads", ()) for y in (step.gold, step.guess))
    if right:
        wrong = [m for m, pair in enumerate(zip(right, heads, strict=True), 1) if pair[0] != pair[1]]
        gold = within(svg_inline((words, right, step.gold.deprels, None), [], "the gold tree"))
        guess = within(svg_inline((words, heads, step.guess.deprels, None), wrong, "the guess, wrong arcs marked"))
        return [paragraph([("side", "gold")]), gold, paragraph([("side", "guess")]), guess]
    if isinstance(step.gold, tuple):
        return [_columns(words, step.gold, step.guess)]
    lines = [("text", " ".join(words) or step_place(step.input))]
    styles = {"gold": "text", "guess": "bad"}
    lines += [(styles.get(name, "side"), f"{name}: {text}") for name, text in answers(step)]
    return [paragraph(lines)]


def _columns(words: Sequence[str], gold: Sequence[str], guess: Sequence[str]) -> Picture:
    """Draw words side by side, with the gold labels and the guesses beneath them."""
    columns = []
    for word, right, answer in zip(words, gold, guess, strict=True):
        answers = [Node(0, [right], "gold"), Node(1, [answer], marked(right == answer, guess=True))]
        columns.append(Column(short(word), answers))
    return draw_columns(columns, {0: "gold", 1: "guess"}, gaps=(12, 6))


def _bars(rows: Sequence[WeightRow]) -> Picture:
    """Draw the weights before and after, a pair of bars for each, from a common axis."""
    longest = max((abs(value) for row in rows for value in (row.before, row.after)), default=0.0) or 1.0
    names = [printable(f"{row.feature} \N{RIGHTWARDS ARROW} {row.output}") for row in rows]
    axis = MARGIN + max((text_width(name, FORM_SIZE) for name in names), default=0.0) + GAP + BAR
    elements = []
    for k, (name, row) in enumerate(zip(names, rows, strict=True)):
        y = LINE * (k + 1)
        elements.append(svg_text(MARGIN, y, "text", name))
        for style, value, up in (("before", row.before, 11), ("after", row.after, 5)):
            length = BAR * abs(value) / longest
            left = axis if value >= 0 else axis - length
            elements.append(f'<rect class="{style}" x="{px(left)}" y="{px(y - up)}" width="{px(length)}" height="5"/>')
        change = f"{number(row.before)} to {number(row.after)}, updates: {row.updates}"
        elements.append(svg_text(axis + BAR + GAP, y, "side", change))
    foot = LINE * len(rows) + 6
    elements.append(f'<path class="axis" d="M{px(axis)} 4V{px(foot)}"/>')
    return Picture(elements, axis + BAR + GAP + 170, foot + 6.0)
