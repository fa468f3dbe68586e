#!/usr/bin/env bash
# SoMaJo 2.5.0 and syntok 1.4.4: a sentence that ends with a decimal number does not end, and the next one is a part of it.
#
# "The price rose to 3.5. Analysts were surprised." is one sentence for both. For SoMaJo 3.5. is a day and a month, as German writes
# dates, in English as well, and keeps its stop; in German, whose decimals have a comma, "3,5." is three tokens, of which the
# last one is an ordinal number. For syntok any decimal number in front of a stop, and of ! or ? as well, is inside of a
# sentence, unless one of a few words comes next, such as It. Whole numbers end sentences in both, so that it is prices, rates,
# versions and numbers of sections that join what stands on both sides of them.
# Seen: one sentence in place of two for 3.5. and $3.50. in both, for 3.5! in syntok, for 3,5. in German SoMaJo; two for 35. in both.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check SoMaJo==2.5.0 syntok==1.4.4
"$folder/env/bin/python" - <<'EOF'
from somajo import SoMaJo
from syntok import segmenter


def by_syntok(text):
    return [[token.value for token in sentence] for paragraph in segmenter.process(text) for sentence in paragraph]


def by_somajo(language):
    tokenizer = SoMaJo(language)
    return lambda text: [[token.text for token in sentence] for sentence in tokenizer.tokenize_text([text])]


syntok, english, german = by_syntok, by_somajo("en_PTB"), by_somajo("de_CMC")
TEXTS = {  # text -> number of sentences that each finds
    "The price rose to 3.5. Analysts were surprised.": {syntok: 1, english: 1},
    "He paid $3.50. She left the house.": {syntok: 1, english: 1},
    "Did it rise to 13.5? Analysts were surprised.": {syntok: 1, english: 2},
    "The price rose to 3.5. It fell.": {syntok: 2, english: 1},
    "The price rose to 35. Analysts were surprised.": {syntok: 2, english: 2},
    "The price rose to 1,250. Analysts were surprised.": {syntok: 2, english: 2},
    "Der Preis stieg auf 3,5. Dann fiel er.": {german: 1},
    "Der Preis stieg auf 3,5 %. Dann fiel er.": {german: 2},
}
for text, counts in TEXTS.items():
    for segment, count in counts.items():
        print(segment(text))
        assert len(segment(text)) == count, text
assert "3.5." in english("The price rose to 3.5. It fell.")[0]
assert german("Um 3,5. Dann fiel er.")[0][:4] == ["Um", "3", ",", "5."]
EOF
