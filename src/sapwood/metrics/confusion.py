"""Which label was taken for which."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sapwood.metrics.labels import table

__all__ = ["Confusion", "confusion"]

_MOST_SHOWN = 20  # labels in a table of text


@dataclass(frozen=True, slots=True)
class Confusion:
    """Counts of (gold, guess) pairs, over labels in order of their gold counts."""

    labels: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]  # [gold][guess]

    def as_dict(self) -> dict[str, Any]:
        """Labels and counts, ready for JSON."""
        return {"labels": list(self.labels), "counts": [list(row) for row in self.counts]}

    def format(self, most: int = _MOST_SHOWN) -> str:
        """An aligned table, a row a gold label; beyond `most` labels, the pairs that were confused most often.

        >>> print(confusion(["n", "n", "v"], ["n", "v", "v"]).format())
        gold, guess  n  v
        n            1  1
        v            0  1
        """
        if len(self.labels) <= most:
            rows = [[label, *counts] for label, counts in zip(self.labels, self.counts, strict=True)]
            return "\n".join(table([["gold, guess", *self.labels], *rows]))
        pairs = [
            (count, f"{gold} taken for {guess}")
            for gold, row in zip(self.labels, self.counts, strict=True)
            for guess, count in zip(self.labels, row, strict=True)
            if gold != guess and count
        ]
        shown = sorted(pairs, key=lambda pair: -pair[0])[:most]
        return "\n".join(table([["confused", "times"], *([what, count] for count, what in shown)]))


def confusion(gold: Iterable[str], guess: Iterable[str]) -> Confusion:
    """Count the pairs of gold and guessed labels, one each an example. Raises ValueError if their numbers differ."""
    pairs = Counter(zip(gold, guess, strict=True))
    of_gold: Counter[str] = Counter()
    for (gold_label, _), count in pairs.items():
        of_gold[gold_label] += count
    labels = tuple(sorted({label for pair in pairs for label in pair}, key=lambda label: (-of_gold[label], label)))
    return Confusion(labels, tuple(tuple(pairs[g, h] for h in labels) for g in labels))
