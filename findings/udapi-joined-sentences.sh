#!/usr/bin/env bash
# udapi 0.5.2: sentences that are joined or split lose, or leave behind, their empty nodes, while words go on to name these.
#
# `util.JoinSentence` moves the words of a sentence, with their multiword tokens, behind those of the one before. Empty nodes are no
# words to it and go with the old sentence. What hung on them keeps its head: an id that no row has any more, or that is another node's if the
# first sentence has one of this number. `util.SplitSentence` leaves empty nodes in the first half, under their old ids behind its last word;
# their heads, numbers within the second half, name words of the first. Nothing is said, and it makes no difference whether `deps`
# was read before, after which heads follow when words move.
# Seen: DEPS 2.1:obj without a row 2.1 after the join, or with one that is another word; a row 4.1 below two words after the split,
# with the head 2:conj, which was fell and is ran by now.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check udapi==0.5.2
"$folder/env/bin/python" - <<'EOF'
from udapi.block.util.joinsentence import JoinSentence
from udapi.block.util.splitsentence import SplitSentence
from udapi.core.document import Document

FIRST = ["1 Ada PROPN 2 nsubj 2:nsubj _", "2 ran VERB 0 root 0:root _"]
SECOND = ["1 He PRON 2 nsubj 2:nsubj Here=1", "2 fell VERB 0 root 0:root _", "2.1 saw VERB _ _ 2:conj _", "3 it PRON 2 orphan 2.1:obj _"]
BOTH = ["3 He PRON 4 nsubj 4:nsubj Here=1", "4 fell VERB 0 root 0:root _", "4.1 saw VERB _ _ 4:conj _", "5 it PRON 4 orphan 4.1:obj _"]


def changed(block, *sentences):
    """Return ID, FORM and DEPS of each row of each sentence after a block has changed a document, all `deps` being read before."""
    text = ""
    for number, rows in enumerate(sentences, 1):
        cells = [row.split() for row in rows]
        lines = ["\t".join([*row[:2], "_", row[2], "_", "_", *row[3:]]) + "\n" for row in cells]
        text += f"# sent_id = {number}\n" + "".join(lines) + "\n"
    document = Document()
    document.from_conllu_string(text)
    for bundle in document.bundles:
        for node in [*bundle.get_tree().descendants, *bundle.get_tree().empty_nodes]:
            assert node.deps
    block.process_document(document)
    written = document.to_conllu_string()
    print(written)
    blocks = [block.split("\n") for block in written.strip().split("\n\n")]
    rows = [[line.split("\t") for line in lines if line[:1].isdigit()] for lines in blocks]
    return [[(cells[0], cells[1], cells[8]) for cells in sentence] for sentence in rows]


[joined] = changed(JoinSentence(misc_name="Here"), FIRST, SECOND)
assert [number for number, _, _ in joined] == ["1", "2", "3", "4", "5"]
assert joined[4] == ("5", "it", "2.1:obj")
[joined] = changed(JoinSentence(misc_name="Here"), [*FIRST, "2.1 home NOUN _ _ 2:obl _"], SECOND)
assert joined[2] == ("2.1", "home", "2:obl") and joined[-1] == ("5", "it", "2.1:obj")
first, second = changed(SplitSentence(misc_name="Here"), [*FIRST, *BOTH])
assert first == [("1", "Ada", "2:nsubj"), ("2", "ran", "0:root"), ("4.1", "saw", "2:conj")]
assert second == [("1", "He", "2:nsubj"), ("2", "fell", "0:root"), ("3", "it", "4.1:obj")]
EOF
