#!/usr/bin/env bash
# spaCy 3.8.18: wrong answers count for nothing where the gold document does not say outright that there is nothing.
#
# A gold document without names is one of two things to the scorer. If somebody has set `doc.ents`, to no names even, every name that is
# found there is a mistake. If nobody has, as in a document from `make_doc` with `if spans: doc.ents = spans` behind it, names
# are missing, the document is passed over, and precision is that of the documents with names. `Example.from_dict` makes the first
# of `{"entities": []}` and the second of no "entities". `cats` are the same by label: a category that a gold document does not
# list is passed over, so that `{"SPORT": 1.0}` without zeros for the others has a precision of 1, whatever else is found.
# Scores do not say how many were passed over.
# Seen: names: precision 1/3 and 1; categories: precision 1/2 and 1, of the same answers.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check spacy==3.8.18
"$folder/env/bin/python" - <<'EOF'
import spacy
from spacy.scorer import Scorer, get_ner_prf
from spacy.tokens import Span
from spacy.training import Example

nlp = spacy.blank("en")
TEXTS = {"Ada left": (0, 1, "PER"), "Then Rome fell": None, "Then Paris fell": None}


def document(text, span, always):
    doc = nlp.make_doc(text)
    if span or always:
        doc.ents = [Span(doc, *span)] if span else []
    return doc


for always in (True, False):
    examples = [
        Example(document(text, span or (1, 2, "LOC"), always), document(text, span, always)) for text, span in TEXTS.items()
    ]
    scores = get_ner_prf(examples)
    print("no names are set" if always else "no names are left unset", {key: round(scores[f"ents_{key}"], 3) for key in "prf"})
    assert round(scores["ents_p"], 3) == (0.333 if always else 1) and scores["ents_r"] == 1
for given, says in (({"entities": []}, True), ({}, False)):
    assert Example.from_dict(nlp.make_doc("Then Rome fell"), given).reference.has_annotation("ENT_IOB") is says
for cats in ({"SPORT": 1.0, "MONEY": 0.0}, {"SPORT": 1.0}):
    guess, gold = nlp.make_doc("a match"), nlp.make_doc("a match")
    guess.cats, gold.cats = {"SPORT": 0.9, "MONEY": 0.9}, cats
    scores = Scorer.score_cats([Example(guess, gold)], "cats", labels=["SPORT", "MONEY"], multi_label=True, threshold=0.5)
    print(cats, {key: round(scores[f"cats_micro_{key}"], 3) for key in "prf"})
    assert scores["cats_micro_p"] == 1 / len(cats) and scores["cats_micro_r"] == 1
EOF
