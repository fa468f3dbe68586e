"""The trellis of the Viterbi algorithm as SVG: alpha of each state, back pointers, gold's path and the guess's."""

from collections.abc import Mapping, Sequence

from sapwood.draw.columns import Column, Edge, Node, chosen, draw_columns, marked, number, others
from sapwood.draw.svg import Picture

State = tuple[str, ...]  # the last labels, as many as the order of the search


def draw_trellis(
    words: Sequence[str],
    alpha: Sequence[Mapping[State, float]],
    back: Sequence[Mapping[State, State]],
    gold: Sequence[str],
    guess: Sequence[str],
    most: int = 8,
) -> list[Picture]:
    """Draw alpha and back [n + 1] after each number of tokens, for the `most` best states and those of both paths."""
    [start] = alpha[0]
    paths = [[(*start, *labels)[i:][: len(start)] for i in range(len(words) + 1)] for labels in (gold, guess)]
    behind: dict[State, float] = {}  # how far a state is behind the best one, where it is least
    for scores in alpha[1:]:
        for state, score in scores.items():
            behind[state] = max(behind.get(state, float("-inf")), score - max(scores.values()))
    rows = chosen(behind, {state for path in paths for state in path[1:]}, most)
    middle = (len(rows) - 1) / 2
    place = {start: middle, **{state: float(k) for k, state in enumerate(rows)}}
    columns = [Column("", [Node(middle, ["0"], "gold guess")])]
    for i, word in enumerate(words, 1):
        shown = [state for state in rows if state in alpha[i]]
        marks = [marked(*(path[i] == state for path in paths)) for state in shown]
        nodes = [Node(place[s], [number(alpha[i][s])], each) for s, each in zip(shown, marks, strict=True)]
        edges = [Edge(place[back[i][s]], place[s], "back") for s in shown if back[i][s] in place]
        edges += [Edge(place[p[i - 1]], place[p[i]], kind) for p, kind in zip(paths, ("gold", "guess"), strict=True)]
        columns.append(Column(word, nodes, edges))
    names = {place[state]: " ".join(state) for state in rows}
    return [draw_columns(columns, names), *others(len(behind) - len(rows), "states")]
