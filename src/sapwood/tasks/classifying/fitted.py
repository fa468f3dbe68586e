"""What a fitted classifier is and says of examples: labels, scores, lines of text, and what it has learned."""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Self

from sapwood import _core
from sapwood.errors import ModelError, OptionError, has_spoken, tell
from sapwood.io.examples import (
    LINES,
    Examples,
    Layout,
    are_lines,
    format_of,
    has_tabs,
    parse_examples,
    read_examples,
    take_examples,
)
from sapwood.io.records import Remarks
from sapwood.io.source import STANDARD_INPUT, shown
from sapwood.model.base import Output, is_file
from sapwood.model.explanation import Reasons
from sapwood.model.support import Support
from sapwood.tasks.classifying.arrays import (
    array_of,
    as_first,
    in_order,
    indicators,
    labels_at,
    numbers_of,
    one_column,
    sets_at,
    sets_in,
)
from sapwood.tasks.classifying.data import (
    check_model,
    document_features_of,
    features_of_all,
    frozen,
    layout_of,
    rows_of,
    words_of,
)
from sapwood.tasks.classifying.multi_label import frozen_for_any
from sapwood.tasks.classifying.options import ClassifierOptions
from sapwood.tasks.classifying.reasons import LabelReasons
from sapwood.training.learner import Learner
from sapwood.training.nbest import check_n

if TYPE_CHECKING:
    from sapwood.model.file.schema import ModelFile
    from sapwood.tasks.classifying.arrays import Classes, Floats
    from sapwood.training.calibrating.calibration import Reliability


Source = os.PathLike[str] | Iterable[Any]
_WANTED = "examples: a list of texts, of dicts of features or of (tokens, number of the marked one)"


class FittedClassifier(Learner[ClassifierOptions]):
    """A classifier that has a model."""

    params_type = ClassifierOptions
    task = "classify"
    noun = "classifier"
    label_hint = "are these the labels? --format says how a file is read, --label what csv and jsonl call the label"
    _columns = 0  # of the indicator matrix that it was fitted on, if it was
    reliability_: Reliability  # how far its confidences can be trusted, once it is calibrated

    @property
    def classes_(self) -> Classes:
        """The labels as they were given, sorted; those of a model that was loaded from a file are texts."""
        self.check_fitted()
        return array_of([self._given_labels[y] for y in in_order(self._given_labels)])

    def numbers(self, rows: _core.FeatureRows) -> list[int]:
        """Return the number of the label of each row, the most frequent label where the model knows no feature."""
        guess, unknown = self.classifier_.predict(rows, self.params.threads, self._of_all), len(self.model_.labels)
        if unknown in guess:
            tell(f"input: {_unknown(guess.count(unknown))} labelled as most of the training data")
            guess = [self._most_frequent if y == unknown else y for y in guess]
        return guess

    def predict(self, examples: Source) -> Sequence[Any]:
        """Return the label of each example, an array; a list where NumPy is not installed.

        Of a multi-label classifier it has a tuple of labels for each, which may be empty. Where it was fitted on an
        indicator matrix, return such a matrix, [examples, columns].
        """
        self.check_fitted()
        given, rows = self._given_labels, self._rows(examples)
        if not self.params.multi_label:
            return labels_at(self.numbers(rows), given)
        found = self.classifier_.predict_any(rows, self.params.threads)
        if self._columns:
            return indicators(found, self._columns)  # type: ignore[return-value]
        return sets_at(found, given)

    def n_best(self, examples: Source, n: int) -> list[list[tuple[Any, float]]]:
        """Return for each example its n best labels, best first, each with its score or, calibrated, its confidence.

        They are fewer if there are not so many labels. The first one is what `predict` gives, but for a multi-label
        classifier, which gives those whose scores are above 0. Raises OptionError if n is no number from 1 up.
        """
        n = check_n(n)
        self.check_fitted()
        rows, given = self._rows(examples), self._given_labels
        guess = [-1] * len(rows) if self.params.multi_label else self.numbers(rows)
        found = []
        for first, scores in zip(guess, self.scores_of(rows), strict=True):
            sure = scores if self.calibration_ is None else self.calibration_.apply(scores)
            best = sorted(range(len(given)), key=lambda y: (y != first, -scores[y]))
            found.append([(given[y], sure[y]) for y in best[:n]])
        return found

    def decision_function(self, examples: Source) -> Floats:
        """Return the score of each of `classes_`, [examples, labels], an array of float64; no probabilities.

        For two labels it is [examples]: how far the second one is ahead. A multi-label classifier counts scores from
        the thresholds: an example has the labels with scores above 0. Without NumPy it is a list.
        """
        self.check_fitted()
        order, scores = in_order(self._given_labels), self.scores_of(self._rows(examples))
        if len(order) == 2 and not self.params.multi_label:
            first, second = order
            return numbers_of([row[second] - row[first] for row in scores])
        return self.by_class(scores)

    def label_scores(self, examples: Source) -> Floats:
        """Return the score of each of `labels_`, in their order, [examples, labels]; a list without NumPy."""
        return numbers_of(self.scores_of(self._rows(examples)), len(self.labels_))

    def scores_of(self, rows: _core.FeatureRows) -> list[list[float]]:
        """Return the score of each of `labels_` for rows of features."""
        scores: list[list[float]] = self.classifier_.scores(rows, self.params.threads).tolist()
        return scores

    def by_class(self, of_labels: list[list[float]]) -> Floats:
        """Return numbers for each of `labels_` as those for each of `classes_`, [examples, labels]."""
        order = in_order(self._given_labels)
        return numbers_of([[row[y] for y in order] for row in of_labels], len(order))

    def annotate(
        self, blocks: Iterable[bytes], *, name: str = "input", format: str | None = None, top: int = 0
    ) -> Iterator[bytes]:
        """Yield for each block of a file a line an example: its label and the margin to the second best.

        Where the model is calibrated the confidence stands instead. top : the so many best labels, each with its score
        or confidence. `name` goes into errors. Raises DataError.
        """
        self.check_fitted()
        unknown = 0
        layout, place, tabs = layout_of(self.model_), shown(name), has_tabs(name)
        layout = layout._replace(format=format or format_of(name, layout.format))

        def read(remarks: Remarks) -> Iterator[Examples]:
            line = 1
            for block in blocks:
                how = {"fixed": True, "keep_all": True, "tabs": tabs, "first_line": line}
                yield parse_examples(block, place, layout, remarks, **how)  # type: ignore[arg-type]
                line += block.count(b"\n")

        with Remarks(place) as remarks:
            for data in self.familiarity.monitor(read(remarks), place, words_of=words_of):
                lines, empty = self.labelled_lines(data, top)
                unknown += empty
                yield lines
            if unknown and not (self.familiarity.core and has_spoken()):
                tell(said_of_unknown(unknown, place))

    def labelled_lines(self, data: Examples, top: int) -> tuple[bytes, int]:
        """Return what `annotate` yields of examples that are read, and how many have no known feature."""
        how = self.params.threads, top, self.calibration_, self._of_all
        if data.documents is None:
            return self.classifier_.annotate(rows_of(data, self.model_), *how)
        features = document_features_of(data, self.model_)
        return self.classifier_.annotate_documents(features, data.documents, *how)

    def said(self, texts: Sequence[str]) -> list[tuple[str, float]]:
        """Return what `annotate` writes about texts: the label, or labels with | between, and the number beside it."""
        self.check_fitted()
        data = self._read(texts, None, layout_of(self.model_))
        self.familiarity.check(words_of(data), data.answers.name)
        lines, unknown = self.labelled_lines(data, 0)
        if unknown and not (self.familiarity.core and has_spoken()):
            tell(said_of_unknown(unknown, data.answers.name))
        cells = (line.rpartition("\t") for line in lines.decode().split("\n")[:-1])
        return [(label, float(number)) for label, _, number in cells]

    def format_of_pipe(self, start: bytes) -> str:
        """Return the format of standard input by its beginning: a text a line, or the format of the training data."""
        layout = layout_of(self.model_)
        return LINES if layout.columns == ["word"] and are_lines(start, layout) else layout.format

    @property
    def reasons(self) -> Reasons[Examples]:
        """The explanations of labels."""
        self.check_fitted()
        explain = LabelReasons(self.classifier_, self.model_, self.params.threads)
        return Reasons(
            lambda examples: self._read(examples, None, layout_of(self.model_)), self._parsed, explain.of_examples
        )

    def _parsed(self, data: bytes, name: str) -> Examples:
        """Return the examples of all lines of a file, whether they have labels or not. Raises DataError."""
        layout = layout_of(self.model_)
        form = self.format_of_pipe(data) if name == STANDARD_INPUT else format_of(name, layout.format)
        with Remarks(name) as remarks:
            return parse_examples(
                data, name, layout._replace(format=form), remarks, fixed=True, keep_all=True, tabs=has_tabs(name)
            )

    def written(self, chunks: Iterable[bytes], *, name: str = "input", **options: Any) -> Iterator[bytes]:
        """Yield the labels of examples, checked as a whole. See `Model`; options are those of `annotate`."""
        return self.annotate([b"".join(chunks)], name=name, **options)

    def output_format(self, **options: Any) -> str:
        """Return the format of `written`."""
        return "labels"

    def tables(self) -> list[str]:
        """Return what the weights of each table of the fitted model are about."""
        return ["label"]

    def outputs(self) -> list[list[Output]]:
        """Return the labels. Of two, one weight speaks for the second and against the first.

        A voted model has a weight for each example of its support and each label: the one after the last update.
        """
        labels = [Output(label, label) for label in self.model_.labels]
        shared = len(labels) == 2 and self.support_ is None and not self.params.multi_label
        return [labels[1:] if shared else labels]

    def weights(self) -> Iterator[tuple[Output, float, str]]:
        """Yield output, weight and feature of every weight that is not zero; of a voted model, alpha and example."""
        [outputs] = self.outputs()
        if self.support_ is None:
            for row, output, weight in self.classifier_.weights():
                yield outputs[output], weight, self._feature(0, row)
            return
        for k, alpha in enumerate(self.support_.alphas(len(outputs))):
            if alpha != 0:
                yield outputs[k % len(outputs)], alpha, f"example {k // len(outputs) + 1} of the support"

    def owners(self) -> dict[str, str]:
        """Return whose bytes the arrays of the model file are, by what their names begin with."""
        return super().owners() | {"extra": "multi-label" if self.params.multi_label else "support examples"}

    def _read(
        self,
        source: Source,
        labels: Iterable[Hashable] | None,
        layout: Layout | None,
        first: dict[Hashable, Hashable] | None = None,
    ) -> Examples:
        """Read examples from a file or from memory, whose labels are among the `first` of those that are equal."""
        if not is_file(source, _WANTED):
            several = self.params.multi_label
            if first is None:
                first = {} if layout is None else {label: label for label in self._given_labels}
            given = None if labels is None else self._answers(labels, first)[0]
            return take_examples(one_column(source, "examples"), given, layout, several=several)  # type: ignore[arg-type]
        if labels is not None:
            raise OptionError("labels beside a file: a file has them in it")
        params = self.params
        wanted = layout or Layout("", [], [], params.label, params.text, params.multi_label)
        wanted = wanted._replace(format=params.format or format_of(source, wanted.format))  # type: ignore[arg-type]
        fixed, tag_in_label = layout is not None, params.tag_in_label
        return read_examples(source, wanted, fixed=fixed, tag_in_label=tag_in_label)  # type: ignore[arg-type]

    def _answers(self, labels: Iterable[Any], first: dict[Hashable, Hashable]) -> tuple[list[Any], int]:
        """Return labels as a list, and the number of columns if they are an indicator matrix, else 0.

        Labels that are equal are one: the `first` of them, to which new ones are added.
        """
        if self.params.multi_label:
            sets, columns = sets_in(labels)
            return as_first(sets, first), columns
        wanted = "labels (with multi_label they may be an indicator matrix)"
        return as_first(one_column(labels, wanted), first), 0

    def _rows(self, source: Source) -> _core.FeatureRows:
        data = self._read(source, None, layout_of(self.model_))
        self.familiarity.check(words_of(data), data.answers.name)
        return rows_of(data, self.model_)

    @classmethod
    def _with_options_of(cls, model: ModelFile) -> Self:
        check_model(model)
        return super()._with_options_of(
            model.replaced(options={name: value for name, value in model.options.items() if name != "format"})
        )

    def install(self, model: ModelFile) -> None:
        """Take what a model file holds. Raises SapwoodError if it does not hold it."""
        super().install(model)
        self.support_ = None if self.params.multi_label else Support.of_model(model, "example", "examples")
        if (self.support_ is not None) != self.params.voted:
            raise ModelError("it has examples that vote, or is said to have them")
        packed = [table.packed for table in model.tables]
        self.classifier_: _core.Classifier
        if self.params.multi_label:
            self.classifier_ = frozen_for_any(model)
        elif self.support_ is not None:
            self.classifier_ = frozen(model.labels, self.support_)
        else:
            self.classifier_ = _core.Classifier(model.labels, packed, model.bits, model.scale)
        self._given_labels: list[Hashable] = list(model.labels)
        most_frequent = model.provenance.get("most_frequent")
        known = most_frequent in model.labels and not self.params.multi_label
        self._most_frequent = model.labels.index(str(most_frequent)) if known else 0
        self._of_all = features_of_all(model) if known else None
        self.calibration_: _core.Calibration | None = None
        if model.calibration is not None:
            method, curves = model.calibration["method"], model.calibration["curves"]
            self.calibration_ = _core.Calibration(method, curves, len(model.labels), self.params.multi_label)


def _unknown(count: int) -> str:
    """Return what is said of examples without a known feature, as the beginning of a sentence."""
    if count == 1:
        return "an example has no feature that the model knows, and is"
    return f"{count:,} examples have no feature that the model knows, and are"


def said_of_unknown(count: int, name: str) -> str:
    """Return what is said where such examples are given no label."""
    return f"{name}: {_unknown(count)} answered with _"
