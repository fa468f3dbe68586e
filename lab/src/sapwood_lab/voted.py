"""The voted perceptron of any search: every vector decodes (Freund & Schapire 1999; Collins & Duffy 2002).

"Instead of averaging the weights, each instance of the weight vector is used for decoding at test time, and the output
is determined through a voting procedure" (Clark 2015, "Averaging Parameters"). Vectors change at updates only, so each
is kept once, with as many votes as it stood for examples (Huang, lecture notes, "voted perceptron - improved")::

    W <- [w];  v <- [0];  c <- 0
    for each (x, y) of T passes over D:
        y' <- argmax over z of w . phi(x, z)
        if y' is not y:
            w <- w + phi(x, y) - phi(x, y')
            append w to W, 0 to v
        last of v <- last of v + 1
    return W, v

    votes(z) = sum over i of v_i [z = argmax over z' of w_i . phi(x, z')]
    y^       = argmax over z of votes(z)

The argmax is the learner's own. For sequences it is Viterbi, and a vote is for a whole sequence, so a sentence is
decoded once for each vector in W: not 400,000 times, as in the lecture, once for each example that was presented. For
candidates in a list (voted reranking) it is a loop, and in dual form w_i is alpha after i updates. Of outputs that have
as many votes, the one that an earlier vector names first wins. In the core classifiers and rerankers can be `voted`;
taggers and parsers cannot, because of that cost.

>>> from sapwood_lab.viterbi import ViterbiTagger
>>> sentences = [[("the", "D"), ("dog", "N")], [("dogs", "N"), ("bark", "V")]]
>>> voted = Voted(ViterbiTagger("U:%x[0,0]\\nB\\n", epochs=3, seed=None)).fit(sentences)
>>> [votes for _, _, votes in voted.W]
[0, 1, 1, 4]
>>> voted.votes([("the",), ("dogs",)])
Counter({('D', 'N'): 5, ('N', 'N'): 1})
"""

from collections import Counter
from collections.abc import Callable
from copy import copy
from typing import Any, NamedTuple, Self

from sapwood_lab.learner import Learner
from sapwood_lab.sparsity import UpdateCounts
from sapwood_lab.step import Vector


class Voter(NamedTuple):
    """A vector of training: its weights, the counts that say which of them score, and its votes."""

    w: Vector
    U: UpdateCounts
    v: int


class Voted:
    """The vectors of a learner, which vote for the output that `argmax`, by default the learner's `best`, finds."""

    W: list[Voter]

    def __init__(self, learner: Learner, argmax: Callable[[Any], Any] | None = None) -> None:
        self.learner, self.argmax = learner, argmax or learner.best

    def fit(self, *data: Any, **named: Any) -> Self:
        """Train from scratch on what the learner trains on."""
        learner, since = self.learner, 0
        learner.forget()
        learner.read(*data, **named)  # some learners begin with weights that are not 0
        self.W = [Voter(dict(learner.w), copy(learner.U), 0)]
        for step in learner.train(*data, **named):
            self.W[-1] = self.W[-1]._replace(v=step.clock - since)
            self.W.append(Voter(dict(learner.w), copy(learner.U), 0))
            since = step.clock
        self.W[-1] = self.W[-1]._replace(v=learner.c - since)
        return self

    def votes(self, x: Any) -> Counter[Any]:
        """Return the votes for each output that a vector names."""
        votes: Counter[Any] = Counter()
        for w, U, v in self.W:
            if v > 0:
                self.learner.w, self.learner.U = w, U
                votes[self.argmax(x)] += v
        return votes

    def predict(self, x: Any) -> Any:
        """Return the output that has the most votes."""
        votes = self.votes(x)
        return max(votes, key=votes.__getitem__)
