"""Scores of labels, one a token or any number an example: accuracy, and precision, recall and F1 of each label.

The scores depend only on how often each pair (gold, guess) occurs. So the pairs are counted first, and the scores are
computed from a table of a few hundred cells, whatever the size of the corpus. The tables and percentages of the other
metrics are here too.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass, replace
from itertools import zip_longest
from operator import eq
from typing import Any, ClassVar, NamedTuple

from sapwood.base.table import table as table  # by which reports are formatted
from sapwood.errors import DataError


class Average(NamedTuple):
    """Precision, recall and F1 in percent, averaged over labels."""

    precision: float
    recall: float
    f1: float


class Figures:
    """Counts and scores that can be shown as a row of a table and as JSON."""

    __slots__ = ()

    key: ClassVar[str] = "label"  # name of the attribute that names the row
    columns: ClassVar[Mapping[str, str]] = {}  # heading of a table -> attribute
    figures: ClassVar[Collection[str]] = ()  # names of the attributes in JSON; empty: the same as `columns`

    def as_dict(self) -> dict[str, object]:
        """Return the figures as plain dicts and numbers, ready for JSON."""
        return {name: _plain(getattr(self, name)) for name in self.figures or self.columns.values()}

    def row(self) -> list[object]:
        """Return the row of a table: its name, and a cell for each column."""
        return [getattr(self, name) for name in (self.key, *self.columns.values())]


def _plain(value: object) -> object:
    match value:
        case Figures():
            return value.as_dict()
        case Average():
            return value._asdict()
        case tuple():
            return {getattr(score, score.key): score.as_dict() for score in value}
    return value


class Report(Figures, ABC):
    """The result of an evaluation, which can also be read as text."""

    __slots__ = ()

    @abstractmethod
    def format(self) -> str:
        """Return the report as text, without a newline at the end."""

    def __str__(self) -> str:
        return self.format()


class Matches(Figures):
    """Precision, recall and F1 of the three counts that every subclass has."""

    __slots__ = ()

    gold: int
    guessed: int
    correct: int
    columns = {name: name for name in ("gold", "guessed", "correct", "precision", "recall")} | {"F1": "f1"}

    @staticmethod
    def _share(part: int, whole: int) -> float:
        return percent(part, whole)

    @property
    def precision(self) -> float:
        """Percent of the guesses that are correct; 0.0 if nothing was guessed."""
        return self._share(self.correct, self.guessed)

    @property
    def recall(self) -> float:
        """Percent of gold that was found; 0.0 if gold is empty."""
        return self._share(self.correct, self.gold)

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall; 0.0 if both are 0."""
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


@dataclass(frozen=True, slots=True)
class LabelScore(Matches):
    """The counts of one label, or of one kind of chunk or arc: in gold, guessed, and guessed correctly."""

    label: str
    gold: int
    guessed: int
    correct: int


class _OverLabels(Report):
    """A report with the counts of each label."""

    __slots__ = ()

    labels: tuple[LabelScore, ...]

    @property
    def macro(self) -> Average:
        """Means over ``labels``; a rare label counts as much as a frequent one."""
        n = len(self.labels) or 1
        return Average(*(sum(getattr(score, name) for score in self.labels) / n for name in Average._fields))

    def _table(self, gold: int, guessed: int, correct: int, micro: Average) -> list[str]:
        means = [[name, gold, guessed, correct, *mean] for name, mean in (("macro", self.macro), ("micro", micro))]
        return table([*score_rows("label", self.labels), *means])


@dataclass(frozen=True, slots=True)
class LabelReport(_OverLabels):
    """The result of ``label_scores``. ``labels`` is sorted and has every gold or guessed label."""

    figures = (
        "correct", "accuracy", "sentences", "exact_sentences", "sentence_accuracy", "macro", "micro", "labels",
    )  # fmt: skip

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
    def micro(self) -> Average:
        """Means over tokens. All three are the accuracy, because a token has one gold and one guessed label."""
        return Average(self.accuracy, self.accuracy, self.accuracy)

    def as_dict(self) -> dict[str, object]:
        found = Report.as_dict(self).items()
        return {self.unit: self.tokens, **{k: v for k, v in found if self.unit == "tokens" or "sentence" not in k}}

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
        heading = f"{self.unit + ':':<10} {self.correct} of {self.tokens} correct, {self.accuracy:.2f}%"
        sentences = f"sentences: {self.exact_sentences} of {self.sentences} correct, {self.sentence_accuracy:.2f}%"
        rows = self._table(self.tokens, self.tokens, self.correct, self.micro)
        return "\n".join([heading, *([sentences] if self.unit == "tokens" else []), "", *rows])


@dataclass(frozen=True, slots=True)
class LabelSetReport(_OverLabels):
    """The result of ``label_set_scores``. ``labels`` is sorted and has every gold or guessed label."""

    figures = ("examples", "exact_examples", "subset_accuracy", "macro", "micro", "labels")

    examples: int
    exact_examples: int
    labels: tuple[LabelScore, ...]

    @property
    def subset_accuracy(self) -> float:
        """Percent of the examples whose labels are exactly gold's."""
        return percent(self.exact_examples, self.examples)

    @property
    def all_labels(self) -> LabelScore:
        """The counts of all labels together."""
        return LabelScore("micro", *(sum(getattr(s, n) for s in self.labels) for n in ("gold", "guessed", "correct")))

    @property
    def micro(self) -> Average:
        """Precision, recall and F1 over all labels together; a frequent label counts for more."""
        total = self.all_labels
        return Average(total.precision, total.recall, total.f1)

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
        rows = self._table(total.gold, total.guessed, total.correct, self.micro)
        done = f"{self.exact_examples} of {self.examples} have exactly their labels, {self.subset_accuracy:.2f}%"
        return "\n".join([f"{'examples:':<10} {done}", "", *rows])


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

    labels = scored_pairs((gold_label, guess_label, True, n) for (gold_label, guess_label), n in pairs.items())
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


def scored_pairs(
    pairs: Iterable[tuple[str, str, bool, int]], names: Iterable[str] | None = None
) -> tuple[LabelScore, ...]:
    """Return the scores of these names, or of all that occur, sorted.

    pairs : the name in gold, the name in guess, whether all else is right, and how often there is such a pair
    """
    counts: tuple[Counter[str], Counter[str], Counter[str]] = (Counter(), Counter(), Counter())
    for gold, guess, right, n in pairs:
        counts[0][gold] += n
        counts[1][guess] += n
        counts[2][gold] += n * (right and gold == guess)
    return scored(*counts, names)


def class_scores(gold: Sequence[str], guess: Sequence[str]) -> LabelReport:
    """Compare two lists with one label for each example. Raises ``DataError`` if their lengths differ."""
    check_lengths(gold, guess)
    return replace(label_scores([gold], [guess]), unit="examples")


def label_set_scores(
    gold: Sequence[Iterable[str]], guess: Sequence[Iterable[str]], labels: Collection[str] = ()
) -> LabelSetReport:
    """Compare two lists of the label sets of examples. Raises ``DataError`` if their lengths differ.

    labels : the labels of the report, whether they occur in the data or not
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


def set_scores(gold: Collection[Hashable], retrieved: Collection[Hashable]) -> LabelScore:
    """Score a set of answers to one query against the right answers.

    Rhymes for "hinge" (Schneider 2017, "Feature-based Classification with the Perceptron"): of 13 gold rhymes a system
    finds 10, and 1 word that does not rhyme.

    >>> both = {"binge", "cringe", "fringe", "hinge", "impinge", "infringe", "syringe", "tinge", "twinge", "unhinge"}
    >>> scores = set_scores(gold=both | {"klinge", "minge", "vinje"}, retrieved=both | {"ainge"})
    >>> f"precision {scores.precision:.0f} %, recall {scores.recall:.0f} %, F1 {scores.f1:.0f} %"
    'precision 91 %, recall 77 %, F1 83 %'
    """
    wanted, found = set(gold), set(retrieved)
    return LabelScore("retrieved", gold=len(wanted), guessed=len(found), correct=len(wanted & found))


def check_lengths(gold: Sized, guess: Sized) -> None:
    """Raise ``DataError`` unless both have the same length."""
    if len(gold) != len(guess):
        raise DataError(f"gold has {len(gold)} labels, guess has {len(guess)}; both must have one an example")


def aligned(
    gold: Iterable[Sequence[str]], guess: Iterable[Sequence[str]]
) -> Iterator[tuple[Sequence[str], Sequence[str]]]:
    """Yield the sentences of gold and guess in pairs. Raises ``DataError`` if their numbers or lengths differ."""
    for number, (gold_labels, guess_labels) in in_step(gold=gold, guess=guess):
        if any(isinstance(labels, str) for labels in (gold_labels, guess_labels)):
            raise TypeError(f"sentence {number} is a string; a sentence is a list of labels")
        if len(gold_labels) != len(guess_labels):
            lengths = f"gold has {len(gold_labels)} labels, guess has {len(guess_labels)}"
            raise DataError(f"sentence {number}: {lengths}; both must have one label a token")
        yield gold_labels, guess_labels


def in_step(**sources: Iterable[Any]) -> Iterator[tuple[int, tuple[Any, ...]]]:
    """Yield each sentence's number, from 1, and the sentence in all sources. Raises ``DataError`` if one ends early."""
    for number, sentences in enumerate(zip_longest(*sources.values()), start=1):
        ended = {name: sentence is None for name, sentence in zip(sources, sentences, strict=True)}
        if any(ended.values()):
            shorter = next(name for name in ended if ended[name])
            longer = next(name for name in ended if not ended[name])
            where = f"sentence {number}: {longer} has it, {shorter} ends after {number - 1}"
            raise DataError(f"{where}; {' and '.join(sources)} must hold the same sentences")
        yield number, sentences


def score_rows(heading: str, scores: Iterable[Figures], kind: type[Figures] = Matches) -> list[list[object]]:
    """Return scores of one kind as rows for ``table``; ``heading`` is the first column's heading."""
    return [[heading, *kind.columns], *(score.row() for score in scores)]


def percent(part: int, whole: int) -> float:
    """Return ``part`` in percent of ``whole``; 0.0 if ``whole`` is 0."""
    return 100 * part / whole if whole else 0.0
