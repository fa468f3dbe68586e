"""The trellis of the Viterbi algorithm as SVG: alpha of each state, back pointers, gold's path and the guess's."""

from collections.abc import Sequence
from typing import Any

from sapwood.draw.columns import Column, Edge, Node, chosen, draw_columns, marked, number, others, short
from sapwood.draw.parts import paragraph
from sapwood.draw.steps import step_words
from sapwood.draw.svg import Picture

State = tuple[str, ...]  # the last labels, as many as the order of the search


def draw_trellises(step: Any) -> list[Picture]:
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
