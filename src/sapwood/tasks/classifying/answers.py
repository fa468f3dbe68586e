"""The forms of a classifier's answers for people: explanations of labels, and the material of reports."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from math import nan
from typing import TYPE_CHECKING, Any

import sapwood._core as _core
from sapwood.errors import Listener, ModelError, OptionError
from sapwood.io.examples import Examples
from sapwood.model.answers import Answers, Place, Sets
from sapwood.model.explanation import Unit, chosen_rows, question
from sapwood.model.familiarity import Familiarity
from sapwood.model.file.schema import ModelFile
from sapwood.model.parts import Observed
from sapwood.tasks.classifying.data import example_rows, features_in, require_labels, row_names
from sapwood.tasks.classifying.labelled import sets_of
from sapwood.tasks.classifying.scorer import Scorer

if TYPE_CHECKING:
    from sapwood.metrics.evaluation import ClassEvaluation, LabelSetEvaluation
    from sapwood.model.explanation_records import ExplanationRecord


class LabelReasons:
    """Explanations of the labels of examples, made from a classifier and its file."""

    def __init__(self, classifier: _core.Classifier, file: ModelFile) -> None:
        self._classifier, self._file = classifier, file
        self._labels: list[str] = classifier.labels

    def of_examples(self, data: Examples, asked: _core.Question) -> Iterator[bytes]:
        """Yield an explanation of each example's label, or of each label of a multi-label model.

        The number of an example is that of a sentence. Raises ModelError if the model is voted, OptionError.
        """
        if self._file.options.get("voted"):
            raise ModelError("a voted model counts votes and has no sum of features to explain")
        if asked.against and asked.against not in self._labels:
            raise OptionError(f"the model has no label '{asked.against}'")
        wanted = list(chosen_rows(len(data), asked, "example"))
        each = self.of_each(data, wanted, [asked] * len(wanted))
        return (line for lines in each for line in lines.splitlines(keepends=True))

    def of_each(self, data: Examples, numbers: Sequence[int], asked: Iterable[_core.Question]) -> Iterator[bytes]:
        """Yield an explanation of each of these examples, by a question for each: a line for each decision.

        It is empty if the example has the label that is asked against, or if the model is voted. The decision about
        the label sport of a multi-label model is called "label sport", and its answers are yes and no.
        """
        if self._file.options.get("voted"):
            yield from (b"" for _ in numbers)
            return
        rows, name_of = self._named_rows(data, numbers)
        for k, (number, each) in enumerate(zip(numbers, asked, strict=True)):
            yield self._classifier.explain(rows, k, number, each, name_of)

    def of_decisions(self, data: Examples, decisions: Sequence[tuple[int, str]]) -> Iterator[bytes]:
        """Yield explanations of decisions of a multi-label model: about an example, by its number, and a label."""
        rows, name_of = self._named_rows(data, [k for k, _ in decisions])
        for k, (number, label) in enumerate(decisions):
            yield self._classifier.explain_label(rows, k, number, self._labels.index(label), name_of)

    def _named_rows(self, data: Examples, numbers: Sequence[int]) -> tuple[_core.FeatureRows, Callable[[int], str]]:
        """Return the features of these examples, and a function from their keys to their texts."""
        rows = example_rows(data, features_in(self._file)).select(list(numbers))
        names = row_names(data, rows, self._file)
        return rows, lambda key: names.get(key) or f"feature {key:016x}"


def units_of(data: Examples) -> list[Unit]:
    """Return the examples, with the values of `id` that their records have. Rows of features have no words."""
    documents, ids = data.documents, [str(record.values.get("id", "")) for record in data.records] or [""] * len(data)
    if documents is None:
        return [Unit(each, [], None) for each in ids]
    return [Unit(each, documents.words(k), documents.marked(k)) for k, each in enumerate(ids)]


def evaluate(
    data: Examples, scorer: Scorer, threads: int, on_warning: Listener
) -> ClassEvaluation | LabelSetEvaluation:
    """Return the gold labels of examples and a classifier's, as texts. Raises DataError if they have none."""
    from sapwood.metrics.evaluation import ClassEvaluation, LabelSetEvaluation, in_tagset, unseen_labels

    rows, known = scorer.rows(data), scorer.file.labels
    if scorer.several:
        names, sets = sets_of(data, "score")
    else:
        require_labels(data, "score")
        names, sets = data.answers.labels, [[y] for y in data.answers.gold]
    gold = in_tagset(data.answers.name, [[names[y] for y in each] for each in sets], known)
    chosen, unseen = scorer.chosen(rows, threads, on_warning), unseen_labels(gold, known)
    guess = [[known[y] for y in each] for each in chosen]
    if scorer.several:
        return LabelSetEvaluation(gold, guess, unseen, known)
    sure = scorer.confidence.of(rows, threads) if scorer.confidence.calibrated else []
    return ClassEvaluation(
        [*chain(*gold)], [*chain(*guess)], unseen, [row[y] for row, [y] in zip(sure, chosen, strict=False)]
    )


def answers_of(data: Examples, scorer: Scorer, reasons: LabelReasons, threads: int, on_warning: Listener) -> Answers:
    """Return gold labels and those of a classifier, with explanations of any of them. Raises DataError without gold."""
    found: Any = evaluate(data, scorer, threads, on_warning)
    known = scorer.file.labels
    if scorer.several:
        thresholds = dict(zip(known, scorer.core.thresholds, strict=True))
        answers = _set_answers(data, found.gold, found.guess, thresholds, reasons)
    else:
        answers = _example_answers(data, found.gold, found.guess, known, reasons)
    if scorer.confidence.calibrated:
        answers = _with_confidences(answers, known, scorer.confidence.of(scorer.rows(data), threads))
    return answers


def observed_labels(data: Examples, scorer: Scorer, familiarity: Familiarity, threads: int) -> Observed:
    """Return the labels of examples, with counts of their familiar words and, if there are any, confidences."""
    rows, known = scorer.rows(data), scorer.file.labels
    chosen = scorer.chosen(rows, threads, familiarity.on_warning)
    sure = scorer.confidence.of(rows, threads) if scorer.confidence.calibrated else []
    confidences = [[row[y] for y in each] for row, each in zip(sure, chosen, strict=False)]
    documents = data.documents
    text = (lambda k, place: " ".join(documents.words(k))) if documents is not None else (lambda k, place: "")
    labels = [[known[y] for y in each] for each in chosen]
    return Observed(familiarity.count_each(data.content), labels, text, confidences)


def _example_answers(
    data: Examples, gold: Sequence[str], guess: Sequence[str], labels: Sequence[str], explain: LabelReasons
) -> Answers:
    """Return the answers of a classifier with these labels. Examples that are rows of features have no words."""

    known = set(labels)

    def reasons(places: Sequence[Place]) -> list[ExplanationRecord | None]:
        against = [gold[k] if gold[k] != guess[k] and gold[k] in known else None for k, _ in places]
        lines = explain.of_each(data, [k for k, _ in places], [question(against=label) for label in against])
        return [json.loads(line) if line else None for line in lines]

    right, said = ([[label] for label in column] for column in (gold, guess))
    words, marked = _texts(data)
    return Answers("labels", "example", words, right, said, reasons, marked=marked, whole=True)


def _set_answers(
    data: Examples, gold: list[list[str]], guess: list[list[str]], thresholds: dict[str, float], explain: LabelReasons
) -> Answers:
    """Return the answers of a classifier of any number of labels: for each example a decision about each label.

    thresholds : by the labels that the classifier has
    """
    names = sorted({*thresholds, *(label for labels in gold for label in labels)})
    said = [(name, f"not {name}") for name in names]

    def decisions(sets: Iterable[Iterable[str]]) -> list[list[str]]:
        return [[has if has in labels else has_not for has, has_not in said] for labels in map(set, sets)]

    def reasons(places: Sequence[Place]) -> list[ExplanationRecord | None]:
        asked = [(k, names[t]) for k, t in places]
        lines = explain.of_decisions(data, [(k, label) for k, label in asked if label in thresholds])
        return [json.loads(next(lines)) if label in thresholds else None for _, label in asked]

    sets = Sets(gold, guess, names, thresholds)
    words, marked = _texts(data)
    sides = decisions(gold), decisions(guess)
    return Answers("labels", "example", words, *sides, reasons, marked=marked, whole=True, sets=sets)


def _with_confidences(answers: Answers, labels: Sequence[str], found: Sequence[Sequence[float]]) -> Answers:
    """Add the confidence in each decision, given those in each label; NaN for labels that the model does not have."""
    place = {label: y for y, label in enumerate(labels)}
    if answers.sets is None:
        return answers._replace(confidences=[[p[place[y]]] for p, [y] in zip(found, answers.guess, strict=True)])
    columns = [place.get(name) for name in answers.sets.names]
    given = [[name in labels for name in answers.sets.names] for labels in answers.sets.guess]
    sure = [
        [nan if y is None else p[y] if has else 1 - p[y] for y, has in zip(columns, of_example, strict=True)]
        for p, of_example in zip(found, given, strict=True)
    ]
    return answers._replace(confidences=sure)


def _texts(data: Examples) -> tuple[list[list[str]], list[range]]:
    units = units_of(data)
    marked = [range(0) if each.marked is None else range(each.marked, each.marked + 1) for each in units]
    return [each.words for each in units], marked
