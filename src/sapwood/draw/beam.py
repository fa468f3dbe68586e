"""A beam as SVG: the derivations that are kept at each step, best first, and below them those that fell off."""

from collections.abc import Sequence

from sapwood.draw.columns import Column, Edge, Node, draw_columns, marked, number
from sapwood.draw.parts import paragraph
from sapwood.draw.svg import Picture

Derivation = tuple[tuple[str, str], ...]  # moves with their labels


def draw_beam(
    successors: Sequence[Sequence[tuple[float, Derivation]]],
    beam: int,
    gold: Derivation,
    guess: Derivation,
    most: int = 3,
) -> list[Picture]:
    """Draw the successors of each step [steps] with their scores, the best first; the first `beam` are kept.

    gold : the gold derivation, as far as it was followed; guess : the one that is ahead of it at the update
    most : how many of those that fell off are drawn, beside gold
    """
    before: dict[Derivation, float] = {(): 0.0}  # the rows of the column before
    columns = [Column("", [Node(0, ["start", "0"], "gold guess")])]
    for k, scored in enumerate(successors, 1):
        shown = [each for rank, each in enumerate(scored) if rank < beam + most or each[1] == gold[:k]]
        nodes, edges = [], []
        for rank, (score, made) in enumerate(shown):
            on = {"gold": made == gold[:k], "guess": made == guess[:k]}
            row = rank + (rank >= beam) * 0.5
            fell = " fell" * (rank >= beam)
            nodes.append(Node(row, [" ".join(made[-1]).strip(), number(score)], marked(**on) + fell))
            edges += [Edge(before[made[:-1]], row, kind) for kind in ["back", *(kind for kind in on if on[kind])]]
        hidden = f"and {len(scored) - len(shown)} more" * (len(scored) > len(shown))
        columns.append(Column(f"{k}: update" if k == len(guess) else str(k), nodes, edges, hidden))
        before = {made: float(row) for row, (_, made) in enumerate(shown[:beam])}
    names = {float(row): str(row + 1) for row in range(beam)} | {beam + 0.5: "fell off"}
    kept = [any(made == gold[:k] for _, made in scored[:beam]) for k, scored in enumerate(successors, 1)]
    fell = f"gold falls off at step {kept.index(False) + 1}" if False in kept else "gold stays in the beam"
    return [draw_columns(columns, names), paragraph([("side", f"{fell}; the update is made at step {len(guess)}")])]
