"""The contents of a parser: the outputs of its tables, and their weights.

==========  =====================================================================================================
eisner      ``arc``, then ``arc left 1`` ... ``arc right 11+``: direction and distance of the modifier;
            ``sibling`` ...: the same for two neighbouring modifiers of a head
easy-first  ``attach left obj`` ... ``attach right nsubj``: the head is the left or the right neighbour
beam        ``shift``, ``root root``, ``left nsubj`` ... ``right obj``: arcs from the root, to the left, to the right
labels      ``obj`` ... ``nsubj``: the table of a second stage, after those of the search
==========  =====================================================================================================
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sapwood.model.contents import Contents, Output, Weights, feature_name

if TYPE_CHECKING:
    from sapwood._core import Parser
    from sapwood.model.file.schema import ModelFile
    from sapwood.tasks.parsing.options import ParserOptions
    from sapwood.tasks.tagging.model import SequenceTagger


_DISTANCES = ("1", "2", "3", "4", "5", "6-10", "11+")  # as in core/features/arc_features.hpp


def parser_contents(model: ModelFile, options: ParserOptions, core: Parser, tagger: SequenceTagger | None) -> Contents:
    """Return the contents of a parser, and the arrays of its own tagger, if it has one."""
    structures = {"eisner": ["arc", "sibling"][: options.order], "easy-first": ["attachment"], "beam": ["transition"]}
    outputs = outputs_of(model)

    def weights() -> Weights:
        for table, row, output, weight in core.weights():
            yield outputs[table][output], weight, feature_name(model, table, row)

    return Contents(
        model,
        tables=structures[options.search] + ["label"] * (model.options["labelling"] == "second-stage"),
        outputs=outputs,
        weights=weights,
        arrays={} if tagger is None else {f"tagger/{n}": f"tagger's {a}" for n, a in tagger.contents.arrays.items()},
        remarks=_remarks(model, options),
    )


def _remarks(model: ModelFile, options: ParserOptions) -> list[str]:
    facts = model.provenance
    if not facts.get("non_projective_sentences"):
        return []
    done = "left out" if options.non_projective == "skip" else f"{facts['lifted_arcs']:,} arcs lifted"
    return [f"{facts['non_projective_sentences']:,} sentences had arcs that cross others: {done}"]


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
