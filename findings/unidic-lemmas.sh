#!/usr/bin/env bash
# fugashi 1.5.2 with unidic-lite 1.0.8: in lemmas different Japanese surnames are one, and coffee has its English name behind it.
#
# The lemma of UniDic is the headword of a dictionary, and not the form that one would look up or print. A name has its reading
# in Katakana: Ito is a surname that is written in two ways, of two families, and both are one lemma. A borrowed word has
# its origin behind a hyphen, so that no text has it. Words that the dictionary does not know, digits among them, have no
# lemma (None, which joins to a text as "None" or fails). `orthBase` has the written form of what it knows.
# Seen: イトウ for 伊藤 and for 伊東, トウキョウ for 東京, コーヒー-coffee for コーヒー, None for Windows and 3; 買う for 買っ as one expects.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check fugashi==1.5.2 unidic-lite==1.0.8
"$folder/env/bin/python" - <<'EOF'
import fugashi

tagger = fugashi.Tagger()
LEMMAS = {
    "伊藤さんが来た。": {"伊藤": "イトウ", "来": "来る"},
    "伊東さんが来た。": {"伊東": "イトウ"},
    "東京でコーヒーを買った。": {"東京": "トウキョウ", "コーヒー": "コーヒー-coffee", "買っ": "買う"},
    "Windowsを3台買う。": {"Windows": None, "3": None, "買う": "買う"},
}
for text, wanted in LEMMAS.items():
    lemmas = {word.surface: word.feature.lemma for word in tagger(text)}
    print(text, lemmas)
    assert {word: lemmas[word] for word in wanted} == wanted
bases = [word.feature.orthBase for text in ("伊藤さん", "伊東さん") for word in tagger(text)][::2]
assert bases == ["伊藤", "伊東"]
EOF
