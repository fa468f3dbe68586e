"""Hildreth's algorithm (1957) for the quadratic program of MIRA: how far to go along each of k violations.

In the dual form of the program (`sapwood.lab.mira`) the change of w is a sum of violations, each as often as it is
needed, and no more than C::

    w' = w + sum over j of alpha_j v_j       b_j = cost(y_j) - w . v_j
    alpha <- the one of largest  sum over j of alpha_j b_j - |sum over j of alpha_j v_j|^2 / 2,  0 <= alpha_j <= C

One alpha after the other is taken to its best value, until none moves::

    alpha_j <- alpha_j + (b_j - v_j . sum over i of alpha_i v_i) / |v_j|^2,  but not below 0 nor above C

>>> hildreth([{"a": 1.0}, {"a": 1.0, "b": 1.0}], [1.0, 3.0], C=10.0)
[0.0, 1.5]
"""

from collections.abc import Mapping, Sequence
from typing import Any

from sapwood.lab.dual import dot


def hildreth(v: Sequence[Mapping[Any, float]], b: Sequence[float], C: float) -> list[float]:
    """Return the alpha [k] that is best, each from 0 to C."""
    alpha, moved = [0.0] * len(v), True
    gram = [[dot(v_i, v_j) for v_i in v] for v_j in v]
    while moved:
        moved = False
        for j, row in enumerate(gram):
            if row[j] > 0:  # a structure with the features of gold cannot be beaten
                gain = b[j] - sum(a * g for a, g in zip(alpha, row, strict=True))
                before, alpha[j] = alpha[j], min(C, max(0.0, alpha[j] + gain / row[j]))
                moved |= abs(alpha[j] - before) > 1e-10
    return alpha
