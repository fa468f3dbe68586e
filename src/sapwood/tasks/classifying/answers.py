"""The answers that reports on classifiers are made of."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from itertools import chain
from math import nan
from typing import TYPE_CHECKING, Any

from sapwood.io.examples import Examples
from sapwood.model.answers import Answers, Place, Sets
from sapwood.model.explanation import question
from sapwood.model.parts import Observed
from sapwood.tasks.classifying.data import example_rows, require_labels
from sapwood.tasks.classifying.multi_label import sets_of, thresholds_of
from sapwood.tasks.classifying.reasons import LabelReasons
from sapwood.tasks.classifying.scorer import Scorer

if TYPE_CHECKING:
    from sapwood.errors import Listener
    from sapwood.metrics.evaluation import ClassEvaluation, LabelSetEvaluation
    from sapwood.model.explanation_records import ExplanationRecord
    from sapwood.model.familiarity import Familiarity


def evaluate(
    data: Examples, scorer: Scorer, threads: int, on_warning: Listener
) -> ClassEvaluation | LabelSetEvaluation:
    """Return the gold labels of examples and a classifier's, as texts. Raises DataError if they have none."""
    from sapwood.metrics.evaluation import ClassEvaluation, LabelSetEvaluation, in_tagset, unseen_labels

    rows, known = example_rows(data, scorer.file), scorer.file.labels
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
        thresholds = dict(zip(known, thresholds_of(scorer.file), strict=True))
        answers = _set_answers(data, found.gold, found.guess, thresholds, reasons)
    else:
        answers = _example_answers(data, found.gold, found.guess, known, reasons)
    if scorer.confidence.calibrated:
        answers = _with_confidences(answers, known, scorer.confidence.of(example_rows(data, scorer.file), threads))
    return answers


def observed(data: Examples, scorer: Scorer, familiarity: Familiarity, threads: int) -> Observed:
    """Return the labels of examples, with counts of their familiar words and, if there are any, confidences."""
    rows, known = example_rows(data, scorer.file), scorer.file.labels
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
        return [None if line is None else json.loads(line) for line in lines]

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
    """Return the words of examples, and the range of those that are marked."""
    documents = data.documents
    examples = range(len(data))
    words = [[] if documents is None else documents.words(k) for k in examples]
    at = [None if documents is None else documents.marked(k) for k in examples]
    return words, [range(0) if k is None else range(k, k + 1) for k in at]
