#!/usr/bin/env bash
# gensim 4.4.0: of a document of more than 10,000 words the rest is never learned, and counts as learned.
#
# `Word2Vec`, `FastText` and `Doc2Vec` take lists of words. Whoever gives a whole book, or a corpus without sentences as one list, gets vectors
# for all of its words; those that stand behind the first 10,000 keep the random numbers that they began with. The vocabulary
# counts them, `min_count` goes by them, and the log says nothing. The second number that `train` returns, of the words
# that it has been given, has all of them. (Frequent words are passed over by chance, so that by default the place is further down.)
# Seen: after 5 passes over one list of 20,000 words 50,000 of 100,000 are learned from; the vectors of the second half are as before.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check gensim==4.4.0 numpy==2.4.6 scipy==1.17.1
"$folder/env/bin/python" - <<'EOF'
import numpy as np
from gensim.models import FastText, Word2Vec

words = [f"a{k % 50}" for k in range(10_000)] + [f"z{k % 50}" for k in range(10_000)]


def moved(make, documents):
    """Return the numbers of words that `train` gives, and how many vectors of each half are no longer as they began."""
    model = make(vector_size=8, min_count=1, seed=1, workers=1, sample=0)
    model.build_vocab(documents)
    before = {word: model.wv[word].copy() for word in model.wv.key_to_index}
    counts = model.train(documents, total_examples=len(documents), epochs=5)
    changed = [word for word, vector in before.items() if not np.array_equal(vector, model.wv[word])]
    return counts, sum(word[0] == "a" for word in changed), sum(word[0] == "z" for word in changed)


one, two = moved(Word2Vec, [words]), moved(Word2Vec, [words[:10_000], words[10_000:]])
print("one list:", one, "two lists:", two, "FastText, one list:", moved(FastText, [words]))
assert one == ((50_000, 100_000), 50, 0)
assert two == ((100_000, 100_000), 50, 50)
assert moved(FastText, [words])[0] == (50_000, 100_000)
EOF
