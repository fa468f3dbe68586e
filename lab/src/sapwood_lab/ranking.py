"""The ranking perceptron in primal form (Clark 2015, "A Ranking Perceptron"; Collins & Duffy 2002).

For each sentence s_i another model has proposed the candidates x_i1, x_i2, ...; h(x) are the features of a candidate::

    w <- 0
    for i = 1 .. n:
        j <- argmax over j of F(x_ij) = w . h(x_ij)       all candidates are looked at
        if x_ij is not the best, x_i1:
            w <- w + h(x_i1) - h(x_ij)
    return w

The best candidate is the one of least loss, of several the one that scores highest. With a margin a candidate's cost is
added to its score, by a loss such as `sapwood_lab.losses.regret`. The feature ``score`` is that of the other model, and
its weight begins at `base_weight`. Ties go to the candidate that is listed first; the clock ticks once a list.

>>> from sapwood_lab import Candidate, CandidateList
>>> lists = [CandidateList("a", [Candidate({"long": 3}, score=-1.0, loss=1.0), Candidate({"verb": 1}, -2.0, 0.0)])]
>>> ranker = RankingPerceptron(base_weight=1.0, epochs=3, average=False)
>>> for step in ranker.steps(lists):
...     print(step.guess, "should be", step.gold, {f: w for (f, y), w in step.after.items()})
0 should be 1 {'verb': 1.0, 'score': -1.0, 'long': -3.0}
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from sapwood_lab.base.candidates import CandidateList, Structure
from sapwood_lab.errors import DataError
from sapwood_lab.learner import Learner
from sapwood_lab.step import Step, Vector


class Listed(NamedTuple):
    """A list of candidates: what they are, their losses, and what the base model says of them."""

    number: int  # of the list, from 0; -1 if it is not of the training data
    x: list[Structure]  # [candidates]
    losses: list[float]
    bases: list[float]  # by how much each score is above the best of the list, in units of the mean distance


class Scored(NamedTuple):
    """The scores of the candidates of a list before an update: F(x), in dual form G(x), and what each costs."""

    letter: str
    scores: list[float]
    costs: list[float]


class Ranker(Learner):
    """The base class of rankers. `base_weight` is what the base model's score weighs (in primal form: at first)."""

    structured = False
    has_constant_loss = False
    letter = "F"

    def __init__(self, *, base_weight: float = 0.0, **options: Any) -> None:
        super().__init__(**options)
        self.base_weight = base_weight

    def read(self, lists: Sequence[CandidateList]) -> list[Listed]:
        """Return the lists. Raises DataError for a candidate without a loss."""
        if any(candidate.loss is None for each in lists for candidate in each.candidates):
            raise DataError(
                "every candidate needs a loss; for lists with gold, sapwood.tasks.ranking.data.losses_of has them"
            )
        self.unit = 1.0
        distances = [-base for each in lists for base in self.listed(0, each).bases]
        self.unit = sum(distances) / max(len(distances), 1) or 1.0
        return [self.listed(k, each) for k, each in enumerate(lists)]

    def listed(self, number: int, each: CandidateList) -> Listed:
        """Return a list as it is ranked."""
        x, scores, losses = zip(*((c.structure, c.score, c.loss or 0.0) for c in each.candidates), strict=True)
        return Listed(number, [*x], [*losses], [(score - max(scores)) / self.unit for score in scores])

    def features(self, listed: Listed, j: int) -> Vector:
        """Return the features of a candidate."""
        raise NotImplementedError

    def learn(self, example: Listed) -> Iterator[Step]:
        scores, losses = self.scores(example), example.losses
        every = range(len(scores))
        best = min(every, key=lambda j: (losses[j], -scores[j]))
        costs = [self.loss(losses[best], losses[j]) for j in every]
        costly = [scores[j] + costs[j] for j in every]
        self.search = Scored(self.letter, scores, costs)
        guess = max(every, key=costly.__getitem__)
        guess = best if losses[guess] == losses[best] else guess
        right, wrong = (self.features(example, j) for j in (best, guess))
        yield from self.present(example.x, best, guess, right, wrong, costly[guess] - scores[best])

    def scores(self, listed: Listed) -> list[float]:
        """Return F(x) = w . h(x) of each candidate."""
        return [self.score(self.features(listed, j)) for j in range(len(listed.x))]

    def rank(self, lists: Iterable[CandidateList]) -> list[list[float]]:
        """Return the scores of the candidates of each list. Raises NotFittedError if nothing was learned yet."""
        self.check_is_fitted()
        return [self.scores(self.listed(-1, each)) for each in lists]

    def predict(self, inputs: Iterable[CandidateList]) -> list[int]:
        return [max(range(len(scores)), key=scores.__getitem__) for scores in self.rank(inputs)]


class RankingPerceptron(Ranker):
    """Weights of features; `h` gives those of a candidate, which may be a dict of them itself."""

    def __init__(self, h: Callable[[Structure], Mapping[str, float]] = dict, **options: Any) -> None:
        super().__init__(**options)
        self.h = h

    def read(self, lists: Sequence[CandidateList]) -> list[Listed]:
        self.w["score", "better"] = self.base_weight
        self.U.always = frozenset(["score"])
        return super().read(lists)

    def features(self, listed: Listed, j: int) -> Vector:
        values = {**self.h(listed.x[j]), "score": listed.bases[j]}
        return {(feature, "better"): float(value) for feature, value in values.items()}
