"""The voted perceptron for two classes (Freund & Schapire 1999): all weights that there were vote.

Naive, with the weights after each example::

    w <- 0;  W <- []
    for each (x, y) of T passes over D:
        if sign(w . x) is not y:
            w <- w + y x
        append w to W
    return W                                  guess: sign of the sum of sign(w_i . x)

Improved, with equal weights once, and one vote for each example until the next update::

    w <- 0;  W <- [w];  v <- [0]
    for each (x, y) of T passes over D:
        if sign(w . x) is not y:
            w <- w + y x
            append w to W, 0 to v
        last of v <- last of v + 1
    return W, v                               guess: sign of the sum of v_i sign(w_i . x)

>>> W, v = voted_improved([(Vector(a=1), 1), (Vector(b=1), -1), (Vector(a=1, b=1), -1)])
>>> W, v
([{}, {'a': 1.0}, {'a': 0.0, 'b': -1.0}], [0, 2, 1])
>>> votes(W, v, Vector(a=1)), votes(W, v, Vector(b=1))  # two for 1 and one against; all against
(1, -3)
"""

from sapwood_lab.binary.vectors import Data, Vector, Zero, sign


def voted_naive(D: Data, T: int = 1, zero: Zero = Vector) -> list[Vector]:
    """Return the weights after each example of T passes over D."""
    w, W = zero(), []
    for x, y in T * D:
        if sign(w @ x) != y:
            w += y * x
        W.append(w.copy())
    return W


def voted_improved(D: Data, T: int = 1, zero: Zero = Vector) -> tuple[list[Vector], list[int]]:
    """Return all different weights of T passes over D, and the number of votes of each."""
    w = zero()
    W, v = [w.copy()], [0]
    for x, y in T * D:
        if sign(w @ x) != y:
            w += y * x
            W.append(w.copy())
            v.append(0)
        v[-1] += 1
    return W, v


def votes(W: list[Vector], v: list[int], x: Vector) -> int:
    """Return the votes for 1 less those for -1."""
    return sum(v_i * sign(w_i @ x) for w_i, v_i in zip(W, v, strict=True))
