#!/usr/bin/env bash
# rake-nltk 1.0.6: a phrase ends at a comma, but not at a quote and a comma: "folk music", red wine is one key phrase, and the best one.
#
# RAKE takes what stands between stop words and punctuation for a phrase, and the longer a phrase is, the higher its score. The package
# knows single signs of punctuation. Its tokenizer joins signs that touch: `",`, `),` and `...` are one token each, which is in
# no list, so that it counts as a word of the phrase and joins what stands on both sides. By their length these are ranked first.
# `punctuations` takes a set in which such tokens could be listed one by one.
# Seen: 'She plays "folk music", red wine was cheap.' -> 'folk music ", red wine' (25), without the quotes 'plays folk music' (9), 'red wine' (4).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check rake-nltk==1.0.6 nltk==3.10.4
"$folder/env/bin/python" - <<'EOF'
from rake_nltk import Rake

# The lists of NLTK are not needed: the stop words are given, and each text is one sentence.
rake = Rake(stopwords=["the", "a", "and", "of", "she", "in", "was", "we"], sentence_tokenizer=lambda text: [text])
for text, phrases in {
    'She plays "folk music", red wine was cheap.': [(25, 'folk music ", red wine'), (1, "plays"), (1, "cheap")],
    "She plays folk music, red wine was cheap.": [(9, "plays folk music"), (4, "red wine"), (1, "cheap")],
    "Prices rose (in May), sales fell.": [(16, "may ), sales fell"), (4, "prices rose")],
    "Old houses... new cars": [(25, "old houses ... new cars")],
    "Old houses; new cars": [(4, "old houses"), (4, "new cars")],
}.items():
    rake.extract_keywords_from_text(text)
    print(text, "->", rake.get_ranked_phrases_with_scores())
    assert rake.get_ranked_phrases_with_scores() == phrases
EOF
