"""The order of easy-first parsing and tagging as SVG: what has been done, and the scores of what may be done next."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from sapwood.draw.columns import Column, Node, chosen, draw_columns, marked, number, others, short
from sapwood.draw.parts import paragraph, within
from sapwood.draw.svg import Picture, svg_inline

Choice = tuple[int, str]  # a token, or a place between two pending items; and a label, or an attachment


def draw_attachments(
    words: Sequence[str],
    arcs: Sequence[tuple[int, int, str]],
    items: Sequence[int],
    scores: Mapping[Choice, float],
    gold: Choice,
    guess: Choice,
) -> list[Picture]:
    """Draw the arcs made so far by their numbers, and the scores of the attachments of pending neighbours.

    arcs : head, modifier and relation, in the order in which they were made
    items : the words that are pending, with the root as 0
    """
    heads, deprels = [0] * len(words), ["_"] * len(words)
    for k, (head, modifier, deprel) in enumerate(arcs, 1):
        heads[modifier - 1], deprels[modifier - 1] = head, f"{k}. {deprel}"
    tree = within(svg_inline(words, heads, deprels, None, (), f"the first {len(arcs)} attachments by their numbers"))
    names = ["<root>", *map(short, words)]
    places = [f"{names[left]}, {names[right]}" for left, right in pairwise(items)]
    note = paragraph([("side", "an arrow from above leads to each word that is pending")])
    return [note, tree, *draw_choices(places, {}, scores, gold, guess)]


def draw_choices(
    places: Sequence[str],
    done: Mapping[Choice, str],
    scores: Mapping[Choice, float],
    gold: Choice,
    guess: Choice,
    most: int = 8,
) -> list[Picture]:
    """Draw what was done with its numbers, and the scores of the choices: the `most` best rows, and all marked ones.

    places : the texts above the columns
    """
    best = {y: max((s for (_, z), s in scores.items() if z == y), default=0.0) for _, y in [*done, *scores]}
    rows = chosen(best, {gold[1], guess[1], *(y for _, y in done)}, most)
    texts = {**done, **{choice: number(score) for choice, score in scores.items()}}
    columns = []
    for i, place in enumerate(places):
        nodes = [
            Node(row, [texts[i, y]], marked((i, y) == gold, (i, y) == guess))
            for row, y in enumerate(rows)
            if (i, y) in texts
        ]
        columns += [Column(place, nodes)] if nodes else []
    return [draw_columns(columns, dict(enumerate(rows))), *others(len(best) - len(rows), "rows")]
