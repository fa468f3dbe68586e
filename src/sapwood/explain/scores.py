"""The parts of a report, and the scores that it begins with."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from math import isnan
from typing import NamedTuple

from sapwood.metrics.chunks import chunk_counts, chunk_scores, looks_like_chunks
from sapwood.metrics.confusion import Confusion, confusion
from sapwood.metrics.labels import LabelScore, label_scores, label_set_scores, score_rows
from sapwood.metrics.reliability import Coverage, calibration_error, coverage_curve, reliability_bins, tenth_of
from sapwood.metrics.significance import ScoreDifference, compare_accuracy, compare_f1
from sapwood.metrics.trees import tree_scores
from sapwood.model.answers import Answers, Sets
from sapwood.model.explanation_records import ExplanationRecord

Tree = tuple[Sequence[int], Sequence[str]]  # heads, counted from 1, 0 for the root; relations
_ROWS = 25  # labels in a table
_MANY = 300  # labels; with more, there are no scores by label and no matrix
_CONFUSED = 12  # labels in a matrix


class Table(NamedTuple):
    """Figures with a heading; the first row names the columns."""

    caption: str
    rows: list[list[object]]


class Trees(NamedTuple):
    """The gold tree of a sentence and the model's."""

    gold: Tree
    guess: Tree
    tags: Sequence[str]


class ShownExample(NamedTuple):
    """A decision of the model, with the words around it."""

    place: str  # such as "sentence 12"
    words: Sequence[str]
    marked: range  # the words that it is about, from 0; empty if it is about all of them
    also_wrong: frozenset[int]  # other words with errors
    gold: str
    guess: str
    other: str | None = None  # the other model's answer
    trees: Trees | None = None
    reason: ExplanationRecord | None = None  # the explanation, as the core writes it


class Group(NamedTuple):
    """Errors that share something."""

    value: str  # the value that they share
    errors: int
    total: int | None  # decisions with this value, right or wrong; None where only errors have one
    other: int | None  # errors of the other model; None without one
    examples: list[ShownExample]


class Aspect(NamedTuple):
    """One way to group errors."""

    title: str
    groups: list[Group]
    left_out: int  # smaller groups


class ModelChanges(NamedTuple):
    """The differences from the other model."""

    fixed: int  # decisions that only the model has right
    broken: int  # decisions that only the other one has right
    sign_p: float
    scores: list[ScoreDifference]  # a is the other model, b the model
    examples_fixed: list[ShownExample]
    examples_broken: list[ShownExample]


class Section(NamedTuple):
    """All about one kind of decision."""

    title: str
    decisions: int
    errors: int
    tables: list[Table]
    confusion: Confusion | None
    patterns: list[tuple[str, Group]]  # the groups with the most errors above the average, with their aspects
    aspects: list[Aspect]
    changes: ModelChanges | None
    coverage: Sequence[Coverage] = ()  # shares of examples, if the model is calibrated


class Page(NamedTuple):
    """A report."""

    title: str
    facts: list[tuple[str, str]]
    overview: str  # scores of the whole, as text
    sections: list[Section]
    # For each model: its name, its scores on held-out data after each epoch, in percent, and the epoch that is kept.
    curves: Sequence[tuple[str, list[float], int]] = ()


def tables_of(answers: Answers) -> list[Table]:
    """Return the scores of the answers."""
    if answers.trees is not None:
        return _tree_tables(answers)
    if answers.sets is not None:
        tables = _set_tables(answers.sets)
        return tables if answers.confidences is None else [*tables, _reliability(answers, answers.confidences)]
    scores = label_scores(answers.gold, answers.guess)
    counts: list[list[object]] = [["", "of", "right", "percent"]]
    decisions = f"{answers.unit}s" if answers.whole else "words" if answers.properties is None else answers.title
    counts.append([decisions, scores.tokens, scores.correct, scores.accuracy])
    if not answers.whole:
        counts.append([f"{answers.unit}s", scores.sentences, scores.exact_sentences, scores.sentence_accuracy])
    tables = [Table("", counts)]
    if answers.confidences is not None:
        tables.append(_reliability(answers, answers.confidences))
    if looks_like_chunks(*map(chain.from_iterable, (answers.gold, answers.guess))):
        chunks = chunk_scores(answers.gold, answers.guess)
        every = LabelScore("all", chunks.gold, chunks.guessed, chunks.correct)
        return [*tables, _scores("chunk", [every, *_largest(chunks.types)])]
    return [*tables, _scores("label", _largest(scores.labels))] if len(scores.labels) <= _MANY else tables


def confusion_of(answers: Answers) -> Confusion | None:
    """Return the confusions of the labels confused most; None for label sets, too many labels, or no error."""
    gold, guess = ([label for labels in side for label in labels] for side in (answers.gold, answers.guess))
    if len({*gold, *guess}) > _MANY or gold == guess or answers.sets is not None:
        return None
    return confusion(gold, guess).of_most_confused(_CONFUSED)


def coverage_of(answers: Answers) -> list[Coverage]:
    """Return the precision of the surest answers by coverage; none but of a calibrated model of examples."""
    if answers.confidences is None or answers.sets is not None or not answers.whole:
        return []
    return coverage_curve([min(unit) for unit in answers.confidences], list(map(all, _right_decisions(answers))))


def compared(a: Answers, b: Answers) -> list[ScoreDifference]:
    """Return the scores of two models' answers with the significance of their difference."""
    if a.trees is not None and b.trees is not None:
        return [
            compare_accuracy("UAS", _right(a, labelled=False), _right(b, labelled=False)),
            compare_accuracy("LAS", _right(a, labelled=True), _right(b, labelled=True)),
        ]
    found = [compare_accuracy("accuracy", _right(a), _right(b))]
    if a.sets is not None and b.sets is not None:
        exact = ([(int(all(unit)), 1) for unit in _right_decisions(each)] for each in (a, b))
        micro = replace(compare_f1(_labels_of_sets(a.sets), _labels_of_sets(b.sets)), score="micro F1")
        return [replace(found[0], score="accuracy of each label"), compare_accuracy("exactly right", *exact), micro]
    if looks_like_chunks(*map(chain.from_iterable, (a.gold, a.guess, b.guess))):
        found.append(replace(compare_f1(_chunks(a), _chunks(b)), score="chunk F1"))
    return found


def _reliability(answers: Answers, confidences: Sequence[Sequence[float]], *, labelled: bool = True) -> Table:
    """Return the accuracy of decisions in each tenth of confidence, and of the 90 % with the highest confidence."""
    flat = zip(
        (good for unit in _right_decisions(answers, labelled=labelled) for good in unit),
        (p for unit in confidences for p in unit),
        strict=True,
    )
    right, values = zip(*((good, p) for good, p in flat if not isnan(p)), strict=True)
    rows: list[list[object]] = [["confidence", "of", "right", "percent", "mean confidence"]]

    # The mean confidence of a bin may be rounded into another tenth than that of its decisions.
    for tenth, each in zip(sorted(set(map(tenth_of, values))), reliability_bins(values, right), strict=True):
        hits = round(each.accuracy * each.size)
        name = f"{tenth / 10:.1f} to {(tenth + 1) / 10:.1f}"
        rows.append([name, each.size, hits, 100 * hits / each.size, 100 * each.confidence])
    if n := round(0.9 * len(values)):
        surest = sorted(range(len(values)), key=lambda k: (-values[k], k))[:n]
        hits = sum(right[k] for k in surest)
        rows.append(["the surest 90 %", n, hits, 100 * hits / n, 100 * sum(values[k] for k in surest) / n])
    error = 100 * calibration_error(values, right)
    return Table(f"How far confidences can be trusted: the calibration error is {error:.2f} %.", rows)


def _tree_tables(answers: Answers) -> list[Table]:
    assert answers.trees is not None
    tags = answers.tags or [["_"] * len(words) for words in answers.words]
    gold, guess = zip(*answers.trees, strict=True)
    scores = tree_scores(gold, guess, tags)
    rows: list[list[object]] = [["", "words", "UAS", "LAS", "CLAS"]]
    lengths = (length for length in scores.lengths if length.words)
    rows += [[s.name, s.words, s.uas, s.las, s.clas] for s in (scores.all_words, scores.no_punctuation, *lengths)]
    if not scores.labelled:
        rows = [row[:3] for row in rows]
    distances = [s for s in scores.distances if s.gold or s.guessed]
    tables = [Table("attachment", rows), _scores("distance", distances), _scores("relation", _largest(scores.deprels))]
    if answers.confidences is not None:
        tables.insert(1, _reliability(answers, answers.confidences, labelled=scores.labelled))
    return tables


def _set_tables(sets: Sets) -> list[Table]:
    """Return the share of examples with exactly their labels, and the scores of each label with its threshold."""
    scores = label_set_scores(sets.gold, sets.guess, sets.names)
    exact = ["exactly their labels", scores.examples, scores.exact_examples, scores.subset_accuracy]
    rows = score_rows("label", _largest(scores.labels))
    rows[0].append("threshold")
    for row in rows[1:]:
        row.append(sets.thresholds.get(str(row[0]), "not known"))
    total = scores.all_labels
    counts = [total.gold, total.guessed, total.correct]
    rows += [["all, together (micro)", *counts, *scores.micro, ""], ["all, mean (macro)", *counts, *scores.macro, ""]]
    return [Table("", [["examples with", "of", "right", "percent"], exact]), Table("by label", rows)]


def _labels_of_sets(sets: Sets) -> list[tuple[int, int]]:
    """Return two counts for each example: the labels of gold plus those of the guess, and twice the common ones."""
    pairs = zip(map(set, sets.gold), map(set, sets.guess), strict=True)
    return [(len(gold) + len(guess), 2 * len(gold & guess)) for gold, guess in pairs]


def _scores(heading: str, scores: Sequence[LabelScore]) -> Table:
    return Table(f"by {heading}", score_rows(heading, scores))


def _largest(scores: Sequence[LabelScore]) -> list[LabelScore]:
    return sorted(scores, key=lambda score: (-score.gold, score.label))[:_ROWS]


def _right_decisions(answers: Answers, *, labelled: bool = True) -> Iterator[list[bool]]:
    """Yield for each unit [decisions], true if right: the label, or the head and, if `labelled`, the relation."""
    labels = zip(answers.gold, answers.guess, strict=True)
    if answers.trees is None:
        yield from (list(map(str.__eq__, gold, guess)) for gold, guess in labels)
        return
    for (gold, guess), ((heads, _), (guessed, _)) in zip(labels, answers.trees, strict=True):
        words = zip(heads, guessed, gold, guess, strict=True)
        yield [g == h and (not labelled or r == q) for g, h, r, q in words]


def _right(answers: Answers, *, labelled: bool = True) -> list[tuple[int, int]]:
    return [(sum(unit), len(unit)) for unit in _right_decisions(answers, labelled=labelled)]


def _chunks(answers: Answers) -> list[tuple[int, int]]:
    pairs = zip(answers.gold, answers.guess, strict=True)
    return [chunk_counts(gold, [guess])[0] for gold, guess in pairs]
