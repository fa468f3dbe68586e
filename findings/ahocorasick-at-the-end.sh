#!/usr/bin/env bash
# pyahocorasick 2.3.1, `iter_long`: a name at the end of a text is not found, if a longer one of the list could have begun before it.
#
# `iter_long` finds the longest names of a list that do not overlap, `iter` finds all. With York and New York City in the list, a text that
# ends with New York could go on as New York City. It does not, and York is left out at the end. With a full stop behind it York is found,
# as it is by `iter`, and if the list has no longer name. So lists find less in texts without a last mark, such as titles, cells and
# queries. ahocorasick-rs finds it in both, by its way `LeftmostLongest`.
# Seen: [] for "They live in New York", [York] for "They live in New York."
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check pyahocorasick==2.3.1 ahocorasick-rs==1.0.3
"$folder/env/bin/python" - <<'EOF'
from ahocorasick import Automaton
from ahocorasick_rs import AhoCorasick, MatchKind


def names(words, text):
    """Return the names that are found by `iter_long`, by `iter`, and by the other library."""
    automaton = Automaton()
    for word in words:
        automaton.add_word(word, word)
    automaton.make_automaton()
    other = AhoCorasick(words, matchkind=MatchKind.LeftmostLongest)
    return [[name for _, name in way(text)] for way in (automaton.iter_long, automaton.iter)] + [other.find_matches_as_strings(text)]


cities, lakes = ["York", "New York City"], ["Lake", "Salt Lake City"]
for words, text, longest in (
    (cities, "They live in New York.", ["York"]),
    (cities, "They live in New York", []),
    (cities, "New York or New York", ["York"]),
    (["York"], "They live in New York", ["York"]),
    (lakes, "from Boston to Salt Lake", []),
):
    found = names(words, text)
    print(f"{words} in {text!r}: {found}")
    every = words[:1] * text.count(words[0])
    assert found == [longest, every, every]
EOF
