"""Generative models as linear models: their probabilities by definition, and their weights in a perceptron."""

from itertools import pairwise, product
from math import exp, inf, log, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sapwood_lab.errors import DataError, OptionError
from sapwood_lab.hmm import HMM, RARE
from sapwood_lab.multiclass import Multiclass
from sapwood_lab.naive_bayes import BIAS, NaiveBayes
from sapwood_lab.trellis import START
from sapwood_lab.viterbi import ViterbiTagger

one_column = st.tuples(st.sampled_from("abc"), st.sampled_from(["N", "V", "P"]))
two_columns = st.tuples(st.sampled_from("abc"), st.sampled_from("XY"), st.sampled_from(["N", "V", "P"]))
corpora = st.sampled_from([one_column, two_columns]).flatmap(
    lambda token: st.lists(st.lists(token, min_size=1, max_size=4), min_size=1, max_size=5)
)
smoothings = st.sampled_from([0.01, 0.5, 2.0])
rares = st.integers(0, 2)
counts = st.dictionaries(st.sampled_from("abcd"), st.sampled_from([0.5, 1, 2, 3]), max_size=4)
examples = st.lists(st.tuples(counts, st.sampled_from("xyz")), min_size=1, max_size=8)


def words_of(sentence):
    return [row[:-1] for row in sentence]


def observed(model, row):
    """The values of a row as the model sees them."""
    return [value if value in values else RARE for value, values in zip(row, model.values, strict=True)]


def probability(model, corpus, rows, labels):
    """p(x, y) by its definition, from the corpus itself: a product of smoothed shares."""
    delta, pairs = model.smoothing, [p for s in corpus for p in pairwise([START, *(row[-1] for row in s)])]
    p = 1.0
    for x, (h, y) in zip(rows, pairwise([START, *labels]), strict=True):
        after = [label for before, label in pairs if before == h]
        p *= (after.count(y) + delta) / (len(after) + delta * len(model.labels))
        for c, value in enumerate(observed(model, x)):
            seen = [observed(model, row[:-1])[c] for sentence in corpus for row in sentence if row[-1] == y]
            p *= (seen.count(value) + delta) / (len(seen) + delta * len(model.values[c]))
    return p


@given(corpus=corpora, smoothing=smoothings, rare=rares, data=st.data())
def test_the_log_probability_of_every_sequence_is_w_f_and_viterbi_finds_the_best(corpus, smoothing, rare, data):
    hmm = HMM(smoothing=smoothing, rare=rare).fit(corpus)
    rows = words_of(data.draw(st.sampled_from(corpus)))
    if data.draw(st.booleans()):
        rows[0] = ("new",) * len(rows[0])
    every = {labels: hmm.log_joint(rows, labels) for labels in product(hmm.labels, repeat=len(rows))}
    for labels, found in every.items():
        assert found == pytest.approx(log(probability(hmm, corpus, rows, labels)))
    best = tuple(hmm.label(rows))
    assert every[best] == pytest.approx(max(every.values()))
    assert hmm.log_marginal(rows) == pytest.approx(log(sum(map(exp, every.values()))))


@given(corpus=corpora, smoothing=smoothings, rare=rares)
def test_the_probabilities_of_all_words_with_all_labels_sum_to_1(corpus, smoothing, rare):
    hmm = HMM(smoothing=smoothing, rare=rare).fit(corpus)
    tokens = list(product(*hmm.values))
    for length in (1, 2):
        assert sum(exp(hmm.log_marginal(rows)) for rows in product(tokens, repeat=length)) == pytest.approx(1)


@given(corpus=corpora, smoothing=smoothings)
def test_the_structured_perceptrons_tagger_with_the_weights_of_an_hmm_is_that_hmm(corpus, smoothing):
    hmm = HMM(smoothing=smoothing, rare=0).fit(corpus)
    template = "B\n" + "".join(f"U{c}:%x[0,{c}]\n" for c in range(len(hmm.values)))
    tagger = ViterbiTagger(template, min_updates=0)
    tagger.labels, tagger.w = hmm.labels, hmm.w
    for rows in map(words_of, corpus):
        for labels in product(hmm.labels, repeat=len(rows)):
            assert tagger.score(tagger.phi(rows, labels)) == pytest.approx(hmm.log_joint(rows, labels))
        assert tagger.score(tagger.phi(rows, tagger.best(rows))) == pytest.approx(
            hmm.log_joint(rows, hmm.label(rows)), rel=1e-12
        )


def test_words_that_training_has_once_stand_for_new_ones():
    hmm = HMM(smoothing=0.1).fit([[("the", "D"), ("dog", "N")], [("the", "D"), ("cat", "N")]])
    assert [list(values) for values in hmm.values] == [["the", RARE]]
    assert hmm.f(("emu",), "D", "N") == hmm.f(("dog",), "D", "N") == [("B", ("D", "N")), (f"U0:{RARE}", ("N",))]
    assert exp(hmm.w[f"U0:{RARE}", ("N",)]) == pytest.approx(2.1 / 2.2)


@given(examples=examples, smoothing=smoothings, x=counts)
def test_the_log_probability_of_every_class_is_w_phi(examples, smoothing, x):
    X, y = map(list, zip(*examples, strict=True))
    bayes = NaiveBayes(smoothing=smoothing).fit(X, y)
    joint = {}
    for label in bayes.labels:
        inside = [row for row, each in examples if each == label]
        total = sum(sum(row.values()) for row in inside) + smoothing * len(bayes.percepts)
        p = len(inside) / len(y)
        for percept, value in x.items():
            if percept in bayes.percepts:
                p *= ((sum(row.get(percept, 0) for row in inside) + smoothing) / total) ** value
        joint[label] = p
        assert bayes.log_joint(x, label) == pytest.approx(log(p))
    assert exp(bayes.log_marginal(x)) == pytest.approx(sum(joint.values()))
    assert bayes.posterior(x) == pytest.approx({label: p / sum(joint.values()) for label, p in joint.items()})
    [guess] = bayes.predict([x])
    assert joint[guess] == pytest.approx(max(joint.values()))


@given(examples=examples.filter(lambda rows: len({y for _, y in rows}) == 3), smoothing=smoothings)
def test_the_perceptrons_classifier_with_the_weights_of_naive_bayes_is_naive_bayes(examples, smoothing):
    X, y = map(list, zip(*examples, strict=True))
    bayes = NaiveBayes(smoothing=smoothing).fit(X, y)
    perceptron = Multiclass(min_updates=0)
    perceptron.labels, perceptron.w = bayes.labels, bayes.w
    with_bias = [{BIAS: 1.0, **x} for x in X]
    for x, biased in zip(X, with_bias, strict=True):
        assert perceptron.scores(biased) == pytest.approx({y: bayes.log_joint(x, y) for y in bayes.labels})
    assert perceptron.predict(with_bias) == bayes.predict(X)


@given(examples=examples.filter(lambda rows: len({y for _, y in rows}) > 1), smoothing=smoothings)
def test_scikit_learn_counts_the_same(examples, smoothing):
    feature_extraction = pytest.importorskip("sklearn.feature_extraction")
    from sklearn.naive_bayes import MultinomialNB

    X, y = map(list, zip(*examples, strict=True))
    bayes = NaiveBayes(smoothing=smoothing).fit(X, y)
    if not bayes.percepts:
        return  # scikit-learn refuses a matrix without columns
    vectorizer = feature_extraction.DictVectorizer()
    peer = MultinomialNB(alpha=smoothing).fit(vectorizer.fit_transform(X), y)
    found = peer.predict_joint_log_proba(vectorizer.transform(X))
    for x, logs in zip(X, found, strict=True):
        assert [bayes.log_joint(x, label) for label in peer.classes_] == pytest.approx(list(logs))


@pytest.mark.parametrize("smoothing", [0.0, -1.0, inf, nan])
def test_without_smoothing_there_is_no_logarithm(smoothing):
    for model in (HMM, NaiveBayes):
        with pytest.raises(OptionError, match="smoothing is a number above 0"):
            model(smoothing=smoothing)


def test_what_cannot_be_counted_is_refused():
    with pytest.raises(DataError, match="no token to count"):
        HMM().fit([])
    with pytest.raises(DataError, match="0 examples have 0 labels"):
        NaiveBayes().fit([], [])
    with pytest.raises(DataError, match="2 examples have 1 labels"):
        NaiveBayes().fit([{}, {}], ["x"])
    with pytest.raises(DataError, match="below 0 is no count"):
        NaiveBayes().fit([{"a": -1}], ["x"])
