#!/usr/bin/env bash
# scikit-learn 1.9.1, gensim 4.4.0 and tokenizers 0.23.3: what strips accents makes one word of the Japanese for dad, mum and hag.
#
# `CountVectorizer(strip_accents="unicode")`, `gensim.utils.deaccent` and `BertNormalizer` (by default, as it lowers case) take text apart
# by NFD or NFKD and drop what combines. In Japanese that is the mark that parts p, b and h, g and k: パパ, ババ and ハハ all
# become ハハ, glass (ガラス) becomes crow (カラス). Hindi loses the sign that joins consonants, in BertNormalizer vowels as
# well, and Korean is left in letters, three characters as eight, in scikit-learn and tokenizers; gensim puts those together again.
# The option's description says that it works on any characters.
# Seen: ['ハハ'] from "パパ ハハ ババ"; 한국어 is 8 characters; हिन्दी is हिनदी.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check scikit-learn==1.9.1 gensim==4.4.0 tokenizers==0.23.3
"$folder/env/bin/python" - <<'EOF'
import unicodedata

from gensim.utils import deaccent
from sklearn.feature_extraction.text import CountVectorizer, strip_accents_unicode
from tokenizers.normalizers import BertNormalizer

ways = {
    "scikit-learn": strip_accents_unicode,
    "gensim": deaccent,
    "tokenizers": BertNormalizer(lowercase=True).normalize_str,
}
for name, strip in ways.items():
    words = {word: strip(word) for word in ("café", "パパ", "ハハ", "ババ", "ガラス", "한국어", "हिन्दी", "में")}
    print(name, words, len(words["한국어"]))
    assert words["café"] == "cafe"
    assert words["パパ"] == words["ババ"] == words["ハハ"] == "ハハ"
    assert words["ガラス"] == "カラス"
    assert len(words["한국어"]) == (3 if name == "gensim" else 8)
    assert words["हिन्दी"] != "हिन्दी"
    assert unicodedata.normalize("NFC", words["한국어"]) == "한국어"
found = CountVectorizer(strip_accents="unicode", token_pattern=r"\S+").fit(["パパ ハハ ババ"]).get_feature_names_out().tolist()
print(found)
assert found == ["ハハ"]
EOF
