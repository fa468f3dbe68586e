#!/usr/bin/env bash
# SoMaJo 2.5.0: a sentence that ends with a decimal number does not end, in English as in German.
#
# "The price rose to 3.5. It fell." is one sentence for the English tokenizer: 3.5. is a day and a month there, as German writes
# them, and keeps its stop. In German, whose decimals have a comma, "3,5." is three tokens, of which the last one is an ordinal
# number. So prices, rates, versions and numbers of sections join the sentences on both sides, and no token is a stop. Whole
# numbers, a number with a unit or three decimals, and other marks behind it are read as one would think.
# Seen: one sentence in place of two for 3.5., $5.50. and 2.1. (en_PTB), and for 3,5. (de_CMC); two for 3.5! and for 3.125.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check SoMaJo==2.5.0
"$folder/env/bin/python" - <<'EOF'
from somajo import SoMaJo

english, german = SoMaJo("en_PTB"), SoMaJo("de_CMC")
texts = {
    "The price rose to 3.5. It fell.": (english, 1),
    "It cost $5.50. He paid.": (english, 1),
    "See Section 2.1. It is short.": (english, 1),
    "Der Preis stieg auf 3,5. Dann fiel er.": (german, 1),
    "The price rose to 3.5! It fell.": (english, 2),
    "The price rose to 3.125. It fell.": (english, 2),
    "The price rose to 35. It fell.": (english, 2),
    "Der Preis stieg auf 3,5 %. Dann fiel er.": (german, 2),
}
for text, (tokenizer, count) in texts.items():
    sentences = [[token.text for token in sentence] for sentence in tokenizer.tokenize_text([text])]
    print(sentences)
    assert len(sentences) == count, text
for text, (tokenizer, token) in {"Up to 3.5. It fell.": (english, "3.5."), "Um 3,5. Dann fiel er.": (german, "5.")}.items():
    [sentence] = tokenizer.tokenize_text([text])
    classes = {each.text: each.token_class for each in sentence}
    print(classes)
    assert classes[token] == {"3.5.": "date", "5.": "ordinal"}[token]
EOF
