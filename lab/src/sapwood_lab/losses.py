"""Losses: what a wrong answer costs while training, so that gold has to win by a margin.

With a loss the guess is the argmax of w . phi(x, z) + cost(z), so gold has to be ahead of each z by its cost, or there
is an update. A loss is a function of a gold part and a guessed part: two labels of a token, say, or two heads of a
word. What a structure costs is the sum over its parts::

    hamming    cost(z) = gamma times the number of wrong parts of z
    constant   cost(z) = gamma, unless z is y
    regret     cost(z) = gamma times what z loses more than y, in lists of candidates whose losses the data have

The first is that of Taskar, Guestrin & Koller (2003) and of McDonald, Crammer & Pereira (2005), the second that of Dyer
(2015), "Another View", max {0, gamma + score(y^) - score(y)}; here y^ is the best structure that is not y. Either way
what is made small is the hinge L(w) = max over z of (w . phi(x, z) + cost(z)) - w . phi(x, y), and the update is a step
of length 1 against its subgradient phi(x, y') - phi(x, y). Without a loss the step is the perceptron's.

Any function will do, such as one by which it is worse to take a noun for a verb than for anything else:

>>> def loss(gold, guess):
...     return 2.0 if (gold, guess) == ("NN", "VB") else float(gold != guess)
>>> [cost(each, ["DT", "NN"], ["NN", "VB"]) for each in (loss, hamming(1.5), constant(1.5))]
[3.0, 3.0, 1.5]
"""

from collections.abc import Callable, Iterable
from math import isfinite
from typing import Any

from sapwood_lab.errors import OptionError

Loss = Callable[[Any, Any], float]  # of a gold part and a guessed one


def hamming(gamma: float) -> Loss:
    """Return the loss of gamma for each part that is wrong. Raises OptionError if gamma is not a number from 0."""
    return _named(lambda gold, guess: gamma if gold != guess else 0.0, "hamming", gamma)


def constant(gamma: float) -> Loss:
    """Return the loss of gamma for each structure that is not gold, which its mark `of_structures` says."""
    loss = _named(hamming(gamma), "constant", gamma)
    loss.of_structures = True  # type: ignore[attr-defined]
    return loss


def regret(gamma: float) -> Loss:
    """Return the loss of gamma times what a guess loses more than gold, given the losses of two candidates."""
    return _named(lambda gold, guess: gamma * float(guess - gold), "regret", gamma)


def no_loss(gold: Any, guess: Any) -> float:
    """Return 0: without a loss, nothing costs anything."""
    return 0.0


def is_of_structures(loss: Loss) -> bool:
    """Return true if a loss compares whole structures, and not their parts."""
    return getattr(loss, "of_structures", False)


def cost(loss: Loss, gold: Iterable[Any], guess: Iterable[Any]) -> float:
    """Return the cost of a structure, given its parts and those of gold."""
    return loss(gold, guess) if is_of_structures(loss) else sum(map(loss, gold, guess))


def _named(loss: Loss, name: str, gamma: float) -> Loss:
    """Return a loss that is shown by its name. Raises OptionError if gamma is not a number from 0."""
    if not (gamma >= 0 and isfinite(gamma)):
        raise OptionError(f"gamma is a number from 0, not {gamma!r}")
    loss.__name__ = f"{name}({gamma})"
    return loss
