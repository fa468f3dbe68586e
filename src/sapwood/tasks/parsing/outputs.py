"""What the outputs of a parser's tables stand for.

==========  =====================================================================================================
eisner      ``arc``, then ``arc left 1`` ... ``arc right 11+``: direction and distance of the modifier;
            ``sibling`` ...: the same, of a modifier beside another one
easy-first  ``attach left obj`` ... ``attach right nsubj``: the head is the left or the right neighbour
beam        ``shift``, ``root root``, ``left nsubj`` ... ``right obj``: arcs from the root, to the left, to the right
labels      behind the search: the labels
==========  =====================================================================================================
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sapwood.model.base import Output

if TYPE_CHECKING:
    from sapwood.model.file.schema import ModelFile


_DISTANCES = ("1", "2", "3", "4", "5", "6-10", "11+")  # core/features/arc_features.hpp


def outputs_of(model: ModelFile) -> list[list[Output]]:
    """Return the outputs of each table of a parser, in the order of their numbers."""
    labels, options = model.labels, model.options
    joint = options["labelling"] == "joint"
    if options["search"] == "eisner":
        kinds = [f" {side} {distance}" for distance in _DISTANCES for side in ("left", "right")]
        parts = ("arc", "sibling")[: options["order"]]
        tables = [[Output(part + kind) for kind in ("", *kinds)] for part in parts]
    elif options["search"] == "easy-first":
        searched = labels if joint else [""]
        tables = [_directed("attach left", searched) + _directed("attach right", searched)]
    else:
        sides = {side: options[f"{side}_labels"] if joint else [""] for side in ("root", "left", "right")}
        tables = [[Output("shift"), *(arc for side in sides.items() for arc in _directed(*side))]]
    if options["labelling"] == "second-stage":
        tables.append([Output(label, label) for label in labels])
    return tables


def _directed(move: str, labels: Sequence[str]) -> list[Output]:
    return [Output(f"{move} {label}".rstrip(), label or None) for label in labels]
