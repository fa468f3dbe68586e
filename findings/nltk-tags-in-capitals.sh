#!/usr/bin/env bash
# NLTK 3.10.4: the tags of a tagged corpus come out in capitals, whatever the file has.
#
# `nltk.tag.str2tuple`, and by it `TaggedCorpusReader`, cuts word/tag at the last slash and puts the tag into capitals, as the Brown
# corpus, whose tags stand in small letters in its files, is known by them. Tags of other sets are other tags then: MULTEXT's Ncms, labels such as
# B-Per. A tagger that learned from the reader has only wrong answers by a gold file that was read in another way,
# what differs in case alone becomes one tag, and a file that is read and written again is another one. `tuple2str` writes what it gets.
# Seen: NCMS, B-PER; accuracy 0 for a tagger that is right on every word of its training text.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check nltk==3.10.4
mkdir "$folder/corpora"
export NLTK_DATA="$folder" # its readers open files of this folder alone
"$folder/env/bin/python" -W error - "$folder/corpora" <<'EOF'
import sys
from pathlib import Path

from nltk.corpus.reader import TaggedCorpusReader
from nltk.tag import UnigramTagger, str2tuple

text = "chat/Ncms dort/Vmip3s\nAda/B-Per dort/Vmip3s\n"
(Path(sys.argv[1]) / "a.pos").write_text(text)
found = [list(sentence) for sentence in TaggedCorpusReader(sys.argv[1], "a.pos").tagged_sents()]
gold = [[tuple(token.rsplit("/", 1)) for token in line.split()] for line in text.splitlines()]
print(found, str2tuple("Ada/B-Per"))
assert found == [[(word, tag.upper()) for word, tag in sentence] for sentence in gold]
assert str2tuple("Ada/B-Per") == ("Ada", "B-PER")
tagger = UnigramTagger(found)
assert (tagger.accuracy(found), tagger.accuracy(gold)) == (1, 0)
EOF
