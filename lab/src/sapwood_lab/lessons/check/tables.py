"""Tables of scores, on which searches of label sequences are tried: small ones, of which every sequence is scored."""

from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

from sapwood_lab.lessons.check.verdict import Vector, differs
from sapwood_lab.trellis import START

Table = dict[tuple[int, str, str], int]  # s(i, h, y)


class Case:
    """A table of scores for a few words and labels, and the scores of all of its paths."""

    def __init__(self, n: int, labels: list[str], table: Table) -> None:
        self.n, self.labels, self.table = n, labels, table

    def s(self, i: int, h: str, y: str) -> int:
        """Return the score of label y at word i after h. Says so if there is no such word or label."""
        if (i, h, y) not in self.table:
            before = "START" if i == 0 else "a label"
            differs(
                f"s was asked for s({i!r}, {h!r}, {y!r}), which there is not: i is a word from 0 to {self.n - 1}, "
                f"then comes the label before (for word {i} {before}), then the word's own label"
            )
        return self.table[i, h, y]

    def score(self, path: tuple[str, ...]) -> int:
        """Return the score of labels for the first words."""
        padded = (START, *path)
        return sum(self.table[i, padded[i], y] for i, y in enumerate(path))

    def paths(self, n: int | None = None) -> Iterator[tuple[str, ...]]:
        """Return all label sequences of the first n words, or of all words."""
        return product(self.labels, repeat=self.n if n is None else n)

    def best(self, start: bool = True, sign: int = 1) -> tuple[str, ...]:
        """Return the best path; of equally good ones that whose last label comes first, then the one before, and so on.

        start : count the score of the first label
        sign : -1 for the worst path
        """

        def value(path: tuple[str, ...]) -> int:
            return sign * (self.score(path) - (0 if start else self.table[0, START, path[0]]))

        return max(sorted(self.paths(), key=lambda path: [self.labels.index(y) for y in reversed(path)]), key=value)

    def __str__(self) -> str:
        lines = [f"for {self.n} word{'s' * (self.n > 1)} and the labels {' '.join(self.labels)}, where s is"]
        for i in range(self.n):
            row = [f"{h}->{y} {value}" for (j, h, y), value in self.table.items() if j == i]
            lines.append(f"    word {i}:  " + "   ".join(row))
        return "\n".join(lines) + "\n"


def tables() -> Iterator[Case]:
    """Yield tables of random scores, the smallest first; the scores are few numbers, so that ties occur."""
    random = Random(2).random
    sizes = [(1, "AB"), (2, "AB"), (3, "AB"), (3, "ABC"), (4, "BA"), (5, "CAB")]
    for n, names in [size for size in sizes for _ in range(25)]:
        labels, table = list(names), {}
        for i in range(n):
            for h in [START] if i == 0 else labels:
                for y in labels:
                    table[i, h, y] = int(random() * 6) - 2
        yield Case(n, labels, table)


def in_words(weights: Vector) -> dict[Any, float]:
    """Return weights of the laboratory, or counts, by the names that features have in the lessons."""
    return {("label before", y) if f == "B" else (f[1:], y[0]): value for (f, y), value in weights.items()}
