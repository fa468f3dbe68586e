#!/usr/bin/env bash
# stopwordsiso 0.7.1 and stop-words 2025.11.4: good, great and best are English stop words, bad, worst and awful are not.
#
# A stop list is meant for words that say nothing. The English lists of these packages have 1,298 and 1,333 words, among them
# not, no and never, as many lists have, but also most of the words by which people praise, and problem, useful, important and
# interesting. What blames is mostly missing. So of a review without its stop words the good half is gone: "not bad" and "bad"
# are the same, and "The best film, and a great one" is empty. Spanish, French, German and Russian lists have good, too, some with bad.
# Seen: nothing left of five words of praise, all left of five words of blame, in both; 0 features of the praise in scikit-learn 1.9.1.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check stopwordsiso==0.7.1 stop-words==2025.11.4 scikit-learn==1.9.1 numpy==2.4.6 scipy==1.17.1
"$folder/env/bin/python" -W error - <<'EOF'
import stop_words
import stopwordsiso
from sklearn.feature_extraction.text import CountVectorizer

PRAISE, BLAME = "good great best useful interesting", "bad terrible worst useless boring"
NOT = "not no never without"
OTHERS = {"es": "bueno", "fr": "bon", "de": "gut", "ru": "хорошо", "it": "bene", "pt": "bom"}
for words in (set(stopwordsiso.stopwords("en")), set(stop_words.get_stop_words("en"))):
    left = [[word for word in text.split() if word not in words] for text in (PRAISE, BLAME, NOT)]
    print(len(words), *left)
    assert left == [[], BLAME.split(), []]
    texts = ["It was the best, and a great one.", "It was the worst, and an awful one.", "It was not bad.", "It was bad."]
    counts = CountVectorizer(stop_words=sorted(word for word in words if word.isalpha())).fit_transform(texts).toarray()
    assert counts.sum(1).tolist() == [0, 2, 1, 1] and (counts[2] == counts[3]).all()
assert all(word in stopwordsiso.stopwords(language) for language, word in OTHERS.items())
EOF
