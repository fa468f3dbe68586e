#!/usr/bin/env bash
# transliterate 1.10.2: there and back, each soft sign of Russian is a capital: день is денЬ, and большой болЬшой.
#
# In Latin letters both the soft sign, small or capital, and the hard sign are an apostrophe. On the way back an apostrophe is always the
# capital soft sign, also within a word of small letters, and in text that people typed in Latin letters. The soft sign is frequent: it ends
# most infinitives. No list, lemmatizer or classifier knows such words, unless it ignores case, and съезд, which had a
# hard sign, is сЬезд. There is no error.
# Seen: "большая семья, один день" -> "bol'shaja sem'ja, odin den'" -> "болЬшая семЬя, один денЬ".
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check transliterate==1.10.2
"$folder/env/bin/python" - <<'EOF'
from transliterate import translit

for text, latin, back in (
    ("большая семья, один день", "bol'shaja sem'ja, odin den'", "болЬшая семЬя, один денЬ"),
    ("съезд", "s'ezd", "сЬезд"),
    ("она поёт", "ona poet", "она поет"),
):
    print(text, "->", translit(text, "ru", reversed=True), "->", translit(latin, "ru"))
    assert translit(text, "ru", reversed=True) == latin
    assert translit(latin, "ru") == back
EOF
