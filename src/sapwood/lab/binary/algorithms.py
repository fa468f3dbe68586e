"""The algorithms for two classes as classes that train on matrices, guess, and say what they cost.

>>> X, y = [[1, 0], [0, 1], [1, 1]], [1, -1, -1]
>>> for algorithm in (Vanilla(), AveragedNaive(), AveragedLazy()):
...     print(algorithm.fit(X, y).output, algorithm.operations)
[ 0. -1.] 5
[ 2. -1.] 13
[ 2. -1.] 17
>>> VotedImproved().fit(X, y).decision([[1, 0]])  # two votes for 1, one against
array([1])
"""

from sapwood.lab.binary.averaged import averaged_improved, averaged_lazy, averaged_naive, averaged_updates
from sapwood.lab.binary.examples import Examples, SparseVector  # the first to need NumPy, which it asks for
from sapwood.lab.binary.perceptron import Perceptron, Voting
from sapwood.lab.binary.vanilla import vanilla
from sapwood.lab.binary.voted import voted_improved, voted_naive

__all__ = [
    "ALGORITHMS", "AveragedImproved", "AveragedLazy", "AveragedNaive", "AveragedUpdates", "Examples", "Perceptron",
    "SparseVector", "Vanilla", "VotedImproved", "VotedNaive",
]  # fmt: skip


class Vanilla(Perceptron):
    """The weights after the last update."""

    algorithm = staticmethod(vanilla)


class VotedNaive(Voting):
    """The weights after each example vote."""

    algorithm = staticmethod(voted_naive)


class VotedImproved(Voting):
    """The weights after each update vote, with one vote for each example until the next update."""

    algorithm = staticmethod(voted_improved)


class AveragedNaive(Perceptron):
    """The running sum of the weights after each example."""

    algorithm = staticmethod(averaged_naive)


class AveragedImproved(Perceptron):
    """The same sum, from all different weights."""

    algorithm = staticmethod(averaged_improved)


class AveragedUpdates(Perceptron):
    """The same sum, from the updates."""

    algorithm = staticmethod(averaged_updates)


class AveragedLazy(Perceptron):
    """The same sum, from two vectors."""

    algorithm = staticmethod(averaged_lazy)


ALGORITHMS: tuple[type[Perceptron], ...] = (
    Vanilla, VotedNaive, VotedImproved, AveragedNaive, AveragedImproved, AveragedUpdates, AveragedLazy,
)  # fmt: skip
