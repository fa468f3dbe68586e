#!/usr/bin/env bash
# spacy-conll 4.0.1 (spaCy 3.8.18): a text with a line end in it comes out as something that readers of CoNLL-U refuse.
#
# spaCy makes a token of white space that is not a single blank. Its text is written into FORM and into `# text` as it is, so
# that a line end breaks the row, or the comment, in two: every text of more than one paragraph, or that was wrapped, has such
# rows. A tab adds a cell. Two blanks become a word that is a blank, which counts in IDs and hangs in the tree.
# (With the spaCy of today the formatter asks for its three empty settings; by itself it refuses its own default, None.)
# Seen: the reader of conllu 6.0.0 fails at the text with the line end, and counts 6 words in a sentence of five with two
# blanks.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check spacy-conll==4.0.1 spacy==3.8.18 conllu==6.0.0
"$folder/env/bin/python" - <<'EOF'
import conllu
import spacy

nlp = spacy.blank("en")
nlp.add_pipe("sentencizer")
nlp.add_pipe("conll_formatter", config={"conversion_maps": {}, "ext_names": {}, "field_names": {}, "include_headers": True})


def words(text):
    """Return the number of words of each sentence, as a reader of CoNLL-U finds them in what is written; None if it fails."""
    written = nlp(text)._.conll_str
    print(repr(written))
    try:
        return [len(sentence) for sentence in conllu.parse(written)]
    except conllu.exceptions.ParseException as error:
        print(type(error).__name__, error)
    return None


assert words("She reads old books.") == [5]
assert words("She reads  old books.") == [6]
assert words("She reads\nold books.") is None
assert words("She reads.\n\nHe sleeps.") is None
EOF
