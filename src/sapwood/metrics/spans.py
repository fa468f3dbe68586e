"""Scores of spans: a span is right if its begin, its end and its label are those of a gold span."""

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

from sapwood.metrics.labels import LabelScore, Matches, Report, scored, table

Found = tuple[Hashable, Hashable, str]  # begin, end and label


@dataclass(frozen=True, slots=True)
class SpanReport(Matches, Report):
    """The result of ``span_scores``. ``labels`` is sorted and has every gold or guessed label."""

    figures = ("texts", *Matches.columns.values(), "labels")

    texts: int
    gold: int
    guessed: int
    correct: int
    labels: tuple[LabelScore, ...]

    def format(self) -> str:
        """Return the table of all labels and of each.

        >>> print(span_scores([[(0, 3, "PER")]], [[(0, 3, "PER"), (4, 6, "LOC")]]).format())
        spans of 1 texts; begin, end and label are to be right
        <BLANKLINE>
        label  gold  guessed  correct  precision  recall      F1
        all       1        2        1      50.00  100.00   66.67
        LOC       0        1        0       0.00    0.00    0.00
        PER       1        1        1     100.00  100.00  100.00
        """
        all_of_them = LabelScore("all", self.gold, self.guessed, self.correct)
        rows = [score.row() for score in (all_of_them, *self.labels)]
        heading = f"spans of {self.texts:,} texts; begin, end and label are to be right"
        return "\n".join([heading, "", *table([["label", *Matches.columns], *rows])])


def span_scores(gold: Sequence[Iterable[Found]], guess: Sequence[Iterable[Found]]) -> SpanReport:
    """Compare the spans of texts. The same span counts once in a text."""
    counts: list[Counter[str]] = [Counter(), Counter(), Counter()]
    for wanted, found in zip(map(set, gold), map(set, guess), strict=True):
        for count, spans in zip(counts, (wanted, found, wanted & found), strict=True):
            count.update(label for _, _, label in spans)
    in_gold, guessed, correct = (count.total() for count in counts)
    return SpanReport(len(gold), in_gold, guessed, correct, scored(*counts))
