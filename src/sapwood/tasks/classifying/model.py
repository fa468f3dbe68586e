"""Classification: texts, marked words in context, or features, into one of k classes.

One task is one template x one search (argmax) x one learner. The work is done in the core.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import compress
from typing import TYPE_CHECKING, Any, Self, Unpack

import sapwood._core as _core
from sapwood.errors import OptionError
from sapwood.io.examples import Examples
from sapwood.model.abstention import Abstain, fit_abstention, target_of
from sapwood.model.answers import Answers
from sapwood.model.explanation import Unit
from sapwood.model.file.schema import ModelFile
from sapwood.model.parts import Contents, Observed
from sapwood.tasks.classifying.answers import LabelReasons, answers_of, evaluate, observed_labels, units_of
from sapwood.tasks.classifying.class_weights import example_weights
from sapwood.tasks.classifying.confidence import answered_examples, fit_calibration, reliability_report
from sapwood.tasks.classifying.data import Source, check_model, examples_in, file_of_rows, layout_of, with_known_labels
from sapwood.tasks.classifying.given_labels import GivenLabels, one_column
from sapwood.tasks.classifying.options import ClassifierOptions
from sapwood.tasks.classifying.scorer import Scorer, classifier_contents
from sapwood.tasks.classifying.writer import LabelRecords, LabelWriter, Writing
from sapwood.training.learner import Learner
from sapwood.training.nbest import check_n
from sapwood.training.options import FitKeywords

if TYPE_CHECKING:
    from sapwood.events import Callback
    from sapwood.metrics.evaluation import ClassEvaluation, LabelSetEvaluation
    from sapwood.metrics.reliability import Reliability
    from sapwood.tasks.classifying.given_labels import Classes, Floats
    from sapwood.tasks.classifying.training import CrossValidation
    from sapwood.training.run import Run
    from sapwood.training.suspects import Suspect


_LABEL_HINT = "are these the labels? --format says how a file is read, --label what csv and jsonl call the label"


class Classifier(Learner[ClassifierOptions]):
    """A classifier of texts, words in context or features, trained by the perceptron family.

    Options follow scikit-learn's conventions; nothing is checked before `fit`. The averaging clock ticks by examples.

    >>> classifier = Classifier(min_updates=1).fit(["good fun", "dull", "great fun", "bad"], ["+", "-", "+", "-"])
    >>> classifier.predict(["fun", "dull and bad"])
    array(['+', '-'], dtype='<U1')
    """

    _params_type = ClassifierOptions
    task = "classify"
    _noun = "classifier"
    _reads_streams = True
    _records_type = LabelRecords
    reliability_: Reliability  # scores of the confidences; `calibrate` sets it
    cross_validation_: CrossValidation

    def fit(
        self,
        examples: Source,
        labels: Iterable[Hashable] | None = None,
        *,
        sample_weight: Iterable[float] | None = None,
        **how: Unpack[FitKeywords],
    ) -> Self:
        """Train on a file, or on texts, dicts of features or (tokens, number of the marked one) with their labels.

        `predict` gives labels back as they were given, numbers for example; a model that was loaded from a file has
        their texts. `dev` is a file or a pair (X_dev, y_dev). With `cv` the number of epochs is the one that was best
        on average over the folds. With `multi_label` the labels of an example are a list, tuple or set of them, and the
        held-out examples choose the thresholds. A stream has one of the formats fasttext, svmlight and jsonl.

        sample_weight : factor of the steps of each example in memory; examples of weight 0 are left out

        `Learner.fit` describes the other keywords.
        """
        return self._learn(self._run(how), examples, labels, dev=how.get("dev"), sample_weight=sample_weight)

    def _learn(
        self, run: Run, examples: Any, labels: Any = None, *, dev: Any = None, sample_weight: Any = None
    ) -> Self:
        from sapwood.tasks.classifying.example_stream import read_training_examples
        from sapwood.tasks.classifying.training import choose_thresholds, classifier_trainer, cross_validation_of
        from sapwood.tasks.classifying.training_data import read_held_out_examples

        options, known = self.params, GivenLabels(several=self.params.multi_label)
        least = 2 if run.source is None else 1  # the training from which this one goes on may know more labels
        data = read_training_examples(options, examples, labels, known, sample_weight, least, run.scratch)
        held_out = None if dev is None else read_held_out_examples(options, dev, known, data.first.model)
        asked = {"unit": "examples", "look": None, "label_hint": _LABEL_HINT}
        fitted = self._train(run, classifier_trainer, data, held_out, **asked)
        if options.multi_label and fitted.held_out is not None:
            self._install(choose_thresholds(options, self.model_, fitted.held_out))
        if labels is not None:
            self._labels = known.named(self.labels_)
        if options.cv is not None:
            self.cross_validation_ = cross_validation_of(options, data.first, run)
        return self

    def _suspects(
        self, run: Run, folds: int, examples: Source, labels: Iterable[Hashable] | None = None
    ) -> list[Suspect]:
        from sapwood.tasks.classifying.example_stream import read_training_examples
        from sapwood.tasks.classifying.training import example_suspects

        options, known = self.params, GivenLabels(several=self.params.multi_label)
        data = read_training_examples(options, examples, labels, known, None, 2).first
        return example_suspects(options, data, folds, run)

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

        classes : all labels that there will be, in the first call; without, new ones may join in each call
        sample_weight : as in `fit`

        Raises DataError for a label that is not among the classes, ModelError for a classifier that was trained by
        `fit`, OptionError if options have changed, and what `fit` raises.
        """
        if self.params.cv is not None or self.params.class_weight == "balanced":
            raise OptionError("cv and balanced class weights need all the data; use fit")
        before = getattr(self, "_labels", ()) if classes is None else one_column(classes, "classes")
        known = GivenLabels(before, several=self.params.multi_label)
        given = None if labels is None else known.read(labels)
        first = None if classes is None else file_of_rows([str(label) for label in known], self.params.bits)
        answers = labels if known.columns else given
        self._pass(examples, answers, on_event=on_event, first=first, sample_weight=sample_weight)
        self._labels = known.named(self.labels_)
        return self

    def _install(self, model: ModelFile) -> None:
        super()._install(model)
        self._scorer = Scorer(model)
        self._confidence = self._scorer.confidence
        self.support_ = self._scorer.support
        self._labels = GivenLabels(model.labels, several=self._scorer.several)

    @property
    def contents(self) -> Contents:
        self.check_fitted()
        found: CrossValidation | None = getattr(self, "cross_validation_", None)
        remarks = [] if found is None else [f"{self.params.cv}-fold cross-validation: {found.best}"]
        return classifier_contents(self.model_, self._scorer, remarks)

    @property
    def writer(self) -> LabelWriter:
        self.check_fitted()
        return LabelWriter(self._scorer, self.params, self.familiarity_, self._reasons)

    def _encode_input(self, examples: Source) -> Examples:
        return examples_in(examples, None, self.params, layout_of(self.model_))

    def _parsed(self, data: bytes, name: str) -> Examples:
        return self.writer.parsed(data, name)

    def _explain(self, data: Examples, asked: _core.Question) -> Iterator[bytes]:
        return self._reasons.of_examples(data, asked)

    def _units(self, data: Examples) -> list[Unit]:
        return units_of(data)

    @property
    def _reasons(self) -> LabelReasons:
        return LabelReasons(self._scorer.core, self.model_)

    @classmethod
    def _with_options_of(cls, model: ModelFile, **others: object) -> Self:
        check_model(model)
        return super()._with_options_of(
            model.replaced(options={name: value for name, value in model.options.items() if name != "format"}), **others
        )

    @property
    def classes_(self) -> Classes:
        """The labels as they were given, sorted; those of a model that was loaded from a file are texts."""
        self.check_fitted()
        return self._labels.classes

    def predict(self, examples: Source, *, abstain: bool = False) -> Sequence[Any]:
        """Return the label of each example, an array; a list where NumPy is not installed.

        Of a multi-label classifier it has a tuple of labels for each, which may be empty. Where it was fitted on an
        indicator matrix, return such a matrix, [examples, columns].

        abstain : return a list that has None in place of what the model is not sure enough of; raises ModelError if
        `calibrate` was not given a precision or a coverage
        """
        rows = self._rows(examples)
        chosen = self._scorer.chosen(rows, self.threads, self.familiarity_.on_warning)
        answers = self._labels.sets_at(chosen) if self._scorer.several else self._labels.at([y for [y] in chosen])
        if not abstain:
            return answers
        sure = self._scorer.sure(rows, chosen, self.threads)
        return [answer if given else None for answer, given in zip(answers, sure, strict=True)]

    def n_best(self, examples: Source, n: int) -> list[list[tuple[Any, float]]]:
        """Return for each example its n best labels, best first, each with its score or, calibrated, its confidence.

        They are fewer if there are not so many labels. The first one is what `predict` gives, but for a multi-label
        classifier, which gives those whose scores are above 0. Raises OptionError if n is no number from 1 up.
        """
        n = check_n(n)
        rows, given, threads = self._rows(examples), list(self._labels), self.threads
        chosen = self._scorer.chosen(rows, threads, self.familiarity_.on_warning)
        scored = self._scorer.scores(rows, threads)
        shown = self.confidence.of(rows, threads) if self.confidence.calibrated else scored
        found = []
        for first, scores, numbers in zip(chosen, scored, shown, strict=True):
            best = sorted(range(len(given)), key=lambda y: (y not in first, -scores[y]))
            found.append([(given[y], numbers[y]) for y in best[:n]])
        return found

    def decision_function(self, examples: Source) -> Floats:
        """Return the score of each of `classes_`, [examples, labels], an array of float64; no probabilities.

        For two labels it is [examples]: how far the second one is ahead. A multi-label classifier counts scores from
        the thresholds: an example has the labels with scores above 0. Without NumPy it is a list.
        """
        return self._labels.by_class(self._scorer.scores(self._rows(examples), self.threads), ahead=True)

    @property
    def predict_proba(self) -> Callable[[Source], Floats]:
        """The method that gives the confidence in each of `classes_`, [examples, labels].

        Rows add up to 1 where an example has one label. Only a calibrated model has this method, as scikit-learn's
        tools ask by `hasattr`; a perceptron's scores are no probabilities. Raises ModelError.
        """
        self.confidence.check()
        return self._predict_proba

    def _predict_proba(self, examples: Source) -> Floats:
        return self._labels.by_class(self.confidence.of(self._rows(examples), self.threads))

    def calibrate(
        self,
        examples: Source,
        labels: Iterable[Hashable] | None = None,
        *,
        method: str = "temperature",
        **abstain: Unpack[Abstain],
    ) -> Self:
        """Fit a calibration on labelled data that training did not see, and keep it with the model.

        method : temperature, one number for all labels (Guo et al. 2017), or isotonic, a step function a label
        (Zadrozny & Elkan 2002), which wants a thousand examples or more

        Each label of a multi-label classifier is a decision of its own. They share a temperature, or have a curve each.
        `reliability_` has the scores of the confidences, by cross-validation in five folds.

        abstain : `precision` or `coverage`, shares from 0 to 1, fit the least confidence of an answer as well (see
        sapwood.model.abstention), with `by_label` that of each label; `noise` is the share of wrong labels in the data,
        which is estimated otherwise. `predict` abstains then if it is asked to.

        Raises DataError if the data have labels that the model lacks, or none, or are fewer than five examples.
        """
        rows, gold = with_known_labels(self._labelled(examples, labels), self.model_, self.familiarity_)
        scores, given = self._scorer.scores(rows, self.threads), self._labels
        calibration, self.reliability_ = fit_calibration(scores, gold, method, multi_label=self.params.multi_label)
        self._install(self.model_.replaced(calibration=calibration))
        self.confidence.report = reliability_report(method, self.reliability_)
        if (target := target_of(**abstain)) is not None:
            if target.by_label and self._scorer.several:
                raise OptionError("by_label is not for several labels, which are answered as one set")
            answered = answered_examples(
                self.confidence.of(rows, self.threads), scores, gold, several=self._scorer.several
            )
            self._keep_abstention(fit_abstention(answered, target, "development data"))
        self._labels = given
        return self

    def annotate(self, blocks: Iterable[bytes], *, name: str = "input", **how: Unpack[Writing]) -> Iterator[bytes]:
        """Yield for each block of a file a line an example: its label and the margin to the second best.

        Where the model is calibrated the confidence stands instead. top : the so many best labels, each with its score
        or confidence. `name` goes into errors. Raises DataError.

        to : "jsonl", "csv" or "parquet": write records in place of lines, with `label`, `confidence` of a calibrated
        model and `margin` behind the members that came in; `predicted_label` where a record had a `label`
        reasons : of records, also the three features that spoke most for the label, with their contributions
        """
        return self.writer.annotate(blocks, name, **how)

    def evaluate(
        self, examples: Source, labels: Iterable[Hashable] | None = None
    ) -> ClassEvaluation | LabelSetEvaluation:
        """Predict labels for data that have gold ones, as texts. Raises DataError if they have none."""
        data = self._labelled(examples, labels)
        return evaluate(data, self._scorer, self.threads, self.familiarity_.on_warning)

    def _answers(self, examples: Source, labels: Iterable[Hashable] | None = None) -> list[Answers]:
        data = self._labelled(examples, labels)
        return [answers_of(data, self._scorer, self._reasons, self.threads, self.familiarity_.on_warning)]

    def _observed(self, examples: Source) -> Observed:
        return observed_labels(self._encode_input(examples), self._scorer, self.familiarity_, self.threads)

    def score(
        self, examples: Source, labels: Iterable[Hashable] | None = None, sample_weight: Iterable[float] | None = None
    ) -> float:
        """Return the accuracy on labelled data, a fraction of 1 as scikit-learn wants it.

        A multi-label classifier is right about an example if it has exactly its labels.
        sample_weight : weight of each example
        """
        evaluation = self.evaluate(examples, labels)
        pairs = zip(evaluation.gold, evaluation.guess, strict=True)
        right = [set(g) == set(h) if self._scorer.several else g == h for g, h in pairs]
        weights = [1.0] * len(right) if sample_weight is None else example_weights(sample_weight, len(right))
        return sum(compress(weights, right)) / sum(weights)

    def _rows(self, examples: Source) -> _core.FeatureRows:
        self.check_fitted()
        data = self._encode_input(examples)
        self.familiarity_.check(data.content, data.answers.name)
        return self._scorer.rows(data)

    def _labelled(self, examples: Source, labels: Iterable[Hashable] | None) -> Examples:
        self.check_fitted()
        given = None if labels is None else self._labels.copy().read(labels)
        return examples_in(examples, given, self.params, layout_of(self.model_))
