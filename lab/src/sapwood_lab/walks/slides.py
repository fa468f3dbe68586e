"""What two lectures show with figures of their own, to be walked through.

The slide "Linear Model" of Schneider (2017) has two texts about "interest", some of their percepts, and weights by
which one text is financial and the other is not. It prints relativeOffset as 0.6 and 0.2, but its scores follow
from 6/9 and 3/11. The example that the lecture worked through on the board is not in the slides, so the same two
texts are learned from weights of 0.

>>> x, other = texts()
>>> round(dot(WEIGHTS, x), 2), round(dot(WEIGHTS, other), 2)
(6.59, -6.74)

Huang, on averaging, adds up the weights after each of four examples, each of which leads to an update.

>>> learner, (X, y) = Signed(("-", "+"), epochs=1, seed=None), four_updates()
>>> print(running_sums(learner, list(learner.steps(X, y))))
                        dw1  dw2  dw3  dw4
w after update 1          1    0    0    0
w after update 2          1    1    0    0
w after update 3          1    1    1    0
w after update 4          1    1    1    1
w_s, the sum of w         4    3    2    1
w_a, the sum of c dw      0    1    2    3
c w - w_a, where c = 4    4    3    2    1
"""

from collections.abc import Sequence
from typing import Any

from sapwood_lab.base.table import table
from sapwood_lab.dual import dot
from sapwood_lab.multiclass import Multiclass, Percepts
from sapwood_lab.step import Step, Vector, Weight

TEXTS = (
    ("Wall Street vets raise concerns about interest rates , politics", "financial"),
    ("Pet 's best interest in mind , but vets must follow law", "nonfinancial"),
)
LINEAR_MODEL: Sequence[
    tuple[str, float, float, float]
] = (  # percept, its value in the first text, its weight, its value in the second
    ("bias", 1, -3.00, 1),
    ("capitalized?", 0, 0.22, 0),
    ("#wordsBefore", 6, -0.01, 3),
    ("#wordsAfter", 3, 0.01, 8),
    ("relativeOffset", 6 / 9, 1.00, 3 / 11),
    ("leftWord=about", 1, 0.00, 0),
    ("leftWord=best", 0, -2.00, 1),
    ("rightWord=rates", 1, 5.00, 0),
    ("rightWord=in", 0, -1.00, 1),
    ("Wall", 1, 1.00, 0),
    ("Street", 1, -1.00, 0),
    ("vets", 1, -0.05, 1),
    ("best", 0, -1.00, 1),
    ("in", 0, -0.01, 1),
    ("Wall Street", 1, 4.00, 0),
    ("Street vets", 1, 0.00, 0),
    ("vets raise", 1, 0.00, 0),
)
FOUR = """Four examples of one class, each with a feature of its own. Each leads to
an update, dw1 to dw4. c counts the examples before it, and at the end all."""
WEIGHTS = {percept: weight for percept, _, weight, _ in LINEAR_MODEL}


class Text(dict[str, float]):
    """Percepts that are shown as the text they are of."""

    def __init__(self, text: str, percepts: Percepts) -> None:
        super().__init__(percepts)
        self.text = text

    def __str__(self) -> str:
        return self.text


class Signed(Multiclass):
    """Two classes, of which the second has the weights and the first wins ties, whatever the data name first."""

    def __init__(self, classes: tuple[str, str], **options: Any) -> None:
        super().__init__(**options)
        self.classes = classes

    def read(
        self, X: Sequence[Percepts], y: Sequence[str], *steps: Sequence[float]
    ) -> list[tuple[Percepts, str, float]]:
        """Return the examples, as `Multiclass` does."""
        examples = super().read(X, y, *steps)
        self.labels = list(self.classes)
        return examples


def texts() -> list[Text]:
    """Return the two texts of the slide, with the percepts that it shows."""
    first = {percept: value for percept, value, _, _ in LINEAR_MODEL if value}
    second = {percept: value for percept, _, _, value in LINEAR_MODEL if value}
    return [Text(text, percepts) for (text, _), percepts in zip(TEXTS, (first, second), strict=True)]


def linear_model() -> str:
    """Return the slide: its texts, percepts and weights, and what they add up to."""
    first, second = (dot(WEIGHTS, x) for x in texts())
    rows: list[list[object]] = [["", "phi(x)", "w", "phi(x')"]]
    rows += [[percept, f"{a:.4g}", weight, f"{b:.4g}"] for percept, a, weight, b in LINEAR_MODEL]
    rows.append(["w . phi", first, "", second])
    lines = [f"{name:4}{text}" for name, (text, _) in zip(("x", "x'"), TEXTS, strict=True)]
    note = [f"A score above 0 says {TEXTS[0][1]}. Now w is learned from the two texts, from 0:"]
    return "\n".join([*lines, "", *table(rows), "", *note])


def learned_scores(learner: Multiclass, steps: Sequence[Step]) -> str:
    """Return what the two texts score by the slide, with the last weights and, at the end, with their average."""
    every = {k: weight for step in steps for k, weight in step.after.items()}
    last = {k[0]: weight for k, weight in every.items() if weight and learner.U.is_relevant(k)}
    rows: list[list[object]] = [["", "w . phi(x)", "w . phi(x')"]]
    rows.append(["the slide", *(dot(WEIGHTS, x) for x in texts())])
    rows.append(["the last w", *(dot(last, x) for x in texts())])
    average = {percept: weight for (percept, _), weight in learner.weights().items()}
    rows += [["the average of all w", *(dot(average, x) for x in texts())]] if average != last else []
    return "\n".join(table(rows))


def four_updates() -> tuple[list[Percepts], list[str]]:
    """Return four examples of the same class with a feature each, so that update i is that of one feature, dw_i."""
    return [Text(f"example {k}", {f"dw{k}": 1.0}) for k in range(1, 5)], ["+"] * 4


def running_sums(learner: Multiclass, steps: Sequence[Step]) -> str:
    """Return w after each update, and its sum over the c examples in two ways: one by one, and as c w - w_a."""
    c = learner.c
    features = list(dict.fromkeys(key for step in steps for key in step.violation))
    w, w_s, w_a = (dict.fromkeys(features, 0.0) for _ in range(3))
    rows: list[list[object]] = [["", *(feature for feature, _ in features)]]
    clocks = [*(step.clock for step in steps[1:]), c]
    for step, until in zip(steps, clocks, strict=True):
        for key, n in step.violation.items():
            w[key] += n
            w_a[key] += step.clock * n
        for key in w:
            w_s[key] += (until - step.clock) * w[key]
        rows.append([f"w after update {step.number}", *_shown(w, features)])
    rows.append(["w_s, the sum of w", *_shown(w_s, features)])
    rows.append(["w_a, the sum of c dw", *_shown(w_a, features)])
    rows.append([f"c w - w_a, where c = {c}", *_shown({key: c * w[key] - w_a[key] for key in w}, features)])
    return "\n".join(table(rows))


def _shown(vector: Vector, keys: Sequence[Weight]) -> list[str]:
    return [f"{vector[key]:g}" for key in keys]
