"""Why a classifier gives its labels: explanations, the answers of a report, and what is shown of an input.

What is called `self` here is a method of `Classifier`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import partial
from math import nan
from typing import TYPE_CHECKING

from sapwood import _core
from sapwood.errors import ModelError, tell
from sapwood.io.examples import Examples, Layout, format_of, has_tabs, parse_examples, texts_as_examples
from sapwood.io.records import Remarks
from sapwood.io.source import STANDARD_INPUT, plain_text
from sapwood.model.answers import example_answers, set_answers
from sapwood.model.confidence import curves_of
from sapwood.model.reading import Block, Reading, example_units, without_parts
from sapwood.model.row_explanation import (
    LinearRows,
    against_label,
    chosen_rows,
    explain_label,
    explain_label_of_set,
    explain_labels,
)
from sapwood.tasks.classifying.data import layout_of, require_labels, row_names, rows_of, words_of
from sapwood.tasks.classifying.fitted import FittedClassifier, Source, said_of_unknown
from sapwood.tasks.classifying.multi_label import evaluate_sets, thresholds_of

if TYPE_CHECKING:
    from sapwood.model.answers import Answers


_SHOWN = 5  # labels of an example that are shown with their scores


def reasons(self: FittedClassifier, examples: Source, asked: _core.Question) -> Iterator[bytes]:
    """Yield why each example has its label; the number of an example is that of a sentence."""
    return _explained(self, self._read(examples, None, layout_of(self.model_)), asked)


def explain_lines(self: FittedClassifier, data: bytes, name: str, asked: _core.Question) -> Iterator[bytes]:
    """Yield why each example has its label, a line of JSON for each. Raises ModelError, OptionError, DataError."""
    self.check_fitted()
    layout = layout_of(self.model_)
    form = self.format_of_pipe(data) if name == STANDARD_INPUT else format_of(name, layout.format)
    return _explained(self, _parsed(data, name, layout._replace(format=form)), asked)


def _parsed(data: bytes, name: str, layout: Layout) -> Examples:
    """Return the examples of all lines of a file, whether they have labels or not. Raises DataError."""
    with Remarks(name) as remarks:
        return parse_examples(data, name, layout, remarks, fixed=True, keep_all=True, tabs=has_tabs(name))


def inputs(self: FittedClassifier) -> Sequence[str]:
    """Return what can be shown: a text, where the model needs nothing else, and examples."""
    return ("text", "examples") if layout_of(self.model_).columns == ["word"] else ("examples",)


def reading(self: FittedClassifier, data: bytes, name: str, kind: str) -> Reading:
    """Return what the classifier says about a text or examples, and why."""
    layout, texts = layout_of(self.model_), [plain_text(data, name)] if kind == "text" else []
    examples = texts_as_examples(texts, name, layout) if texts else _parsed(data, name, layout)

    def blocks(confidence: bool) -> Iterator[Block]:
        if confidence:
            curves_of(self.model_.calibration)
        self.familiarity.check(words_of(examples), "input")
        lines, unknown = self.labelled_lines(examples, 0)
        best, _ = self.labelled_lines(examples, _SHOWN)
        if unknown:
            tell(said_of_unknown(unknown, "input"))
        yield Block(example_units(examples, best, lines, texts), lines)

    calibrated, explain = self.model_.calibration is not None, without_parts(partial(_explained, self, examples))
    return Reading(("json", "labels"), blocks, explain, calibrated, lambda part: self.labels_)


def _explained(self: FittedClassifier, data: Examples, asked: _core.Question) -> Iterator[bytes]:
    if self.support_ is not None:
        raise ModelError("a voted model counts votes and has no sum of features to explain")
    against_label(asked, self.classifier_.labels)
    wanted = list(chosen_rows(len(data), asked, "example"))
    if self.params.multi_label:
        return _explained_sets(self, data, wanted, asked)
    lines = _asked(self, data, wanted, [asked] * len(wanted))
    return (line for line in lines if line is not None)


def _scored_rows(self: FittedClassifier, data: Examples, wanted: Sequence[int]) -> tuple[LinearRows, list[list[float]]]:
    """Return the features of the wanted examples, and the score of each label, [wanted][labels]."""
    rows = rows_of(data, self.model_).select(list(wanted))
    known = LinearRows(rows, self.classifier_, row_names(data, rows, self.model_))
    return known, self.scores_of(rows)


def _explained_sets(
    self: FittedClassifier, data: Examples, wanted: Sequence[int], asked: _core.Question
) -> Iterator[bytes]:
    """Yield for each of the wanted examples why it has each label, or not."""
    known, scores = _scored_rows(self, data, wanted)
    labels, thresholds, scale = self.classifier_.labels, thresholds_of(self.model_), self.model_.scale
    for k, number in enumerate(wanted):
        yield from explain_labels(number, known.row(k), scores[k], labels, thresholds, scale, asked)


def _asked(
    self: FittedClassifier, data: Examples, wanted: Sequence[int], asked: Iterable[_core.Question]
) -> Iterator[bytes | None]:
    """Yield why each of the wanted examples has its label, by a question for each; None where it has that one."""
    if self.support_ is not None:  # votes have no reasons
        yield from (None for _ in wanted)
        return
    known, scores = _scored_rows(self, data, wanted)
    labels, scale = self.classifier_.labels, self.model_.scale
    for k, (number, question) in enumerate(zip(wanted, asked, strict=True)):
        yield explain_label(number, known.row(k), scores[k], labels, scale, question)


def _asked_of_sets(self: FittedClassifier, data: Examples, asked: Sequence[tuple[int, str]]) -> Iterator[bytes]:
    """Yield why examples of these numbers have these labels, or not."""
    known, scores = _scored_rows(self, data, [k for k, _ in asked])
    labels, thresholds, scale = self.classifier_.labels, thresholds_of(self.model_), self.model_.scale
    for row, (number, label) in enumerate(asked):
        y = labels.index(label)
        yield explain_label_of_set(number, known.row(row), y, scores[row][y], label, thresholds[y], scale)


def answers(self: FittedClassifier, examples: Source, labels: Iterable[Hashable] | None = None) -> list[Answers]:
    """Return gold labels and the classifier's, with the reasons of any of them. Raises DataError without gold."""
    self.check_fitted()
    data = self._read(examples, labels, layout_of(self.model_))
    if self.params.multi_label:
        guessed = self.classifier_.predict_any(rows_of(data, self.model_), self.params.threads)
        found = evaluate_sets(data, self.labels_, guessed)
        thresholds = dict(zip(self.labels_, thresholds_of(self.model_), strict=True))
        answers = set_answers(data, found.gold, found.guess, thresholds, partial(_asked_of_sets, self, data))
        return [_with_confidences(self, answers, data)]
    require_labels(data, "score")
    names, known = data.answers.labels, self.classifier_.labels
    guess = [known[y] for y in self.numbers(rows_of(data, self.model_))]
    gold = [names[y] for y in data.answers.gold]
    return [_with_confidences(self, example_answers(data, gold, guess, known, partial(_asked, self, data)), data)]


def _with_confidences(self: FittedClassifier, answers: Answers, data: Examples) -> Answers:
    """Add how sure the classifier is of each decision, if it is calibrated; NaN for labels that it does not have."""
    if self.model_.calibration is None:
        return answers
    from sapwood.training.calibrating.calibration import confidences

    place = {label: y for y, label in enumerate(self.classifier_.labels)}
    found = confidences(self.calibration_, self.scores_of(rows_of(data, self.model_)))
    if answers.sets is None:
        return answers._replace(confidences=[[p[place[y]]] for p, [y] in zip(found, answers.guess, strict=True)])
    columns = [place.get(name) for name in answers.sets.names]
    given = [[name in labels for name in answers.sets.names] for labels in answers.sets.guess]
    sure = [
        [nan if y is None else p[y] if has else 1 - p[y] for y, has in zip(columns, of_example, strict=True)]
        for p, of_example in zip(found, given, strict=True)
    ]
    return answers._replace(confidences=sure)
