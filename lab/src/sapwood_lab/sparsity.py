"""Sparse weights: what did not prove its relevance is not scored (Goldberg & Elhadad 2011, section 2 and 3).

::

    U <- 0
    at each update:
        U <- U + 1 for each component of phi(x, y) - phi(x, y') that is not 0
    w . phi(x, z) is the sum over components of phi(x, z) without those whose U is below minUpdates

So a weight is learned from its first update on, but it is ignored until there were enough of them; once it is scored,
it "comes with its update-history".

A component of phi is a feature for an output, such as "B" for the labels ("DT", "NN"). Section 3 keeps a vector U
beside w, so each component of a structure has a count of its own: ``count_updates="weight"``. In multiclass decisions
"the update-counts vector U is shared between all the perceptrons": a feature has one count for all classes, and counts
once an update. That is ``count_updates="feature"``, which structures may have, too.

>>> U = UpdateCounts(min_updates=2)
>>> for y in ("V", "D"):
...     U.count({("dog", "N"): 1.0, ("dog", y): -1.0})
...     print(U, U.is_relevant(("dog", "N")))
{'dog': 1} False
{'dog': 2} True

The paper compares this with a "crude way of doing feature selection", by which a learner leaves out rare features,
which may be the only ones to tell two examples apart (section 3, "Comparison to Feature-Pruning")::

    count(f) <- how often f occurs in D
    train on D without every f whose count is below k

All features have to be known before training then, which those of guessed labels and trees are not. Here the rare
features are `ignored` by a learner; in the core it is `prune_below`.

>>> X = [{"cheap": 1, "pills": 1}, {"cheap": 1, "lunch": 1}, {"lunch": 1, "today": 1}]
>>> sorted(rare((percept for x in X for percept in x), k=2))
['pills', 'today']
"""

from collections import Counter
from collections.abc import Hashable, Iterable

from sapwood_lab.step import Weight


class UpdateCounts(dict[Hashable, int]):
    """U: of each feature, or `by_weight` of each weight, the number of updates that it took part in."""

    def __init__(self, min_updates: int = 1, by_weight: bool = False) -> None:
        super().__init__()
        self.min_updates, self.by_weight = min_updates, by_weight
        self.always: frozenset[str] = frozenset()  # features that are scored whatever their count is

    def counted(self, k: Weight) -> Hashable:
        """Return the key that has the count of a weight's updates: the weight itself, or its feature."""
        return k if self.by_weight else k[0]

    def count(self, violation: Iterable[Weight]) -> None:
        """Count an update, given the weights that it changed."""
        for each in {self.counted(k) for k in violation}:
            self[each] = self.get(each, 0) + 1

    def of(self, k: Weight) -> int:
        """Return the count of a weight's updates."""
        return self.get(self.counted(k), 0)

    def is_relevant(self, k: Weight) -> bool:
        """Return true if a weight took part in enough updates to be scored."""
        return self.of(k) >= self.min_updates or k[0] in self.always


def rare(occurrences: Iterable[str], k: int) -> frozenset[str]:
    """Return the features that occur less than k times, given every occurrence of a feature in the training data."""
    return frozenset(feature for feature, count in Counter(occurrences).items() if count < k)
