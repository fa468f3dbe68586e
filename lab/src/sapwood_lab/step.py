"""Vectors as dicts, and an update of one as a record: what `Learner.steps` yields."""

from collections.abc import Hashable, Mapping
from typing import Any, NamedTuple

Weight = tuple[str, Hashable]  # a feature, and the output (a label, labels, a move) that the weight is for
Vector = dict[Weight, float]  # a weight that is not in it is 0


class Step(NamedTuple):
    """An update: what was decided, what was wrong with it, and what the weights learned from it."""

    number: int  # updates so far, with this one
    clock: int  # c: decisions that were presented before this one
    epoch: int  # passes over the data, with this one
    input: Any  # x
    gold: Any  # y
    guess: Any  # y'
    violation: Vector  # phi(x, y) - phi(x, y')
    before: Vector  # the weights of the violation's features; all others stay as they are
    after: Vector
    counts: Mapping[Weight, int]  # U of each weight of the violation, or of its feature, after the update
    margin: str = ""  # costs that are in the scores of the search; empty without a loss
    search: Any = None  # the record of the search before the update; None where it keeps none
    then: Any = None  # its finding and its record after the update, with gold's cost as before

    def _repr_html_(self) -> str:
        from sapwood_lab.draw.stepper import html_step

        return html_step(self)


def difference(right: Mapping[Weight, float], wrong: Mapping[Weight, float]) -> Vector:
    """Return the components of phi(x, y) - phi(x, y') that are not 0."""
    every = {k: right.get(k, 0.0) - wrong.get(k, 0.0) for k in {**right, **wrong}}
    return {k: n for k, n in every.items() if n != 0}
