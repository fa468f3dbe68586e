#!/usr/bin/env bash
# neologdn 0.5.6: 10〜20円, ten to twenty yen, becomes 1020円.
#
# `normalize` makes Japanese text from the web alike before it is counted or split into words: widths, dashes, repeated long vowels. Of the kinds of
# tilde it does not choose one: it takes all out, as `tilde="remove"` is the default. In Japanese the tilde is the usual sign between two
# numbers, hours or years, and the two numbers become one that looks like any other. A hyphen between them stays. A space beside a Japanese
# character goes as well, so that two things in a list become one: 東京 12 is 東京12. `tilde="normalize"` keeps the tilde.
# Seen: "10〜20円" -> "1020円", "9時〜17時" -> "9時17時", "1990～1995年" -> "19901995年", "5~10人" -> "510人".
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check neologdn==0.5.6
"$folder/env/bin/python" - <<'EOF'
from neologdn import normalize

for text, normal in {
    "10〜20円": "1020円",
    "9時〜17時": "9時17時",
    "1990～1995年": "19901995年",
    "5~10人": "510人",
    "1990-1995年": "1990-1995年",
    "東京 12": "東京12",
}.items():
    print(text, "->", normalize(text))
    assert normalize(text) == normal
assert normalize("10〜20円", tilde="normalize") == "10~20円", normalize("10〜20円", tilde="normalize")
EOF
