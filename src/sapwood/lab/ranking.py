"""The ranking perceptron in primal form (Clark 2015, "A Ranking Perceptron"; Collins & Duffy 2002).

For each sentence s_i another model has proposed the candidates x_i1, x_i2, ...; h(x) are the features of a candidate::

    w <- 0
    for i = 1 .. n:
        j <- argmax over j of F(x_ij) = w . h(x_ij)       all candidates are looked at
        if x_ij is not the best, x_i1:
            w <- w + h(x_i1) - h(x_ij)
    return w

The best candidate is the one of least loss, of several the one that scores highest. With a margin a candidate's cost is
added to its score: a function of the best one's loss and of its own, such as `sapwood.lab.losses.regret(gamma)`, gamma
times their difference. The score of the other model is the feature ``score``,
whose weight begins at `base_weight`. Ties go to the candidate that is listed first; the clock ticks once a list.

>>> from sapwood.io.lists import Candidate, CandidateList
>>> candidates = [Candidate({"long": 3}, score=-1.0, loss=1.0), Candidate({"verb": 1}, -2.0, 0.0)]
>>> lists = [CandidateList("features", candidates)]
>>> ranker = RankingPerceptron(base_weight=1.0, epochs=3, average=False)
>>> for step in ranker.steps(lists):
...     print(step.guess, "should be", step.gold, {f: w for (f, y), w in step.after.items()})
0 should be 1 {'verb': 1.0, 'score': -1.0, 'long': -3.0}
>>> ranker.predict(lists)
[1]
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sapwood.io.lists import CandidateList, Structure
from sapwood.lab.ranker import Listed, Ranker
from sapwood.lab.step import Vector


class RankingPerceptron(Ranker):
    """Weights of features.

    h : what gives the features of a candidate; by default they are the candidate itself, a dict
    """

    def __init__(self, h: Callable[[Structure], Mapping[str, float]] = dict, **options: Any) -> None:
        super().__init__(**options)
        self.h = h

    def read(self, lists: Sequence[CandidateList]) -> list[Listed]:
        """Return the lists, and give the base model's score its weight."""
        self.w["score", "better"] = self.base_weight
        self.U["score"] = max(self.min_updates, 1)
        return super().read(lists)

    def features(self, listed: Listed, j: int) -> Vector:
        """Return h(x), with the base model's score."""
        values = {**self.h(listed.x[j]), "score": listed.bases[j]}
        return {(feature, "better"): float(value) for feature, value in values.items()}

    def scores(self, listed: Listed) -> list[float]:
        """Return F(x) = w . h(x) for each candidate."""
        return [self.score(self.features(listed, j)) for j in range(len(listed.x))]
