"""What typical mistakes make of an average: which vectors they add up, and by what they divide the sum."""

from collections.abc import Sequence
from typing import Any

from sapwood.lab.lessons.check.verdict import Vector


def mean(vectors: Sequence[Vector], divisor: float) -> Vector:
    """Return the sum of some vectors, divided, without what is 0."""
    total: Vector = {}
    for w in vectors:
        for k, value in w.items():
            total[k] = total.get(k, 0.0) + value
    return not_0({k: value / divisor for k, value in total.items()})


def not_0(w: Vector) -> dict[Any, float]:
    """Return weights as they are compared: rounded, without those of 0."""
    return {k: round(value, 9) for k, value in w.items() if abs(value) > 1e-9}


def mistaken(W: Sequence[tuple[Vector, bool]], examples: str = "examples", epochs: int = 1) -> dict[str, Vector]:
    """Return what each mistake makes of W, the weights after each example and whether it changed them.

    >>> means = mistaken([({"a": 3.0}, True), ({"a": 3.0}, False)])
    >>> [said for said, mean in means.items() if mean == {"a": 2.0}]
    ['the sum was divided by one too many: the count begins with 0 and grows by 1 with each']
    """
    every, new, n = [w for w, _ in W], [w for w, changed in W if changed], len(W)
    sums: dict[str, tuple[list[Vector], float]] = {
        "these are the last weights, and not the mean of all": (every[-1:], 1),
        f"that is w_s, the sum: it has not been divided; divide it by the number of all {examples} presented": (
            every,
            1,
        ),
        "the sum is right, but it was divided by the number of updates": (every, len(new)),
        f"the sum was divided by the {examples} of one epoch, and not by that of all presented ones": (
            every,
            n / epochs,
        ),
        "the sum was divided by the number of epochs": (every, epochs),
        "the sum was divided by one too many: the count begins with 0 and grows by 1 with each": (every, n + 1),
        "the sum was divided by one too few: the first of them counts, too": (every, n - 1),
        "only the last w is in total: each w is added to what is there (a dict's update replaces it)": (
            every[-1:],
            n,
        ),
        "that is the mean of the weights after each update; those after a right guess count, too": (new, len(new)),
        "weights were added up after an update only; those after a right guess count, too": (new, n),
        "the clock is off by one: each update is missing in the vector of its own example (a sum before the update?)": (
            every[:-1],
            n,
        ),
        "the clock is off by one: each update is in one vector too many": (every + every[-1:], n),
        "there is only one epoch": (every[: n // epochs], n // epochs),
        "all weights stay 0: does an update change them?": ([], 1),
    }
    return {said: mean(vectors, divisor) for said, (vectors, divisor) in sums.items() if divisor}
