#!/usr/bin/env bash
# NLTK 3.10.4: one word that training never saw gives every word of its sentence one tag, those in front of it as well.
#
# `HiddenMarkovModelTrainer().train_supervised` estimates without smoothing unless it gets an estimator. A new word is impossible
# under every tag then, and all paths through the sentence are as bad as each other: what is answered is one tag, the first that training
# met, for all words, also known ones before the new word. The one warning, NumPy's of an overflow, comes at every first call. In most texts
# many sentences have a new word, and all known words beside it count as mistakes, too. `HiddenMarkovModelTagger.train`,
# the other way to the same model, smooths by itself, and loses the new word and its neighbours at most.
# Seen: DDDD for "the dog sees zebras", DNVN for "the dog sees cats"; smoothed the first three are DNV in both.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check nltk==3.10.4 numpy==2.4.6
"$folder/env/bin/python" -W ignore - <<'EOF'
from nltk.tag.hmm import HiddenMarkovModelTagger, HiddenMarkovModelTrainer

SENTENCES = ["the/D dog/N sees/V cats/N", "a/D cat/N sees/V dogs/N", "dogs/N see/V cats/N"]
train = [[tuple(token.split("/")) for token in sentence.split()] for sentence in SENTENCES]
plain = HiddenMarkovModelTrainer().train_supervised(train)
smooth = HiddenMarkovModelTagger.train(train)
for text, wanted in (("the dog sees cats", "DNVN"), ("the dog sees zebras", "DDDD"), ("zebras see cats", "DDD")):
    tags = ["".join(tag for _, tag in tagger.tag(text.split())) for tagger in (plain, smooth)]
    print(text, *tags)
    assert tags[0] == wanted
    assert not text.startswith("the") or tags[1][:3] == "DNV"
EOF
