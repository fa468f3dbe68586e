#!/usr/bin/env bash
# TextBlob 0.20.1: "isn't good" is as positive as "is good", because a negation that is shortened is never recognised.
#
# The sentiment of a text looks for no, not, n't and never in front of a word, and "is not good" and "never good" are negative.
# But the tokenizer in front of it makes four words of "isn't": is, n, ' and t. So the n't of the list is in no text, with a
# straight apostrophe or a curly one, and negated sentences as people write them count for the other class.
# Seen: 0.7 for good, isn't good, can't be good and n't good, -0.35 for not good and never good.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check textblob==0.20.1 nltk==3.10.4
"$folder/env/bin/python" - <<'EOF'
import textblob.en
from textblob import TextBlob

POSITIVE = ["The film is good.", "The film isn't good.", "The film isn’t good.", "It can't be good.", "It won't be good."]
NEGATIVE = ["The film is not good.", "The film was never good.", "No good film."]
for texts, polarity in ((POSITIVE, 0.7), (NEGATIVE, -0.35)):
    for text in texts:
        print(TextBlob(text).sentiment.polarity, text)
        assert abs(TextBlob(text).sentiment.polarity - polarity) < 1e-9, text
assert textblob.en.tokenize("The film isn't good.") == ["The film is n ' t good ."]
EOF
