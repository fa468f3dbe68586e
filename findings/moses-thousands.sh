#!/usr/bin/env bash
# sacremoses 0.2.0 (Moses): where a space that does not break stands in a number, the normalizer of punctuation writes a decimal mark.
#
# "10 000", with U+00A0 between thousands as typesetters and the SI write it, becomes 10.000 in English and 10,000 in German and French. That is
# the other mark in each case: English reads ten, German and French read ten. With the other mark, or with a plain space, it would be ten
# thousand. The normalizer stands in front of most training data of translation, so that numbers there are a thousand times too small.
# Moses' own script, which it follows, does the same. A space of the keyboard stays as it is.
# Seen: "It has 10.000 people." with "en", "10,000" with "de" and "fr".
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check sacremoses==0.2.0
"$folder/env/bin/python" - <<'EOF'
from sacremoses import MosesPunctNormalizer

for language, number in (("en", "10.000"), ("de", "10,000"), ("fr", "10,000"), ("es", "10,000")):
    normalize = MosesPunctNormalizer(lang=language).normalize
    print(language, normalize("It has 10\u00a0000 people."))
    assert normalize("It has 10\u00a0000 people.") == f"It has {number} people."
    assert normalize("It has 10 000 people.") == "It has 10 000 people."
EOF
