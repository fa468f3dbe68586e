"""Lesson 2: typical mistakes, and what the checkers say of them."""

import pytest
from lesson_runs import run, solutions, verdicts, with_answers, wrong

MISTAKES = [
    ("phi", "h = START", 'h = ""', "no feature has START as the label before"),
    ("phi", "        h = y\n", "", "the feature"),
    ("phi", "counts[feature] += 1", "counts[feature] = 1", "each feature has the value 1"),
    ("phi", "    return counts", "", "what phi returns is None"),
    ("phi", "f(words, i, h, y)", "f(words, i, y, h)", "a word has the label START"),
    ("phi", "f(words, i, h, y)", '[("word " + words[i], y)]', "which f did not return"),
    ("forward", "[{y: s(0, START, y) for y in labels}]", "[{y: 0 for y in labels}]", "was s(0, START, y) forgotten"),
    ("forward", "max(alpha", "sum(alpha", "the sum over all labels h"),
    ("forward", "max(alpha", "min(alpha", "the smallest over all labels h"),
    ("forward", "alpha[i - 1][h] + s(i, h, y)", "s(i, h, y)", "that is the best s alone"),
    ("forward", "alpha[i - 1][h] + s(i, h, y)", "alpha[i - 1][h]", "alone: s(i, h, y) is not in it"),
    ("forward", "max(alpha[i - 1][h] + s(i, h, y) for", "str(0 for", "should be a number"),
    ("forward", "s(i, h, y)", "s(i, y, h)", "h and y may be in the wrong order"),
    ("forward", "range(1, n)", "range(1, n - 1)", "there is a dict for each word"),
    ("forward", "s(i, h, y)", "s(i - 1, h, y)", "which there is not"),
    ("viterbi", "path[::-1]", "path", "turn it round"),
    ("viterbi", "max(labels, key=scores.get)", "max(reversed(labels), key=scores.get)", "Of equally good labels"),
    ("viterbi", "max(labels, key=alpha[n - 1].get)", "max(sorted(labels), key=alpha[n - 1].get)", "Of equally good"),
    ("viterbi", "y = back[i][y]", "y = max(labels, key=alpha[i - 1].get)", "follow the back pointers"),
    ("viterbi", "[{y: s(0, START, y) for y in labels}]", "[{y: 0 for y in labels}]", "Is s(0, START, y) in alpha[0]?"),
    ("viterbi", "max(labels, key=scores.get)", "max(labels, key=lambda h: s(i, h, y))", "alpha[i - 1][h] counts, too"),
    ("viterbi", "h = max", "h = min", "there is one with"),
    ("viterbi", "range(n - 1, 0, -1)", "range(n - 1, 1, -1)", "the length 1, and not 2"),
    ("viterbi", "y = back[i][y]", "y = back[i]", "has something that is no label"),
    ("update", "w.get(feature, 0) + n", "w[feature] + n", "'a', which is not in the dict\n    in the line  w["),
    ("update", "w.get(feature, 0) - n", "w.get(feature, 0)", "The guess's features have not been subtracted"),
    ("update", "w.get(feature, 0) - n", "w.get(feature, 0) - 1", "which is too"),
    ("update", "    for feature, n in right", "    w = dict(w)\n    for feature, n in right", "w has not changed"),
    ("train", "return {", "return w or {", "the last weights"),
    ("train", "weight / presented", "weight", "divide it by the"),
    ("train", "weight / presented", "weight / len(sentences)", "by the sentences of one epoch"),
    ("train", "gold), phi(f, words, guess)", "guess), phi(f, words, gold)", "the weight of"),
    ("train", "total.get(feature, 0) + weight", "weight", "Only the last w is in total"),
    ("train", "range(epochs)", "range(1)", "for 3 sentences and 2 epochs the weight of ('word "),
    ("train", "[word for word, _ in sentence]", "sentence", "line  guess = decode(w, f, words, labels)\n    and there"),
    ("my_features", '("ending " + word[-2:], y)', '["ending " + word[-2:], y]', "make it a tuple"),
    ("my_features", 'word[-2:], y)', 'word[-2:], h)', "pair what you see with y"),
    ("my_features", '("ending " + word[-3:], y)', '("ending " + word[-2:], y)', "is there twice"),
    ("my_features", "word[-", "word[:", "95% of all are needed"),
]  # fmt: skip


@pytest.mark.few(1)
@pytest.mark.parametrize("exercise, old, new, said", MISTAKES)
def test_a_mistake_is_told(exercise, old, new, said):
    verdict = wrong(2, exercise, old, new)
    assert not verdict.passed
    assert said in verdict.message, verdict.message


def test_the_message_on_a_small_case_shows_the_scores_and_the_path():
    verdict = wrong(2, "viterbi", "max(labels, key=alpha[n - 1].get)", "labels[0]")
    assert verdict.message.startswith("not yet: for 1 word and the labels A B, where s is\n    word 0:  <start>->A ")
    assert "your path A has the score" in verdict.message
    assert "; there is one with" in verdict.message


@pytest.mark.slow
def test_features_that_only_some_words_have_are_accepted():
    features = """
def my_features(words, i, h, y):
    features = [("word " + words[i], y), ("label before", (h, y))]
    for ending in ("s", "ed", "ing", "ly", "er"):
        if words[i].endswith(ending):
            features.append(("ending " + ending, y))
    return features
"""
    verdict = verdicts(run(with_answers(2, solutions(2) | {"my_features": features}), only="my_features"))[
        "my_features"
    ]
    assert verdict.passed, verdict.message
