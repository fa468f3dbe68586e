"""Classification: texts, marked words in context, or features, into one of k classes.

One task is one template x one search (argmax) x one learner. The work is done in the core; this file says what a fitted
classifier does. Its options are in classifier_options.py, training in classifier_training.py.
"""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from sapwood import _core
from sapwood.errors import DataError, ModelError, OptionError, shown
from sapwood.io.examples import Examples, Layout, has_tabs, parse_examples, read_examples, take_examples
from sapwood.modelfile.schema import ModelFile
from sapwood.models.base import Output, is_file
from sapwood.models.classifier_options import ClassifierOptions
from sapwood.models.labelled_rows import (
    check_model,
    document_features_of,
    frozen,
    held_out_of,
    labelled,
    layout_of,
    require_labels,
    row_names,
    rows_of,
)
from sapwood.models.support import Support
from sapwood.models.training import Training

if TYPE_CHECKING:
    from typing import Any, Self, Unpack

    from sklearn.utils import Tags

    from sapwood.learning.calibration import Floats, Reliability
    from sapwood.learning.checkpoints import Run, Saving
    from sapwood.learning.events import Callback
    from sapwood.metrics.evaluation import ClassEvaluation
    from sapwood.models.answers import Answers
    from sapwood.models.reading import Block, Reading

Source = os.PathLike[str] | Iterable[Any]
_WANTED = "examples: a list of texts, of dicts of features or of (tokens, number of the marked one)"
_SHOWN = 5  # labels of an example that are shown with their scores


class Classifier(ClassifierOptions):
    """A classifier of texts, words in context or features, trained by the perceptron family.

    Options follow scikit-learn's conventions; nothing is checked before `fit`.

    The averaging clock ticks once an example.

    >>> classifier = Classifier(min_updates=1).fit(["good fun", "dull", "great fun", "bad"], ["+", "-", "+", "-"])
    >>> classifier.predict(["fun", "dull and bad"])
    ['+', '-']
    """

    def fit(
        self,
        examples: Source,
        labels: Iterable[Hashable] | None = None,
        *,
        dev: Source | None = None,
        dev_fraction: float | None = None,
        on_event: Callback | None = None,
        **saving: Unpack[Saving],
    ) -> Self:
        """Train on a file, or on texts, dicts of features or (tokens, number of the marked one) with their labels.

        The path of a file is a pathlib.Path. `predict` gives labels back as they were given, numbers for example; a
        model that was loaded from a file has their texts. `dev`, or every k-th example (`dev_fraction`), is held out to
        score each epoch; the best epoch's model is kept. With `cv` the number of epochs is the one that was best on
        average over the folds. Ctrl-C finishes the epoch and keeps the best model so far; a second one, or one in
        cross-validation, raises KeyboardInterrupt.

        Raises OptionError, TemplateError or DataError, each naming the place.
        """
        from sapwood.learning.events import Preparing
        from sapwood.models.classifier_training import (
            CrossValidation,
            TrainingData,
            begin,
            cross_validate,
            training_of,
        )

        given = None if labels is None else list(labels)

        def read(train: TrainingData | None) -> TrainingData:
            if train is not None:
                assert dev is not None
                data = self._read(dev, None, train.examples.layout)
                return TrainingData(held_out_of(data, train.model), data, train.model)
            data = self._read(examples, given, None)
            model = begin(self, data)
            least = 1 if saving.get("from_checkpoint") is not None else 2  # others may be known
            return TrainingData(labelled(data, model, least), data, model)

        def start(train: TrainingData, held_out: TrainingData | None, run: Run) -> Training:
            if run.known is not None:
                train = train.labelled_as(run.known)
                held_out = held_out and held_out.labelled_as(run.known)
            if self.cv is None:
                return training_of(self, train, held_out, None)
            folds = self.cv
            found = run.note(
                "cross-validation",
                lambda: cross_validate(
                    self,
                    train.labelled,
                    folds,
                    on_fold=lambda fold: run(Preparing("cross-validation, fold", fold, folds)),
                ),
            )
            self.cross_validation_: CrossValidation = CrossValidation.of(found, self.epochs)
            return training_of(self, train, held_out, self.cross_validation_)

        self._train(read, start, dev, dev_fraction, on_event, saving, "examples")
        if given is not None:
            by_text = {str(label): label for label in reversed(given)}
            self.classes_: list[Hashable] = [by_text.get(label, label) for label in self.labels_]
        return self

    def partial_fit(
        self,
        examples: Source,
        labels: Iterable[Hashable] | None = None,
        *,
        classes: Iterable[Hashable] | None = None,
        on_event: Callback | None = None,
    ) -> Self:
        """Make one pass over a file or examples, and go on from the calls before; copies and pickles go on, too.

        classes : all labels that there will be, in the first call; without, those of its examples

        Raises DataError for a label that the first call did not have, ModelError for a classifier that was trained by
        `fit`, OptionError if options have changed, and what `fit` raises.
        """
        from sapwood.learning.checkpoints import Learned

        if self.cv is not None or self.class_weight == "balanced":
            raise OptionError("cv and balanced class weights need all the data; use fit")
        given = None if labels is None else list(labels)
        known = list(getattr(self, "classes_", ()) if classes is None else classes)
        if self._learned is None and classes is not None and not hasattr(self, "model_"):
            texts = [str(label) for label in known]
            empty = ModelFile(
                task=self.task, labels=texts, template="", columns=[], label=0, options={}, bits=self.bits
            )
            self._learned = Learned(None, empty)
        self._pass(examples, given, on_event=on_event)
        by_text = {str(label): label for label in reversed([*known, *(given or ())])}
        self.classes_ = [by_text.get(label, label) for label in self.labels_]
        return self

    def predict(self, examples: Source) -> list[Hashable]:
        """Return the label of each example."""
        self._check_fitted()
        classes = self.classes_
        return [classes[y] for y in self.classifier_.predict(self._rows(examples), self.threads)]

    def decision_function(self, examples: Source) -> Floats:
        """Return the score of each label, [examples, labels], an array of float64. Scores are no probabilities."""
        self._check_fitted()
        scores: Floats = self.classifier_.scores(self._rows(examples), self.threads)
        return scores

    def predict_proba(self, examples: Source) -> Floats:
        """Return the confidence in each label, [examples, labels]; rows add up to 1.

        Raises ModelError if the model is not calibrated: a perceptron's scores are no probabilities.
        """
        from sapwood.learning.calibration import confidences
        from sapwood.models.confidence import curves_of

        self._check_fitted()
        curves_of(self.model_.calibration)
        return confidences(self.calibration_, self.decision_function(examples))

    def _reasons(self, examples: Source, asked: _core.Question) -> Iterator[bytes]:
        """Yield why each example has its label; the number of an example is that of a sentence."""
        return self._explained(self._read(examples, None, layout_of(self.model_)), asked)

    def explain_lines(self, data: bytes, name: str, asked: _core.Question) -> Iterator[bytes]:
        """Yield why each example has its label, a line of JSON for each. Raises ModelError, OptionError, DataError."""
        self._check_fitted()
        layout = layout_of(self.model_)
        return self._explained(
            parse_examples(data, name, layout, fixed=True, skip_blank=False, tabs=has_tabs(name)), asked
        )

    def inputs(self) -> Sequence[str]:
        """Return what can be shown: examples."""
        return ("examples",)

    def _reading(self, data: bytes, name: str, kind: str) -> Reading:
        from sapwood.models.confidence import curves_of
        from sapwood.models.reading import Block, Reading, example_units, without_parts

        examples = parse_examples(data, name, layout_of(self.model_), fixed=True, skip_blank=False)

        def blocks(confidence: bool) -> Iterator[Block]:
            if confidence:
                curves_of(self.model_.calibration)
            top = b"".join(self.annotate([data], name=name, top=_SHOWN))
            yield Block(example_units(examples, top), b"".join(self.annotate([data], name=name)))

        calibrated = self.model_.calibration is not None
        explain = without_parts(lambda asked: self._explained(examples, asked))
        return Reading(("json", "labels"), blocks, explain, calibrated, lambda part: self.labels_)

    def _explained(self, data: Examples, asked: _core.Question) -> Iterator[bytes]:
        from sapwood.models.row_explanation import against_label, chosen_rows

        if self.support_ is not None:
            raise ModelError("a voted model counts votes and has no sum of features to explain")
        against_label(asked, self.classifier_.labels)
        wanted = list(chosen_rows(len(data), asked, "example"))
        lines = self._asked(data, wanted, [asked] * len(wanted))
        return (line for line in lines if line is not None)

    def _asked(self, data: Examples, wanted: Sequence[int], asked: Iterable[_core.Question]) -> Iterator[bytes | None]:
        """Yield why each of the wanted examples has its label, by a question for each; None where it has that one."""
        from sapwood.models.row_explanation import LinearRows, explain_label

        if self.support_ is not None:  # votes have no reasons
            yield from (None for _ in wanted)
            return
        rows = rows_of(data, self.model_).select(list(wanted))
        scores = self.classifier_.scores(rows, self.threads).tolist()
        known = LinearRows(rows, self.classifier_, row_names(data, rows, self.model_))
        labels, scale = self.classifier_.labels, self.model_.scale
        for k, (number, question) in enumerate(zip(wanted, asked, strict=True)):
            yield explain_label(number, list(known.row(k)), scores[k], labels, scale, question)

    def annotate(
        self, blocks: Iterable[bytes], *, name: str = "input", format: str | None = None, top: int = 0
    ) -> Iterator[bytes]:
        """Yield for each block of a file a line an example: its label and the margin to the second best.

        Where the model is calibrated the confidence stands instead. top : the so many best labels, each with its score
        or confidence. `name` goes into errors. Raises DataError.
        """
        self._check_fitted()
        classifier, layout = self.classifier_, layout_of(self.model_)
        line = 1
        for block in blocks:
            data = parse_examples(
                block,
                shown(name),
                layout._replace(format=format or layout.format),
                fixed=True,
                skip_blank=False,
                tabs=has_tabs(name),
                first_line=line,
            )
            if data.documents is not None:
                features = document_features_of(data, self.model_)
                yield classifier.annotate_documents(features, data.documents, self.threads, top, self.calibration_)
            else:
                yield classifier.annotate(rows_of(data, self.model_), self.threads, top, self.calibration_)
            line += block.count(b"\n")

    def written(self, chunks: Iterable[bytes], *, name: str = "input", **options: Any) -> Iterator[bytes]:
        """Yield the labels of examples, checked as a whole. See `Model`; options are those of `annotate`."""
        return self.annotate([b"".join(chunks)], name=name, **options)

    def written_as(self, **options: Any) -> str:
        """Return the format of `written`."""
        return "labels"

    def evaluate(self, examples: Source, labels: Iterable[Hashable] | None = None) -> ClassEvaluation:
        """Predict labels for data that have gold ones, as texts. Raises DataError if they have none."""
        from sapwood.metrics.evaluation import ClassEvaluation, unseen_labels

        self._check_fitted()
        data = self._read(examples, labels, layout_of(self.model_))
        require_labels(data, "score")
        known, names = self.classifier_.labels, data.answers.labels
        gold = [names[y] for y in data.answers.gold]
        guess = self.classifier_.predict(rows_of(data, self.model_), self.threads)
        return ClassEvaluation(gold, [known[y] for y in guess], unseen_labels([gold], known))

    def answers(self, examples: Source, labels: Iterable[Hashable] | None = None) -> list[Answers]:
        """Return gold labels and the classifier's, with the reasons of any of them. Raises DataError without gold."""
        from sapwood.models.answers import example_answers

        self._check_fitted()
        data = self._read(examples, labels, layout_of(self.model_))
        require_labels(data, "score")
        names, known = data.answers.labels, self.classifier_.labels
        guess = [known[y] for y in self.classifier_.predict(rows_of(data, self.model_), self.threads)]
        gold = [names[y] for y in data.answers.gold]
        return [example_answers(data, gold, guess, known, partial(self._asked, data))]

    def score(self, examples: Source, labels: Iterable[Hashable] | None = None) -> float:
        """Return the accuracy on labelled data, a fraction of 1 as scikit-learn wants it."""
        evaluation = self.evaluate(examples, labels)
        return sum(map(str.__eq__, evaluation.gold, evaluation.guess)) / len(evaluation.gold)

    def calibrate(
        self,
        examples: Source,
        labels: Iterable[Hashable] | None = None,
        *,
        method: Literal["temperature", "sigmoid", "isotonic"] = "temperature",
    ) -> Self:
        """Fit a calibration on labelled data that training did not see, and keep it with the model.

        temperature : one number for all labels (Guo et al. 2017); sigmoid : a curve a label (Platt 1999); isotonic : a
        step function a label (Zadrozny & Elkan 2002), which wants a thousand examples or more.

        How far the confidences can be trusted is in `reliability_`, by cross-validation in five folds.

        Raises DataError if the data have labels that the model lacks, or none, or are fewer than five examples.
        """
        from sapwood.learning.calibration import cross_reliability, fit_calibration

        scores, gold = self.scored(examples, labels)
        calibration = fit_calibration(scores, gold, method)
        self.reliability_: Reliability = cross_reliability(scores, gold, method)
        self._install(self.model_.replaced(calibration=calibration))
        return self

    def calibrate_on(self, file: os.PathLike[str], *, method: str | None = None, names: Sequence[str] = ()) -> str:
        """Do what `calibrate` does on a file, and say how far confidences can be trusted. See `Model`."""
        if names:
            raise OptionError("a classifier takes no files of names; a pipeline does")
        method = method or "temperature"
        found = self.calibrate(file, method=method).reliability_  # type: ignore[arg-type]
        return (
            f"{method}: log loss {found.log_loss:.4f}, Brier {found.brier:.4f}, "
            f"calibration error {100 * found.calibration_error:.2f} %"
        )

    def scored(self, examples: Source, labels: Iterable[Hashable] | None = None) -> tuple[Floats, list[int]]:
        """Return the scores of labelled examples, [examples, labels], and the numbers of their gold labels.

        Raises DataError if the data have labels that the model lacks, or none.
        """
        self._check_fitted()
        data = self._read(examples, labels, layout_of(self.model_))
        rows, gold, _ = held_out_of(data, self.model_)
        if -1 in gold:
            answers, k = data.answers, gold.index(-1)
            unknown = f"the model does not know the label '{answers.labels[answers.gold[k]]}'"
            raise DataError(f"{answers.where(k)}: {unknown}; leave out the examples of such labels ({gold.count(-1)})")
        return self.classifier_.scores(rows, self.threads), gold

    def remarks(self) -> list[str]:
        """Return what cross-validation found, if there was one."""
        if self.cv is None:
            return []
        found = self.cross_validation_
        return [f"{self.cv}-fold cross-validation: {max(found.accuracies):.2f}% after {found.best_epochs} passes"]

    def tables(self) -> list[str]:
        """Return what the weights of each table of the fitted model are about."""
        return ["label"]

    def outputs(self) -> list[list[Output]]:
        """Return the labels. Of two, one weight speaks for the second and against the first.

        A voted model has a weight for each example of its support and each label: the one after the last update.
        """
        labels = [Output(label, label) for label in self.model_.labels]
        return [labels[1:] if len(labels) == 2 and self.support_ is None else labels]

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
        return super().owners() | {"extra": "support examples"}

    def __sklearn_tags__(self) -> Tags:
        """Tell scikit-learn that this is a classifier of lists of anything."""
        from sklearn.utils import ClassifierTags

        tags = super().__sklearn_tags__()
        tags.estimator_type, tags.classifier_tags = "classifier", ClassifierTags()
        tags.input_tags.dict = True
        return tags

    def _read(self, source: Source, labels: Iterable[Hashable] | None, layout: Layout | None) -> Examples:
        if not is_file(source, _WANTED):
            return take_examples(list(source), None if labels is None else list(labels), layout)  # type: ignore[arg-type]
        if labels is not None:
            raise OptionError("labels beside a file: a file has them in it")
        return read_examples(
            source,  # type: ignore[arg-type]
            layout,
            format=self.format,
            label=self.label,
            text=self.text,
            tag_in_label=self.tag_in_label,
        )

    def _rows(self, source: Source) -> _core.FeatureRows:
        return rows_of(self._read(source, None, layout_of(self.model_)), self.model_)

    @classmethod
    def _with_options_of(cls, model: ModelFile) -> Self:
        check_model(model)
        return super()._with_options_of(
            model.replaced(options={name: value for name, value in model.options.items() if name != "format"})
        )

    def _install(self, model: ModelFile) -> None:
        super()._install(model)
        self.support_ = Support.of_model(model, "example", "examples")
        if (self.support_ is not None) != self.voted:
            raise ModelError("it has examples that vote, or is said to have them")
        packed = [table.packed for table in model.tables]
        self.classifier_: _core.Classifier = (
            frozen(model.labels, self.support_)
            if self.support_ is not None
            else _core.Classifier(model.labels, packed, model.bits, model.scale)
        )
        self.classes_ = list(model.labels)
        self.calibration_: _core.Calibration | None = None
        if model.calibration is not None:
            method, curves = model.calibration["method"], model.calibration["curves"]
            self.calibration_ = _core.Calibration(method, curves, len(model.labels))
