"""A beam as SVG: the derivations that are kept at each step, best first, and below them those that fell off."""

from typing import Any

from sapwood.draw.columns import Column, Edge, Node, draw_columns, marked, number
from sapwood.draw.parts import paragraph
from sapwood.draw.svg import Picture

KEPT, FALLEN = 8, 3  # of those that were kept and of those that fell off so many are drawn, beside gold


def draw_beam(step: Any) -> list[Picture]:
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
