"""Classification: texts, marked words in context, or features, into one of k classes.

One task is one template x one search (argmax) x one learner. The work is done in the core; this file joins its
parts. Training is in classifier_training.py.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Self, get_args

from sapwood import __version__, _core
from sapwood.errors import DataError, ModelError, OptionError, shown
from sapwood.io.examples import (
    FORMATS,
    Examples,
    Layout,
    has_tabs,
    parse_examples,
    read_examples,
    take_examples,
)
from sapwood.learning.options import changed, option
from sapwood.modelfile.schema import ModelFile
from sapwood.models.base import TemplateLearner
from sapwood.models.labelled_rows import (
    check_model,
    document_features_of,
    feature_names,
    frozen,
    held_out_of,
    labelled,
    layout_of,
    require_labels,
    rows_of,
)
from sapwood.models.support import Support, with_weights

if TYPE_CHECKING:
    from sapwood.learning.cross_validation import CrossValidation
    from sapwood.learning.events import Callback

__all__ = ["Classifier", "Evaluation"]

Source = str | os.PathLike[str] | Sequence[Any]
Update = Literal["perceptron", "margin", "pa", "l1-cumulative", "truncated-gradient"]


class Evaluation(NamedTuple):
    """Gold and guessed labels of a test set, and what training never saw of the gold ones."""

    gold: list[str]
    guess: list[str]
    unseen: dict[str, int]  # labels that the model does not have -> examples


class Classifier(TemplateLearner):
    """A classifier of texts, words in context or features, trained by the perceptron family.

    Parameters follow scikit-learn's conventions; nothing is checked before `fit`.

    The averaging clock ticks once an example.

    >>> classifier = Classifier(min_updates=1).fit(["good fun", "dull", "great fun", "bad"], ["+", "-", "+", "-"])
    >>> classifier.predict(["fun", "dull and bad"])
    ['+', '-']
    """

    template: str | os.PathLike[str] = option(
        default="text",
        metavar="NAME|FILE",
        help="name of a shipped template (text, characters, wsd, lecture), path of one, or the text itself; features "
        "that were given (dicts, svmlight) need none",
    )
    format: str | None = option(
        default=None, choices=FORMATS, help="format of the files; without, the one that their names tell, or fasttext"
    )
    label: str = option(default="label", metavar="NAME", kept=True, help="what csv and jsonl call the label")
    text: str = option(default="text", metavar="NAME", kept=True, help="what csv and jsonl call the text")
    tag_in_label: bool = option(
        default=False,
        kept=True,
        help="learn the marked word's tag and its sense as one label, 'NN:interest_6' (senseval)",
    )
    voted: bool = option(
        default=False,
        kept=True,
        help="let every vector of training vote, as often as it stood, instead of averaging (Freund & Schapire 1999); "
        "the model keeps the examples of the updates, and min_updates has to be 1",
    )
    penalty: float = option(
        default=1.0,
        least=0,
        most=1e6,
        metavar="C",
        kept=True,
        help="strength of the L1 penalty over an epoch, for the baselines",
    )
    eta: float = option(default=0.1, above=0, most=1e3, metavar="E", kept=True, help="first step of the baselines")
    prune_below: int = option(
        default=1,
        least=1,
        metavar="N",
        kept=True,
        help="drop features that fewer training examples have, the usual alternative to min_updates",
    )
    class_weight: Literal["balanced"] | None = option(
        default=None,
        kept=True,
        off="none",
        help="balanced: an example of a rare class counts more, n / (classes * n of its class)",
    )
    cv: int | None = option(
        default=None,
        least=2,
        metavar="K",
        help="choose the number of epochs by cross-validation in so many folds, before training on everything",
    )
    shuffle: bool = option(default=True, kept=True, help="a new order of the examples for every epoch")
    update: Update = changed(  # type: ignore[assignment]
        default="margin",
        choices=get_args(Update),
        help="what happens at a mistake: a step (perceptron, Rosenblatt 1958), one that has to win by gamma (margin), "
        "or the smallest that does (pa: passive-aggressive, Crammer et al. 2006, with C = 1); or the baselines, "
        "logistic regression with an L1 penalty: l1-cumulative (Tsuruoka et al. 2009) and truncated-gradient (Langford "
        "et al. 2009)",
    )
    gamma: float = changed(
        default=1.0, help="cost of a wrong label, in units of the mean squared length of the examples' features"
    )
    seed: int = changed(default=1, help="seed of the shuffling, and of the folds")

    def fit(
        self,
        examples: Source,
        labels: Sequence[str] | None = None,
        *,
        dev: Source | None = None,
        dev_fraction: float | None = None,
        on_event: Callback | None = None,
    ) -> Self:
        """Train on a file, or on texts, dicts of features or (tokens, number of the marked one) with their labels.

        `dev`, or every k-th example (`dev_fraction`), is held out to score each epoch; the best epoch's model is
        kept. With `cv` the number of epochs is the one that was best on average over the folds. Ctrl-C finishes the
        epoch and keeps the best model so far; a second one, or one in cross-validation, raises KeyboardInterrupt.

        Raises OptionError, TemplateError or DataError, each naming the place.
        """
        from sapwood.learning.events import Preparing, Started, ignore
        from sapwood.models.classifier_training import begin, hold_out, run, trainer_of

        self._check_training(dev, dev_fraction)
        report = on_event or ignore
        started = time.perf_counter()
        data = self._read(examples, labels, None)
        model = begin(self, data)
        train, held_out = labelled(data, model), None
        if dev is not None:
            held_out = held_out_of(self._read(dev, None, data.layout), model)
        if dev_fraction is not None:
            train, held_out = hold_out(train, dev_fraction)
        epochs = self.epochs
        if self.cv is not None:
            from sapwood.learning.cross_validation import cross_validate

            def fold_started(fold: int) -> None:
                report(Preparing("cross-validation, fold", fold, self.cv or 0))

            self.cross_validation_: CrossValidation = cross_validate(self, train, self.cv, on_fold=fold_started)
            epochs = self.cross_validation_.best_epochs
        trainer = trainer_of(self, train)
        n, seconds = len(train.gold), time.perf_counter() - started
        learned = "support examples" if self.voted else "features"
        report(Started(n, n, len(train.labels), epochs, seconds, "examples", learned))
        trained = run(self, trainer, train, held_out, epochs, on_event=report)
        model = with_weights(model, trained.weights)
        if self.names and isinstance(trained.weights, _core.PackedModel):
            model.tables[0].names = feature_names(trained.weights, data, model)
        model.provenance = {
            "sapwood": __version__,
            "seed": self.seed,
            "examples": len(train.gold),
            "data_checksum": f"{data.checksum:016x}",
            **trained.provenance(),
        }
        if self.cv is not None:
            model.provenance["cv_accuracy"] = round(self.cross_validation_.accuracies[epochs - 1], 4)
        self._install(model, trained.weights if isinstance(trained.weights, Support) else None)
        return self

    def predict(self, examples: Source) -> list[str]:
        """Return the label of each example."""
        classifier = self._classifier()
        labels = classifier.labels
        return [labels[y] for y in classifier.predict(self._rows(examples), self.threads)]

    def decision_function(self, examples: Source) -> Any:
        """Return the score of each label, [examples, labels], an array of float64. Scores are no probabilities."""
        return self._classifier().scores(self._rows(examples), self.threads)

    def predict_proba(self, examples: Source) -> Any:
        """Return the confidence in each label, [examples, labels]; rows add up to 1.

        Raises ModelError if the model is not calibrated: a perceptron's scores are no probabilities.
        """
        from sapwood.learning.calibration import confidences

        if self.model_.calibration is None:
            raise ModelError("the model is not calibrated, and scores are no probabilities; see calibrate")
        return confidences(self.calibration_, self.decision_function(examples))

    def annotate(
        self, blocks: Iterable[bytes], *, name: str = "input", format: str | None = None, top: int = 0
    ) -> Iterator[bytes]:
        """Yield for each block of a file a line an example: its label and the margin to the second best.

        Where the model is calibrated the confidence stands instead. top : the so many best labels, each with its score
        or confidence. `name` goes into errors. Raises DataError.
        """
        classifier = self._classifier()
        layout = layout_of(self.model_)
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

    def evaluate(self, examples: Source, labels: Sequence[str] | None = None) -> Evaluation:
        """Predict labels for data that have gold ones. Raises DataError if they have none."""
        classifier = self._classifier()
        data = self._read(examples, labels, layout_of(self.model_))
        require_labels(data, "score")
        names = data.answers.labels
        gold = [names[y] for y in data.answers.gold]
        known = set(classifier.labels)
        unseen: dict[str, int] = {}
        for label in gold:
            if label not in known:
                unseen[label] = unseen.get(label, 0) + 1
        guess = classifier.predict(rows_of(data, self.model_), self.threads)
        return Evaluation(gold, [classifier.labels[y] for y in guess], unseen)

    def score(self, examples: Source, labels: Sequence[str] | None = None) -> float:
        """Return the accuracy on labelled data, a fraction of 1 as scikit-learn wants it."""
        evaluation = self.evaluate(examples, labels)
        return sum(map(str.__eq__, evaluation.gold, evaluation.guess)) / len(evaluation.gold)

    def calibrate(
        self,
        examples: Source,
        labels: Sequence[str] | None = None,
        *,
        method: Literal["temperature", "sigmoid", "isotonic"] = "temperature",
    ) -> Self:
        """Fit a calibration on labelled data that training did not see, and keep it with the model.

        temperature : one number for all labels (Guo et al. 2017); sigmoid : a curve a label (Platt 1999); isotonic : a
        step function a label (Zadrozny & Elkan 2002), which wants a thousand examples or more.

        How far the confidences can be trusted is in `reliability_`, by cross-validation in five folds.

        Raises DataError if the data have labels that the model lacks, or none, or are fewer than five examples.
        """
        from sapwood.learning.calibration import Reliability, cross_reliability, fit_calibration

        scores, gold = self.scored(examples, labels)
        calibration = fit_calibration(scores, gold, method)
        self.reliability_: Reliability = cross_reliability(scores, gold, method)
        self._install(replace(self.model_, calibration=calibration), self.support_)
        return self

    def scored(self, examples: Source, labels: Sequence[str] | None = None) -> tuple[Any, list[int]]:
        """Return the scores of labelled examples, [examples, labels], and the numbers of their gold labels.

        Raises DataError if the data have labels that the model lacks, or none.
        """
        classifier = self._classifier()
        data = self._read(examples, labels, layout_of(self.model_))
        rows, gold, _ = held_out_of(data, self.model_)
        if -1 in gold:
            answers, k = data.answers, gold.index(-1)
            unknown = f"the model does not know the label '{answers.labels[answers.gold[k]]}'"
            raise DataError(f"{answers.where(k)}: {unknown}; leave out the examples of such labels ({gold.count(-1)})")
        return classifier.scores(rows, self.threads), gold

    def save(self, path: str | os.PathLike[str]) -> int:
        """Write the model to one file, whole or not at all; return its bytes. Raises ModelError."""
        self._classifier()
        return self.model_.save(path)

    @property
    def labels_(self) -> list[str]:
        """The labels that the fitted model gives."""
        return self._classifier().labels

    def _read(self, source: Source, labels: Sequence[str] | None, layout: Layout | None) -> Examples:
        if not isinstance(source, (str, os.PathLike)):
            return take_examples(source, labels, layout)
        if labels is not None:
            raise OptionError("labels beside a file: a file has them in it")
        return read_examples(
            source,
            layout,
            format=self.format,
            label=self.label,
            text=self.text,
            tag_in_label=self.tag_in_label,
        )

    def _rows(self, source: Source) -> _core.FeatureRows:
        self._classifier()
        return rows_of(self._read(source, None, layout_of(self.model_)), self.model_)

    def _classifier(self) -> _core.Classifier:
        if not hasattr(self, "classifier_"):
            raise ModelError("this classifier is not fitted yet; call fit, or load a model")
        return self.classifier_

    def _install(self, model: ModelFile, support: Support | None) -> None:
        self.model_ = model
        self.support_ = support
        if support is not None:
            self.classifier_ = frozen(model.labels, support)
        else:
            self.classifier_ = _core.Classifier(model.labels, [t.packed for t in model.tables], model.bits, model.scale)
        self.calibration_: _core.Calibration | None = None
        if model.calibration is not None:
            method, curves = model.calibration["method"], model.calibration["curves"]
            self.calibration_ = _core.Calibration(method, curves, len(model.labels))

    @classmethod
    def _of_model(cls, model: ModelFile) -> Self:
        """Return the classifier that a model file holds. Raises SapwoodError if it holds none."""
        check_model(model)
        classifier = cls._with_options_of(model, leave_out=("format",))
        support = Support.of_model(model)
        if (support is not None) != classifier.voted:
            raise ModelError("it has examples that vote, or is said to have them")
        classifier._install(model, support)
        return classifier

    def check_options(self) -> None:
        """Raise OptionError if an option has a value that it cannot have, or if options contradict each other."""
        super().check_options()
        if self.voted and self.update in ("l1-cumulative", "truncated-gradient"):
            raise OptionError(f"the vectors of a perceptron vote, and {self.update} has none")
        if self.voted and (self.min_updates, self.prune_below, self.shrink, self.names) != (1, 1, 0, False):
            raise OptionError(
                "a voted classifier keeps examples, not features: min_updates and prune_below have to be 1, and there "
                "are neither shrink nor names"
            )

    def _check_training(self, dev: object, dev_fraction: float | None) -> None:
        if self.cv is not None and (dev is not None or dev_fraction is not None or self.patience is not None):
            raise OptionError("cv chooses the passes without held-out data; leave out dev, dev_fraction and patience")
        super()._check_training(dev, dev_fraction)
