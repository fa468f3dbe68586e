#!/usr/bin/env bash
# NLTK 3.10.4 and river 0.26.1: words that training never saw speak for the class with the fewest examples.
#
# A word that no class has seen tells nothing, and scikit-learn's naive Bayes, whose vectorizer leaves it out, answers by the others. River's
# `MultinomialNB` smooths it in each class for itself: where fewer words were seen, one more is likelier, and a few new ones
# outvote a word that is sure. NLTK's classifier says that it leaves out features that it does not know. That is so for names;
# a new value of a known name, as in {"last": "q"} or {"word": "plum"}, is smoothed as well. The rarer a class, the more of
# the long and odd texts it gets, and nothing but its share of the answers tells.
# Seen: of 90 and 10 examples, 0.99 for the first class by a sure word, 0.17 with three new words beside it (river), 0.99 in
# scikit-learn; 0.90 without a known name, 0.53 for one new value, 0.02 for three (NLTK).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check nltk==3.10.4 river==0.26.1 scikit-learn==1.9.1
"$folder/env/bin/python" - <<'EOF'
from nltk.classify import NaiveBayesClassifier
from river.naive_bayes import MultinomialNB
from sklearn.feature_extraction import DictVectorizer
from sklearn.naive_bayes import MultinomialNB as ScikitNB

examples = [({"good": 1, "plot": 1}, "up")] * 90 + [({"bad": 1, "plot": 1}, "down")] * 10
river, vectorizer = MultinomialNB(), DictVectorizer()
for features, label in examples:
    river.learn_one(features, label)
scikit = ScikitNB().fit(vectorizer.fit_transform([each for each, _ in examples]), [label for _, label in examples])
for words, by_river, by_scikit in [
    ([], 0.9, 0.9),
    (["one"], 0.531, 0.9),
    (["good"], 0.99, 0.99),
    (["good", "one", "two", "three"], 0.17, 0.99),
    (["good", "one", "two", "three", "four"], 0.025, 0.99),
]:
    features = dict.fromkeys(words, 1)
    shares = river.predict_proba_one(features)["up"], scikit.predict_proba(vectorizer.transform([features]))[0][1]
    print(words, "up: {:.3f} by river, {:.3f} by scikit-learn".format(*shares))
    assert [round(share, 3) for share in shares] == [by_river, by_scikit]

names = ("first", "middle", "last")
examples = [(dict.fromkeys(names, letter), "up") for letter in "abc" * 30] + [(dict.fromkeys(names, "d"), "down")] * 10
nltk = NaiveBayesClassifier.train(examples)
for features, share in [({}, 0.896), ({"other": "q"}, 0.896), ({"last": "q"}, 0.529), (dict.fromkeys(names, "q"), 0.019)]:
    found = nltk.prob_classify(features).prob("up")
    print(features, f"up: {found:.3f} by NLTK")
    assert round(found, 3) == share
EOF
