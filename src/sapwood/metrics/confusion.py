"""Confusion matrices: how often each label was taken for each other label."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from sapwood.metrics.labels import Report, check_lengths, table

_MOST_SHOWN = 20  # labels in a table of text
_LONGEST = 24  # characters of a label in a table or picture


@dataclass(frozen=True, slots=True)
class Confusion(Report):
    """Counts of pairs (gold, guess). The labels are in order of their gold counts, the most frequent first."""

    labels: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]  # [gold][guess]

    def as_dict(self) -> dict[str, object]:
        return {"labels": list(self.labels), "counts": [list(row) for row in self.counts]}

    def of_most_confused(self, most: int) -> "Confusion":
        """Return the confusions of `most` labels: those that were confused most often, as gold or as guess.

        >>> confusion(["n", "n", "v", "v"], ["n", "v", "v", "x"]).of_most_confused(2).labels
        ('n', 'v')
        """
        every = range(len(self.labels))
        errors = [sum(self.counts[y]) + sum(row[y] for row in self.counts) - 2 * self.counts[y][y] for y in every]
        kept = sorted(sorted(every, key=lambda y: -errors[y])[:most])
        counts = tuple(tuple(self.counts[gold][guess] for guess in kept) for gold in kept)
        return Confusion(tuple(self.labels[y] for y in kept), counts)

    def format(self, most: int = _MOST_SHOWN) -> str:
        """Return an aligned table with a row for each gold label. Long labels are shortened in the middle.

        With more than `most` labels, the table has the pairs that were confused most often instead.

        >>> print(confusion(["n", "n", "v"], ["n", "v", "v"]).format())
        gold, guess  n  v
        n            1  1
        v            0  1
        """
        labels = [shortened(label) for label in self.labels]
        if len(labels) <= most:
            rows = [[label, *counts] for label, counts in zip(labels, self.counts, strict=True)]
            return "\n".join(table([["gold, guess", *labels], *rows]))
        pairs = [
            (count, f"{labels[gold]} taken for {labels[guess]}")
            for gold, row in enumerate(self.counts)
            for guess, count in enumerate(row)
            if gold != guess and count
        ]
        shown = sorted(pairs, key=lambda pair: -pair[0])[:most]
        return "\n".join(table([["confused", "times"], *([what, count] for count, what in shown)]))


def shortened(label: str) -> str:
    """Return a label without its middle if it is long.

    >>> shortened("interest_6"), shortened("a_label_of_many_words_and_a_number_7")
    ('interest_6', 'a_label_of_many…number_7')
    """
    return label if len(label) <= _LONGEST else f"{label[: _LONGEST - 9]}…{label[-8:]}"


def confusion(gold: Sequence[str], guess: Sequence[str]) -> Confusion:
    """Count the pairs of gold and guessed labels of the same examples. Raises DataError if their numbers differ."""
    check_lengths(gold, guess)
    pairs = Counter(zip(gold, guess, strict=True))
    of_gold = Counter(gold)
    labels = tuple(sorted({label for pair in pairs for label in pair}, key=lambda label: (-of_gold[label], label)))
    return Confusion(labels, tuple(tuple(pairs[g, h] for h in labels) for g in labels))
