#!/usr/bin/env bash
# NLTK 3.10.4: the reader of bracketed corpora drops the second of two words that stand in one bracket.
#
# `BracketParseCorpusReader` takes a bracket of three items for (tag word root), and leaves the third out, in every tree. But
# (NP New York), and chunks as NLTK's own chunkers print them, (NP the/DT cat/NN), have a label and two words: the last one
# is gone from `parsed_sents`, without a word. Brackets of three words or more keep all of them there, and `Tree.fromstring`
# keeps all words always. `words` and `tagged_sents` of the same reader see one word of a bracket at most, and none where
# there are three.
# Seen: (S (NP New) (VP is (NP a b c))) from (S (NP New York) (VP is (NP a b c))); words: New.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check nltk==3.10.4
mkdir "$folder/corpora"
export NLTK_DATA="$folder" # its readers open files of this folder alone
"$folder/env/bin/python" - "$folder/corpora" <<'EOF'
import sys
from pathlib import Path

from nltk import Tree
from nltk.corpus.reader import BracketParseCorpusReader

TREES = {
    "(S (NP New York) (VP is (NP a b c)))": ["New", "is", "a", "b", "c"],
    "(S (NP the/DT cat/NN) sat/VBD)": ["the/DT", "sat/VBD"],
}
for number, (text, left) in enumerate(TREES.items()):
    (Path(sys.argv[1]) / f"{number}.mrg").write_text(text + "\n")
    reader = BracketParseCorpusReader(sys.argv[1], f"{number}.mrg")
    [tree] = reader.parsed_sents()
    print(text, "->", tree.pformat(margin=100), "words:", *reader.words())
    assert tree.leaves() == left
    assert [*reader.words()] == left[:1]
    assert len(Tree.fromstring(text).leaves()) == len(left) + 1
EOF
