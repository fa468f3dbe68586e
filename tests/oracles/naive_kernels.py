"""Kernels by writing down all that they count; nothing is clever here."""

from collections import Counter
from itertools import combinations, product


def fragments(tree):
    """Every fragment of a tree, as often as it occurs. A tree is (label, word) or (label, [children])."""
    found = Counter(rooted(tree))
    if not isinstance(tree[1], str):
        for child in tree[1]:
            found += fragments(child)
    return found


def rooted(tree):
    """The fragments at the root of a tree: (label, word), or (label, one label or fragment a child)."""
    label, below = tree
    if isinstance(below, str):
        return [(label, below)]
    choices = [[child[0], *rooted(child)] for child in below]
    return [(label, chosen) for chosen in product(*choices)]


def productions(fragment):
    """How many productions a fragment has."""
    below = fragment[1]
    return 1 + (0 if isinstance(below, str) else sum(productions(child) for child in below if isinstance(child, tuple)))


def tree_kernel(a, b, decay):
    first, second = fragments(a), fragments(b)
    return sum(count * second[f] * decay ** productions(f) for f, count in first.items() if f in second)


def bracketed(tree):
    label, below = tree
    return f"({label} {below if isinstance(below, str) else ' '.join(map(bracketed, below))})"


def subsequences(symbols, length, decay):
    """What each subsequence of so many symbols counts: decay to the power of the stretch that it is spread over."""
    found = Counter()
    for places in combinations(range(len(symbols)), length):
        found[tuple(symbols[k] for k in places)] += decay ** (places[-1] - places[0] + 1)
    return found


def subsequence_kernel(s, t, length, decay):
    first, second = subsequences(s, length, decay), subsequences(t, length, decay)
    return sum(value * second[u] for u, value in first.items())
