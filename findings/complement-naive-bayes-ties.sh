#!/usr/bin/env bash
# scikit-learn 1.9.1: ComplementNB, made for classes of different size, gives a text without known words the first class of the alphabet.
#
# Naive Bayes knows how frequent each class is, and a text that says nothing should be of the most frequent one: MultinomialNB and
# linear models do that. ComplementNB has `fit_prior` and `class_log_prior_`, too, but uses them only if there is one class: all classes tie. And where
# classes tie, `predict` takes the first one, and `top_k_accuracy_score` the last one, so that the accuracy of the best answer is another
# figure than the accuracy of the answers.
# Seen: of 95 "ham", 10 "work" and 5 "ads" in training, an empty text is "ads"; the accuracy is 1.0 or 0.0, and 0.0 or 1.0 for k=1.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check scikit-learn==1.9.1 numpy==2.4.6 scipy==1.17.1
"$folder/env/bin/python" - <<'EOF'
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, top_k_accuracy_score
from sklearn.naive_bayes import ComplementNB, MultinomialNB
from sklearn.pipeline import make_pipeline

texts = ["see you at home"] * 95 + ["buy this now"] * 5 + ["call me back"] * 10
labels = ["ham"] * 95 + ["ads"] * 5 + ["work"] * 10
unknown = ["", "xyz", "nothing else"]
for classifier in (MultinomialNB(), LogisticRegression(), ComplementNB()):
    model = make_pipeline(CountVectorizer(), classifier).fit(texts, labels)
    answers, scores = model.predict(unknown), model.predict_proba(unknown)
    print(type(classifier).__name__, answers, scores[0].round(3))
    assert [*answers] == ["ads" if classifier.__class__ is ComplementNB else "ham"] * 3
for label, accuracy, best in (("ads", 1, 0), ("work", 0, 1)):  # of ComplementNB
    gold = [label] * 3
    print(label, accuracy_score(gold, answers), top_k_accuracy_score(gold, scores, k=1, labels=model.classes_))
    assert accuracy_score(gold, answers) == accuracy
    assert top_k_accuracy_score(gold, scores, k=1, labels=model.classes_) == best
EOF
