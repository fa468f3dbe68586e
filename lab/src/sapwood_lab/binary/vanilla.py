"""The perceptron for two classes (Rosenblatt 1958): the weights after the last update.

::

    w <- 0
    for each (x, y) of T passes over D:
        if sign(w . x) is not y:
            w <- w + y x
    return w

The new score of x is w' . x = w . x + y x . x: an update raises it by x . x if y is 1, and lowers it by x . x if y is
-1. So x is scored better than before, though not always rightly, and other examples may be scored worse.

>>> cheap, lunch = Vector(cheap=2, the=1), Vector(cheap=4, the=1)
>>> old = vanilla([(cheap, 1)])
>>> old, old @ cheap, old @ lunch
({'cheap': 2.0, 'the': 1.0}, 5.0, 9.0)
>>> new = vanilla([(cheap, 1), (lunch, -1)])
>>> new, new @ cheap, new @ lunch  # the update on lunch, whose x . x is 17, undoes what cheap had taught
({'cheap': -2.0, 'the': 0.0}, -4.0, -8.0)
>>> w = vanilla([(cheap, 1), (lunch, -1)], T=20)
>>> sign(w @ cheap), sign(w @ lunch)  # with more passes both are right
(1, -1)
"""

from sapwood_lab.binary.vectors import Data, Vector, Zero, sign


def vanilla(D: Data, T: int = 1, zero: Zero = Vector) -> Vector:
    """Return the weights that T passes over the examples D end with."""
    w = zero()
    for x, y in T * D:
        if sign(w @ x) != y:
            w += y * x
    return w
