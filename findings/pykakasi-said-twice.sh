#!/usr/bin/env bash
# pykakasi 2.3.0: 100㎡ is read as "100 100", and the surname 山﨑 as Yama Yama.
#
# `convert` cuts Japanese text into words and gives the reading of each. A character that is in none of its tables is given no reading, and
# the word in front of it is given once more; a character behind it may be lost. These are no rare signs: units in one character (㎏, ㎡),
# and the forms of characters in common surnames, 髙 for 高 and 﨑 for 崎. Of 髙橋, Takahashi, nothing is left. What it calls the original does
# not spell the text either, so that words cannot be found again by it. 々, which repeats a character, is "(kurikaesi)" in a name that the
# dictionary lacks. There is no error.
# Seen: "100㎡の家" -> "100 100 no ie", "3㎏です" -> "3 3 desu", "山﨑さん" -> "yama yama san", "髙橋さん" -> "san", "寧々" -> "nei (kurikaesi)".
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check pykakasi==2.3.0
"$folder/env/bin/python" - <<'EOF'
from pykakasi import kakasi

reader = kakasi()
for text, reading, original in (
    ("100㎡の家", "100 100 no ie", "100㎡100の家"),
    ("3㎏です", "3 3 desu", "3㎏3です"),
    ("山﨑さん", "yama yama san", "山山さん"),
    ("髙橋さん", "san", "髙さん"),
    ("高橋さん", "takahashi san", "高橋さん"),
    ("寧々", "nei (kurikaesi)", "寧々"),
):
    words = reader.convert(text)
    found = " ".join(word["hepburn"] for word in words if word["hepburn"])
    pieces = "".join(word["orig"] for word in words)
    print(text, "->", found, "| original:", pieces)
    assert found == reading
    assert pieces == original
EOF
