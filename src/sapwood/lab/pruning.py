"""Rare-feature pruning (Goldberg & Elhadad 2011, section 3, "Comparison to Feature-Pruning").

"Ignoring features which occur less than k times in the training data"::

    count(f) <- how often f occurs in D
    D'       <- D without every f whose count is below k
    train on D'

It is what the update counts of `sapwood.lab.learner` are compared with, a "crude way of doing feature selection": a
feature may be frequent and tell nothing, or be rare and the only one to tell two examples apart. And all features have
to be known before training, which those of labels and trees that are only guessed are not.

The rare features are `ignored` by a learner. They get no weights, and so they score nothing afterwards, either. In the
core it is `prune_below`.

>>> from sapwood.lab.multiclass import Multiclass
>>> X = [{"cheap": 1, "pills": 1}, {"cheap": 1, "lunch": 1}, {"lunch": 1, "today": 1}]
>>> sorted(rare((percept for x in X for percept in x), k=2))
['pills', 'today']
>>> for ignored in ((), {"pills", "today"}):
...     learner = Multiclass(ignored=ignored, epochs=9, average=False).fit(X, ["spam", "ham", "ham"])
...     print({percept: weight for (percept, y), weight in learner.weights().items()})
{'lunch': 1.0, 'today': 1.0}
{'lunch': 1.0}

A sequence has a feature as often as its tokens have it, with gold labels where labels are a part of it:

>>> from sapwood.lab.viterbi import ViterbiTagger
>>> data = [[("the", "D"), ("dog", "N")], [("the", "D"), ("cat", "N"), ("barks", "V")]]
>>> tagger = ViterbiTagger("U:%x[0,0]\\nB\\n")
>>> phis = (tagger.phi(rows, [row[-1] for row in rows]) for rows in data)
>>> sorted(rare((feature for phi in phis for (feature, _), n in phi.items() for _ in range(int(n))), k=2))
['U:barks', 'U:cat', 'U:dog']
"""

from collections import Counter
from collections.abc import Iterable


def rare(occurrences: Iterable[str], k: int) -> frozenset[str]:
    """Return the features that occur less than k times, given every occurrence of a feature in the training data."""
    return frozenset(feature for feature, count in Counter(occurrences).items() if count < k)
