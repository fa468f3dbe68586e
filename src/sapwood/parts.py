"""The parts of a pipeline and the columns of a document that they fill, one record for each.

Options, the model file, documents, writers, the page, schemas, spaCy and the evaluation walk these records. A part of
the task "tag" that reads tags and fills one column needs no other place: it is trained on the values that the
treebank's MISC has for this column.
"""

from collections.abc import Iterable
from typing import NamedTuple

TAGS = ("upos", "xpos", "feats")  # the tags of a word


class Column(NamedTuple):
    """A column of a document: a value for each word."""

    name: str  # in documents and JSON; CoNLL-U has a column of this name or, if there is an `item`, an item of MISC
    heading: str  # heading on the page
    metric: str  # name of its score in the evaluation of raw text
    compared: str  # name of its labels where systems are compared
    spacy: tuple[str, ...] = ()  # attributes of spaCy's tokens
    item: str = ""  # NER=B-PER in MISC
    nothing: str = "_"  # the value of a word that has none
    others: tuple[str, ...] = ()  # items in which other tools and treebanks have such chunks
    is_tagset: bool = False  # true if its values are few, so that the mean F1 of them says something

    @property
    def has_chunks(self) -> bool:
        """True if its values are chunks in BIO."""
        return self.nothing == "O"


class Part(NamedTuple):
    """A model inside a pipeline."""

    name: str  # its name in the model file
    stage: str  # stage of the analysis, as the option `parts` has it
    task: str  # task of the model
    core: str  # the attribute of the model that is the core's object
    reads: tuple[str, ...] = ()  # the columns of a word that it reads
    columns: tuple[Column, ...] = ()  # columns that it fills
    decision: str = ""  # the name of its decisions where documents have confidences

    @property
    def is_plain(self) -> bool:
        """True if it is a tagger of words with their tags, whose labels are an item of MISC."""
        return any(column.item for column in self.columns)


PARTS = (  # in the order in which they work
    Part("segmenter", "segment", "segment", "segmenter_"),
    Part("splitter", "segment", "split", "splitter_"),
    Part(
        "tagger", "tag", "tag", "tagger_", ("form",),
        (Column("upos", "tag", "UPOS", "UPOS", ("POS",), is_tagset=True),
         Column("xpos", "treebank's tag", "XPOS", "XPOS", ("TAG",), is_tagset=True)),
        "tag",
    ),
    Part(
        "morphology", "tag", "tag", "tagger_", ("form", "upos", "xpos"),
        (Column("feats", "features", "UFeats", "features", ("MORPH",)),), "feats",
    ),
    Part(
        "lemmatizer", "lemmatize", "lemmatize", "lemmatizer_", ("form", *TAGS),
        (Column("lemma", "lemma", "Lemmas", "lemmas", ("LEMMA",)),),
    ),
    Part(
        "parser", "parse", "parse", "parser_", ("form", *TAGS),
        (Column("head", "head", "UAS", "heads", ("HEAD",)),
         Column("deprel", "relation", "LAS", "heads and relations", ("DEP",))), "arc",
    ),
    Part(
        "entities", "entities", "tag", "tagger_", ("form", *TAGS),
        (Column("entity", "name", "Names", "names", ("ENT_IOB", "ENT_TYPE"), "NER", "O",
                ("ner", "name", "NE"), is_tagset=True),), "name",
    ),
)  # fmt: skip

CONLLU = ("id", "form", "lemma", *TAGS, "head", "deprel", "deps", "misc")
COLUMNS = tuple(  # in the order in which documents show them
    sorted(
        (column for part in PARTS for column in part.columns),
        key=lambda column: len(CONLLU) if column.item else CONLLU.index(column.name),
    )
)
ITEMS = {column.name: (column.item, column.nothing) for column in COLUMNS if column.item}
PART_NAMED = {part.name: part for part in PARTS}
TAGGED = tuple(column.name for column in PART_NAMED["tagger"].columns)  # FEATS may be missing in any sentence
PART_OF = {column.name: part for part in PARTS for column in part.columns}
STAGES: dict[str, list[str]] = {}  # the names of the models that do each stage, the one that must be there first
for _part in PARTS:
    STAGES.setdefault(_part.stage, []).append(_part.name)


def listed(names: Iterable[str]) -> str:
    """Return names in a sentence: segment, tag and parse."""
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last
