#!/usr/bin/env bash
# tokenizers 0.23.3: of words that are given as words some are in no piece, so that an answer for each word has gaps.
#
# A list of words with `is_pretokenized=True` is how a tagger by BERT gets its corpus; `word_ids` says of which word each piece is, and each word
# has one at least, as what is unknown becomes [UNK]. BertNormalizer takes out control and format characters, U+FFFD, and with
# accents whatever combines. A word that has nothing else becomes no piece, not [UNK], and its number is not among the
# `word_ids`. Corpora from the web have such tokens, as U+FE0F behind a heart, and a sentence of n words then has fewer than n
# labels, which files of columns laid side by side do not show.
# Seen: word ids 0, 2 for "a", U+FE0F, "b", and for U+200B, U+00AD, U+FFFD and U+0301 in the middle; 0, 1, 2 for U+00B4 and for ♥.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check tokenizers==0.23.3 numpy==2.4.6
"$folder/env/bin/python" - <<'EOF'
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer

tokenizer = Tokenizer(WordLevel({"a": 0, "b": 1, "[UNK]": 2}, unk_token="[UNK]"))
tokenizer.normalizer, tokenizer.pre_tokenizer = BertNormalizer(), BertPreTokenizer()
for word, ids in {
    "♥": [0, 1, 2],
    "\u00b4": [0, 1, 2],
    "\ufe0f": [0, 2],
    "\u200b": [0, 2],
    "\u00ad": [0, 2],
    "\ufffd": [0, 2],
    "\u0301": [0, 2],
}.items():
    found = tokenizer.encode(["a", word, "b"], is_pretokenized=True)
    print(ascii(word), found.tokens, found.word_ids)
    assert found.word_ids == ids
EOF
