#!/usr/bin/env bash
# contractions 0.1.73: a shell is a "she will", the U.S. are the YOU.S., and tears that he shed are tears that he "she would".
#
# `fix` spells contractions out before a text is classified or counted. It takes those without an apostrophe, too, as people leave it out, and
# so changes words that are others: hell, ill, well, wed, were and its stay, but not shell and shed. Slang is taken for granted unless
# `slang=False`, by which these two stay as well: u is you, also within U.S. and u-turn, and bc is because, also behind 50. He'd is
# "He would", whatever stands behind.
# Seen: "In the U.S. he shed tears over a shell." -> "In the YOU.S. he she would tears over a she will."
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check contractions==0.1.73
"$folder/env/bin/python" - <<'EOF'
from contractions import fix

for text, fixed in {
    "In the U.S. he shed tears over a shell.": "In the YOU.S. he she would tears over a she will.",
    "Shell took a u-turn in 50 BC at ten o'clock.": "She Will took a you-turn in 50 BECAUSE at ten of the clock.",
    "He'd gone ill, as well we were.": "He would gone ill, as well we were.",
}.items():
    print(text, "->", fix(text))
    assert fix(text) == fixed
without_slang = fix("In the U.S. he shed tears over a shell.", slang=False)
print("slang=False:", without_slang)
assert without_slang == "In the U.S. he shed tears over a shell."
assert [fix(word) for word in ("hell", "ill", "wed", "its")] == ["hell", "ill", "wed", "its"]
EOF
