#!/usr/bin/env bash
# pycld2 0.42: of a text with a heart, <3, or another sign for less than, the language of what stands before it is answered.
#
# `detect` takes a text for HTML unless it is told `isPlainText=True`, and leaves out what is a tag. A tag is anything that a < begins in front
# of a letter or digit, and if no > follows, it goes on to the end. Messages with hearts, comparisons and
# addresses in pointed brackets lose what follows: German behind an English greeting is English, and a short beginning is unknown.
# The number of bytes that were looked at is in the answer, for those who know how many there are.
# Seen: unknown, 12 bytes of 78, with isPlainText=True German; English, with it German in the greater part.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check pycld2==0.42
"$folder/env/bin/python" - <<'EOF'
import pycld2

german = "und der Mann schläft im Garten, weil es dort sehr ruhig ist und die Sonne scheint."
for start, code in (("Der Wert x <3 ", "un"), ("Ich liebe dich <3 ", "de"), ("I love you so much my dear friend <3 ", "en")):
    (_, read, guesses), (_, whole, plain) = (pycld2.detect(start + german, isPlainText=given) for given in (False, True))
    print(start, read, guesses[0][1], whole, plain[0][1])
    assert read <= len(start) < whole
    assert (guesses[0][1], plain[0][1]) == (code, "de")
EOF
