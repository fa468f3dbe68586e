"""Classification: texts, marked words in context, or features, into one of k classes.

One task is one template x one search (argmax) x one learner. The work is done in the core; this file has fitting and
scoring. A fitted classifier is in fitted.py, its explanations in reasons.py, its confidences in confidence.py.
"""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable
from functools import partial
from itertools import chain, compress
from typing import TYPE_CHECKING, Self, Unpack

from sapwood.errors import OptionError
from sapwood.events import Preparing
from sapwood.model.conventions import tags_of_lists
from sapwood.model.file.schema import ModelFile
from sapwood.tasks.classifying import confidence, multi_label
from sapwood.tasks.classifying import reading as shown
from sapwood.tasks.classifying.answers import example_answers, set_answers, with_confidences
from sapwood.tasks.classifying.arrays import one_column, weights_in, with_weights
from sapwood.tasks.classifying.data import held_out_of, labelled, layout_of, require_labels, rows_of, warn_of_cut_labels
from sapwood.tasks.classifying.example_stream import ExampleStream, training_of_stream
from sapwood.tasks.classifying.fitted import FittedClassifier, Source
from sapwood.tasks.classifying.reasons import LabelReasons
from sapwood.tasks.classifying.routing import UNCHANGED, Request, requests_of, set_request
from sapwood.tasks.classifying.training import CrossValidation, TrainingData, begin, cross_validate, training_of
from sapwood.training.checkpoints import Learned
from sapwood.training.learner import stream_of

if TYPE_CHECKING:
    from sklearn.utils import Tags
    from sklearn.utils.metadata_routing import MetadataRequest

    from sapwood.events import Callback
    from sapwood.metrics.evaluation import ClassEvaluation, LabelSetEvaluation
    from sapwood.model.answers import Answers
    from sapwood.training.checkpoints import Run, Saving
    from sapwood.training.task import Training


class Classifier(FittedClassifier):
    """A classifier of texts, words in context or features, trained by the perceptron family.

    Options follow scikit-learn's conventions; nothing is checked before `fit`.

    The averaging clock ticks once an example.

    >>> classifier = Classifier(min_updates=1).fit(["good fun", "dull", "great fun", "bad"], ["+", "-", "+", "-"])
    >>> classifier.predict(["fun", "dull and bad"])
    array(['+', '-'], dtype='<U1')
    """

    inputs, _reading = shown.inputs, shown.reading
    predict_proba, scored = confidence.WhereCalibrated(confidence.predict_proba), confidence.scored
    calibrate, calibrate_on = confidence.calibrate, confidence.calibrate_on

    def fit(
        self,
        examples: Source,
        labels: Iterable[Hashable] | None = None,
        *,
        dev: Source | None = None,
        dev_fraction: float | None = None,
        sample_weight: Iterable[float] | None = None,
        on_event: Callback | None = None,
        stream: bool = False,
        scratch: str | os.PathLike[str] | None = None,
        **saving: Unpack[Saving],
    ) -> Self:
        """Train on a file, or on texts, dicts of features or (tokens, number of the marked one) with their labels.

        The path of a file is a pathlib.Path. `predict` gives labels back as they were given, numbers for example; a
        model that was loaded from a file has their texts. `dev`, a file or a pair (X_dev, y_dev), or every k-th example
        (`dev_fraction`) is held out to score each epoch; the best epoch's model is kept. With `cv` the number of epochs
        is the one that was best on average over the folds. With `multi_label` the labels of an example are a list,
        tuple or set of them, and the held-out examples choose the thresholds. Ctrl-C finishes the epoch and keeps the
        best model so far; a second one, or one in cross-validation, raises KeyboardInterrupt.

        sample_weight : what each example in memory counts; its steps are multiplied by it, and 0 is no example

        stream : read the file part by part, and keep the examples in scratch files, which are mapped into memory; the
        model is the same. Files in the formats fasttext, svmlight and jsonl; neither voted, multi_label nor cv
        scratch : folder of the scratch files; if it is not given, $TMPDIR or /var/tmp

        Raises OptionError, TemplateError or DataError, each naming the place.
        """
        make = partial(ExampleStream, classifier=self.params)
        whole = stream_of(make, examples, labels, scratch, dev_fraction, stream=stream)
        first: dict[Hashable, Hashable] = {}
        given, columns = (None, 0) if labels is None else self._answers(labels, first)
        weights: list[float] = []
        if sample_weight is not None:
            if isinstance(examples, os.PathLike):
                raise OptionError("sample_weight is for examples in memory, and these are in a file")
            examples, given, weights = with_weights(one_column(examples, "examples"), given, sample_weight)
        chosen_on: list[TrainingData] = []  # the held-out data, if there are any

        def read(train: TrainingData | None) -> TrainingData:
            if train is not None:
                assert dev is not None
                X, y = dev if isinstance(dev, tuple) and len(dev) == 2 else (dev, None)
                data = self._read(X, y, layout_of(train.model), first)
                return TrainingData(held_out_of(data, train.model), data, train.model)
            data = self._read(examples, given, None) if whole is None else whole.first
            model = begin(self.params, data)
            if given is None:  # it is a file
                warn_of_cut_labels(data)
            if columns:  # also those without a one
                model = multi_label.without_thresholds(model.replaced(labels=list(map(str, range(columns)))))
            # More labels may come with the rest of a stream, or be known to the training from which this one goes on.
            least = 2 if whole is None and saving.get("from_checkpoint") is None else 1
            found = labelled(data, model, least)._replace(importance=weights)
            return TrainingData(found.relabelled(model.labels) if columns else found, data, model)

        def start(train: TrainingData, held_out: TrainingData | None, run: Run) -> Training:
            if whole is not None:
                return training_of_stream(self.params, whole, train, held_out, run.known)
            if run.known is not None:
                train = train.labelled_as(run.known)
                held_out = held_out and held_out.labelled_as(run.known)
            chosen_on[:] = [] if held_out is None else [held_out]
            if self.params.cv is None:
                return training_of(self.params, train, held_out, None)
            folds, data = self.params.cv, train.labelled

            def on_fold(fold: int) -> None:
                run(Preparing("cross-validation, fold", fold, folds))

            found = run.note("cross-validation", lambda: cross_validate(self.params, data, folds, on_fold=on_fold))
            self.cross_validation_: CrossValidation = CrossValidation.of(found, self.params.epochs)
            return training_of(self.params, train, held_out, self.cross_validation_)

        self._train(read, start, dev, dev_fraction, on_event, saving, "examples", whole)
        if self.params.multi_label and chosen_on:
            raw = multi_label.frozen_for_any(multi_label.without_thresholds(self.model_))
            data = chosen_on[0].labelled
            thresholds, _ = multi_label.best_thresholds(raw, data.rows, data.sets, self.params.threads)
            self.install(multi_label.with_thresholds(self.model_, thresholds))
        if given is not None:
            self._name_classes(given, range(columns))
        self._columns = columns
        return self

    def _name_classes(self, given: Iterable[Hashable], known: Iterable[Hashable]) -> None:
        """Let `predict` give labels back as they were given: those of examples, or known ones."""
        labels = chain.from_iterable(given) if self.params.multi_label else given  # type: ignore[arg-type]
        by_text = {str(label): label for label in reversed([*known, *labels])}
        self._given_labels = [by_text.get(label, label) for label in self.labels_]

    def partial_fit(
        self,
        examples: Source,
        labels: Iterable[Hashable] | None = None,
        *,
        classes: Iterable[Hashable] | None = None,
        sample_weight: Iterable[float] | None = None,
        on_event: Callback | None = None,
    ) -> Self:
        """Make one pass over a file or examples, and go on from the calls before; copies and pickles go on, too.

        classes : all labels that there will be, in the first call; without, those of its examples
        sample_weight : as in `fit`

        Raises DataError for a label that the first call did not have, ModelError for a classifier that was trained by
        `fit`, OptionError if options have changed, and what `fit` raises.
        """
        if self.params.cv is not None or self.params.class_weight == "balanced":
            raise OptionError("cv and balanced class weights need all the data; use fit")
        known = list(getattr(self, "_given_labels", ())) if classes is None else one_column(classes, "classes")
        first = {label: label for label in reversed(known)}
        given, columns = (None, 0) if labels is None else self._answers(labels, first)
        if self._learned is None and classes is not None and not hasattr(self, "model_"):
            texts = [str(label) for label in known]
            empty = ModelFile(
                task=self.task, labels=texts, template="", columns=[], label=0, options={}, bits=self.params.bits
            )
            self._learned = Learned(None, empty)
        self._pass(examples, labels if columns else given, on_event=on_event, sample_weight=sample_weight)
        self._name_classes(given or (), known)
        return self

    def evaluate(
        self, examples: Source, labels: Iterable[Hashable] | None = None
    ) -> ClassEvaluation | LabelSetEvaluation:
        """Predict labels for data that have gold ones, as texts. Raises DataError if they have none."""
        from sapwood.metrics.evaluation import ClassEvaluation, unseen_labels, warn_of_tagset

        self.check_fitted()
        data = self._read(examples, labels, layout_of(self.model_))
        if self.params.multi_label:
            guessed = self.classifier_.predict_any(rows_of(data, self.model_), self.params.threads)
            return multi_label.evaluate_sets(data, self.labels_, guessed)
        require_labels(data, "score")
        known, names = self.classifier_.labels, data.answers.labels
        gold = [names[y] for y in data.answers.gold]
        warn_of_tagset(data.answers.name, gold, known, "the model")
        guess = self.numbers(rows_of(data, self.model_))
        return ClassEvaluation(gold, [known[y] for y in guess], unseen_labels([gold], known))

    def answers(self, examples: Source, labels: Iterable[Hashable] | None = None) -> list[Answers]:
        """Return gold labels and the classifier's, with explanations of any of them. Raises DataError without gold."""
        from sapwood.training.calibrating.calibration import confidences

        self.check_fitted()
        data = self._read(examples, labels, layout_of(self.model_))
        rows, known = rows_of(data, self.model_), self.classifier_.labels
        explain = LabelReasons(self.classifier_, self.model_, self.params.threads)
        if self.params.multi_label:
            found = multi_label.evaluate_sets(
                data, self.labels_, self.classifier_.predict_any(rows, self.params.threads)
            )
            thresholds = dict(zip(self.labels_, multi_label.thresholds_of(self.model_), strict=True))
            answers = set_answers(data, found.gold, found.guess, thresholds, explain)
        else:
            require_labels(data, "score")
            gold = [data.answers.labels[y] for y in data.answers.gold]
            answers = example_answers(data, gold, [known[y] for y in self.numbers(rows)], known, explain)
        if self.calibration_ is not None:
            answers = with_confidences(answers, known, confidences(self.calibration_, self.scores_of(rows)))
        return [answers]

    def score(
        self,
        examples: Source,
        labels: Iterable[Hashable] | None = None,
        sample_weight: Iterable[float] | None = None,
    ) -> float:
        """Return the accuracy on labelled data, a fraction of 1 as scikit-learn wants it.

        A multi-label classifier is right about an example if it has exactly its labels.
        sample_weight : what each example counts
        """
        evaluation = self.evaluate(examples, labels)
        pairs = zip(evaluation.gold, evaluation.guess, strict=True)
        right = [set(g) == set(h) if self.params.multi_label else g == h for g, h in pairs]
        weights = [1.0] * len(right) if sample_weight is None else weights_in(sample_weight, len(right))
        return sum(compress(weights, right)) / sum(weights)

    def remarks(self) -> list[str]:
        """Return what cross-validation found, if there was one, and how a multi-label classifier decides."""
        thresholds = []
        if self.params.multi_label and not any(multi_label.thresholds_of(self.model_)):
            thresholds = ["the thresholds of all labels are 0; held-out data (--dev) would choose them"]
        if self.params.cv is None:
            return thresholds
        found = self.cross_validation_
        best = f"{max(found.accuracies):.2f}% after {found.best_epochs} passes"
        return [*thresholds, f"{self.params.cv}-fold cross-validation: {best}"]

    def get_metadata_routing(self) -> MetadataRequest:
        """Return which methods scikit-learn's metadata routing gives weights of examples, or classes."""
        return requests_of(self)

    def set_fit_request(self, *, sample_weight: Request = UNCHANGED) -> Self:
        """Let metadata routing give `fit` the weights of examples (True), or those of another name; return self."""
        return set_request(self, "fit", sample_weight=sample_weight)

    def set_partial_fit_request(self, *, classes: Request = UNCHANGED, sample_weight: Request = UNCHANGED) -> Self:
        """Do for `partial_fit` what `set_fit_request` does for `fit`."""
        return set_request(self, "partial_fit", classes=classes, sample_weight=sample_weight)

    def set_score_request(self, *, sample_weight: Request = UNCHANGED) -> Self:
        """Do for `score` what `set_fit_request` does for `fit`."""
        return set_request(self, "score", sample_weight=sample_weight)

    def __sklearn_tags__(self) -> Tags:
        """Tell scikit-learn that this is a classifier of lists of anything."""
        from sklearn.utils import ClassifierTags

        tags = tags_of_lists()
        tags.estimator_type, tags.classifier_tags = "classifier", ClassifierTags(multi_label=self.params.multi_label)
        tags.input_tags.dict = True
        return tags
