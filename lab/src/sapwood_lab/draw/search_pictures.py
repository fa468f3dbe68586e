"""The view of a search of the laboratory before an update, as SVG: a trellis, a beam, an order, a chart, a line.

>>> from types import SimpleNamespace
>>> trellis = SimpleNamespace(
...     alpha=[{("<start>",): 0.0}, {("D",): 2.0, ("N",): 1.5}], back=[{}, {("D",): ("<start>",), ("N",): ("<start>",)}]
... )
>>> svg = search_picture(SimpleNamespace(input=[("dog", "N")], gold=("N",), guess=("D",), search=trellis))
>>> svg.count("1.5</text>"), svg.count('class="node guess wrong"')
(1, 1)
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from sapwood_lab.base.drawing.svg import Picture, svg_inline
from sapwood_lab.draw.charts import draw_cky, draw_eisner
from sapwood_lab.draw.columns import Column, Edge, Node, chosen, draw_columns, marked, others, short
from sapwood_lab.draw.parts import paragraph, stacked, within
from sapwood_lab.draw.plane import Turned, draw_turning
from sapwood_lab.draw.steps import number, step_words

KEPT, FALLEN = 8, 3  # of the derivations of a beam, and of those that fell off, so many are drawn, beside gold

State = tuple[str, ...]  # the last labels, as many as the order of the search
Choice = tuple[int, str]  # a token, or a place between two pending items; and a label, or an attachment


def search_picture(step: Any) -> str | None:
    """Draw what the search of an update saw, as a self-contained SVG, or return None if it kept nothing."""
    return stacked("what the search saw", parts) if (parts := search_parts(step)) else None


def search_parts(step: Any) -> list[Picture]:
    """Draw what the search of an update saw, if it kept anything.

    The scores are those by which the guess was made, before the update; beneath a trellis is that after it.
    """
    seen = getattr(step, "search", None)
    if isinstance(seen, Turned):
        return draw_turning(seen)
    for field, (title, draw) in _KINDS.items():
        if hasattr(seen, field):
            legend = ["solid: gold; broken lines: the guess; corners and a cross: wrong", getattr(step, "margin", "")]
            return [paragraph([("title", title), *(("side", text) for text in legend if text)]), *draw(step)]
    return []


def grammar_picture(grammar: Any, words: Sequence[str]) -> str:
    """Draw the chart of Cocke, Kasami and Younger's algorithm for a `Grammar` of the laboratory, as an SVG."""
    title = "CKY: the best log probabilities of each span; solid: the best tree"
    return stacked(title, [paragraph([("title", title)]), *draw_cky(words, grammar.chart(words), grammar.root)])


def _draw_trellises(step: Any) -> list[Picture]:
    """Draw the trellis before the update and, if the step has it, that after it."""
    parts = _draw_trellis(step_words(step), step.search, step.gold, step.guess)
    if then := getattr(step, "then", None):
        guess, seen = then
        parts.append(paragraph([("title", "after the update: the path that is found now, and its scores")]))
        parts += _draw_trellis(step_words(step), seen, step.gold, guess)
    return parts


def _draw_trellis(words: Sequence[str], seen: Any, gold: Sequence[str], guess: Sequence[str]) -> list[Picture]:
    """Draw alpha and back [n + 1] after each number of tokens, for the best states and those of both paths."""
    [start] = seen.alpha[0]
    paths = [[(*start, *labels)[i:][: len(start)] for i in range(len(words) + 1)] for labels in (gold, guess)]
    behind: dict[State, float] = {}  # how far a state is behind the best one, where it is least
    for scores in seen.alpha[1:]:
        for state, score in scores.items():
            behind[state] = max(behind.get(state, float("-inf")), score - max(scores.values()))
    rows = chosen(behind, {state for path in paths for state in path[1:]})
    place = {start: (len(rows) - 1) / 2, **{state: float(k) for k, state in enumerate(rows)}}
    columns = [Column("", [Node(place[start], ["0"], "gold guess")])]
    for i, word in enumerate(words, 1):
        alpha, back = seen.alpha[i], seen.back[i]
        shown = [state for state in rows if state in alpha]
        nodes = [Node(place[y], [number(alpha[y])], marked(*(path[i] == y for path in paths))) for y in shown]
        edges: list[Edge] = [(place[back[y]], place[y], "back") for y in shown if back[y] in place]
        edges += [(place[p[i - 1]], place[p[i]], kind) for p, kind in zip(paths, ("gold", "guess"), strict=True)]
        columns.append(Column(short(word), nodes, edges))
    names = {place[state]: " ".join(state) for state in rows}
    return [draw_columns(columns, names), *others(len(behind) - len(rows), "state")]


def _draw_beam(step: Any) -> list[Picture]:
    """Draw the successors of each step with their scores, the best first; the first `beam` are kept."""
    beam, successors, gold, guess = step.search
    kept = min(beam, KEPT)
    before, fell = {(): 0.0}, "gold stays in the beam"  # the rows of the column before
    columns = [Column("", [Node(0, ["start", "0"], "gold guess")])]
    for k, scored in enumerate(successors, 1):
        nodes, edges, rows = list[Node](), list[Edge](), dict[Any, float]()
        for rank, (score, made) in enumerate(scored):
            on = {"back": True, "gold": made == gold[:k], "guess": made == guess[:k]}
            if rank >= beam and on["gold"]:
                fell = f"gold falls off at step {k}"
            if rank < kept or beam <= rank < beam + FALLEN or on["gold"]:
                row = rows[made] = len(nodes) + 0.5 * (rank >= kept)
                marks = marked(on["gold"], on["guess"]) + " fell" * (rank >= beam)
                nodes.append(Node(row, [" ".join(made[-1]).strip(), number(score)], marks))
                edges += [(before[made[:-1]], row, kind) for kind in on if on[kind] and made[:-1] in before]
        hidden = f"and {len(scored) - len(nodes)} more" * (len(scored) > len(nodes))
        columns.append(Column(f"{k}: update" if k == len(guess) else str(k), nodes, edges, hidden))
        before = rows
    names = {float(row): str(row + 1) for row in range(kept)} | {kept + 0.5: "fell off" if kept == beam else "others"}
    note = f"{fell}; the update is made at step {len(guess)}"
    return [draw_columns(columns, names), paragraph([("side", note)])]


def _draw_attachments(step: Any) -> list[Picture]:
    """Draw the arcs made so far by their numbers, and the scores of the attachments of pending neighbours."""
    words, seen = step_words(step), step.search
    heads, deprels = [0] * len(words), ["_"] * len(words)
    for k, (head, modifier, deprel) in enumerate(seen.arcs, 1):
        heads[modifier - 1], deprels[modifier - 1] = head, f"{k}. {deprel}"
    title = f"the first {len(seen.arcs)} attachments by their numbers"
    tree = within(svg_inline((words, heads, deprels, None), (), title))
    names = ["<root>", *(short(word, 12) for word in words)]
    # Letters between the two keep them in order, even if they are written from right to left.
    places = [f"{names[left]} and {names[right]}" for left, right in pairwise(seen.items)]
    note = paragraph([("side", "an arrow from above leads to each word that is pending")])
    named = {action: (action.i, f"{action.side} {action.label}") for action in seen.scores}
    scores = {named[action]: score for action, score in seen.scores.items()}
    return [note, tree, *_draw_choices(places, {}, scores, named[seen.gold], named[seen.guess])]


def _draw_labels(step: Any) -> list[Picture]:
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


_KINDS = {  # by a field that the search's record has
    "alpha": ("Viterbi: alpha of each state; thin lines are back pointers", _draw_trellises),
    "I_right": ("Eisner: the best score of each span, I with an arc between its ends, C complete", draw_eisner),
    "successors": ("The beam: the successors at each step, the best first", _draw_beam),
    "items": ("Easy-first: attachments by their numbers, and the scores of the next", _draw_attachments),
    "given": ("Easiest first: labels by their numbers, and the scores of the next", _draw_labels),
}
