#!/usr/bin/env bash
# simplemma 2.0.0: at the beginning of a sentence the US become us, and us becomes we.
#
# `lemmatize` leaves a word in capitals as it is: US is US, Mark is Mark. `text_lemmatizer` takes a whole text, and puts the first word of it, and
# the one behind each full stop, into small letters before it looks it up, if it knows such a word. A name or an acronym that is
# a word in small letters has another lemma at the beginning of a sentence than within, and nothing tells that the word was
# changed. Names that are no such words (Berlin, Babbage) stay.
# Seen: "US is big." we be big; "The US is big." the US be big; "I met Mark. Mark left." Mark, mark.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check simplemma==2.0.0
"$folder/env/bin/python" - <<'EOF'
from simplemma import lemmatize, text_lemmatizer

for text, lemmas in {
    "The US is big.": "the US be big .",
    "US is big.": "we be big .",
    "I met Mark. Mark left.": "I meet Mark . mark left .",
}.items():
    found = " ".join(text_lemmatizer(text, lang="en"))
    print(text, "->", found)
    assert found == lemmas
assert lemmatize("US", lang="en") == "US" and lemmatize("Mark", lang="en") == "Mark"
EOF
