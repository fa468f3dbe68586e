#!/usr/bin/env bash
# spaCy 3.8.18: its functions between schemes of chunk labels change names of types, and take IOBES for IOB without a word.
#
# `spacy.training.biluo_to_iob` replaces the first "U-", then the first "L-", wherever in a label it stands: B-EMAIL-ADDRESS
# becomes B-EMAII-ADDRESS, L-EMAIL-ADDRESS becomes I-EMAIL-ADDRESS as it should, so that one name has two types; B-EU-ORG
# becomes B-EB-ORG, U-EU-ORG becomes B-EU-ORG, so that names of one word and of several have other types.
# `iob_to_biluo`, by which `spacy convert` reads column files and CoNLL-U, takes every label that is not I or L for the
# beginning of a name: of IOBES the last word of a name is cut off as a name of its own.
# Seen: B-EMAII-ADDRESS I-EMAIL-ADDRESS; names "New" and "York", each LOC, from New B-LOC, York E-LOC.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check spacy==3.8.18
cd "$folder"
printf 'New B-LOC\nYork E-LOC\nis O\nbig O\n\nAda S-PER\nleft O\n' > iobes.ner
env/bin/python -m spacy convert iobes.ner . --converter ner > /dev/null
env/bin/python - <<'EOF'
import spacy
from spacy.tokens import DocBin
from spacy.training import biluo_to_iob, iob_to_biluo

labels = ["B-EMAIL-ADDRESS", "L-EMAIL-ADDRESS", "O", "B-EU-ORG", "L-EU-ORG", "O", "U-EU-ORG"]
print(labels, "->", biluo_to_iob(labels))
assert biluo_to_iob(labels) == ["B-EMAII-ADDRESS", "I-EMAIL-ADDRESS", "O", "B-EB-ORG", "I-EB-ORG", "O", "B-EU-ORG"]
print(["B-LOC", "I-LOC", "E-LOC"], "->", iob_to_biluo(["B-LOC", "I-LOC", "E-LOC"]))
assert iob_to_biluo(["B-LOC", "I-LOC", "E-LOC"]) == ["B-LOC", "L-LOC", "U-LOC"]
docs = DocBin().from_disk("iobes.spacy").get_docs(spacy.blank("en").vocab)
names = [(name.text, name.label_) for doc in docs for name in doc.ents]
print("spacy convert:", names)
assert names == [("New", "LOC"), ("York", "LOC"), ("Ada", "PER")]
EOF
