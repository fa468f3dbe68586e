#!/usr/bin/env bash
# lime 0.2.0.1: in a text of two words, a word that the model never looks at speaks against the answer.
#
# `LimeTextExplainer` leaves words out of a text at random, asks the model about what remains, and fits a line to the answers. Each of its 5,000
# texts but the first lacks one word or more, and those that lack all words hardly count. Of "good film" nearly all that counts is "good"
# alone and "film" alone, in which one word is there exactly if the other is not, so that the line cannot tell the two apart, and
# gives both a share. A model that knows nothing but good has film at a third of good's weight, with the other sign, and the fit is
# reported as perfect. From three words on the weight is 0. Another seed changes nothing, and four times as many texts leave half of it.
# Short reviews, queries and titles often have two words.
# Seen: good 0.28, film -0.10; bad -0.28, film 0.10; a third word: good 0.38, film 0.00. A reported fit (score) of 1.00 each time.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet --disable-pip-version-check lime==0.2.0.1 numpy==2.4.6 scipy==1.17.1 scikit-learn==1.9.1
"$folder/env/bin/python" - <<'EOF'
import numpy as np
from lime.lime_text import LimeTextExplainer


def answers(texts):
    """Return the probabilities of "bad" and "good" by these two words alone."""
    scores = [2 * text.split().count("good") - 2 * text.split().count("bad") for text in texts]
    good = 1 / (1 + np.exp(-np.array(scores)))
    return np.stack([1 - good, good], axis=1)


def explained(text, seed, texts=5000):
    explainer = LimeTextExplainer(class_names=["bad", "good"], random_state=seed)
    explanation = explainer.explain_instance(text, answers, num_samples=texts)
    return {str(word): round(float(weight), 2) for word, weight in explanation.as_list()}, round(float(explanation.score), 2)


for seed in (0, 1):
    for text, sign in (("good film", 1), ("bad film", -1)):
        weights, fit = explained(text, seed)
        print(f"{text}, seed {seed}: {weights}, fit {fit}")
        word = text.split()[0]
        assert 0.25 < sign * weights[word] < 0.31 and 0.08 < -sign * weights["film"] < 0.12 and fit == 1
    weights, fit = explained("good old film", seed)
    print(f"good old film, seed {seed}: {weights}, fit {fit}")
    assert weights == {"good": 0.38, "old": 0, "film": 0} and fit == 1
weights, _ = explained("good film", 0, texts=20_000)
print("good film, 20,000 texts:", weights)
assert 0.04 < -weights["film"] < 0.08
EOF
