"""The best epoch of a training, and whether its weights are kept in place of the last ones.

An averaged perceptron's last epoch is nearly always its best. Of a few hundred held-out sentences another one is often
ahead by chance, so the highest score alone would choose worse weights. The last epoch's weights are kept unless those
of the epoch with the highest score are better beyond chance: by the sign test over the sentences of which one has more
right than the other, at 95 %.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from operator import eq
from typing import NamedTuple

from sapwood._core import PackedModel
from sapwood.model.support import Weights

_CHANCE = 0.05  # p-value of the sign test from which on a difference is one


class Scored(NamedTuple):
    """The score of weights on held-out data."""

    percent: float
    right: Sequence[float]  # [sentences] how much of each is right, such as its number of right labels

    @classmethod
    def of(cls, percent: float, gold: Iterable[Sequence[object]], guess: Iterable[Sequence[object]]) -> Scored:
        """Return a score with the number of right answers in each sentence, of which gold and guess have as many."""
        return cls(percent, [sum(map(eq, *pair)) for pair in zip(gold, guess, strict=True)])


Score = Callable[[Weights], Scored]


class Best(NamedTuple):
    """The weights of the best epoch so far or, after training, of the one that is kept, and how training ended."""

    weights: Weights
    best_epoch: int
    dev_score: float | None  # percent, of this epoch
    epochs: int  # done
    reason: str  # "epochs", "patience" or "interrupted"
    dev_scores: tuple[float, ...] = ()  # [epochs] in percent, of each epoch, if there are held-out data
    guided: tuple[int, int] = (0, 0)  # repeated presentations, and decisions that stayed wrong

    def provenance(self) -> dict[str, object]:
        """Return the facts for the provenance in a model file."""
        facts: dict[str, object] = {"epochs": self.epochs, "best_epoch": self.best_epoch, "stopped_by": self.reason}
        if isinstance(self.weights, PackedModel):
            facts["features_before_quantisation"] = self.weights.features
            facts["weights_before_quantisation"] = self.weights.weights
        if any(self.guided):
            facts["repeated"], facts["given_up"] = self.guided
        if self.dev_score is not None:
            facts |= {"dev_score": round(self.dev_score, 4), "dev_scores": [round(s, 4) for s in self.dev_scores]}
        return facts

    def or_last(self, last: Weights, epoch: int, score: Score) -> Best:
        """Return this, or the last epoch's weights if these are not better beyond chance."""
        before, now = score(self.weights), score(last)
        if better_beyond_chance(before.right, now.right):
            return self
        return self._replace(weights=last, best_epoch=epoch, dev_score=now.percent)


def better_beyond_chance(a: Sequence[float], b: Sequence[float]) -> bool:
    """Return true if a is better than b on the same sentences, by the sign test at 95 %.

    >>> better_beyond_chance([1, 1, 1, 1, 1, 1, 5], [0, 0, 0, 0, 0, 0, 5]), better_beyond_chance([9, 1, 1], [0, 0, 1])
    (True, False)
    """
    from sapwood.metrics.significance import sign_test

    pairs = list(zip(a, b, strict=True))
    wins, losses = sum(x > y for x, y in pairs), sum(x < y for x, y in pairs)
    return wins > losses and sign_test(wins, losses) < _CHANCE
