#!/usr/bin/env bash
# indic-nlp-library 0.92: its tokenizer keeps 1,23,456 together and tears the same number in the digits of the language it is for.
#
# A comma, a stop or a colon between two digits belongs to the number, for digits from 0 to 9. Between those of Devanagari,
# Bengali, Tamil or Gujarati it is a token. So the words of a Hindi text depend on how its prices and times were typed: one
# token, or up to five, and counts, alignments and frequencies differ. At the very beginning of a text all
# numbers fall apart: "10:30" is one token inside of a sentence and three as its first word.
# Seen: 1,23,456 and 3.5 and 10:30 are one token each behind a word; in the language's digits, or as first word, they are
# five, three and three.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check indic-nlp-library==0.92 pandas==3.1.1 numpy==2.4.6
"$folder/env/bin/python" - <<'EOF'
from indicnlp.tokenize.indic_tokenize import trivial_tokenize

ZEROS = {"hi": "\u0966", "bn": "\u09e6", "ta": "\u0be6", "gu": "\u0ae6"}  # the digit 0 of each language
for language, zero in ZEROS.items():
    for number, count in {"1,23,456": 5, "3.5": 3, "10:30": 3, "2024": 1}.items():
        own = "".join(chr(ord(zero) + int(c)) if c.isdigit() else c for c in number)
        behind, of_language, first = (trivial_tokenize(text, language) for text in (f"x {number} x", f"x {own} x", f"{number} x"))
        print(language, behind, of_language, first)
        assert behind == ["x", number, "x"]
        assert len(of_language) == count + 2 and len(first) == count + 1
EOF
