#!/usr/bin/env bash
# rank-bm25 0.2.2, BM25Okapi: a word that half of the documents have counts nothing, one that 90 % have more than one that 40 % have.
#
# The weight of a word is log((N - n + 0.5) / (n + 0.5)), for n of N documents that have it: 0 at the half, negative beyond. What is negative is
# replaced by a quarter of the mean weight of all words of the collection. As most words are in one document or two, that mean is large. So
# the weight falls to 0 towards the half and then jumps up, to the same value for each word above it.
# A query that has "the" in it ranks by "the". In collections of few documents half is soon reached: of two documents, a word that only one
# has weighs nothing, and a query for it finds neither. BM25Plus of the same package falls steadily.
# Seen, of 100 documents with ten words of their own each: 10 documents 2.15, 40 0.40, 49 0.04, 50 0.00, 51 1.04, 90 1.04. A text with a word that 60 have
# scores 1.05 by it, one with a word that 40 have 0.40.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check rank-bm25==0.2.2 numpy==2.4.6
"$folder/env/bin/python" - <<'EOF'
from rank_bm25 import BM25Okapi, BM25Plus

frequencies = (10, 40, 49, 50, 51, 90)
documents = [
    [f"own{document}-{place}" for place in range(10)] + [f"in{times}" for times in frequencies if document < times] for document in range(100)
]
index, plus = BM25Okapi(documents), BM25Plus(documents)
weights = [round(float(index.idf[f"in{times}"]), 2) for times in frequencies]
print("BM25Okapi", dict(zip(frequencies, weights)))
assert weights[:4] == [2.15, 0.4, 0.04, 0] and weights[4] == weights[5] > 2 * weights[1]
steady = [float(plus.idf[f"in{times}"]) for times in frequencies]
assert steady == sorted(steady, reverse=True) and len(set(steady)) == len(steady)

two = BM25Okapi([["the", "dog", "barks"], ["the", "cat", "sleeps"]])
print("two documents, the query dog:", two.get_scores(["dog"]))
assert list(two.get_scores(["dog"])) == [0, 0]

# Of 100 texts the first 60 have "the", and the other 40 have "film"; a query names both.
texts = [["the"] * (text < 60) + ["film"] * (text >= 60) + [f"own{text}-{place}" for place in range(10)] for text in range(100)]
scores = BM25Okapi(texts).get_scores(["the", "film"])
print("the:", round(float(scores[0]), 2), "film:", round(float(scores[99]), 2))
assert scores[0] > 2 * scores[99] > 0
EOF
