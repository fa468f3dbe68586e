"""The averaged perceptron for two classes: the sum of the weights after each example, by four ways to one vector.

The sum is not divided by T|D|, which keeps its direction, and so its guesses.

Naive, as a running sum::

    w, w_s <- 0
    for each (x, y) of T passes over D:
        if sign(w . x) is not y:
            w <- w + y x
        w_s <- w_s + w
    return w_s

Improved, with equal weights once, each times the number of examples until the next update::

    W, v <- as the improved voted perceptron
    return w_s = sum of v_i w_i

From the updates, each times the number of examples from it to the end, as all later weights contain it::

    w <- 0;  c <- 0;  deltas <- []
    for each (x, y) of T passes over D:
        if sign(w . x) is not y:
            dw <- y x
            w <- w + dw
            append (dw, c) to deltas
        c <- c + 1
    return w_s = sum of (c - c_i) dw_i

Lazily, with two vectors (Daumé 2006). An update is missing in c of the summed weights; w_a takes it off::

    w, w_a <- 0;  c <- 0
    for each (x, y) of T passes over D:
        if sign(w . x) is not y:
            dw <- y x
            w <- w + dw
            w_a <- w_a + c dw
        c <- c + 1
    return w_s = c w - w_a

Of four updates, one on each of four examples, the first is in all four vectors of the sum, the last in one:

>>> D = [(Vector({name: 1}), 1) for name in "abcd"]
>>> averaged_naive(D)
{'a': 4.0, 'b': 3.0, 'c': 2.0, 'd': 1.0}
>>> averaged_naive(D) == averaged_improved(D) == averaged_updates(D) == averaged_lazy(D)
True
"""

from sapwood_lab.binary.vectors import Data, Vector, Zero, sign
from sapwood_lab.binary.voted import voted_improved


def averaged_naive(D: Data, T: int = 1, zero: Zero = Vector) -> Vector:
    """Return the sum of the weights after each example of T passes over D."""
    w, w_s = zero(), zero()
    for x, y in T * D:
        if sign(w @ x) != y:
            w += y * x
        w_s += w
    return w_s


def averaged_improved(D: Data, T: int = 1, zero: Zero = Vector) -> Vector:
    """Return the same sum, from all different weights."""
    W, v = voted_improved(D, T, zero)
    w_s = zero()
    for w_i, v_i in zip(W, v, strict=True):
        w_s += v_i * w_i
    return w_s


def averaged_updates(D: Data, T: int = 1, zero: Zero = Vector) -> Vector:
    """Return the same sum, from the updates."""
    w, c, deltas = zero(), 0, []
    for x, y in T * D:
        if sign(w @ x) != y:
            dw = y * x
            w += dw
            deltas.append((dw, c))
        c += 1
    w_s = zero()
    for dw_i, c_i in deltas:
        w_s += (c - c_i) * dw_i
    return w_s


def averaged_lazy(D: Data, T: int = 1, zero: Zero = Vector) -> Vector:
    """Return the same sum, from two vectors and a counter."""
    w, w_a, c = zero(), zero(), 0
    for x, y in T * D:
        if sign(w @ x) != y:
            dw = y * x
            w += dw
            w_a += c * dw
        c += 1
    return c * w - w_a
