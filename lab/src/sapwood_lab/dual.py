"""The ranking perceptron in dual form, with any kernel (Clark 2015, "Perceptron Training (a dual form)").

There are no weights of features, but a weight alpha for each candidate of the training data. K(x, x') = h(x) . h(x') is
all that is known of the features, which may be too many to write down::

    alpha <- 0
    for i = 1 .. n:
        j <- argmax over j of G(x_ij)
        if x_ij is not the best, x_i1:
            alpha_ij <- alpha_ij + 1
    G(x) = sum over i, j of alpha_ij (h(x_i1) . h(x) - h(x_ij) . h(x))

Here alpha is signed, so that several candidates may be the best: that of the best one grows by 1, that of the guess
falls by 1, and G(x) = base(x) + sum over all of alpha_ij K(x_ij, x). With the dot product as kernel, G is the F of
`sapwood_lab.ranking`, provided that the weight of the base model's score is not learned. The proof, which the lecture
leaves to the reader, is by induction over the updates; its first line holds before and after each::

    w = sum over i, j of alpha_ij (h(x_i1) - h(x_ij))    0 = 0 at first; an update adds h(x_i1) - h(x_ij) to both sides
    F(x) = w . h(x) = sum over i, j of alpha_ij (h(x_i1) . h(x) - h(x_ij) . h(x)) = G(x)

As F = G, both forms guess the same j, and so they make the same updates.

>>> from sapwood_lab import Candidate, CandidateList
>>> lists = [CandidateList("a", [Candidate({"long": 3}, score=0.0, loss=1.0), Candidate({"verb": 1}, -1.0, 0.0)])]
>>> ranker = DualPerceptron(dot, epochs=3, average=False).fit(lists)
>>> ranker.alphas()
[(1.0, {'verb': 1}), (-1.0, {'long': 3})]
>>> ranker.rank(lists)
[[-9.0, 1.0]]
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sapwood_lab.base.candidates import CandidateList, Structure
from sapwood_lab.ranking import Listed, Ranker
from sapwood_lab.step import Vector


class DualPerceptron(Ranker):
    """Weights of candidates, by a kernel K of two. Features are candidates, so `min_updates` is 1."""

    letter = "G"

    def __init__(self, K: Callable[[Structure, Structure], float], **options: Any) -> None:
        super().__init__(**options)
        self.K = K

    def read(self, lists: Sequence[CandidateList]) -> list[Listed]:
        self.lists = super().read(lists)
        self._kernels: dict[tuple[str, int, int], float] = {}  # of two candidates of the training data
        return self.lists

    def features(self, listed: Listed, j: int) -> Vector:
        """Return the candidate as its own feature: a name such as ``3.0``, of list 3 and candidate 0."""
        return {(f"{listed.number}.{j}", "alpha"): 1.0}

    def square(self, delta: Vector) -> float:
        """Return the squared length of h(x_i1) - h(x_ij), by the kernel."""
        each = [(n, self._candidate(name)) for (name, _), n in delta.items()]
        return sum(m * n * self.K(x, y) for m, x in each for n, y in each)

    def scores(self, listed: Listed) -> list[float]:
        return [self.G(listed, j) for j in range(len(listed.x))]

    def G(self, listed: Listed, j: int) -> float:
        """Return the score of a candidate: what the base model says, and how much it is like the support."""
        likeness = (alpha * self._kernel(name, listed, j) for (name, _), alpha in self.w.items())
        return self.base_weight * listed.bases[j] + sum(likeness)

    def alphas(self) -> list[tuple[float, Structure]]:
        """Return alpha of each support candidate, and the candidate."""
        return [(alpha, self._candidate(name)) for (name, _), alpha in self.weights().items()]

    def _kernel(self, name: str, listed: Listed, j: int) -> float:
        key = name, listed.number, j
        if listed.number < 0 or key not in self._kernels:  # below 0 it is no list of the training data
            self._kernels[key] = self.K(self._candidate(name), listed.x[j])
        return self._kernels[key]

    def _candidate(self, name: str) -> Structure:
        i, j = map(int, name.split("."))
        return self.lists[i].x[j]


def dot(x: Mapping[Any, float], y: Mapping[Any, float]) -> float:
    """Return the dot product of two dicts of features."""
    return sum(value * y[feature] for feature, value in x.items() if feature in y)
