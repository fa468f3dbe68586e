"""Explanations of a classifier's labels, by the features of examples and their weights."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from sapwood import _core
from sapwood.errors import ModelError, OptionError
from sapwood.io.examples import Examples
from sapwood.model.explanation import Feature, LinearRows, Row, Unit, chosen_rows
from sapwood.model.file.schema import ModelFile
from sapwood.tasks.classifying.data import example_rows, row_names
from sapwood.tasks.classifying.multi_label import is_multi_label, thresholds_of


class LabelReasons:
    """Explanations of the labels of examples, made from a classifier and its file."""

    def __init__(self, classifier: _core.Classifier, file: ModelFile, threads: int) -> None:
        self._classifier, self._file, self._threads = classifier, file, threads
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
        if is_multi_label(self._file):
            return self._of_all_labels(data, wanted, asked)
        lines = self.of_each(data, wanted, [asked] * len(wanted))
        return (line for line in lines if line is not None)

    def of_each(
        self, data: Examples, numbers: Sequence[int], asked: Iterable[_core.Question]
    ) -> Iterator[bytes | None]:
        """Yield an explanation of the label of each of these examples, by a question for each.

        It is None if the example has the label that is asked against, or if the model is voted.
        """
        if self._file.options.get("voted"):
            yield from (None for _ in numbers)
            return
        rows, scores = self._scored_rows(data, numbers)
        for k, (number, question) in enumerate(zip(numbers, asked, strict=True)):
            yield self._label(number, rows.row(k), scores[k], question)

    def of_decisions(self, data: Examples, decisions: Sequence[tuple[int, str]]) -> Iterator[bytes]:
        """Yield explanations of decisions of a multi-label model: about an example, by its number, and a label."""
        rows, scores = self._scored_rows(data, [k for k, _ in decisions])
        for k, (number, label) in enumerate(decisions):
            yield self._decision(number, rows.row(k), scores[k], self._labels.index(label))

    def _of_all_labels(self, data: Examples, numbers: Sequence[int], asked: _core.Question) -> Iterator[bytes]:
        """Yield for each of these examples an explanation of the decision about each label.

        The decision about the label sport is called "label sport", and its answers are yes and no. If the question is
        against a label, only the decision about this label is explained, and only if the example does not have it.
        """
        rows, scores = self._scored_rows(data, numbers)
        for k, number in enumerate(numbers):
            for y, label in enumerate(self._labels):
                if not asked.against or (asked.against == label and scores[k][y] <= 0):
                    yield self._decision(number, rows.row(k), scores[k], y)

    def _scored_rows(self, data: Examples, numbers: Sequence[int]) -> tuple[LinearRows, list[list[float]]]:
        """Return the features of these examples, and the score of each label, [numbers][labels]."""
        rows = example_rows(data, self._file).select(list(numbers))
        scores: list[list[float]] = self._classifier.scores(rows, self._threads).tolist()
        return LinearRows(rows, self._classifier, row_names(data, rows, self._file)), scores

    def _label(self, number: int, row: Row, scores: Sequence[float], asked: _core.Question) -> bytes | None:
        """Explain the label of an example, given the scores of all; None if it has the label that is asked against."""
        labels, scale = self._labels, self._file.scale
        order = sorted(range(len(labels)), key=lambda y: (-scores[y], y))
        chosen, against = order[0], order[1]
        if asked.against:
            against = labels.index(asked.against)
            if against == chosen:
                return None

        found: list[Feature]
        if len(labels) == 2:  # one weight speaks for the second and against the first
            side = 1 if chosen == 1 else -1
            found = [(text, labels[1], side * value, w[0]) for text, value, w in row]
        else:
            found = [
                each
                for text, value, w in row
                for each in ((text, labels[chosen], value, w[chosen]), (text, labels[against], -value, w[against]))
            ]
        margin = scores[chosen] - scores[against]
        return _core.explanation_line(number, "label", labels[chosen], labels[against], margin, scale, found)

    def _decision(self, number: int, row: Row, scores: Sequence[float], y: int) -> bytes:
        """Explain why an example has label y or not, given the scores of all, counted from the thresholds."""
        label, score, threshold = self._labels[y], scores[y], thresholds_of(self._file)[y]
        chosen, other = ("yes", "no") if score > 0 else ("no", "yes")
        side = 1 if score > 0 else -1
        features: list[Feature] = [(text, label, side * value, w[y]) for text, value, w in row]
        found = [*features, ("threshold", label, -side, threshold)]
        scale = self._file.scale
        return _core.explanation_line(number, f"label {label}", chosen, other, side * score, scale, found)


def units_of(data: Examples) -> list[Unit]:
    """Return the examples, with the values of `id` that their records have. Rows of features have no words."""
    documents, ids = data.documents, [str(record.values.get("id", "")) for record in data.records] or [""] * len(data)
    if documents is None:
        return [Unit(each, [], None) for each in ids]
    return [Unit(each, documents.words(k), documents.marked(k)) for k, each in enumerate(ids)]
