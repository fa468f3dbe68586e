"""The parts of a fitted parser, as its file has them: the core's parser, and a tagger of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sapwood import _core
from sapwood.errors import ModelError
from sapwood.io.json_types import fits
from sapwood.model.file.schema import ModelFile
from sapwood.tasks.tagging.joint import split_tags, with_joint_tags
from sapwood.tasks.tagging.model import SequenceTagger

if TYPE_CHECKING:
    from sapwood.options import Values

LABEL_SETS = ("root_labels", "left_labels", "right_labels")


def build_parser(model: ModelFile) -> _core.Parser:
    """Return the parser in a model file. Raises ModelError if it does not hold one."""
    options: Values = {"gap": 0.0} | model.options  # files from before have none
    for name in (*_core.Parser.options, *LABEL_SETS):
        if options.get(name) is None:
            raise ModelError(f"its options have no {name}")
    for name in LABEL_SETS:
        if not fits(options[name], list[str]):
            raise ModelError(f"{name} in its options are not a list of strings")
    return _core.Parser(
        [table.packed for table in model.tables],
        {name: options[name] for name in _core.Parser.options},
        model.template,
        model.columns[: model.label],
        model.labels,
        **{name: options[name] for name in LABEL_SETS},
        bits=model.bits,
        scale=model.scale,
        clusters=model.clusters,
    )


def tagger_of(model: ModelFile, columns: Sequence[str]) -> SequenceTagger:
    """Return the tagger in a parser's model file. Raises ModelError if it does not give each word all its tags."""
    tags = list(map(split_tags, model.labels))
    if model.task != "tag" or len(model.columns) != 2 or any(len(t) != len(columns) or not all(t) for t in tags):
        raise ModelError(f"its tagger is not one for {', '.join(columns)}")
    return SequenceTagger._of_file(model)


def with_predicted_tags(data: _core.Conllu, columns: Sequence[str], tagger: SequenceTagger) -> _core.Conllu:
    """Return the treebank with tags that the tagger predicts."""
    return with_joint_tags(data, columns, tagger.predict(data.column("form")))
