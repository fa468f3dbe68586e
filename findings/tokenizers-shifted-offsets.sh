#!/usr/bin/env bash
# tokenizers 0.23.3: BPE without an unknown token drops letters, and the offsets behind them are those of other letters.
#
# WordPiece, WordLevel and Unigram raise an error where a letter is not in the vocabulary and no unknown token was named.
# `BPE()`, as it is made without arguments, leaves the letter out without a word. The pieces that follow in the same word have the
# offsets that they would have if the letter had never been there: they begin where the letter stood, and may end within themselves, so that
# labels that are carried over by offsets come to lie on other letters. With `unk_token` the same pieces have the right offsets.
# Seen: in zdog the piece dog is zdo, in übdog it is üb; in "the zebra runs" the piece e is the letter z.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check tokenizers==0.23.3
"$folder/env/bin/python" - <<'EOF'
from tokenizers import Tokenizer
from tokenizers.models import BPE, Unigram, WordLevel, WordPiece
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.trainers import BpeTrainer, UnigramTrainer, WordLevelTrainer, WordPieceTrainer


def trained(model, trainer, *special):
    tokenizer = Tokenizer(model)
    tokenizer.pre_tokenizer = Whitespace()
    texts = ["the dog runs", "the cat runs", "a dog sleeps"] * 5
    tokenizer.train_from_iterator(texts, trainer(vocab_size=60, show_progress=False, special_tokens=list(special)))
    return tokenizer


def pieces(tokenizer, text):
    found = tokenizer.encode(text)
    return [(token, text[begin:end]) for token, (begin, end) in zip(found.tokens, found.offsets)]


bare, named = trained(BPE(), BpeTrainer), trained(BPE(unk_token="[UNK]"), BpeTrainer, "[UNK]")
for text, without, with_unknown in [
    ("the dog", [("the", "the"), ("dog", "dog")], [("the", "the"), ("dog", "dog")]),
    ("zdog", [("dog", "zdo")], [("[UNK]", "z"), ("dog", "dog")]),
    ("übdog", [("dog", "üb")], [("[UNK]", "ü"), ("[UNK]", "b"), ("dog", "dog")]),
]:
    print(text, pieces(bare, text), pieces(named, text))
    assert pieces(bare, text) == without and pieces(named, text) == with_unknown
assert ("e", "z") in pieces(bare, "the zebra runs") and ("e", "e") in pieces(named, "the zebra runs")
for model, trainer in ((WordPiece(), WordPieceTrainer), (WordLevel(), WordLevelTrainer), (Unigram(), UnigramTrainer)):
    tokenizer = trained(model, trainer)
    try:
        found = pieces(tokenizer, "zdog")
    except Exception as error:
        print(trainer.__name__, error)
    else:
        raise SystemExit(f"{trainer.__name__}: {found}")
EOF
