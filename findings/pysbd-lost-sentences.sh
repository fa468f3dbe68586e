#!/usr/bin/env bash
# pysbd 0.3.4: a text with a music note, or another sign that it uses inside, loses whole sentences.
#
# The segmenter puts signs such as ♬, ♭, ☉, ∯ and ♨ in place of stops, exclamation marks and brackets that end no sentence, and puts
# these back at the end. A sign that stood in the text itself becomes one of them, too. With clean=False, the default, sentences are
# then looked for in the text as it was, those that are not found there are left out, and nothing is said: subtitles have ♬
# around lyrics, chemistry and horoscopes ☉. With clean=True they are there, with another sign in place of the text's own.
# Seen: ["Three."] from "One ♬ two. Three."; ["two. ", "Three."] from "One ☉ two. Three."; all three words from "One ♪ two. Three.".
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check pysbd==0.3.4
"$folder/env/bin/python" -W ignore - <<'EOF'
from pysbd import Segmenter

cases = {"♪": ["One ♪ two. ", "Three."], "☉": ["two. ", "Three."]}
cases |= dict.fromkeys("♬♭∯♨☝", ["Three."])
for sign, wanted in cases.items():
    text = f"One {sign} two. Three."
    found = Segmenter(language="en").segment(text)
    cleaned = Segmenter(language="en", clean=True).segment(text)
    print(text, found, "clean=True:", cleaned)
    assert found == wanted
    assert ("".join(found) == text) == (sign == "♪") == (sign in "".join(cleaned))
EOF
