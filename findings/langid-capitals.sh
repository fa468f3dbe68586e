#!/usr/bin/env bash
# langid 1.1.6: a sentence in capital letters is English, in whatever language it is, with the score of an empty text.
#
# `classify` counts the byte n-grams of its model in the text as it stands. Its n-grams are of running text, in small
# letters, and nothing folds the case: of "DER HUND LÄUFT DURCH DEN GARTEN." none is known, so that the answer is the
# prior's first language with the prior's log score, the very pair that an empty text gets. Nothing in the answer tells
# the two cases from a sure one (where a letter such as Í is known, another wrong language may come out); on the same
# sentence in small letters the answer is German with -128. Its successor py3langid 0.4.0 folds the case and answers
# German for both, but an empty text is Afrikaans there, with the least float32.
# Seen: ('en', 9.06) for German, Portuguese, French and Italian in capitals, and for "".
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check langid==1.1.6 py3langid==0.4.0
"$folder/env/bin/python" - <<'EOF'
import langid
import py3langid

SENTENCES = {
    "de": "Der Hund läuft durch den Garten.",
    "pt": "O gato dorme na cozinha.",
    "fr": "Le chien court dans le jardin.",
    "it": "Il gatto dorme nella cucina.",
}
nothing = langid.classify("")
print("langid of an empty text:", nothing)
assert nothing[0] == "en"
for code, sentence in SENTENCES.items():
    as_written, capitals = langid.classify(sentence), langid.classify(sentence.upper())
    print(f"{code}: {as_written}, in capitals {capitals}")
    assert as_written[0] == code
    assert capitals == nothing
    assert py3langid.classify(sentence)[0] == py3langid.classify(sentence.upper())[0] == code
print("py3langid of an empty text:", py3langid.classify(""))
assert py3langid.classify("")[0] == "af"
EOF
