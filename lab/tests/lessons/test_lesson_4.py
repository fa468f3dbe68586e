"""Lesson 4: typical mistakes, and what the checkers say of them."""

import pytest
from lesson_runs import wrong_at_last

MISTAKES = [
    ("average_of_updates", "(c - c_i) * n / c", "(c - c_i - 1) * n / c", "off by one: each update is missing"),
    ("average_of_updates", "(c - c_i) * n / c", "(c - c_i + 1) * n / c", "one vector too many"),
    ("average_of_updates", "(c - c_i) * n / c", "(c - c_i) * n / len(updates)", "divided by the number of updates"),
    ("average_of_updates", "(c - c_i) * n / c", "(c - c_i) * n", "that is w_s"),
    ("average_of_updates", "(c - c_i) * n / c", "c_i * n / c", "earlier updates weigh less"),
    ("average_of_updates", "(c - c_i) * n / c", "n", "last weights"),
    ("average_of_updates", "    return mean", "", "does the function end with"),
    ("average_of_updates", "return mean", "return list(mean)", "should be a dict"),
    ("lazy_average", "+ c * n", "+ (c + 1) * n", "off by one: each update is missing"),
    ("lazy_average", "+ c * n", "+ (c - 1) * n", "one vector too many"),
    ("lazy_average", "(c * n - self.w_a[f]) / c", "(c * n + self.w_a[f]) / c", "sign"),
    ("lazy_average", "(c * n - self.w_a[f]) / c", "(c * n - self.w_a[f])", "w_s"),
    ("lazy_average", "(c * n - self.w_a[f]) / c", "n - self.w_a[f]", "too"),
    ("lazy_average", "+ c * n", "+ n", "w_a has no clock"),
    (
        "lazy_average",
        "return {f: (c * n - self.w_a[f]) / c for f, n in w.items()}",
        "for f, n in w.items():\n            w[f] = (c * n - self.w_a[f]) / c\n        return w",
        "returns the dict w itself",
    ),
    ("lazy_average", "return {f: (c * n - self.w_a[f]) / c for f, n in w.items()}", "return dict(w)", "last weights"),
    ("sparse_perceptron", "    if guess == gold:\n        return\n", "", "counts updates, not presentations"),
    ("sparse_perceptron", "U[f] = U.get(f, 0) + 1", "U[f] = U.get(f, 0) + 2", "twice"),
    ("sparse_perceptron", "U[f] = U.get(f, 0) + 1", "U[f, gold] = U.get((f, gold), 0) + 1", "all classes share"),
    ("sparse_perceptron", "U[f] = U.get(f, 0) + 1", "U[f] = U.get(f, 0) + value", "values of features"),
    ("sparse_perceptron", ">= min_updates", "> min_updates", "just enough"),
    ("sparse_perceptron", " if U.get(f, 0) >= min_updates", "", "too few updates"),
    ("sparse_perceptron", "value\n", "1\n", "leaves out the values"),
    ("sparse_perceptron", "- value", "+ value", "those of the guess are not"),
    ("rare", "< k", "<= k", "exactly k"),
    ("rare", "< k", ">= k", "that stay"),
    ("rare", "count < k", "count < k - 1", "should not be"),
    ("size", " and U.get(f, 0) >= min_updates", "", "too few updates"),
    ("size", "weight != 0 and ", "", "all 0"),
    ("size", "{f for (f, _),", "{(f, _) for (f, _),", "number of weights"),
    ("rare_but_needed", 'return X, ["money", "water"]', 'return X * k, ["money", "water"] * k', "no feature is rare"),
    (
        "rare_but_needed",
        'return X, ["money", "water"]',
        'return [{"a": 1}] * 9 + [{"b": 1}] * 9 + X[:1], ["money"] * 9 + ["water"] * 9 + ["money"]',
        "pruning with",
    ),
    (
        "rare_but_needed",
        'return X, ["money", "water"]',
        'return X * 2, ["money", "water", "water", "money"]',
        "different labels",
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize("exercise, old, new, said", MISTAKES)
def test_a_mistake_is_told(exercise, old, new, said):
    verdict = wrong_at_last(4, exercise, old, new)
    assert not verdict.passed
    assert said in verdict.message, verdict.message
