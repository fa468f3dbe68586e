#!/usr/bin/env bash
# spacy-lookups-data 1.0.5: tables of lemmas in which two words are the lemmas of each other, so that they swap places.
#
# A lookup lemmatizer should bring the forms of a word together. In ten of the tables pairs of words are each other's lemmas: German has
# ein and einen, deutsch and deutschen, bequem and bequemen; Swedish svensk and svenska; Romanian adresa and adresă; Czech the names of men
# and women, Jan and Jana, Josef and Josefa. A text about Jana is one about Jan after it, and the two forms, swapped, are as far apart as before.
# Longer chains are frequent, too: a lemma that is looked up again becomes another word.
# Seen: pairs by language: cs 27, de 40, en 2, es 0, lt 67, ro 302, ru 229, sv 318.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check spacy==3.8.18 spacy-lookups-data==1.0.5
"$folder/env/bin/python" - <<'EOF'
import spacy
from spacy.lookups import load_lookups

SEEN = {"cs": 27, "de": 40, "en": 2, "es": 0, "lt": 67, "ro": 302, "ru": 229, "sv": 318}
for language, count in SEEN.items():
    table = load_lookups(language, ["lemma_lookup"]).get_table("lemma_lookup")
    pairs = 0
    for key, lemma in table.items():
        back = table.get(lemma)
        if isinstance(lemma, str) and isinstance(back, str) and back != lemma and spacy.strings.get_string_id(back) == key:
            pairs += 1
    print(language, len(table), pairs // 2)
    assert pairs == 2 * count, (language, pairs)
for language, words, lemmas in [
    ("cs", "Jan Jana Josef Josefa", "Jana Jan Josefa Josef"),
    ("de", "ein einen deutsch deutschen", "einen ein deutschen deutsch"),
    ("sv", "svensk svenska", "svenska svensk"),
]:
    nlp = spacy.blank(language)
    nlp.add_pipe("lemmatizer", config={"mode": "lookup"})
    nlp.initialize()
    print(words, "->", *(word.lemma_ for word in nlp(words)))
    assert [word.lemma_ for word in nlp(words)] == lemmas.split()
EOF
