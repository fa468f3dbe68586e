"""What rankers share, in primal and dual form: lists of candidates, the update, and which candidate is chosen."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from sapwood.errors import DataError
from sapwood.io.lists import CandidateList, Structure
from sapwood.lab.learner import Learner
from sapwood.lab.step import Step, Vector


class Listed(NamedTuple):
    """A list of candidates: what they are, their losses, and what the base model says of them."""

    number: int  # of the list, from 0
    x: list[Structure]  # [candidates]
    losses: list[float]
    bases: list[float]  # by how much each score is above the best of the list, in units of the mean distance


class Ranker(Learner):
    """The base class of rankers.

    base_weight : what the base model's score weighs (in primal form: at first)

    Further options are those of `Learner`.
    """

    structured = False
    has_constant_loss = False

    def __init__(self, *, base_weight: float = 0.0, **options: Any) -> None:
        super().__init__(**options)
        self.base_weight = base_weight

    def read(self, lists: Sequence[CandidateList]) -> list[Listed]:
        """Return the lists. Raises DataError for a candidate without a loss."""
        self.unit = 1.0
        distances = [-base for each in lists for base in self._bases(each)]
        self.unit = sum(distances) / max(len(distances), 1) or 1.0
        if any(candidate.loss is None for each in lists for candidate in each.candidates):
            raise DataError(
                "every candidate needs a loss; for lists with gold, sapwood.tasks.ranking.data.losses_of has them"
            )
        return [self._listed(k, each) for k, each in enumerate(lists)]

    def scores(self, listed: Listed) -> list[float]:
        """Return the score of each candidate."""
        raise NotImplementedError

    def features(self, listed: Listed, j: int) -> Vector:
        """Return the features of a candidate, as an update changes their weights."""
        raise NotImplementedError

    def learn(self, example: Listed) -> Iterator[Step]:
        """Present a list."""
        scores, losses = self.scores(example), example.losses
        every = range(len(scores))
        best = min(every, key=lambda j: (losses[j], -scores[j]))
        costly = [scores[j] + self.loss(losses[best], losses[j]) for j in every]
        guess = max(every, key=costly.__getitem__)
        if losses[guess] == losses[best]:
            guess = best
        right, wrong = (self.features(example, j) for j in (best, guess))
        yield from self.present(example.x, best, guess, right, wrong, costly[guess] - scores[best])

    def rank(self, lists: Iterable[CandidateList]) -> list[list[float]]:
        """Return the scores of the candidates of each list. Raises NotFittedError if nothing was learned yet."""
        self.check_is_fitted()
        return [self.scores(self._listed(-1, each)) for each in lists]

    def predict(self, inputs: Iterable[CandidateList]) -> list[int]:
        """Return the number of the best candidate of each list. Raises NotFittedError as `rank` does."""
        return [max(range(len(scores)), key=scores.__getitem__) for scores in self.rank(inputs)]

    def _bases(self, each: CandidateList) -> list[float]:
        highest = max(candidate.score for candidate in each.candidates)
        return [(candidate.score - highest) / self.unit for candidate in each.candidates]

    def _listed(self, number: int, each: CandidateList) -> Listed:
        candidates = each.candidates
        losses = [candidate.loss or 0.0 for candidate in candidates]
        return Listed(number, [candidate.structure for candidate in candidates], losses, self._bases(each))
