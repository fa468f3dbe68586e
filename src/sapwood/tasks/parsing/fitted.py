"""The parts of a fitted parser, as its file has them: a tagger, and the outputs of the tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sapwood import _core
from sapwood._core import Parser
from sapwood.errors import ModelError
from sapwood.model.file.schema import ModelFile
from sapwood.model.parts import Contents, NamedWeights, Output, feature_name
from sapwood.tasks.tagging.data import split_tags, with_joint_tags
from sapwood.tasks.tagging.model import SequenceTagger

if TYPE_CHECKING:
    from sapwood.tasks.parsing.options import ParserOptions


def tagger_of(model: ModelFile, columns: Sequence[str]) -> SequenceTagger:
    """Return the tagger in a parser's model file. Raises ModelError if it does not give each word all its tags."""
    tags = list(map(split_tags, model.labels))
    if model.task != "tag" or len(model.columns) != 2 or any(len(t) != len(columns) or not all(t) for t in tags):
        raise ModelError(f"its tagger is not one for {', '.join(columns)}")
    return SequenceTagger._of_file(model)


def with_predicted_tags(data: _core.Conllu, columns: Sequence[str], tagger: SequenceTagger) -> _core.Conllu:
    """Return the treebank with tags that the tagger predicts."""
    return with_joint_tags(data, columns, tagger.predict(data.column("form")))


def parser_contents(model: ModelFile, options: ParserOptions, core: Parser, tagger: SequenceTagger | None) -> Contents:
    """Return the contents of a parser, and the arrays of its own tagger, if it has one.

    Outputs have the names of core/parsing/output_names.hpp.
    """
    structures = {"eisner": ["arc", "sibling"][: options.order], "easy-first": ["attachment"], "beam": ["transition"]}
    outputs = [[Output(name, label) for name, label in table] for table in core.outputs]

    def weights() -> NamedWeights:
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
