#!/usr/bin/env bash
# pyconll 3.3.1 and conllu 6.0.0: MISC of a treebank that is read and written again is not what it was.
#
# pyconll takes a value of MISC for a set, whatever it is, and writes its parts in the order of the alphabet, each once:
# English EWT's `CorrectForm=3,000` comes out as `000,3`, and in GUM, whose discourse relations have commas, hundreds of rows of
# the dev file change. conllu cuts a value at its second equals sign, so that an address loses its query. Of two comments with
# one name both keep the last. Neither says a word: a file that was read and written to change another column has lost
# something. (udapi 0.5.2 sorts the names in MISC, and leaves comments and values as they are.)
# Seen: CorrectForm=000,3 and Gloss=b,a -> a,b (pyconll); Ref=http://a.org/?q (conllu), from ?q=1.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check pyconll==3.3.1 conllu==6.0.0 udapi==0.5.2
"$folder/env/bin/python" - <<'EOF'
import conllu
import pyconll
from udapi.core.document import Document

HEAD = "# sent_id = 1\n# text = 3,\n# note = one\n# note = two\n"
ROW = "1\t3,\t3000\tNUM\tCD\tNumType=Card\t0\troot\t0:root\t{}\n"


def again(misc):
    """Return the comments and MISC after each library has read and written a sentence."""
    text = HEAD + ROW.format(misc) + "\n"
    document = Document()
    document.from_conllu_string(text)
    written = {
        "conllu": "".join(sentence.serialize() for sentence in conllu.parse(text)),
        "pyconll": pyconll.load_from_string(text).conll(),
        "udapi": document.to_conllu_string(),
    }
    rows = {name: [line for line in out.split("\n") if line] for name, out in written.items()}
    return {name: ([line for line in lines if "note" in line], lines[-1].split("\t")[9]) for name, lines in rows.items()}


wanted = {
    "CorrectForm=3,000": {"pyconll": "CorrectForm=000,3"},
    "Gloss=b,a,b": {"pyconll": "Gloss=a,b"},
    "Ref=http://a.org/?q=1": {"conllu": "Ref=http://a.org/?q"},
}
for misc, changed in wanted.items():
    for name, (notes, found) in again(misc).items():
        print(f"{name}: {misc} -> {found}, {len(notes)} of 2 comments")
        assert found == changed.get(name, misc)
        assert len(notes) == (2 if name == "udapi" else 1)
EOF
