"""How the sparse averaged perceptron (Goldberg & Elhadad 2011) converges on data that some weights separate.

The paper's argument is on the page about `min_updates`, with a bound that is measured here. An update is gated if the
score that led to it left out a weight: if a feature of the example had taken part in some updates, but in fewer than
`min_updates`. A feature can be in that state for at most min_updates - 1 updates, so of d features there are at most
G = (min_updates - 1) d gated updates. With a = R / delta, G of them leave at most a^2 + 2 a G updates in all. Without a
gate, G = 0, that is the bound of the perceptron.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from measure.report import Row
from papers.separable import Labels, Separable
from sapwood_lab.multiclass import Multiclass, Percepts
from sapwood_lab.step import Step

MIN_UPDATES = (1, 5, 10)


class Convergence(NamedTuple):
    """The training of one learner on one order of the examples."""

    passes: int  # with the first one that has no mistake
    updates: int
    gated: int  # updates
    errors: int  # of the last weights on the training examples
    averaged_errors: int  # of the average
    scored: int  # features


def converge(problem: Separable, order: Sequence[int], min_updates: int, times: int = 1) -> Convergence:
    """Train until a pass has no mistake. `times` is how often in a row each example is presented."""
    X = [_percepts(problem, i) for i in order]
    y = [str(problem.y[i]) for i in order]
    again = [k for k in range(len(order)) for _ in range(times)]
    epochs = 4
    while True:
        learner = Multiclass(min_updates=min_updates, average=False, epochs=epochs, seed=None)
        steps = list(learner.steps([X[k] for k in again], [y[k] for k in again]))
        passes = 1 + max((step.epoch for step in steps), default=0)
        if passes == epochs:
            break
        epochs = passes if passes < epochs else 2 * epochs
    hidden = sum(gated(step, min_updates) for step in steps)
    errors = _errors(learner, X, y)
    scored = len({feature for feature, _ in learner.weights()})
    averaged = Multiclass(min_updates=min_updates, epochs=epochs, seed=None)
    averaged.fit([X[k] for k in again], [y[k] for k in again])
    return Convergence(passes, len(steps), hidden, errors, _errors(averaged, X, y), scored)


def gated(step: Step, min_updates: int) -> bool:
    """Return whether a feature had taken part in some updates before this one, but in fewer than `min_updates`."""
    return any(1 < count <= min_updates for count in step.counts.values())


def update_bound(a: float, gated: int) -> float:
    """Return how many updates there can be, `gated` of them gated, where a = R / delta.

    >>> update_bound(3.0, 0), update_bound(3.0, 10)
    (9.0, 69.0)
    """
    return a**2 + 2 * a * gated


def measure(problem: Separable, orders: Labels, a: float) -> Iterator[Row]:
    """Yield a row for each learner: means over the orders, and the most updates beside their bound.

    a : R / delta
    """
    learners = [(f"SAP{k}", k, 1) for k in MIN_UPDATES]
    learners += [(f"SAP{k}, each example {k} times in a row", k, k) for k in MIN_UPDATES[1:]]
    for name, min_updates, times in learners:
        runs = [converge(problem, order.tolist(), min_updates, times) for order in orders]
        means = {field: sum(getattr(run, field) for run in runs) / len(runs) for field in Convergence._fields}
        most = max(runs, key=lambda run: run.updates)
        bound = update_bound(a, most.gated)
        yield {"kind": "sparse", "name": name, **means, "most_updates": most.updates, "bound": round(float(bound), 1)}


def _percepts(problem: Separable, i: int) -> Percepts:
    x = problem.X.rows[i]
    return {f"f{feature}": value for feature, value in zip(x.indices.tolist(), x.values.tolist(), strict=True)}


def _errors(learner: Multiclass, X: Sequence[Percepts], y: Sequence[str]) -> int:
    return sum(guess != gold for guess, gold in zip(learner.predict(X), y, strict=True))
