#!/usr/bin/env bash
# NLTK 3.10.4, syntok 1.4.4, pythainlp 5.4.0: tokenizers whose words are not those of the text, so that offsets are lost.
#
# `TweetTokenizer` shortens each run of more than three equal signs to three. Its option reduce_len, which is off, does that with letters; signs
# are shortened always, in the middle of addresses, too. `ToktokTokenizer` writes & and | as entities, and < and > as
# they are. syntok leaves out hyphens between words and writes n't as not. The
# engine "longest" of pythainlp puts Latin letters into small ones; the others do not. NLTK's quotes, `` and '', are known
# for that, and these are not: labels by word that were made of such tokens find no place in the text, or a wrong one.
# Seen: a.org/x___y for a.org/x_____y, and !!! for !!!!!!!; &amp; for &; He he for He-he, ca not for can't; hello for Hello.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check nltk==3.10.4 syntok==1.4.4 pythainlp==5.4.0
export PYTHAINLP_DATA="$folder/data"
"$folder/env/bin/python" - <<'EOF'
from nltk.tokenize import ToktokTokenizer, TweetTokenizer
from pythainlp import word_tokenize
from syntok.tokenizer import Tokenizer

tweet, toktok = TweetTokenizer(preserve_case=True, reduce_len=False).tokenize, ToktokTokenizer().tokenize


def syntok(text):
    return [token.value for token in Tokenizer().tokenize(text)]


def longest(text):
    return word_tokenize(text, engine="longest")


for tokenize, text, words in [
    (tweet, "see http://a.org/x_____y.html now", ["see", "http://a.org/x___y.html", "now"]),
    (tweet, "Best place!!!!!!!", ["Best", "place", "!", "!", "!"]),
    (tweet, "sooooooo", ["sooooooo"]),
    (toktok, "clean & tidy <b> a|b", ["clean", "&amp;", "tidy", "<b>", "a", "&#124;", "b"]),
    (syntok, "He-he, ya can't.", ["He", "he", ",", "ya", "ca", "not", "."]),
    (longest, "สวัสดีครับ Hello", ["สวัสดี", "ครับ", " ", "hello"]),
    (word_tokenize, "สวัสดีครับ Hello", ["สวัสดี", "ครับ", " ", "Hello"]),
]:
    print(text, "->", tokenize(text))
    assert tokenize(text) == words
EOF
