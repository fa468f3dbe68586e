#!/usr/bin/env bash
# NLTK 3.10.4 and PyStemmer 3.1.0: "the Snowball stemmer" of English, Dutch, German and French gives other stems in each.
#
# NLTK's `SnowballStemmer` is a port of the algorithms as they once were. Snowball's own, in PyStemmer and in snowballstemmer 3.1.1,
# which agree, have gone on: a whole other algorithm for Dutch, and rules for English, so that an index or a lexicon of stems that one
# program made is not found by another with a stemmer of the same name. In English the older ones make
# later of lateral and past of paste, two pairs of words that have nothing to do with each other, and ad of added.
# Nothing in either name or result says of which age a stemmer is.
# Seen: lateral: later, lateral; added: ad, add; university: univers, universiti; huizen (Dutch): huiz, huis.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check nltk==3.10.4 PyStemmer==3.1.0 snowballstemmer==3.1.1
"$folder/env/bin/python" - <<'EOF'
import snowballstemmer
import Stemmer
from nltk.stem import SnowballStemmer

WORDS = {
    "english": {
        "lateral": ("later", "lateral"),
        "paste": ("past", "paste"),
        "added": ("ad", "add"),
        "evening": ("even", "evening"),
        "biologist": ("biologist", "biolog"),
        "university": ("univers", "universiti"),
        "running": ("run", "run"),
    },
    "dutch": {"huizen": ("huiz", "huis"), "gelopen": ("gelop", "loop"), "bomen": ("bom", "boom")},
    "german": {"system": ("syst", "system"), "segeln": ("segeln", "segel"), "häuser": ("haus", "haus")},
    "french": {"l'homme": ("l'homm", "homm"), "mangeait": ("mang", "mang")},
}
for language, words in WORDS.items():
    older, newer = SnowballStemmer(language), Stemmer.Stemmer(language)
    for word, wanted in words.items():
        found = older.stem(word), newer.stemWord(word)
        print(language, word, *found)
        assert found == wanted
        assert snowballstemmer.stemmer(language).stemWord(word) == found[1]
assert SnowballStemmer("english").stem("later") == "later" and SnowballStemmer("english").stem("past") == "past"
EOF
