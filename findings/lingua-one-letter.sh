#!/usr/bin/env bash
# lingua 2.1.1: one letter that no other language of a detector has makes it sure, 1.0 to 0.0, against all other words.
#
# A detector is made of the languages that a text may be in. Before its statistics come rules: a word with a letter that only one of these
# languages has counts for that language, and if no other word of a short text decides anything, that is the answer, with confidence 1.0, and 0.0 for
# each other. English has no letters of its own, so that its words never count there. Loan words and names keep their accents
# in it, and which accent decides depends on the languages beside it: more languages have it, and it decides nothing.
# A threshold on confidence does not leave such answers out; they are the surest.
# Seen: French 1.0 for "The pâtés are great", Spanish 1.0 for "my Señor"; English for both without the accents.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check lingua-language-detector==2.1.1
"$folder/env/bin/python" - <<'EOF'
import unicodedata

from lingua import Language, LanguageDetectorBuilder

names = ("ENGLISH", "GERMAN", "FRENCH", "SPANISH", "ITALIAN", "CATALAN", "DANISH")
detector = LanguageDetectorBuilder.from_languages(*(getattr(Language, name) for name in names)).build()
for text, language in (("The pâtés are great", "FRENCH"), ("my Señor", "SPANISH"), ("naïve", "CATALAN")):
    plain = "".join(letter for letter in unicodedata.normalize("NFD", text) if not unicodedata.combining(letter))
    best, second = detector.compute_language_confidence_values(text)[:2]
    without = detector.compute_language_confidence_values(plain)[0]
    print(text, best.language.name, best.value, second.value, without.language.name, round(without.value, 2))
    assert (best.language.name, best.value, second.value) == (language, 1, 0)
    assert without.language.name == "ENGLISH"
EOF
