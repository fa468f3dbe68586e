"""The classifier as a scikit-learn estimator: matrices in, labels out. Needs scikit-learn; imported on demand."""

from __future__ import annotations

import os
from collections.abc import Hashable
from typing import TYPE_CHECKING, Any, Literal, Self

from sapwood import _core
from sapwood.errors import OptionError, not_fitted
from sapwood.events import ignore
from sapwood.model.file.bundled import named
from sapwood.model.file.schema import ModelFile, flaw_of_labels
from sapwood.optional import missing
from sapwood.options import Option, Options, Values, option
from sapwood.tasks.classifying.model import Classifier
from sapwood.tasks.classifying.multi_label import frozen_for_any, is_multi_label, thresholds_of
from sapwood.tasks.classifying.options import Update
from sapwood.training.epochs import run_epochs

if TYPE_CHECKING:
    from sklearn.utils import Tags

    from sapwood.tasks.classifying.arrays import Floats


try:
    import numpy as np
    from numpy.typing import ArrayLike
    from sklearn.base import BaseEstimator, ClassifierMixin
    from sklearn.model_selection import train_test_split
    from sklearn.utils import check_random_state
    from sklearn.utils.multiclass import check_classification_targets
    from sklearn.utils.validation import _check_sample_weight, validate_data

    from sapwood.sklearn.matrices import BIAS, Matrix, numbered, rows_of, value_errors
    from sapwood.sklearn.saved import LEARNER, Classes, Saved, model_file, read_saved
    from sapwood.sklearn.targets import Indicators, Numbers, OneClass, is_indicator
except ModuleNotFoundError:
    raise missing("sklearn", "PerceptronClassifier") from None


def _of_classifier(name: str, **changes: object) -> Any:
    """Declare an option as `Classifier` has it, but for some changes."""
    return Option(vars(Classifier.options()[name]) | changes)


class PerceptronClassifier(ClassifierMixin, Options, BaseEstimator):  # type: ignore[misc]
    """A perceptron for two or more classes, on dense or sparse (CSR) matrices.

    Attributes
    ----------
    classes_ : [n_classes]
    coef_ : [1, n_features] for two classes, else [n_classes, n_features]; intercept_ : [1] or [n_classes]
    n_iter_ : number of passes after which the model was taken
    n_features_in_, feature_names_in_ : as everywhere in scikit-learn
    multilabel_ : whether y was an indicator matrix

    Where y is an indicator matrix [n, columns], each column is decided by itself, one against the rest, as in
    scikit-learn's OneVsRestClassifier, but over one table of weights. With `early_stopping` the examples that are held
    out choose for each column the threshold with the highest F1 (see `Classifier`); the weight of a column multiplies
    the steps for it.

    `partial_fit` makes one pass over its data. It starts anew, or continues after the last pass of `fit` (which may not
    be its best one) with the parameters that learning began with. Without shuffling, calls on ten consecutive slices
    give exactly the model of one ``fit(max_iter=1)``. This does not hold for the L1 penalties, whose steps shrink with
    the size of an epoch, which is that of the first slice. ``class_weight="balanced"`` is refused, because it needs all
    the data.

    Copies (by pickle or deepcopy) and what `sapwood.load` gives back predict the same. Their `partial_fit` goes on from
    the model's weights, with an average that begins anew; after an L1 penalty it is refused, with ValueError. Values of
    X beyond 1e15 are refused with ValueError.

    >>> import numpy as np
    >>> X, y = np.array([[0.0, 1.0], [1.0, 0.0], [0.0, 2.0], [3.0, 0.5]]), ["up", "right", "up", "right"]
    >>> PerceptronClassifier().fit(X, y).predict([[0.1, 5.0]]).tolist()
    ['up']
    """

    update: Update = _of_classifier("update")
    gamma: float = _of_classifier(
        "gamma",
        help="cost of a wrong class, relative to the mean squared length of the examples seen so far, so that "
        "results do not depend on the scale of X",
    )
    average: bool = _of_classifier("average")
    min_updates: int = _of_classifier("min_updates", default=1)
    penalty: float = _of_classifier("penalty")
    eta: float = _of_classifier("eta")
    fit_intercept: bool = option(default=True, help="whether every example gets one more feature, with the value 1")
    max_iter: int = option(default=10, least=1, help="passes over the data")
    shuffle: bool = _of_classifier("shuffle")
    random_state: int | np.random.RandomState | None = option(
        default=None, help="seed of the shuffling and of the validation split"
    )
    class_weight: dict[Hashable, float] | Literal["balanced"] | None = option(
        default=None, help="a dict from class to weight, which multiplies the steps of its examples, or 'balanced'"
    )
    early_stopping: bool = option(
        default=False,
        help="hold out `validation_fraction` of the data, stop after `n_iter_no_change` passes without a better "
        "accuracy on it, and keep the best pass",
    )
    validation_fraction: float = option(default=0.1, above=0, below=1, help="part of the data that is held out")
    n_iter_no_change: int = option(default=5, least=1, help="passes without a better score")
    bits: int = _of_classifier("bits", default=32)

    def fit(self, X: Matrix, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Train on X [n, n_features], y [n] and perhaps weights of the examples [n].

        Raises ValueError for other shapes, values that are not finite, or a single class, OptionError for a wrong
        parameter. After the first Ctrl-C, training ends with the pass and the model is kept. A second one raises
        KeyboardInterrupt.
        """
        options = self._options()
        X, y = self._validated(X, y, reset=True)
        target = Indicators(y, self.class_weight) if y.ndim == 2 else OneClass(y, np.unique(y), self.class_weight)
        weights, kept = self._importance(X, target, sample_weight)
        target.check(kept)
        generator = check_random_state(self.random_state)
        trainer = _trainer(options, target, generator)
        rows = rows_of(X, options["fit_intercept"])
        validation = None
        if self.early_stopping:
            kept, validation = self._split(kept, target.strata, generator)
        target.add(trainer, rows, kept, weights)
        with value_errors():
            trained = run_epochs(
                trainer,
                tokens=len(kept) * (len(target.classes) if target.several else 1),
                epochs=options["max_iter"],
                patience=options["n_iter_no_change"] if self.early_stopping else None,
                bits=options["bits"],
                shrink=0.0,
                score=None if validation is None else target.score(rows, validation, weights),
                report=ignore,
            )
        thresholds = target.thresholds(trained.weights, rows, validation)
        saved = Saved(options, target.classes, self.n_features_in_, trained.best_epoch)
        self._install(trained.weights, trainer, saved, thresholds)
        return self

    def partial_fit(
        self, X: Matrix, y: ArrayLike, classes: ArrayLike | None = None, sample_weight: ArrayLike | None = None
    ) -> Self:
        """Make one pass over X and y. The first call needs `classes`: all that there will be in this and later calls.

        Where y is an indicator matrix it says that itself. Raises ValueError for other classes, and for a copy
        that was trained with an L1 penalty.
        """
        options = self._options()
        first = not hasattr(self, "classes_")
        known = np.array([]) if is_indicator(y) else self._classes(classes, first)
        X, y = self._validated(X, y, reset=first)
        target = Indicators(y, self.class_weight) if y.ndim == 2 else OneClass(y, known, self.class_weight)
        if target.several and classes is not None and not np.array_equal(np.unique(classes), target.classes):
            raise ValueError(f"the classes of an indicator matrix are its columns, {target.classes}")
        if not target.several and (unknown := set(np.unique(y).tolist()) - set(known.tolist())):
            raise ValueError(f"y has classes that were not announced: {sorted(map(str, unknown))}")
        if not first and (target.several, len(target.classes)) != (self.multilabel_, len(self.classes_)):
            raise ValueError("y has not the classes, or the columns, of the y of the calls before")
        if self.class_weight == "balanced":
            raise ValueError("class_weight 'balanced' needs all the data; give partial_fit a dict of weights")
        if first:
            trainer, passes = _trainer(options, target, check_random_state(self.random_state)), 0
        elif hasattr(self, "_trainer_"):
            trainer, options, passes = self._trainer_, self._trained_with_, self.n_iter_
        else:
            trainer, passes = self._primed(options, target), self.n_iter_
        weights, kept = self._importance(X, target, sample_weight)
        rows = rows_of(X, options["fit_intercept"])
        trainer.forget_examples()  # those of a call that was interrupted
        if len(kept):
            target.add(trainer, rows, kept, weights)
            while not trainer.step(1 << 30):
                pass
        with value_errors():
            packed = trainer.freeze(options["bits"], 0.0)
        thresholds = target.thresholds(packed, rows, None)
        self._install(packed, trainer, Saved(options, target.classes, self.n_features_in_, passes + 1), thresholds)
        return self

    def decision_function(self, X: Matrix) -> Floats:
        """Return scores, not probabilities: [n] for two classes, of the second one, else [n, n_classes].

        Those of an indicator matrix are [n, columns], counted from the thresholds.
        """
        self._check_fitted()
        X = validate_data(self, X, accept_sparse="csr", reset=False, dtype=np.float64)
        scores = np.asarray(self._classifier_.scores(rows_of(X, self._trained_with_["fit_intercept"]), 1))
        if not np.isfinite(scores).all():
            raise ValueError("the scores are infinite; scale X")
        result: Floats = scores[:, 1] if len(self.classes_) == 2 and not self.multilabel_ else scores
        return result

    def predict(self, X: Matrix) -> Classes:
        """Return the class of each example, [n], or an indicator matrix, [n, columns]."""
        scores = self.decision_function(X)
        if self.multilabel_:
            return (scores > 0).astype(int)
        result: Classes = self.classes_[(scores > 0).astype(int) if scores.ndim == 1 else scores.argmax(axis=1)]
        return result

    @property
    def coef_(self) -> Floats:
        """Weights of the features, [1, n_features] for two classes, else [n_classes, n_features]."""
        self._check_fitted()
        keys = [_core.key_of(name) for name in numbered(self.n_features_in_)]
        return np.array(self._classifier_.weights_of(keys)).reshape(self.n_features_in_, -1).T

    @property
    def intercept_(self) -> Floats:
        """Weights of the feature that every example has, [1] for two classes, else [n_classes], less the thresholds."""
        self._check_fitted()
        weights: Floats = np.array(self._classifier_.weights_of([_core.key_of(BIAS)]))
        return weights - thresholds_of(self._model_) if self.multilabel_ else weights

    def save(self, path: str | os.PathLike[str]) -> int:
        """Write the model to one file, for `sapwood.load` and the command line. Return the size of the file in bytes.

        Column j is the feature named "j". Raises ModelError if the file cannot be written, and ValueError if a class
        cannot be a label in a file: if its text is empty, has a tab or line end, or equals that of another class.
        """
        self._check_fitted()
        labels = [str(label) for label in self.classes_.tolist()]
        if flaw := flaw_of_labels(labels):
            raise ValueError(f"a model file cannot have these classes: {flaw}")
        return self._model_.replaced(labels=labels).save(path)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Load the estimator that `save` wrote. Raises ModelError if the file has none."""
        file = ModelFile.load(path)
        with named(path):
            return cls.of_model(file)

    @classmethod
    def of_model(cls, file: ModelFile) -> Self:
        """Return the estimator that a model file holds. Raises ModelError if it holds none."""
        saved = read_saved(file)
        result = cls(**saved.options)
        result._trained_with_ = result._options()
        result.classes_, result.n_features_in_, result.n_iter_ = saved.classes, saved.n_features, saved.passes
        result._build(file.replaced(labels=numbered(len(file.labels))))
        return result

    def __sklearn_tags__(self) -> Tags:
        """Tell scikit-learn that sparse matrices are accepted, and indicator matrices."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.classifier_tags.multi_label = self.update in ("perceptron", "margin", "pa")
        return tags

    def __getstate__(self) -> Values:
        """Return the state to be copied, without the state of training."""
        state = super().__getstate__()
        return {name: value for name, value in state.items() if name not in ("_classifier_", "_trainer_")}

    def __setstate__(self, state: Values) -> None:
        """Restore the state that __getstate__ returned."""
        super().__setstate__(state)
        if "_model_" in state:
            self._build(state["_model_"])

    def _check_fitted(self) -> None:
        if "_model_" not in vars(self):
            raise not_fitted("this PerceptronClassifier is not fitted yet; call fit, or load a model")

    def _options(self) -> Values:
        """Return the parameters. Raises OptionError for a wrong one."""
        options: Values = self.get_params(deep=False)
        for name, declared in self.options().items():
            declared.check(options[name])
        if options["update"] == "pa" and options["gamma"] == 0:
            raise OptionError("passive-aggressive updates need a gamma above 0")
        return options

    def _validated(self, X: Matrix, y: ArrayLike, *, reset: bool) -> tuple[Matrix, Classes]:
        several = is_indicator(y)
        X, found = validate_data(self, X, y, accept_sparse="csr", dtype=np.float64, reset=reset, multi_output=several)
        check_classification_targets(found)
        return X, found.toarray() if hasattr(found, "toarray") else found

    def _classes(self, classes: ArrayLike | None, first: bool) -> Classes:
        """Return the sorted classes of partial_fit. Raises ValueError if they are missing, or not those of before."""
        if not first:
            if classes is not None and not np.array_equal(self.classes_, np.unique(classes)):
                raise ValueError(
                    f"`classes={classes!r}` is not the same as on last call to partial_fit, was: {self.classes_!r}"
                )
            return self.classes_
        if classes is None:
            raise ValueError("classes must be passed on the first call to partial_fit.")
        known = np.unique(classes)
        if len(known) < 2:
            raise ValueError(f"classes has one class only: {known!r}; there must be 2 or more")
        return known

    def _importance(
        self, X: Matrix, target: OneClass | Indicators, sample_weight: ArrayLike | None
    ) -> tuple[Floats, Numbers]:
        """Return each example's weight times its class's weight, [n], and the numbers of the examples above 0."""
        weights: Floats = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        if target.several and self.update == "pa" and self.class_weight is not None:
            raise ValueError("class_weight with an indicator matrix is for perceptron and margin updates, not for pa")
        weights = target.importance(weights)
        return weights, np.flatnonzero(weights > 0)

    def _split(
        self, examples: Numbers, strata: Numbers | None, generator: np.random.RandomState
    ) -> tuple[Numbers, Numbers]:
        """Return the examples to learn from and those to hold out. Every class is in both."""
        fraction = self.validation_fraction
        stratify = None if strata is None else strata[examples]
        with value_errors(ValueError, f"cannot hold out {fraction} of {len(examples)} samples: "):
            learned, held_out = train_test_split(
                examples, test_size=fraction, random_state=generator, stratify=stratify
            )
        return learned, held_out

    def _primed(self, options: Values, target: OneClass | Indicators) -> _core.ClassifierTrainer:
        """Return a trainer that goes on from the model's weights, with an average that begins anew."""
        trainer = _trainer(options, target, check_random_state(self.random_state))
        keys = [_core.key_of(name) for name in (*numbered(self.n_features_in_), BIAS)]
        with value_errors(OptionError, "this model is a copy, and ", "; fit a clone of it instead"):
            trainer.prime(keys, self._classifier_.weights_of(keys))
        return trainer

    def _install(
        self,
        weights: _core.PackedModel,
        trainer: _core.ClassifierTrainer,
        saved: Saved,
        thresholds: list[float] | None,
    ) -> None:
        """Set the fitted attributes, all at the end: a training that fails leaves them as they were.

        thresholds : those of an indicator matrix; None where each example has one class
        """
        trainer.forget_examples()
        self._build(model_file(weights, saved, thresholds))
        self._trainer_, self._trained_with_ = trainer, saved.options
        self.classes_, self.n_iter_ = saved.classes, saved.passes

    def _build(self, model: ModelFile) -> None:
        self._model_ = model
        self.multilabel_ = is_multi_label(model)
        packed = [table.packed for table in model.tables]
        self._classifier_ = (
            frozen_for_any(model)
            if self.multilabel_
            else _core.Classifier(model.labels, packed, model.bits, model.scale)
        )


def _trainer(
    options: Values, target: OneClass | Indicators, generator: np.random.RandomState
) -> _core.ClassifierTrainer:
    seed = int(generator.randint(np.iinfo(np.int32).max))
    learner = {name: options[name] for name in (*LEARNER, "shuffle")}
    return _core.ClassifierTrainer(len(target.classes), learner | {"seed": seed, "multi_label": target.several})
