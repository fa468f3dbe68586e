"""Lesson 5: typical mistakes, and what the checkers say of them."""

import pytest
from lesson_runs import wrong_at_last

MISTAKES = [
    ("h", "counts[rule] = counts.get(rule, 0) + 1", "counts[rule] = 1", "every rule has the value 1"),
    ("h", '" ".join(child', '",".join(child', "a rule with labels is missing"),
    ("h", "{label} -> {right}", "{label}->{right}", "other spaces"),
    (
        "h",
        "        counts[rule]",
        "        if not isinstance(below, str):\n            counts[rule]",
        "a rule with a word is missing",
    ),
    ("h", "    return counts", "", "is None"),
    ("h", 'rule = f"{label} -> {right}"', "rule = label, right", "a feature is a text"),
    ("primal", "w = {}", "w = lists[0][0][0]", "the lists have changed"),
    ("primal", "for _ in range(epochs)", "for _ in range(1)", "only one pass"),
    ("primal", "max(range(len(x))", "max(reversed(range(len(x)))", "the last one is the guess"),
    ("primal", "w.get(f, 0) + value", "w.get(f, 0) - value", "h(best) is taken off"),
    (
        "primal",
        "                for f, value in x[j].items():\n                    w[f] = w.get(f, 0) - value\n",
        "",
        "h(guess) is not taken off",
    ),
    (
        "primal",
        "                for f, value in x[best].items():\n                    w[f] = w.get(f, 0) + value\n",
        "",
        "h(best) is not added",
    ),
    ("primal", "for x, best in lists", "for x, best in [(x, 0) for x, _ in lists]", "taken to be the first"),
    ("primal", "w.get(f, 0) + value", "w[f] + value", "stopped with KeyError"),
    (
        "dual",
        "K(candidates[best], x) - K(candidates[j], x)",
        "K(candidates[j], x) - K(candidates[best], x)",
        "the sign of G is wrong",
    ),
    (
        "dual",
        "K(candidates[best], x) - K(candidates[j], x)",
        "-K(candidates[j], x)",
        "the products with the best candidates are missing",
    ),
    ("dual", "K(candidates[best], x) - K(candidates[j], x)", "K(candidates[best], x)", "wrong guesses are missing"),
    ("dual", "score += times * (", "score += (", "alpha itself is left out"),
    (
        "dual",
        "alpha[i, j] = alpha.get((i, j), 0) + 1",
        "alpha[i, best] = alpha.get((i, best), 0) + 1",
        "for the best one",
    ),
    ("dual", "alpha[i, j] = alpha.get((i, j), 0) + 1", "alpha[i, j] = 1", "never more than 1"),
    ("dual", "            if j != best:\n    ", "", "a guess that was right has an alpha"),
    ("dual", "alpha[i, j] = alpha.get((i, j), 0) + 1", "alpha[i, j] = alpha.get((i, j), 0) - 1", "alpha falls"),
    (
        "dual",
        "alpha[i, j] = alpha.get((i, j), 0) + 1",
        "alpha[j, i] = alpha.get((j, i), 0) + 1",
        "but i is the number of a list",
    ),
    ("subsequence_kernel", "decay ** (places[-1] - places[0] + 1)", "1", "the decay is forgotten"),
    ("subsequence_kernel", "decay ** (places[-1] - places[0] + 1)", "decay ** n", "counts the symbols"),
    (
        "subsequence_kernel",
        "decay ** (places[-1] - places[0] + 1)",
        "decay ** (places[-1] - places[0])",
        "one too short",
    ),
    ("subsequence_kernel", "found.get(u, 0) + decay", "decay", "occurs again"),
    ("subsequence_kernel", "tuple(s[k] for k in places)", '"".join(s[k] for k in places)', "is a tuple"),
    (
        "subsequence_kernel",
        "combinations(range(len(s)), n)",
        "[range(k, k + n) for k in range(len(s) - n + 1)]",
        "with a gap are missing",
    ),
    ("subsequence_kernel", "return dot(", "return 2 * dot(", "twice"),
    ("subsequence_kernel", "subsequences(t, n, decay)", "subsequences(t, n, 1)", "only one of both"),
    (
        "subsequence_kernel",
        "return dot(subsequences(s, n, decay), subsequences(t, n, decay))",
        "return dot(subsequences(s, n, 1), subsequences(t, n, 1))",
        "the decay is forgotten",
    ),
    (
        "subsequence_kernel",
        "return dot(subsequences(s, n, decay), subsequences(t, n, decay))",
        "return len(set(subsequences(s, n, 1)) & set(subsequences(t, n, 1)))",
        "how many subsequences both have",
    ),
    ("tree_kernel", "ways = decay", "ways = 1", "not multiplied by the decay"),
    ("tree_kernel", "        return decay", "        return 1", "with a word below"),
    ("tree_kernel", "ways *= 1 + f(", "ways *= f(", "left as it is"),
    ("tree_kernel", "ways *= 1 + f(", "ways += 1 + f(", "K is"),
    ("tree_kernel", "ways = decay\n", "ways = 1\n", "decay"),
    ("tree_kernel", "if production(n1) != production(n2)", "if n1[0] != n2[0]", "labels only"),
    (
        "tree_kernel",
        "return sum(f(n1, n2, decay) for n1 in nodes(T1) for n2 in nodes(T2))",
        "return f(T1, T2, decay)",
        "only the roots",
    ),
    ("tree_kernel", "return sum(", "return 2 * sum(", "twice"),
    ("tree_kernel", "return sum(f(n1, n2, decay)", "return decay * sum(f(n1, n2, 1)", "the decay is there once"),
    ("tree_kernel", "return sum(f(n1, n2, decay)", "return sum(f(n1, n2, 1)", "the decay is forgotten"),
    ("tree_kernel", "for n1 in nodes(T1) for n2 in nodes(T2)", "for n1, n2 in zip(nodes(T1), nodes(T2))", "same place"),
    ("own_kernel", "return K(x, y) / (K(x, x) * K(y, y)) ** 0.5", "return K(x, y) / K(x, x)", "K(x, y) is not K(y, x)"),
    ("own_kernel", "return K(x, y) / (K(x, x) * K(y, y)) ** 0.5", "return float(x != y)", "it is no kernel"),
    ("own_kernel", "return K(x, y) / (K(x, x) * K(y, y)) ** 0.5", "return dot(h(x), h(y))", "it is a kernel, but only"),
    ("own_kernel", "return K(x, y) / (K(x, x) * K(y, y)) ** 0.5", "return -K(x, y)", "negative"),
]


@pytest.mark.slow
@pytest.mark.parametrize("exercise, old, new, said", MISTAKES)
def test_a_mistake_is_told(exercise, old, new, said):
    verdict = wrong_at_last(5, exercise, old, new)
    assert not verdict.passed
    assert said in verdict.message, verdict.message


@pytest.mark.slow
def test_alphas_of_0_may_be_there():
    all_of_them = "alpha = {(i, j): 0 for i, (x, _) in enumerate(lists) for j in range(len(x))}"
    assert wrong_at_last(5, "dual", "alpha = {}", all_of_them).passed
