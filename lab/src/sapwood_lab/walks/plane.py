"""The perceptron in the plane, update by update, and what vanilla, averaged and voted make of one training.

>>> learner = PlanePerceptron(("-", "+"), epochs=1, seed=None)
>>> for step in learner.steps([(1, 0), (0, 1), (1, 1)], ["+", "-", "-"]):
...     print(step.input, step.search.W[-1], step.search.v)
(1, 0) [1.0, 0.0] [0, 1]
(1, 1) [0.0, -1.0] [0, 2, 1]
>>> print(three_perceptrons(learner))
           wrong  margin
vanilla   1 of 3   0.000
averaged  1 of 3  -0.447
voted     1 of 3       -
"""

from collections.abc import Iterator, Sequence
from operator import sub

from sapwood_lab import Step
from sapwood_lab.base.table import table
from sapwood_lab.draw.plane import Turned, Vector, margin, mistakes, three_forms
from sapwood_lab.walks.slides import Signed, Text


class PlanePerceptron(Signed):
    """A perceptron whose updates show the points and the line: of each, `search` is a `Turned`."""

    def steps(self, points: Sequence[Vector], labels: Sequence[str]) -> Iterator[Step]:
        """Train from scratch on points of two or three numbers, and yield each update."""
        names = ("x1", "x2", "x3")[: len(points[0])]
        self.X = [Text(f"({', '.join(f'{c:g}' for c in x)})", dict(zip(names, x, strict=True))) for x in points]
        self.points, self.signs = points, [1 if label == self.classes[1] else -1 for label in labels]
        self.W, self.v, clocks = [[0.0] * len(names)], [0], [0]
        for step in super().steps(self.X, labels):
            weights = self.weights()
            self.W.append([weights.get((name, self.classes[1]), 0.0) for name in names])
            clocks.append(step.clock)
            self.v = [*map(sub, clocks[1:], clocks), 1]
            seen = Turned(points, self.signs, self.W[:], self.v, self.X.index(step.input), self.classes)
            yield step._replace(search=seen)
        self.v = [*self.v[:-1], self.c - clocks[-1]]


def three_perceptrons(learner: PlanePerceptron) -> str:
    """Return a table of the points that vanilla, averaged and voted perceptron get wrong, and of their margins."""
    rows: list[list[object]] = [["", "wrong", "margin"]]
    points, y = learner.points, learner.signs
    for name, (W, v) in three_forms(learner.W, learner.v).items():
        distance = "-" if name == "voted" else f"{margin(points, y, W[0]):.3f}"
        rows.append([name, f"{mistakes(points, y, W, v)} of {len(points)}", distance])
    return "\n".join(table(rows))
