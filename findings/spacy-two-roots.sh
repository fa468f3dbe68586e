#!/usr/bin/env bash
# spaCy 3.8.18: a sentence with two roots is cut in two, and what the first root governs behind the cut is hung on another word.
#
# spaCy keeps no sentences beside trees: one begins at the first word of each root's tree, whatever `sent_starts` or the blank lines of
# CoNLL-U say, and `convert` makes documents so. Where the trees cross, as when the final dot belongs to the first root, the dot is in one
# sentence and its head in the other. `as_doc` of that sentence, by which it is saved, shown or counted on its own, makes the first such word a
# root by the relation `dep`, and hangs the others on it: an arc that no tree had, and a third sentence. There is no warning.
# (It is documented that heads win over `sent_starts`.)
# Seen: sentences "Ada ran" and "he fell yesterday ." of one; yesterday and the dot, which hang on ran, are yesterday <- dot by themselves.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check spacy==3.8.18
"$folder/env/bin/python" - <<'EOF'
import warnings

import spacy
from spacy.tokens import Doc
from spacy.training.converters import conllu_to_docs

warnings.simplefilter("error")
ROWS = [("Ada", 2, "nsubj"), ("ran", 0, "root"), ("he", 4, "nsubj"), ("fell", 0, "root"), ("yesterday", 2, "advmod"), (".", 2, "punct")]
text = "".join(f"{i}\t{form}\t{form}\tX\t_\t_\t{head}\t{deprel}\t_\t_\n" for i, (form, head, deprel) in enumerate(ROWS, 1))
converted = next(conllu_to_docs(text + "\n", no_print=True))
built = Doc(
    spacy.blank("en").vocab,
    words=[form for form, _, _ in ROWS],
    heads=[head - 1 if head else i for i, (_, head, _) in enumerate(ROWS)],
    deps=["ROOT" if head == 0 else deprel for _, head, deprel in ROWS],
    sent_starts=[True] + [False] * 5,
)
for doc in (converted, built):
    sentences = list(doc.sents)
    print([sentence.text for sentence in sentences])
    assert [[token.text for token in sentence] for sentence in sentences] == [["Ada", "ran"], ["he", "fell", "yesterday", "."]]
    assert all(doc[i].head.text == "ran" and doc[i].head not in sentences[1] for i in (4, 5))
    alone = sentences[1].as_doc()
    arcs = [(token.text, token.dep_, token.head.text) for token in alone]
    print(arcs, [sentence.text for sentence in alone.sents])
    assert arcs[2:] == [("yesterday", "dep", "yesterday"), (".", "dep", "yesterday")]
    assert [[token.text for token in sentence] for sentence in alone.sents] == [["he", "fell"], ["yesterday", "."]]
EOF
