"""The polynomial kernel (x . y + c)^p: the dot product of all conjunctions of up to p features, not one of them made.

The product of p sums is a sum over all ways to take one term of each, a feature of x or the constant c. So h(x) has a
dimension for every p terms that are taken in order::

    K(x, y) = (x_1 y_1 + ... + x_d y_d + c)^p = sum over (t_1 ... t_p) of {1 ... d, constant}^p of h_t(x) h_t(y)
    h_t(x)  = product over k of  x_(t_k), or sqrt(c) where t_k is the constant

Of those (d + 1)^p dimensions `conjunctions` adds up the ones that have the same features: the constant pads a
conjunction of fewer than p features, and without it (c = 0) all have p. The kernel takes d multiplications.

>>> x, y = {"dog": 1.0, "barks": 2.0}, {"dog": 3.0, "barks": 1.0, "loudly": 1.0}
>>> polynomial_kernel(x, y, p=2, c=1.0), round(dot(conjunctions(x, p=2, c=1.0), conjunctions(y, p=2, c=1.0)), 6)
(36.0, 36.0)
"""

from collections import Counter
from collections.abc import Mapping
from itertools import product
from math import prod, sqrt

from sapwood_lab.dual import dot

Percepts = Mapping[str, float]


def polynomial_kernel(x: Percepts, y: Percepts, p: int = 2, c: float = 1.0) -> float:
    """Return (x . y + c)^p."""
    return float((dot(x, y) + c) ** p)


def conjunctions(x: Percepts, p: int = 2, c: float = 1.0) -> dict[tuple[str, ...], float]:
    """Return h(x), shortest first: of n orders of the same features one, with sqrt(n) times their value."""
    terms = {"": sqrt(c), **x}
    orders = Counter(tuple(sorted(t)) for t in product(terms, repeat=p))
    h = {tuple(filter(None, t)): sqrt(n) * prod(terms[term] for term in t) for t, n in orders.items()}
    return dict(sorted(((t, value) for t, value in h.items() if value != 0), key=lambda each: len(each[0])))
