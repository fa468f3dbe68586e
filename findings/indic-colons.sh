#!/usr/bin/env bash
# indic-nlp-library 0.92: its normalizer makes a colon behind a word the last letter of the word.
#
# The colon looks like the visarga of Devanagari, for which some type it. The normalizer replaces every colon that stands right
# behind a letter of the script, and every bar by a danda. So in a dialogue, a list or a quotation the word in front of the colon is
# another word, which no treebank, lexicon or embedding has, and in tables of Hindi each bar is the end of a sentence.
# Seen: "उसने कहा: हाँ" (he said: yes) has the word कहाः; a blank in front of the colon, as in French, prevents it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check indic-nlp-library==0.92 pandas==3.1.1 numpy==2.4.6
"$folder/env/bin/python" - <<'EOF'
from indicnlp.normalize.indic_normalize import IndicNormalizerFactory
from indicnlp.tokenize.indic_tokenize import trivial_tokenize

texts = {  # language -> a word that ends in a vowel, and the visarga of its script
    "hi": ("कहा", "\u0903"),
    "mr": ("म्हणाला", "\u0903"),
    "bn": ("বলল", "\u0983"),
    "gu": ("કહ્યું", "\u0a83"),
}
for language, (word, visarga) in texts.items():
    normalize = IndicNormalizerFactory().get_normalizer(language).normalize
    found = [trivial_tokenize(normalize(f"{word}{mark} 10:30"), language)[0] for mark in (":", " :", "?")]
    print(language, found, normalize("a|b"))
    assert found == [word + visarga, word, word] and normalize("a:b") == "a:b"
assert IndicNormalizerFactory().get_normalizer("hi").normalize("क | ख") == "क \u0964 ख"
EOF
