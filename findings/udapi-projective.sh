#!/usr/bin/env bash
# udapi 0.5.2: `transform.Proj`, which makes trees projective, leaves some that are not.
#
# The block lifts each word whose arc is not projective until it is. Which words these are is looked up once, before the first is lifted.
# A word that moves up can leave the gap of an arc that was projective so far, and that arc is not looked at again. There is no warning,
# and most trees come out as they should, so that who trains a parser on projective trees meets the others late. Applied twice, the
# block makes all trees of five words projective.
# Seen: heads 2 0 2 2 3 of 3 0 2 1 3, with the arcs from 2 to 4 and from 3 to 5; arcs that cross are left in 6 of the 482 trees of five words
# and one root that have any, in none of the 34 of four words, and in 4 of 489 sentences of the test file of UD_Latin-CIRCSE.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check udapi==0.5.2
"$folder/env/bin/python" - <<'EOF'
from itertools import product

from udapi.block.transform.proj import Proj
from udapi.core.document import Document


def is_tree(heads):
    """Return true if each word leads to the only root."""
    for word in range(1, len(heads) + 1):
        for _ in heads:
            word = heads[word - 1] if word else 0
        if word:
            return False
    return heads.count(0) == 1


def crossed(heads):
    """Return true if two arcs cross each other, that of the root included."""
    arcs = [(min(word, head), max(word, head)) for word, head in enumerate(heads, 1)]
    return any(a < c < b < d for a, b in arcs for c, d in arcs)


def lifted(heads, times=1):
    rows = [f"{word}\tw{word}\t_\tX\t_\t_\t{head}\td{word}\t_\t_\n" for word, head in enumerate(heads, 1)]
    document = Document()
    document.from_conllu_string("# sent_id = 1\n" + "".join(rows) + "\n")
    tree = document.bundles[0].get_tree()
    for _ in range(times):
        Proj().process_tree(tree)
    return [node.parent.ord for node in tree.descendants]


print(lifted((3, 0, 2, 1, 3)))
assert lifted((3, 0, 2, 1, 3)) == [2, 0, 2, 2, 3] and crossed([2, 0, 2, 2, 3])
counts = {}
for words in (4, 5):
    trees = [heads for heads in product(range(words + 1), repeat=words) if is_tree(heads) and crossed(heads)]
    left = [heads for heads in trees if crossed(lifted(heads))]
    counts[words] = (len(trees), len(left))
    assert not any(crossed(lifted(heads, times=2)) for heads in left)
print(counts)
assert counts == {4: (34, 0), 5: (482, 6)}
EOF
