"""Confusion matrices: how often each label was taken for each other label."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sapwood.metrics.labels import Report, check_lengths, table

_MOST_SHOWN = 20  # labels in a table of text
_LONGEST = 24  # characters of a label in a table or picture


@dataclass(frozen=True, slots=True)
class Confusion(Report):
    """Counts of the pairs (gold, guess) that occur. The labels are in order of their gold counts, the highest first.

    Of many labels nearly all pairs never occur, so memory grows with the examples, not with the square of the labels.
    """

    labels: tuple[str, ...]
    pairs: Mapping[tuple[str, str], int]

    @property
    def counts(self) -> tuple[tuple[int, ...], ...]:
        """The counts as a square table, [gold][guess]; of a few labels."""
        return tuple(tuple(self.pairs.get((gold, guess), 0) for guess in self.labels) for gold in self.labels)

    def as_dict(self) -> dict[str, object]:
        return {"labels": list(self.labels), "pairs": [[*pair, count] for pair, count in self.pairs.items()]}

    def of_most_confused(self, most: int) -> "Confusion":
        """Return the confusions of `most` labels: those that were confused most often, as gold or as guess.

        >>> confusion(["n", "n", "v", "v"], ["n", "v", "v", "x"]).of_most_confused(2).labels
        ('n', 'v')
        """
        errors: Counter[str] = Counter()
        for pair, count in self._errors():
            errors.update(dict.fromkeys(pair, count))
        most_confused = set(sorted(self.labels, key=lambda label: -errors[label])[:most])
        pairs = {pair: count for pair, count in self.pairs.items() if most_confused.issuperset(pair)}
        return Confusion(tuple(label for label in self.labels if label in most_confused), pairs)

    def format(self, most: int = _MOST_SHOWN) -> str:
        """Return an aligned table with a row for each gold label. Long labels are shortened in the middle.

        With more than `most` labels, the table has the pairs that were confused most often instead.

        >>> print(confusion(["n", "n", "v"], ["n", "v", "v"]).format())
        gold, guess  n  v
        n            1  1
        v            0  1
        """
        if len(self.labels) <= most:
            labels = [shortened(label) for label in self.labels]
            rows = [[label, *counts] for label, counts in zip(labels, self.counts, strict=True)]
            return "\n".join(table([["gold, guess", *labels], *rows]))
        shown = sorted(self._errors(), key=lambda pair: -pair[1])[:most]
        named = ([f"{shortened(gold)} taken for {shortened(guess)}", count] for (gold, guess), count in shown)
        return "\n".join(table([["confused", "times"], *named]))

    def _errors(self) -> list[tuple[tuple[str, str], int]]:
        return [(pair, count) for pair, count in self.pairs.items() if pair[0] != pair[1]]


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
    labels = sorted({label for pair in pairs for label in pair}, key=lambda label: (-of_gold[label], label))
    place = {label: number for number, label in enumerate(labels)}
    in_order = sorted(pairs.items(), key=lambda pair: (place[pair[0][0]], place[pair[0][1]]))
    return Confusion(tuple(labels), dict(in_order))
