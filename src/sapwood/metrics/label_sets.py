"""Scores of examples that have any number of labels each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from sapwood.metrics.labels import Average, LabelScore, check_lengths, macro_average, percent, score_rows, scored, table


@dataclass(frozen=True, slots=True)
class LabelSetReport:
    """The result of ``label_set_scores``. ``labels`` is sorted and has every gold or guessed label."""

    examples: int
    exact_examples: int
    labels: tuple[LabelScore, ...]

    @property
    def subset_accuracy(self) -> float:
        """Percent of the examples whose labels are exactly gold's."""
        return percent(self.exact_examples, self.examples)

    @property
    def macro(self) -> Average:
        """Means over ``labels``; a rare label counts as much as a frequent one."""
        return macro_average(self.labels)

    @property
    def all_labels(self) -> LabelScore:
        """The counts of all labels together."""
        return LabelScore("micro", *(sum(getattr(s, n) for s in self.labels) for n in ("gold", "guessed", "correct")))

    @property
    def micro(self) -> Average:
        """Of all labels together; a frequent label counts for more."""
        total = self.all_labels
        return Average(total.precision, total.recall, total.f1)

    def as_dict(self) -> dict[str, object]:
        """Return the whole report as plain dicts and numbers, ready for JSON."""
        return {
            "examples": self.examples,
            "exact_examples": self.exact_examples,
            "subset_accuracy": self.subset_accuracy,
            "macro": self.macro._asdict(),
            "micro": self.micro._asdict(),
            "labels": {score.label: score.as_dict() for score in self.labels},
        }

    def format(self) -> str:
        """Return a line of totals and an aligned table of the labels, without a newline at the end.

        >>> print(label_set_scores([["fun", "short"], ["fun"], []], [["fun"], ["fun"], ["short"]]).format())
        examples:  1 of 3 have exactly their labels, 33.33%
        <BLANKLINE>
        label  gold  guessed  correct  precision  recall      F1
        fun       2        2        2     100.00  100.00  100.00
        short     1        1        0       0.00    0.00    0.00
        macro     3        3        2      50.00   50.00   50.00
        micro     3        3        2      66.67   66.67   66.67
        """
        total = self.all_labels
        means = [[name, total.gold, total.guessed, total.correct] for name in ("macro", "micro")]
        rows: list[list[object]] = score_rows("label", self.labels)
        rows += [[*means[0], *self.macro], [*means[1], *self.micro]]
        done = f"{self.exact_examples} of {self.examples} have exactly their labels, {self.subset_accuracy:.2f}%"
        return "\n".join([f"{'examples:':<10} {done}", "", *table(rows)])

    __str__ = format


def label_set_scores(
    gold: Sequence[Iterable[str]], guess: Sequence[Iterable[str]], labels: Collection[str] = ()
) -> LabelSetReport:
    """Compare two lists that have the labels of each example. Raises ``DataError`` if their lengths differ.

    labels : those that are in the report, whether they occur or not
    """
    check_lengths(gold, guess)
    counts: tuple[Counter[str], Counter[str], Counter[str]] = (Counter(), Counter(), Counter())
    exact = 0
    for wanted, found in zip(map(set, gold), map(set, guess), strict=True):
        exact += wanted == found
        for counter, there in zip(counts, (wanted, found, wanted & found), strict=True):
            counter.update(there)
    names = sorted({*counts[0], *counts[1], *labels})
    return LabelSetReport(len(gold), exact, scored(*counts, names))
