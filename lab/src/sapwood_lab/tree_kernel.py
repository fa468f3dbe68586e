"""The tree kernel (Collins & Duffy 2002; Clark 2015, "Computation of Subtree Kernel").

h(T) has, for every tree fragment, how often it occurs in T. A fragment is a node with all its children, each of which
is either left as it is, as its label, or expanded in the same way. There are exponentially many, and `by_fragments`
writes them down. `tree_kernel` does not; it is the same number::

    K(T1, T2) = h(T1) . h(T2) = sum over nodes n1 of T1, n2 of T2 of f(n1, n2)

    f(n1, n2) = 0      if the productions of n1 and n2 differ
              = 1      if they are the same, and of words
              = product over k of (1 + f(child k of n1, child k of n2))    otherwise

A fragment of s productions is weighted by decay^s, for which each f is multiplied by the decay.

>>> dog, cat = [("NP", (("DT", "the"), ("NN", noun))) for noun in ("dog", "cat")]
>>> fragments(dog) & fragments(cat)
Counter({('NP', ('DT', 'NN')): 1, ('NP', (('DT', 'the'), 'NN')): 1, ('DT', 'the'): 1})
>>> tree_kernel(dog, cat), by_fragments(dog, cat)
(3.0, 3.0)
"""

from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import product
from math import prod, sqrt
from typing import Any

from sapwood_lab.trees import Tree, nodes

Fragment = tuple[str, "str | tuple[str | Fragment, ...]"]  # a label, and a word or labels and fragments


def tree_kernel(T1: Tree, T2: Tree, decay: float = 1.0) -> float:
    """Return the weighted number of fragments that two trees have in common."""

    @cache
    def f(n1: Tree, n2: Tree) -> float:
        if production(n1) != production(n2):
            return 0.0
        if isinstance(n1[1], str):
            return decay
        return decay * prod(1 + f(a, b) for a, b in zip(n1[1], n2[1], strict=True))

    return sum(f(n1, n2) for n1 in nodes(T1) for n2 in nodes(T2))


def production(node: Tree) -> tuple[str, object]:
    """Return a node's label with its word, or with the labels of its children."""
    label, below = node
    return label, below if isinstance(below, str) else tuple(child[0] for child in below)


def by_fragments(T1: Tree, T2: Tree, decay: float = 1.0) -> float:
    """Return h(T1) . h(T2), from the fragments themselves."""
    first, second = fragments(T1), fragments(T2)
    return sum(count * second[x] * decay ** _productions(x) for x, count in first.items())


def fragments(T: Tree) -> Counter[Fragment]:
    """Return h(T): every fragment of a tree, with how often it occurs."""
    return Counter(fragment for node in nodes(T) for fragment in _rooted(node))


def _rooted(node: Tree) -> list[Fragment]:
    """Return the fragments whose root is the node."""
    label, below = node
    if isinstance(below, str):
        return [(label, below)]
    choices: list[list[str | Fragment]] = [[child[0], *_rooted(child)] for child in below]
    return [(label, chosen) for chosen in product(*choices)]


def _productions(fragment: str | Fragment) -> int:
    """Return the number of productions of a fragment; a label alone has none."""
    if isinstance(fragment, str):
        return 0
    return 1 + (0 if isinstance(fragment[1], str) else sum(map(_productions, fragment[1])))


def normalised(K: Callable[[Any, Any], float]) -> Callable[[Any, Any], float]:
    """Return K(x, y) / sqrt(K(x, x) K(y, y)), which is 1 for equal examples; 0 where a square is 0."""

    def normal(x: Any, y: Any) -> float:
        squares = K(x, x) * K(y, y)
        return K(x, y) / sqrt(squares) if squares else 0.0

    return normal
