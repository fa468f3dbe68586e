#!/usr/bin/env bash
# marisa-trie 1.4.1: of several values of a key the order is the trie's own, and equal ones are one.
#
# `BytesTrie` and `RecordTrie` give a list for each key, as lexicons need it: the lemmas or tags of a form, the commonest first. The values
# are part of the keys of the trie inside, so that the list has each value once, and not in the order in which they were given,
# of which one would take the first. It is no order of values either: the branch of the trie with more in it comes first, so
# that one value more can turn two others round. Whoever needs an order has to put a rank into the value and sort; whoever
# counts by the list has lost the counts.
# Seen: saw, see, a from see, saw, saw, a; see, seesaw, saw, a with seesaw beside them; 300, 1, 2 from 2, 300, 1, 300.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check marisa-trie==1.4.1
"$folder/env/bin/python" - <<'EOF'
import marisa_trie


def lemmas(*values):
    """Return the lemmas of a form, put in and taken out."""
    found = [value.decode() for value in marisa_trie.BytesTrie([("saw", value.encode()) for value in values])["saw"]]
    print(*values, "->", *found)
    return found


assert lemmas("see", "saw", "saw", "a") == ["saw", "see", "a"]
assert lemmas("see", "saw", "a") == ["saw", "see", "a"]
assert lemmas("see", "saw", "a", "seesaw") == ["see", "seesaw", "saw", "a"]
numbers = marisa_trie.RecordTrie("<H", [("saw", (number,)) for number in (2, 300, 1, 300)])["saw"]
print("2 300 1 300 ->", numbers)
assert numbers == [(300,), (1,), (2,)]
EOF
