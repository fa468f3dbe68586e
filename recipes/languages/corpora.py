"""What each language learns from, where it is scored, and what its card says of that.

Treebanks are `languages/LANG/LANG-{train,dev,test}.conllu`, names `names_languages/LANG/CORPUS/{train,dev,test}.iob2`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Language:
    """The data of a language.

    xpos, feats : the corpora whose XPOS, or FEATS, follow the conventions of the test set. The sentences of other
        corpora get theirs from a tagger that these have taught. None: all corpora do. Empty: the pipeline has none.
    converted : how the names of corpora begin whose relations, converted by rule, are made like those of the others
    like_test : the corpora that are like the test set, from which alone the parser learns as its own treebank; those of
        the others are further trees, without sentences of relations that these do not have. None: all are
    neighbours : corpora of other languages, whose trees the parser learns from, too; a code of two letters begins each
    texts : files of names, without their ending, in whose text a committee of parsers finds further trees
    gold_times : how often the parser learns from its own treebank in a pass over further trees
    bytes : the most that models may have, where it is not what those of most languages have
    epochs : passes of the parser over the data
    fills_tags : true if the parser reads UPOS with some of FEATS in the place of XPOS
    known_words : of the splitter; Portuguese contractions are told without the treebank's words, which take 105 kB
    names : files of names, without their ending; test_names: the file on which names are scored
    """

    title: str
    treebanks: str
    licence: str
    limits: str
    xpos: tuple[str, ...] | None = None
    feats: tuple[str, ...] | None = None
    converted: str = ""
    like_test: tuple[str, ...] | None = None
    neighbours: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    gold_times: int = 1
    bytes: Mapping[str, int] = field(default_factory=dict)
    epochs: int = 12
    fills_tags: bool = False
    known_words: str = "auto"
    names: tuple[str, ...] = ()
    test_names: str = ""
    names_from: str = ""


LANGUAGES: dict[str, Language] = {
    "ca": Language(
        "Catalan",
        "UD Catalan AnCora (a part of it); trees of UD Spanish AnCora (a part of it), too",
        "CC BY 4.0",
        "The texts are news.",
        neighbours=("es_ancora",),
        gold_times=3,
        epochs=10,
        bytes={"parser": 950_000},
        names=("ancora/train", "ancora/dev"),
        test_names="ancora/test",
        names_from="AnCora",
    ),
    "de": Language(
        "German",
        "UD German GSD (a part of it) and PUD; trees of a committee of parsers in the text of GermEval 2014",
        "CC BY-SA 4.0",
        "The treebanks have 1,787 sentences, so trees are often wrong; the texts are reviews, news and Wikipedia.",
        xpos=("de_gsd",),
        feats=("de_gsd",),
        texts=("germeval/test",),
        gold_times=2,
        names=("germeval/test", "uner-pud/train", "uner-pud/test"),
        test_names="germeval/dev",
        names_from="GermEval 2014 and Universal NER for PUD",
    ),
    "es": Language(
        "Spanish",
        "UD Spanish AnCora (a part of it), GSD (a part), PUD and COSER; trees of UD Catalan AnCora (a part of it), too",
        "CC BY-SA 4.0",
        "The corpora follow conventions that differ in places. Names are not looked for.",
        xpos=(),
        feats=("es_ancora", "es_gsd"),
        neighbours=("ca_ancora",),
        bytes={"parser": 850_000},
        fills_tags=True,
    ),
    "fr": Language(
        "French",
        "UD French GSD (a part of it), PUD, ParisStories and Rhapsodie",
        "CC BY-SA 4.0",
        "Half of the corpus is transcribed speech.",
        xpos=(),
        feats=("fr_gsd",),
        like_test=("fr_gsd",),
        gold_times=2,
        bytes={"parser": 790_000},
        fills_tags=True,
        names=("winer/train", "winer/dev"),
        test_names="winer/test",
        names_from="WiNER",
    ),
    "it": Language(
        "Italian",
        "UD Italian MarkIT, TWITTIRO, PUD and Valico",
        "CC BY-SA 4.0",
        "Half of the texts are tweets and what learners wrote. Names are not looked for.",
        xpos=("it_markit", "it_twittiro", "it_valico"),
        feats=("it_markit", "it_twittiro", "it_valico"),
    ),
    "pt": Language(
        "Portuguese",
        "UD Portuguese Bosque",
        "CC BY-SA 4.0",
        "The texts are news.",
        xpos=(),
        known_words="never",
        bytes={"entities": 200_000},
        names=("uner-bosque/train", "uner-bosque/dev", "uner-pud/train", "uner-pud/test"),
        test_names="uner-bosque/test",
        names_from="Universal NER for Bosque and PUD",
    ),
    "ro": Language(
        "Romanian",
        "UD Romanian RRT (two thirds of it converted from version 1 by rule) and SiMoNERo; trees of a committee of "
        "parsers in the text of RONEC",
        "CC BY-SA 4.0",
        "An eighth of the texts is of medicine.",
        feats=("ro_rrt/ro_rrt",),
        texts=("ronec/train",),
        gold_times=2,
        epochs=8,
        bytes={"tagger": 180_000, "morphology": 240_000, "lemmatizer": 140_000, "entities": 190_000},
        names=("ronec/train", "ronec/dev"),
        test_names="ronec/test",
        names_from="RONEC",
        fills_tags=True,
    ),
    "sv": Language(
        "Swedish",
        "UD Swedish Talbanken (most of it version 1, converted by rule) and PUD; trees of a committee of parsers in "
        "the text of the Swedish NER corpus of web news",
        "CC BY-SA 4.0",
        "Most texts are of the 1970s.",
        feats=("sv_talbanken/sv_talbanken",),
        converted="sv_talbanken/REMAPPED",
        texts=("webbnyheter/train",),
        gold_times=2,
        epochs=8,
        bytes={"tagger": 420_000},
        names=("webbnyheter/train", "uner-talbanken/train", "uner-pud/train", "uner-pud/test"),
        test_names="webbnyheter/test",
        names_from="the Swedish NER corpus of web news and Universal NER for Talbanken and PUD",
    ),
}
