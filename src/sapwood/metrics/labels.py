"""Scores of labels, token by token: accuracy, and precision, recall and F1 of each label.

The scores depend only on how often each pair (gold, guess) occurs. So the pairs are counted first, and the scores are
computed from a table of a few hundred cells, whatever the size of the corpus. The tables and percentages of the other
metrics are here too.
"""

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass, replace
from itertools import zip_longest
from operator import eq
from typing import Any, NamedTuple

from sapwood.errors import DataError


class Average(NamedTuple):
    """Precision, recall and F1 in percent, averaged over labels."""

    precision: float
    recall: float
    f1: float


class Matches:
    """Precision, recall and F1 of the three counts that every subclass has."""

    __slots__ = ()

    gold: int
    guessed: int
    correct: int

    @property
    def precision(self) -> float:
        """Percent of the guesses that are correct; 0.0 if nothing was guessed."""
        return percent(self.correct, self.guessed)

    @property
    def recall(self) -> float:
        """Percent of gold that was found; 0.0 if there is none."""
        return percent(self.correct, self.gold)

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall; 0.0 if both are 0."""
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0

    def as_dict(self) -> dict[str, object]:
        """Return the counts and percentages."""
        return {name: getattr(self, name) for name in ("gold", "guessed", "correct", "precision", "recall", "f1")}


@dataclass(frozen=True, slots=True)
class LabelScore(Matches):
    """The counts of one label, or of one kind of chunk or arc: in gold, guessed, and guessed correctly."""

    label: str
    gold: int
    guessed: int
    correct: int


def macro_average(scores: Sequence[LabelScore]) -> Average:
    """Return the means over labels; a rare label counts as much as a frequent one."""
    n = len(scores) or 1
    return Average(*(sum(getattr(score, name) for score in scores) / n for name in Average._fields))


@dataclass(frozen=True, slots=True)
class LabelReport:
    """The result of ``label_scores``. ``labels`` is sorted and has every gold or guessed label."""

    tokens: int
    correct: int
    sentences: int
    exact_sentences: int
    labels: tuple[LabelScore, ...]
    unit: str = "tokens"  # or "examples", which have no sentences

    @property
    def accuracy(self) -> float:
        """Percent of the tokens whose label is correct."""
        return percent(self.correct, self.tokens)

    @property
    def sentence_accuracy(self) -> float:
        """Percent of the sentences whose labels are all correct."""
        return percent(self.exact_sentences, self.sentences)

    @property
    def macro(self) -> Average:
        """Means over ``labels``; a rare label counts as much as a frequent one."""
        return macro_average(self.labels)

    @property
    def micro(self) -> Average:
        """Means over tokens. All three are the accuracy, because a token has one gold and one guessed label."""
        return Average(self.accuracy, self.accuracy, self.accuracy)

    def as_dict(self) -> dict[str, object]:
        """Return the whole report as plain dicts and numbers, ready for JSON."""
        names = ["correct", "accuracy"]
        if self.unit == "tokens":
            names += ["sentences", "exact_sentences", "sentence_accuracy"]
        return {
            self.unit: self.tokens,
            **{name: getattr(self, name) for name in names},
            "macro": self.macro._asdict(),
            "micro": self.micro._asdict(),
            "labels": {score.label: score.as_dict() for score in self.labels},
        }

    def format(self) -> str:
        """Return two lines of totals and an aligned table of the labels, without a newline at the end.

        >>> print(label_scores([["DT", "NN", "VB"]], [["DT", "NN", "NN"]]).format())
        tokens:    2 of 3 correct, 66.67%
        sentences: 0 of 1 correct, 0.00%
        <BLANKLINE>
        label  gold  guessed  correct  precision  recall      F1
        DT        1        1        1     100.00  100.00  100.00
        NN        1        2        1      50.00  100.00   66.67
        VB        1        0        0       0.00    0.00    0.00
        macro     3        3        2      50.00   66.67   55.56
        micro     3        3        2      66.67   66.67   66.67
        """
        means = [
            ["macro", self.tokens, self.tokens, self.correct, *self.macro],
            ["micro", self.tokens, self.tokens, self.correct, *self.micro],
        ]
        heading = f"{self.unit + ':':<10} {self.correct} of {self.tokens} correct, {self.accuracy:.2f}%"
        sentences = f"sentences: {self.exact_sentences} of {self.sentences} correct, {self.sentence_accuracy:.2f}%"
        rows = table([*score_rows("label", self.labels), *means])
        return "\n".join([heading, *([sentences] if self.unit == "tokens" else []), "", *rows])

    __str__ = format


def label_scores(gold: Iterable[Sequence[str]], guess: Iterable[Sequence[str]]) -> LabelReport:
    """Compare two labellings of the same sentences, each sentence a list of labels.

    Raises ``DataError`` if there are not as many sentences, or labels in a sentence, in both.
    """
    pairs: Counter[tuple[str, str]] = Counter()
    sentences = exact_sentences = 0
    for gold_labels, guess_labels in aligned(gold, guess):
        pairs.update(zip(gold_labels, guess_labels, strict=True))
        sentences += 1
        exact_sentences += all(map(eq, gold_labels, guess_labels))

    gold_count: Counter[str] = Counter()
    guess_count: Counter[str] = Counter()
    for (gold_label, guess_label), n in pairs.items():
        gold_count[gold_label] += n
        guess_count[guess_label] += n
    labels = scored(gold_count, guess_count, {label: pairs[label, label] for label in gold_count})
    return LabelReport(
        tokens=pairs.total(),
        correct=sum(score.correct for score in labels),
        sentences=sentences,
        exact_sentences=exact_sentences,
        labels=labels,
    )


def scored(
    gold: Mapping[str, int], guessed: Mapping[str, int], correct: Mapping[str, int], names: Iterable[str] | None = None
) -> tuple[LabelScore, ...]:
    """Return the scores of these names, or of all that have a count, sorted."""
    chosen = sorted(gold.keys() | guessed.keys()) if names is None else names
    return tuple(LabelScore(name, gold.get(name, 0), guessed.get(name, 0), correct.get(name, 0)) for name in chosen)


def class_scores(gold: Sequence[str], guess: Sequence[str]) -> LabelReport:
    """Compare two lists with one label for each example. Raises ``DataError`` if their lengths differ."""
    check_lengths(gold, guess)
    return replace(label_scores([gold], [guess]), unit="examples")


def set_scores(gold: Collection[Hashable], retrieved: Collection[Hashable]) -> LabelScore:
    """Score a set of answers to one query against the right answers.

    Rhymes for "hinge" (Schneider 2017, "Feature-based Classification with the Perceptron"): of 13 gold rhymes a system
    finds 10, and 1 word that does not rhyme.

    >>> both = {"binge", "cringe", "fringe", "hinge", "impinge", "infringe", "syringe", "tinge", "twinge", "unhinge"}
    >>> scores = set_scores(gold=both | {"klinge", "minge", "vinje"}, retrieved=both | {"ainge"})
    >>> (scores.correct, scores.guessed), (scores.correct, scores.gold)
    ((10, 11), (10, 13))
    >>> f"precision {scores.precision:.0f} %, recall {scores.recall:.0f} %, F1 {scores.f1:.0f} %"
    'precision 91 %, recall 77 %, F1 83 %'
    """
    wanted, found = set(gold), set(retrieved)
    return LabelScore("retrieved", gold=len(wanted), guessed=len(found), correct=len(wanted & found))


def check_lengths(gold: Sized, guess: Sized) -> None:
    """Raise ``DataError`` unless both have as many labels."""
    if len(gold) != len(guess):
        raise DataError(f"gold has {len(gold)} labels, guess has {len(guess)}; both must have one an example")


def aligned(
    gold: Iterable[Sequence[str]], guess: Iterable[Sequence[str]]
) -> Iterator[tuple[Sequence[str], Sequence[str]]]:
    """Yield the sentences of gold and guess in pairs. Raises ``DataError`` if their numbers or lengths differ."""
    for number, (gold_labels, guess_labels) in in_step(gold=gold, guess=guess):
        if isinstance(gold_labels, str) or isinstance(guess_labels, str):
            raise TypeError(f"sentence {number} is a string; a sentence is a list of labels")
        if len(gold_labels) != len(guess_labels):
            raise DataError(
                f"sentence {number}: gold has {len(gold_labels)} labels, guess has {len(guess_labels)}; "
                "both must have one label a token"
            )
        yield gold_labels, guess_labels


def in_step(**sources: Iterable[Any]) -> Iterator[tuple[int, tuple[Any, ...]]]:
    """Yield each sentence's number, from 1, and the sentence in all sources. Raises ``DataError`` if one ends early."""
    for number, sentences in enumerate(zip_longest(*sources.values()), start=1):
        ended = {name: sentence is None for name, sentence in zip(sources, sentences, strict=True)}
        if any(ended.values()):
            shorter = next(name for name in ended if ended[name])
            longer = next(name for name in ended if not ended[name])
            raise DataError(
                f"sentence {number}: {longer} has it, {shorter} ends after {number - 1}; "
                f"{' and '.join(sources)} must hold the same sentences"
            )
        yield number, sentences


def score_rows(heading: str, scores: Iterable[LabelScore]) -> list[list[object]]:
    """Return scores as rows for ``table``; ``heading`` is that of the first column."""
    rows: list[list[object]] = [[heading, "gold", "guessed", "correct", "precision", "recall", "F1"]]
    rows += [[s.label, s.gold, s.guessed, s.correct, s.precision, s.recall, s.f1] for s in scores]
    return rows


def table(rows: Iterable[Iterable[object]]) -> list[str]:
    """Return the lines of an aligned table: names on the left, figures on the right, floats with two decimals.

    >>> print("\\n".join(table([["tag", "F1"], ["NN", 93.756], ["VB", 7]])))
    tag     F1
    NN   93.76
    VB       7
    """
    cells = [[f"{cell:.2f}" if isinstance(cell, float) else str(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return ["  ".join([line[0].ljust(widths[0]), *map(str.rjust, line[1:], widths[1:])]) for line in cells]


def percent(part: int, whole: int) -> float:
    """Return ``part`` in percent of ``whole``; 0.0 if ``whole`` is 0."""
    return 100 * part / whole if whole else 0.0
