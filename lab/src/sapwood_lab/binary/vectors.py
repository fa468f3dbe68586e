"""Vectors as dicts: the sum, the product and the dot product of features with values. What is not in one is 0.

The algorithms for two classes ask no more of a vector than what stands here, so one of NumPy serves as well.

>>> w, x = Vector(cheap=1.0, lunch=-2.0), Vector(cheap=1.0, pills=1.0)
>>> w @ x
1.0
>>> w += -1 * x
>>> w
{'cheap': 0.0, 'lunch': -2.0, 'pills': -1.0}
>>> 2 * w - x
{'cheap': -1.0, 'lunch': -4.0, 'pills': -3.0}
"""

from collections.abc import Callable
from typing import Self


class Vector(dict[str, float]):
    """Features and their values."""

    def __matmul__(self, x: dict[str, float]) -> float:
        return sum(self[i] * v for i, v in x.items() if i in self)

    def __iadd__(self, x: dict[str, float]) -> Self:
        for i, v in x.items():
            self[i] = self.get(i, 0.0) + v
        return self

    def __rmul__(self, factor: float) -> "Vector":
        return Vector({i: factor * v for i, v in self.items()})

    def __sub__(self, x: "Vector") -> "Vector":
        difference = self.copy()
        difference += -1 * x
        return difference

    def copy(self) -> "Vector":
        return Vector(self)


Data = list[tuple[Vector, int]]  # examples: a vector x, and a label y, which is -1 or 1
Zero = Callable[[], Vector]  # makes the vector 0


def sign(score: float) -> int:
    """Return the guess: 1 above 0, else -1. Ties go to the first label, as everywhere in sapwood."""
    return 1 if score > 0 else -1
