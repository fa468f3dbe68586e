#!/usr/bin/env bash
# flashtext 2.7: a letter with an accent, or of another alphabet, ends a word, so that names are found inside of other words.
#
# `KeywordProcessor` finds the entries of a list, say of places, where they stand as whole words. Whole it is by a set of
# characters that do not end a word: digits, the letters from a to z, and the underscore. Every other letter is
# as good as a blank: Ren is found in René, Par in Pará, and what is replaced leaves the é behind. In Cyrillic and Greek each entry is found
# wherever its letters stand. Offsets are those of the text in small letters, which is longer behind each İ of Turkish.
# `add_non_word_boundary` takes one letter at a time.
# Seen: PERSON and é from René; Рим (Rome) in Римма and in Крим; "ern " for Bern behind İzmir; nothing in Bernard.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check flashtext==2.7
"$folder/env/bin/python" - <<'EOF'
from flashtext import KeywordProcessor


def found(entry, text):
    """Return the places at which an entry is found, and what stands there."""
    processor = KeywordProcessor()
    processor.add_keyword(entry, "PLACE")
    places = [(begin, text[begin:end]) for _, begin, end in processor.extract_keywords(text, span_info=True)]
    print(entry, "in", text, "->", places)
    return places


assert found("Bern", "Bernard saw Bern") == [(12, "Bern")]
assert found("Ren", "René") == [(0, "Ren")] and found("Par", "Pará") == [(0, "Par")]
assert found("Рим", "Римма и Крим") == [(0, "Рим"), (9, "рим")]
assert found("Bern", "İzmir, Bern ") == [(8, "ern ")]
processor = KeywordProcessor()
processor.add_keyword("Ren", "PERSON")
assert processor.replace_keywords("René") == "PERSONé"
EOF
