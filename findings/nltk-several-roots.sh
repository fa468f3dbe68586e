#!/usr/bin/env bash
# NLTK 3.10.4: a dependency graph with two roots becomes the tree of the first one, and the other half of the sentence is gone.
#
# `DependencyGraph` reads a sentence with several words whose head is 0, as dialogues, lists and parsers without a constraint have
# them, and keeps all words as nodes. `root` is the first of them, and `tree` and `triples`, which begin there, have the words
# below it alone; `to_conll` and `to_dot` have all. A root by another name than ROOT, `root` of Universal Dependencies, is none unless it is named by
# `top_relation_label`; of that there is a warning, of the words that are lost there is none.
# Seen: (ran Ada) of "Ada ran he fell"; no triple of the second half.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check nltk==3.10.4
"$folder/env/bin/python" -W error - <<'EOF'
from nltk.parse import DependencyGraph

rows = [("Ada", "N", 2, "subj"), ("ran", "V", 0, "ROOT"), ("he", "P", 4, "subj"), ("fell", "V", 0, "ROOT")]
graph = DependencyGraph("\n".join("\t".join(map(str, row)) for row in rows))
print(graph.tree(), *graph.triples())
assert len(graph.to_conll(4).splitlines()) == 4
assert str(graph.tree()) == "(ran Ada)"
assert list(graph.triples()) == [(("ran", "V"), "subj", ("Ada", "N"))]
assert "2 -> 1" in graph.to_dot() and "4 -> 3" in graph.to_dot()
EOF
