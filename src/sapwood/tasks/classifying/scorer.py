"""A model file that scores rows of features: the scores, the labels that follow from them, and its contents."""

from collections.abc import Collection, Sequence

import sapwood._core as _core
from sapwood.errors import Listener, ModelError
from sapwood.io.examples import Examples
from sapwood.model.abstention import NO_ABSTENTION, checked_thresholds
from sapwood.model.confidence import Confidence, Numbers
from sapwood.model.file.schema import ModelFile
from sapwood.model.parts import Contents, NamedWeights, Output, feature_name
from sapwood.model.support import Support, Weights
from sapwood.tasks.classifying.confidence import least_sure
from sapwood.tasks.classifying.data import example_rows, features_in, for_documents
from sapwood.tasks.classifying.labelled import is_multi_label

NO_LABEL = b"_\t0"  # the line of an example without a known feature


class Scorer:
    """A model file that scores: one class of an example, or any number of labels by their thresholds.

    Raises SapwoodError if the file does not hold a classifier.
    """

    def __init__(self, file: ModelFile) -> None:
        self.file, self.several = file, is_multi_label(file)
        self.support = None if self.several else Support.of_model(file, "example", "examples")
        if (self.support is not None) != (file.options.get("voted") is True):
            raise ModelError("it has examples that vote, or is said to have them")
        self.core = frozen_file(file, self.support)
        core, curves = self.core, file.calibration
        self.calibration: _core.Calibration | None = None
        if curves is not None:
            self.calibration = _core.Calibration(curves["method"], curves["curves"], len(file.labels), self.several)
        self.confidence: Confidence[_core.FeatureRows, Numbers] = Confidence(
            lambda rows, threads: core.scores(rows, threads).tolist(),
            None if self.calibration is None else self.calibration.apply,
        )
        abstention = None if curves is None else curves.get("abstention")
        self.least = checked_thresholds(abstention, len(file.labels))  # confidence of an answer, by label
        most_frequent = file.provenance.get("most_frequent")
        known = most_frequent in file.labels and not self.several
        self._most_frequent = file.labels.index(str(most_frequent)) if known else 0
        self._features = features_in(file)
        # Features that every example has, such as the bias, say nothing about an example.
        of_template = [] if self._features is None else self._features.of_all
        self._of_all = [_core.key_of("bias"), *of_template] if known else None

    def rows(self, data: Examples) -> _core.FeatureRows:
        """Return the rows of features that the model sees. Raises DataError if it knows another kind of examples."""
        return example_rows(data, self._features)

    def best(self, rows: _core.FeatureRows, threads: int, on_warning: Listener) -> list[int]:
        """Return the number of the label of each row, the most frequent label where the model knows no feature."""
        guess, unknown = self.core.predict(rows, threads, self._of_all), len(self.file.labels)
        if unknown in guess:
            on_warning(f"input: {_unknown(guess.count(unknown))} labelled as most of the training data")
            guess = [self._most_frequent if y == unknown else y for y in guess]
        return guess

    def chosen(self, rows: _core.FeatureRows, threads: int, on_warning: Listener) -> list[list[int]]:
        """Return the labels of each row: `best`, or of a multi-label model those above their thresholds."""
        if self.several:
            return self.core.predict_any(rows, threads)
        return [[y] for y in self.best(rows, threads, on_warning)]

    def scores(self, rows: _core.FeatureRows, threads: int) -> Numbers:
        """Return the score of each of the model's labels, [rows][labels]."""
        return self.confidence.margins(rows, threads)

    def lines(self, data: Examples, threads: int, top: int) -> tuple[bytes, int]:
        """Return a line for each example: its label and margin, or the `top` best; and how many have no known feature.

        Where the model is calibrated the confidence stands in place of margin or score, and _ in place of a label of
        which it is not sure enough.
        """
        how = threads, top, self.calibration, self._of_all, self.least or []
        if data.documents is None:
            lines, unknown = self.core.annotate(self.rows(data), *how)
        else:
            features = for_documents(self._features, data)
            lines, unknown = self.core.annotate_documents(features, data.documents, *how)
        if data.null:
            lines, unknown = _without(data.null, lines, unknown)
        return lines, unknown

    def sure(self, rows: _core.FeatureRows, chosen: Sequence[Sequence[int]], threads: int) -> list[bool]:
        """Return true for each answer, the numbers of its labels, that is given. Raises ModelError if all are."""
        if self.least is None:
            raise ModelError(NO_ABSTENTION)
        found = self.confidence.of(rows, threads)
        if self.several:
            return [least_sure(row, labels) >= self.least[0] for row, labels in zip(found, chosen, strict=True)]
        return [row[y] >= self.least[y] for row, [y] in zip(found, chosen, strict=True)]


def frozen(labels: list[str], weights: Weights, thresholds: list[float] | None = None) -> _core.Classifier:
    """Return the classifier that training gave; the examples of a support vote. Raises SapwoodError if they cannot.

    thresholds : those of a multi-label classifier
    """
    if isinstance(weights, Support):
        if isinstance(weights.content, list):
            raise ModelError("its support is text, and examples that vote are rows of features")
        return _core.Classifier.of_votes(labels, weights.content, weights.weights)
    if thresholds is not None:
        return _core.Classifier.of_any(labels, thresholds, weights)
    return _core.Classifier(labels, weights)


def frozen_file(file: ModelFile, support: Support | None = None) -> _core.Classifier:
    """Return the classifier of a model file. Raises SapwoodError."""
    return _core.Classifier.of_model(file) if support is None else frozen(file.labels, support)


def _without(null: Collection[int], lines: bytes, unknown: int) -> tuple[bytes, int]:
    """Return lines in which null texts have no label, and how many other examples have none."""
    found = lines.split(b"\n")
    # Where no example is unknown, a line that looks so is the answer of a label that is called "_".
    counted = sum(found[k] == NO_LABEL for k in null) if unknown else 0
    for k in null:
        found[k] = NO_LABEL
    return b"\n".join(found), max(0, unknown - counted)


def unknown_examples(count: int, name: str) -> str:
    """Return the warning of examples without a known feature, which are given no label."""
    return f"{name}: {_unknown(count)} answered with _"


def _unknown(count: int) -> str:
    if count == 1:
        return "an example has no feature that the model knows, and is"
    return f"{count:,} examples have no feature that the model knows, and are"


def classifier_contents(model: ModelFile, scorer: Scorer, remarks: list[str]) -> Contents:
    """Return the contents of a fitted classifier; remarks : sentences about its training."""
    labels, support = [Output(label, label) for label in model.labels], scorer.support
    # One weight speaks for the second of two labels and against the first.
    outputs = labels[1:] if len(labels) == 2 and support is None and not scorer.several else labels

    def weights() -> NamedWeights:
        if support is None:
            for row, output, weight in scorer.core.weights():
                yield outputs[output], weight, feature_name(model, 0, row)
            return
        # A voted model has a weight for each example of its support and each label: the one after the last update.
        for k, alpha in enumerate(support.alphas(len(outputs))):
            if alpha != 0:
                yield outputs[k % len(outputs)], alpha, f"example {k // len(outputs) + 1} of the support"

    if scorer.several and not any(scorer.core.thresholds):
        remarks.append("the thresholds of all labels are 0; held-out data (--dev) would choose them")
    return Contents(
        model,
        support=support,
        tables=["label"],
        outputs=[outputs],
        weights=weights,
        arrays={"extra": "multi-label" if scorer.several else "support examples"},
        remarks=remarks,
    )
