#!/usr/bin/env bash
# udapi 0.5.2: when words are moved or taken out, heads in enhanced graphs are renumbered only where somebody has looked at them.
#
# Heads of the tree are nodes, and follow when ids change. So are those of DEPS once a node's `deps` has been read. Until then
# the column is the text from the file, and is written as it was: after a word was removed, or moved to another place, it names other
# words than before, or an empty node that has another id by now, and nothing is said. Whoever changes the trees of a treebank
# with enhanced graphs has to touch `deps` of each word and each empty node before.
# Seen: DEPS 5.1:x beside an empty node 4.1 after word 5 was removed; 1:obl where the head is 3 by now; both right after `deps` was read.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check udapi==0.5.2
"$folder/env/bin/python" - <<'EOF'
from udapi.core.document import Document

ROWS = (
    "1 Vamos ir VERB _ _ 0 root 0:root _",
    "2 al al ADP _ _ 3 case 3:case _",
    "3 mar mar NOUN _ _ 1 obl 1:obl|5.1:x _",
    "4 y y CCONJ _ _ 1 cc 1:cc _",
    "5 no no ADV _ _ 1 advmod 5.1:advmod _",
    "5.1 vamos ir VERB _ _ _ _ 1:conj _",
)
TEXT = "# sent_id = 1\n" + "".join(row.replace(" ", "\t") + "\n" for row in ROWS) + "\n"


def changed(change, look):
    document = Document()
    document.from_conllu_string(TEXT)
    tree = document.bundles[0].get_tree()
    for node in [*tree.descendants, *tree.empty_nodes] if look else ():
        node.deps
    change(tree.descendants)
    rows = [line.split("\t") for line in document.to_conllu_string().splitlines() if line[:1].isdigit()]
    return {form: (number, head, deps) for number, form, _, _, _, _, head, _, deps, _ in rows}


for look, graph in ((False, "1:obl|5.1:x"), (True, "1:obl|4.1:x")):
    rows = changed(lambda words: words[3].remove(), look)
    print("without y:", rows["mar"], rows["vamos"])
    assert rows["vamos"][0] == "4.1"
    assert rows["mar"] == ("3", "1", graph)
for look, graph in ((False, "1:obl|5.1:x"), (True, "3:obl|5.1:x")):
    rows = changed(lambda words: words[2].shift_before_node(words[0]), look)
    print("al mar vamos:", rows["Vamos"], rows["mar"])
    assert rows["Vamos"][0] == rows["mar"][1] == "3"
    assert rows["mar"][2] == graph
EOF
