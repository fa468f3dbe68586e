"""Viterbi search of the laboratory, and what is built on it, against all sequences written down and scored."""

from collections import Counter
from itertools import product
from math import inf
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sapwood_lab.k_best import k_best
from sapwood_lab.trellis import after_each, forward, viterbi
from sapwood_lab.viterbi_against import viterbi_against


@pytest.mark.parametrize("order", [1, 2])
@given(count=st.integers(1, 4), labels=st.integers(1, 3), data=st.data())
def test_viterbi_is_the_best_of_all_sequences(order, count, labels, data):
    """Every sequence is written down and scored."""
    names, scores = "abc"[:labels], {}

    def s(i, history):
        return scores.setdefault((i, history), data.draw(st.integers(-3, 3)))

    def score(path):
        padded = ("<start>",) * order + path
        return sum(s(i, padded[i : i + order + 1]) for i in range(count))

    every = {path: score(path) for path in product(names, repeat=count)}
    found = viterbi(count, list(names), order, s)
    assert every[found] == max(every.values())


@pytest.mark.parametrize("T", [1, 2, 5, 9])
@pytest.mark.parametrize("n", [2, 3])
def test_an_n_gram_tagger_scores_t_to_the_n_label_sequences_a_token(n, T):
    """O(T^n): T labels, each after any n - 1 labels before it; of the first tokens there are fewer before."""
    labels, calls = [str(y) for y in range(T)], Counter()

    def s(i, history):
        calls[i] += 1
        return 0.0

    viterbi(12, labels, n - 1, s)
    assert [calls[i] for i in range(12)] == [T ** min(i + 1, n) for i in range(12)]


@given(count=st.integers(1, 4), k=st.integers(1, 20), seed=st.integers(0, 2**32))
def test_the_k_best_sequences_are_the_best_of_all(count, k, seed):
    random, names = Random(seed), "ab"
    scores = {(i, h, y): random.randint(-3, 3) for i in range(count) for h in ("<start>", *names) for y in names}

    def search(allowed):
        path = viterbi(count, names, 1, lambda i, pair: scores[i, *pair] if pair[1] in allowed[i] else -inf)
        return path, whole(path)

    def whole(path):
        return sum(scores[i, h, y] for i, (h, y) in enumerate(zip(("<start>", *path), path, strict=False)))

    found = k_best(search, [set(names)] * count, k)
    assert [score for _, score in found] == sorted(map(whole, product(names, repeat=count)), reverse=True)[:k]
    assert len({path for path, _ in found}) == len(found)


@pytest.mark.parametrize("order", [1, 2])
@given(count=st.integers(1, 4), labels=st.integers(1, 3), gamma=st.integers(0, 4), data=st.data())
def test_gold_is_held_against_all_other_sequences(order, count, labels, gamma, data):
    """Of the sequences that score the same the first one wins, by its last labels, gold or not."""
    names, scores = "abc"[:labels], {}
    every = sorted(product(names, repeat=count), key=lambda path: (path[-order:], path[:-order][::-1]))
    gold = data.draw(st.sampled_from(every))

    def s(i, history):
        return scores.setdefault((i, history), data.draw(st.integers(-1, 1)))

    def score(path):
        padded = ("<start>",) * order + path
        return sum(s(i, padded[i : i + order + 1]) for i in range(count)) + gamma * (path != gold)

    rows = after_each(s)
    assert viterbi_against(gold, gamma, forward(count, names, order, rows), rows) == max(every, key=score)
