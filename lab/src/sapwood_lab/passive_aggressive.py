"""Passive-aggressive updates (Crammer, Dekel, Keshet, Shalev-Shwartz & Singer 2006), for any search.

The perceptron adds the whole violation at each mistake. A passive-aggressive learner asks how much of it is needed::

    y'   <- argmax over z of w . phi(x, z) + cost(z)
    loss <- w . phi(x, y') + cost(y') - w . phi(x, y)
    if loss is above 0:
        tau <- loss / |phi(x, y) - phi(x, y')|^2                PA
        tau <- min(C, tau)                                      PA-I
        w   <- w + tau (phi(x, y) - phi(x, y'))

It is passive where gold is far enough ahead, and otherwise as aggressive as it must be: of all vectors by which y beats
y' by cost(y'), PA takes the one nearest to w. That one lies in the direction of the violation v, along which the score
of y over that of y' grows by tau v . v, which has to be the loss. PA-I goes no further than C, so that one example that
is labelled wrongly does little harm. With C infinite it is PA. The step of an example that counts k times is at most
k C. In the core it is ``update="pa"``, and C is `aggressiveness`.

>>> from sapwood_lab.losses import hamming
>>> from sapwood_lab.multiclass import Multiclass
>>> x = {"cheap": 1.0, "pills": 1.0}
>>> learner = Multiclass(loss=hamming(0.5), rule=PassiveAggressive(), epochs=1, average=False, seed=None)
>>> learner.fit([{"lunch": 1.0, "cheap": 1.0}, x], ["ham", "spam"]).w
{('lunch', 'spam'): -0.5, ('cheap', 'spam'): 0.25, ('pills', 'spam'): 0.75}
>>> learner.scores(x)  # gold is ahead by gamma times the mean squared length, 2, and by no more
{'ham': 0, 'spam': 1.0}
"""

from dataclasses import dataclass

from sapwood_lab.errors import OptionError


@dataclass(frozen=True)
class PassiveAggressive:
    """The rule PA-I and, if C is infinite, PA. Raises OptionError if C is not above 0."""

    C: float = float("inf")

    def __post_init__(self) -> None:
        if not self.C > 0:
            raise OptionError("C is a number above 0")

    def __call__(self, loss: float, square: float, importance: float) -> float:
        """Return tau."""
        return min(self.C * importance, max(0.0, loss / square))
