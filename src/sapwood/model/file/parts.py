"""The parts of a pipeline, one record for each; options, the model file, output and confidences use these records."""

from typing import NamedTuple


class Part(NamedTuple):
    """A model inside a pipeline."""

    name: str  # its name in the model file
    stage: str  # stage of the analysis, as the option `parts` has it
    task: str  # task of the model file
    core: str  # attribute of the model that is the core's object
    fields: tuple[str, ...] = ()  # the columns of a document that it fills
    decision: str = ""  # name of its decisions among the confidences of documents


PARTS = (  # in the order in which they work; the arguments of the core's pipeline have the same order
    Part("segmenter", "segment", "segment", "segmenter_"),
    Part("splitter", "segment", "split", "splitter_"),
    Part("tagger", "tag", "tag", "tagger_", ("upos", "xpos"), "tag"),
    Part("morphology", "tag", "tag", "tagger_", ("feats",), "feats"),
    Part("lemmatizer", "lemmatize", "lemmatize", "lemmatizer_", ("lemma",)),
    Part("parser", "parse", "parse", "parser_", ("head", "deprel"), "arc"),
    Part("entities", "entities", "tag", "tagger_", ("entity",), "name"),
)
PART_OF = {field: part for part in PARTS for field in part.fields}  # by the column that it fills
STAGES: dict[str, list[str]] = {}  # the names of the models that do each stage, the one that must be there first
for _part in PARTS:
    STAGES.setdefault(_part.stage, []).append(_part.name)
