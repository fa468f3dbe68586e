"""What typical mistakes make of an average: which vectors they add up, and by what they divide the sum."""

from collections.abc import Sequence

from sapwood_lab.lessons.check.verdict import Vector


def mean(vectors: Sequence[Vector], divisor: float) -> Vector:
    """Return the sum of some vectors, divided."""
    return {k: sum(w.get(k, 0.0) for w in vectors) / divisor for k in dict.fromkeys(k for w in vectors for k in w)}


def mistaken(W: Sequence[tuple[Vector, bool]], examples: str = "examples", epochs: int = 1) -> dict[str, Vector]:
    """Return what each mistake makes of W, the weights after each example and whether it changed them.

    >>> means = mistaken([({"a": 3.0}, True), ({"a": 3.0}, False)])
    >>> [said for said, mean in means.items() if mean == {"a": 2.0}]
    ['the sum was divided by one too many: the count begins with 0 and grows by 1 with each']
    """
    every, new, n = [w for w, _ in W], [w for w, changed in W if changed], len(W)
    sums: dict[str, tuple[list[Vector], float]] = {
        "these are the last weights, and not the mean of all": (every[-1:], 1),
        f"that is w_s, the sum: it has not been divided; divide it by the number of {examples} presented": (every, 1),
        "the sum is right, but it was divided by the number of updates": (every, len(new)),
        f"it was divided by the {examples} of one epoch, and not by that of all presented ones": (every, n / epochs),
        "the sum was divided by the number of epochs": (every, epochs),
        "the sum was divided by one too many: the count begins with 0 and grows by 1 with each": (every, n + 1),
        "the sum was divided by one too few: the first of them counts, too": (every, n - 1),
        "only the last w is in total: each w is added to what is there (update() replaces it)": (every[-1:], n),
        "that is the mean of the weights after each update; those after a right guess count, too": (new, len(new)),
        "weights were added up after an update only; those after a right guess count, too": (new, n),
        "the clock is off by one: each update is missing in its own vector (a sum before the update?)": (every[:-1], n),
        "the clock is off by one: each update is in one vector too many": (every + every[-1:], n),
        "there is only one epoch": (every[: n // epochs], n // epochs),
        "all weights stay 0: does an update change them?": ([], 1),
    }
    return {said: mean(vectors, divisor) for said, (vectors, divisor) in sums.items() if divisor}
