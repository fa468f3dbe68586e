"""What the tests of spaCy share: texts, and a document with multiword tokens."""

from sapwood import Doc, _core
from sapwood.parts import ITEMS

TEXTS = [
    "Ada Lovelace wrote the  first program in 1843.\n\nShe didn't live in Paris.",
    "  Leading space, and a\ttab. ",
    "",
    " \n ",
    "The New York Times didn’t say.",
    "One sentence. And 汉字 and 🙂 too!",
]


def french():
    """ "Il vient du lac." with du = de le, which do not stand in the text."""
    return _core.Doc.build(
        "Il vient du lac.",
        [(0, 2), (3, 8), (9, 11), (12, 15), (15, 16)],
        [0, 1, 2, 4, 5, 6],
        [(0, 0, True), (5, 6, False)],
        {
            "form": ["Il", "vient", "de", "le", "lac", "."],
            "upos": ["PRON", "VERB", "ADP", "DET", "NOUN", "PUNCT"],
            "xpos": ["_"] * 6,
            "feats": ["Person=3|Number=Sing", "_", "_", "Definite=Def", "_", "_"],
            "lemma": ["il", "venir", "de", "le", "lac", "."],
            "deprel": ["nsubj", "root", "case", "det", "obl", "punct"],
            "entity": ["O", "O", "O", "O", "B-LOC", "O"],
        },
        [2, 0, 5, 5, 2, 2],
        ITEMS,
    )


def analyses(docs):
    return [Doc.from_spacy(doc).to_conllu() for doc in docs]
