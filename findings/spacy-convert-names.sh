#!/usr/bin/env bash
# spaCy 3.8.18: `spacy convert` of CoNLL-U finds names in one spelling of MISC, and cuts a label at its first small letter.
#
# Names stand in MISC as `name=B-PER` or `NE=B-PER`, by the pattern that NorNE needed. Of a label only capitals and
# underscores are taken, from its beginning, and nothing is said of the rest: Person and Pet both become P, GPE2 becomes GPE,
# and a label in small letters is no name at all. `NER=` and Stanza's `ner=` are not looked at. A word has no space behind it
# if MISC has the letters SpaceAfter=No anywhere, also in Universal Dependencies' own CorrectSpaceAfter=No, which says that a
# space stands there by mistake.
# Seen: names [Ada Lovelace P] [Zoe P], text "Ada Lovelace met Zoe in Rome." from a file with a space before the full stop.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check spacy==3.8.18
cd "$folder"
row() { printf '%s\t%s\t%s\t%s\t_\t_\t%s\t%s\t_\t%s\n' "$1" "$2" "$2" "$3" "$4" "$5" "$6"; }
{
    printf '# text = Ada Lovelace met Zoe in Rome .\n'
    row 1 Ada PROPN 3 nsubj KEY=B-Person
    row 2 Lovelace PROPN 1 flat KEY=I-Person
    row 3 met VERB 0 root _
    row 4 Zoe PROPN 3 obj KEY=B-Pet
    row 5 in ADP 6 case _
    row 6 Rome PROPN 3 obl 'CorrectSpaceAfter=No|KEY=B-place'
    row 7 . PUNCT 3 punct _
    printf '\n'
} > names.conllu
for key in name NE NER ner; do
    sed "s/KEY=/$key=/" names.conllu > "$key.conllu"
    env/bin/python -m spacy convert "$key.conllu" . --converter conllu > /dev/null
done
env/bin/python - <<'EOF'
import spacy
from spacy.tokens import DocBin

for key in ("name", "NE", "NER", "ner"):
    [doc] = DocBin().from_disk(f"{key}.spacy").get_docs(spacy.blank("en").vocab)
    names = [(name.text, name.label_) for name in doc.ents]
    print(f"{key}=", names, repr(doc.text))
    assert names == ([("Ada Lovelace", "P"), ("Zoe", "P")] if key in ("name", "NE") else [])
    assert doc.text.strip() == "Ada Lovelace met Zoe in Rome."
EOF
