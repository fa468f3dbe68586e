"""Sparse weights: what did not prove its relevance is not scored (Goldberg & Elhadad 2011, section 2 and 3).

::

    U <- 0
    at each update:
        U <- U + 1 for each component of phi(x, y) - phi(x, y') that is not 0
    w . phi(x, z) is the sum over components of phi(x, z) without those whose U is below minUpdates

So a weight is learned from its first update on, but it is ignored until there were enough of them; once it is scored,
it "comes with its update-history".

A component of phi is a feature for an output, such as "B" for the labels ("DT", "NN"). Section 3 keeps a vector U
beside w, so each component of a structure has a count of its own: ``count_updates="weight"``. In multiclass decisions,
which have a w for each class, "the update-counts vector U is shared between all the perceptrons": a feature has one
count for all classes. That is ``count_updates="feature"``, which structures may have, too. A feature counts once an
update, however many of its components are not 0.

>>> U = UpdateCounts(min_updates=2)
>>> U.count({("dog", "N"): 1.0, ("dog", "V"): -1.0})
>>> U, U.is_relevant(("dog", "N"))
({'dog': 1}, False)
>>> U.count({("dog", "N"): 1.0, ("dog", "D"): -1.0})
>>> U, U.is_relevant(("dog", "N")), U.is_relevant(("cat", "N"))
({'dog': 2}, True, False)
"""

from collections.abc import Hashable, Iterable

from sapwood.lab.step import Weight


class UpdateCounts(dict[Hashable, int]):
    """U: of each feature, or of each weight, the number of updates that it took part in.

    min_updates : updates that it must have taken part in to be scored
    by_weight : count those of each weight, and not of each feature
    """

    def __init__(self, min_updates: int = 1, by_weight: bool = False) -> None:
        super().__init__()
        self.min_updates, self.by_weight = min_updates, by_weight

    def counted(self, k: Weight) -> Hashable:
        """Return what has the count of a weight's updates: the weight itself, or its feature."""
        return k if self.by_weight else k[0]

    def count(self, violation: Iterable[Weight]) -> None:
        """Count an update, given the weights that it changed."""
        for each in {self.counted(k) for k in violation}:
            self[each] = self.get(each, 0) + 1

    def of(self, k: Weight) -> int:
        """Return the count of a weight's updates."""
        return self.get(self.counted(k), 0)

    def is_relevant(self, k: Weight) -> bool:
        """Return whether a weight took part in enough updates to be scored."""
        return self.of(k) >= self.min_updates
