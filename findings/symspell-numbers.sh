#!/usr/bin/env bash
# symspellpy 6.10.1, `lookup_compound`: numbers are mistakes, and become words: "we have 3 dogs and 12 cats" becomes "we have a dogs and of cats".
#
# The function corrects whole texts by a list of words. Digits stand in no list of words, and any word of one or two letters is within two changes of
# a number of one or two digits, so the most frequent one of the nearest takes its place. From three digits on a number may be cut in two for it. Names of
# letters and digits are mended as well: b12 is "by". `lookup` of one word does the same. With `ignore_non_words=True` plain numbers stay, b12 does
# not; with `ignore_term_with_digits=True` beside it both stay.
# Seen, with the list of words and of pairs that come with the package: "it costs 20 dollars in 2020" -> "it costs of dollars in of of".
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check symspellpy==6.10.1
"$folder/env/bin/python" - <<'EOF'
from importlib.resources import files

from symspellpy import SymSpell, Verbosity

speller = SymSpell(max_dictionary_edit_distance=2, prefix_length=7)
lists = files("symspellpy")
assert speller.load_dictionary(str(lists / "frequency_dictionary_en_82_765.txt"), 0, 1)
assert speller.load_bigram_dictionary(str(lists / "frequency_bigramdictionary_en_243_342.txt"), 0, 2)
for text, words in {
    "we have 3 dogs and 12 cats": "we have a dogs and of cats",
    "it costs 20 dollars in 2020": "it costs of dollars in of of",
    "meet me at 5 in room 101": "meet me at a in room of a",
    "vitamin b12 helps": "vitamin by helps",
}.items():
    found, plain, digits = (
        speller.lookup_compound(text, max_edit_distance=2, **options)[0].term
        for options in ({}, {"ignore_non_words": True}, {"ignore_non_words": True, "ignore_term_with_digits": True})
    )
    print(text, "->", found, "| ignore_non_words:", plain, "| ignore_term_with_digits:", digits)
    assert found == words
    assert digits == text
    assert (plain == text) == ("b12" not in text)
assert speller.lookup("3", Verbosity.TOP)[0].term == "a"
EOF
