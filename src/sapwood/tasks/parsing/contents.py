"""The contents of a parser: the outputs of its tables (core/parsing/output_names.hpp), and their weights."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sapwood.model.contents import Contents, Output, Weights, feature_name

if TYPE_CHECKING:
    from sapwood._core import Parser
    from sapwood.model.file.schema import ModelFile
    from sapwood.tasks.parsing.options import ParserOptions
    from sapwood.tasks.tagging.model import SequenceTagger


def parser_contents(model: ModelFile, options: ParserOptions, core: Parser, tagger: SequenceTagger | None) -> Contents:
    """Return the contents of a parser, and the arrays of its own tagger, if it has one."""
    structures = {"eisner": ["arc", "sibling"][: options.order], "easy-first": ["attachment"], "beam": ["transition"]}
    outputs = [[Output(name, label) for name, label in table] for table in core.outputs]

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
