# %% exercise="h"
def h(tree):
    """Return how often each rule occurs in a tree."""
    counts = {}
    for label, below in nodes(tree):
        right = below if isinstance(below, str) else " ".join(child[0] for child in below)
        rule = f"{label} -> {right}"
        counts[rule] = counts.get(rule, 0) + 1
    return counts


# %% exercise="primal"
def dot(x, y):
    """Return x . y of two dicts of features: the sum of the products of what both have."""
    return sum(value * y[f] for f, value in x.items() if f in y)


def train_primal(lists, epochs):
    """Return w, a dict, after some passes over lists of pairs: (dicts of features, number of the best)."""
    w = {}
    for _ in range(epochs):
        for x, best in lists:
            j = max(range(len(x)), key=lambda j: dot(w, x[j]))
            if j != best:
                for f, value in x[best].items():
                    w[f] = w.get(f, 0) + value
                for f, value in x[j].items():
                    w[f] = w.get(f, 0) - value
    return w


# %% exercise="dual"
def G(x, alpha, lists, K):
    """Return the score of the candidate x, given alpha, the lists of the training, and the kernel K(x, x')."""
    score = 0
    for (i, j), times in alpha.items():
        candidates, best = lists[i]
        score += times * (K(candidates[best], x) - K(candidates[j], x))
    return score


def train_dual(lists, K, epochs):
    """Return alpha after some passes over lists of pairs: (candidates, number of the best)."""
    alpha = {}
    for _ in range(epochs):
        for i, (x, best) in enumerate(lists):
            j = max(range(len(x)), key=lambda j: G(x[j], alpha, lists, K))
            if j != best:
                alpha[i, j] = alpha.get((i, j), 0) + 1
    return alpha


# %% exercise="subsequence_kernel"
def subsequences(s, n, decay):
    """Return h(s): a dict from each subsequence of n symbols, as a tuple, to its value."""
    found = {}
    for places in combinations(range(len(s)), n):
        u = tuple(s[k] for k in places)
        found[u] = found.get(u, 0) + decay ** (places[-1] - places[0] + 1)
    return found


def subsequence_kernel(s, t, n, decay):
    """Return K(s, t)."""
    return dot(subsequences(s, n, decay), subsequences(t, n, decay))


# %% exercise="tree_kernel"
@cache
def production(node):
    """Return the label of a node with its word, or with the labels of its children."""
    label, below = node
    return (label, below) if isinstance(below, str) else (label, tuple(child[0] for child in below))


def f(n1, n2, decay):
    """Return the weighted number of fragments that are in both trees with the roots n1 and n2."""
    if production(n1) != production(n2):
        return 0
    if isinstance(n1[1], str):
        return decay
    ways = decay
    for child1, child2 in zip(n1[1], n2[1]):
        ways *= 1 + f(child1, child2, decay)
    return ways


def tree_kernel(T1, T2, decay):
    """Return K(T1, T2)."""
    return sum(f(n1, n2, decay) for n1 in nodes(T1) for n2 in nodes(T2))


# %% exercise="own_kernel"
def my_kernel(x, y):
    """Return how alike two trees are."""
    return K(x, y) / (K(x, x) * K(y, y)) ** 0.5
