"""The order of easy-first parsing and tagging as SVG: what has been done, and the scores of what may be done next."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from sapwood.draw.columns import Column, Node, chosen, draw_columns, marked, number, others, short
from sapwood.draw.parts import paragraph, within
from sapwood.draw.steps import step_words
from sapwood.draw.svg import Picture, svg_inline

Choice = tuple[int, str]  # a token, or a place between two pending items; and a label, or an attachment


def draw_attachments(step: Any) -> list[Picture]:
    """Draw the arcs made so far by their numbers, and the scores of the attachments of pending neighbours."""
    words, seen = step_words(step), step.search
    heads, deprels = [0] * len(words), ["_"] * len(words)
    for k, (head, modifier, deprel) in enumerate(seen.arcs, 1):
        heads[modifier - 1], deprels[modifier - 1] = head, f"{k}. {deprel}"
    title = f"the first {len(seen.arcs)} attachments by their numbers"
    tree = within(svg_inline(words, heads, deprels, None, (), title))
    names = ["<root>", *(short(word, 12) for word in words)]
    # Letters between the two keep them in order, even if they are written from right to left.
    places = [f"{names[left]} and {names[right]}" for left, right in pairwise(seen.items)]
    note = paragraph([("side", "an arrow from above leads to each word that is pending")])
    named = {action: (action.i, f"{action.side} {action.label}") for action in seen.scores}
    scores = {named[action]: score for action, score in seen.scores.items()}
    return [note, tree, *_draw_choices(places, {}, scores, named[seen.gold], named[seen.guess])]


def draw_labels(step: Any) -> list[Picture]:
    """Draw the labels given so far by their numbers, and the scores of all labels of the other tokens."""
    seen = step.search
    done = {choice: f"{k}." for k, choice in enumerate(seen.given, 1)}
    return _draw_choices([short(word) for word in seen.words], done, seen.scores, seen.gold, seen.guess)


def _draw_choices(
    places: Sequence[str], done: Mapping[Choice, str], scores: Mapping[Choice, float], gold: Choice, guess: Choice
) -> list[Picture]:
    """Draw what was done with its numbers, and the scores of the choices: the best rows, and all marked ones."""
    best = {y: max((s for (_, z), s in scores.items() if z == y), default=0.0) for _, y in [*done, *scores]}
    rows = chosen(best, {gold[1], guess[1], *(y for _, y in done)})
    texts = {**done, **{choice: number(score) for choice, score in scores.items()}}
    columns = []
    for i, place in enumerate(places):
        shown = [(row, (i, y)) for row, y in enumerate(rows) if (i, y) in texts]
        columns.append(Column(place, [Node(row, [texts[at]], marked(at == gold, at == guess)) for row, at in shown]))
    columns = [column for column in columns if column.nodes]
    return [draw_columns(columns, dict(enumerate(rows))), *others(len(best) - len(rows), "choice")]
