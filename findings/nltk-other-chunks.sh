#!/usr/bin/env bash
# NLTK 3.10.4: its reader of IOB lines takes NP, PP and VP for chunks, and every other label for none.
#
# `nltk.chunk.conllstr2tree` makes a tree of lines of word, tag and label, the layout of CoNLL 2000 and 2003. Which types it
# takes is an option, and its default is the three that NLTK's own copy of CoNLL 2000 was cut down to: of a file of names not one
# is left, and of CoNLL 2000 itself the ADJP, ADVP, SBAR and PRT are gone. Their words stand in the tree as if they were O, so
# that a chunker learns nothing of them, and is scored without them. `chunk_types=None` takes all.
# Its inverse, `conlltags2tree`, takes all types by itself.
# Seen: no chunk from B-PER and B-LOC, one of two from B-NP and B-ADVP; both with chunk_types=None.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check nltk==3.10.4
"$folder/env/bin/python" -W error - <<'EOF'
from nltk.chunk import conllstr2tree, conlltags2tree

for labels, left in ((("B-PER", "O", "B-LOC"), []), (("B-NP", "O", "B-ADVP"), ["NP"])):
    rows = list(zip(("Ada", "went", "there"), ("NNP", "VBD", "RB"), labels))
    lines = "\n".join(map(" ".join, rows))
    trees = conllstr2tree(lines), conllstr2tree(lines, chunk_types=None), conlltags2tree(rows)
    found = [[chunk.label() for chunk in tree.subtrees() if chunk is not tree] for tree in trees]
    print(labels, *found)
    assert found == [left, *2 * [[label[2:] for label in labels if label != "O"]]]
EOF
