"""The classifier as a scikit-learn estimator: matrices in, labels out. Needs scikit-learn; imported on demand."""
# ruff: noqa: E402

from __future__ import annotations

import os
from collections.abc import Hashable
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, Self

import sapwood._core as _core
from sapwood.base.optional import require

require("sklearn", "PerceptronClassifier")

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags, check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, validate_data

from sapwood.errors import OptionError, not_fitted
from sapwood.model.file.bundled import named
from sapwood.model.file.records import flaw_of_labels
from sapwood.model.file.schema import ModelFile
from sapwood.options import Options, Values, option, options_of
from sapwood.sklearn import matrices
from sapwood.sklearn.matrices import Classes, Matrix, Numbers
from sapwood.tasks.classifying.labelled import Labelled, add_examples, trainer_on, with_class_weights
from sapwood.tasks.classifying.model import Classifier
from sapwood.tasks.classifying.options import ClassifierOptions, Update
from sapwood.tasks.classifying.scorer import Scorer
from sapwood.tasks.classifying.training import held_out_score, train_rows
from sapwood.training.run import Run

if TYPE_CHECKING:
    from sapwood.tasks.classifying.given_labels import Floats


def _of_classifier(name: str, **changes: object) -> Any:
    """Declare an option as `Classifier` has it, but for some changes."""
    return options_of(Classifier)[name].changed(**changes)


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
    random_state: np.random.RandomState | int | None = option(
        default=None, help="seed of the shuffling and of the validation split"
    )
    class_weight: dict[Hashable, float] | Literal["balanced"] | None = option(
        default=None, help="a dict from class to weight, which multiplies the steps of its examples, or 'balanced'"
    )
    early_stopping: bool = option(default=False).described(
        "hold out `validation_fraction` of the data, stop after `n_iter_no_change` passes without a better "
        "accuracy on it, and keep the last pass unless another is better beyond chance"
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
        params = self._checked_params()
        X, y = self._validated(X, y, reset=True)
        classes = matrices.classes_in(y)
        data, kept = self._weighted(X, y, classes, sample_weight, self.fit_intercept)
        matrices.check_classes(y, classes, kept)
        generator = check_random_state(self.random_state)
        options = self._learning(data.several, generator)
        held_out, score = None, None
        if self.early_stopping:
            gold = None if data.several else np.array(data.gold)
            kept, chosen = matrices.split(kept, gold, self.validation_fraction, generator)
            held_out = matrices.select(data, chosen)
            score = partial(held_out_score if data.several else matrices.weighted_accuracy, options, held_out)
        with matrices.value_errors():
            train = with_class_weights(options, matrices.select(data, kept))
            trainer = trainer_on(train, options.for_core())
            best = train_rows(options, train, score, Run(monitors_data=False), core=trainer).best
        assert isinstance(best.weights, _core.PackedModel)
        thresholds = matrices.thresholds_of_columns(data, best.weights, held_out)
        model = matrices.model_file(best.weights, params, classes, self.n_features_in_, best.best_epoch, thresholds)
        self._take(model, trainer, params, classes)
        return self

    def partial_fit(
        self, X: Matrix, y: ArrayLike, classes: ArrayLike | None = None, sample_weight: ArrayLike | None = None
    ) -> Self:
        """Make one pass over X and y. The first call needs `classes`: all that there will be in this and later calls.

        Where y is an indicator matrix its columns are the classes. Raises ValueError for other classes, and for a copy
        that was trained with an L1 penalty.
        """
        params = self._checked_params()
        first = not hasattr(self, "classes_")
        announced = None if matrices.is_indicator(y) else self._classes(classes, first)
        X, y = self._validated(X, y, reset=first)
        several, known = y.ndim == 2, matrices.classes_in(y) if announced is None else announced
        if several and classes is not None and not np.array_equal(np.unique(classes), known):
            raise ValueError(f"the classes of an indicator matrix are its columns, {known}")
        if not several and (unknown := set(np.unique(y).tolist()) - set(known.tolist())):
            raise ValueError(f"y has classes that were not announced: {sorted(map(str, unknown))}")
        if not first and (several, len(known)) != (self.multilabel_, len(self.classes_)):
            raise ValueError("y has not the classes, or the columns, of the y of the calls before")
        if self.class_weight == "balanced":
            raise ValueError("class_weight 'balanced' needs all the data; give partial_fit a dict of weights")
        if hasattr(self, "_trainer_"):
            trainer, params, options = self._trainer_, self._trained_with_, self._learning(several)
        else:
            options = self._learning(several, check_random_state(self.random_state))
            trainer = _core.ClassifierTrainer(len(known), options.for_core())
            if not first:
                self._prime(trainer)
        data, kept = self._weighted(X, y, known, sample_weight, params["fit_intercept"])
        trainer.forget_examples()  # a call that was interrupted may have left some
        if len(kept):
            with matrices.value_errors():
                add_examples(trainer, with_class_weights(options, matrices.select(data, kept)))
            while not trainer.step(1 << 30):
                pass
        with matrices.value_errors():
            packed = trainer.freeze(params["bits"], 0.0)
        passes, thresholds = 1 if first else self.n_iter_ + 1, matrices.thresholds_of_columns(data, packed, None)
        model = matrices.model_file(packed, params, known, self.n_features_in_, passes, thresholds)
        self._take(model, trainer, params, known)
        return self

    def decision_function(self, X: Matrix) -> Floats:
        """Return scores, not probabilities: [n] for two classes, of the second one, else [n, n_classes].

        Those of an indicator matrix are [n, columns], counted from the thresholds.
        """
        self._check_fitted()
        X = validate_data(self, X, accept_sparse="csr", reset=False, dtype=np.float64)
        scores = np.asarray(self._scorer_.core.scores(matrices.matrix_rows(X, self._trained_with_["fit_intercept"]), 1))
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
        keys = [_core.key_of(name) for name in matrices.numbered(self.n_features_in_)]
        return np.array(self._scorer_.core.weights_of(keys)).reshape(self.n_features_in_, -1).T

    @property
    def intercept_(self) -> Floats:
        """Weights of the feature that every example has, [1] for two classes, else [n_classes], less the thresholds."""
        self._check_fitted()
        weights: Floats = np.array(self._scorer_.core.weights_of([_core.key_of(matrices.BIAS)]))
        return weights - self._scorer_.core.thresholds if self.multilabel_ else weights

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
            return cls._of_file(file)

    @classmethod
    def _of_file(cls, file: ModelFile) -> Self:
        params, classes, n_features, passes = matrices.read_saved(file)
        result = cls(**params)
        result._trained_with_ = result._checked_params()
        result.classes_, result.n_features_in_, result.n_iter_ = classes, n_features, passes
        result._install(file.replaced(labels=matrices.numbered(len(file.labels))))
        return result

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.classifier_tags.multi_label = self.update in ("perceptron", "margin", "pa")
        return tags

    def __getstate__(self) -> Values:
        """Return the state to be copied, without the state of training."""
        state = super().__getstate__()
        return {name: value for name, value in state.items() if name not in ("_scorer_", "_trainer_")}

    def __setstate__(self, state: Values) -> None:
        super().__setstate__(state)
        if "_model_" in state:
            self._install(state["_model_"])

    def _check_fitted(self) -> None:
        if "_model_" not in vars(self):
            raise not_fitted("this PerceptronClassifier is not fitted yet; call fit, or load a model")

    def _checked_params(self) -> Values:
        self.check_options()
        if self.update == "pa" and self.gamma == 0:
            raise OptionError("passive-aggressive updates need a gamma above 0")
        params: Values = self.get_params(deep=False)
        return params

    def _learning(self, several: bool, generator: np.random.RandomState | None = None) -> ClassifierOptions:
        """Return the options of training. generator : gives the seed of a new trainer."""
        return ClassifierOptions(
            **{name: getattr(self, name) for name in (*matrices.LEARNER, "shuffle", "bits")},
            epochs=self.max_iter,
            patience=self.n_iter_no_change if self.early_stopping else None,
            seed=1 if generator is None else int(generator.randint(np.iinfo(np.int32).max)),
            class_weight=self.class_weight if several else None,
            multi_label=several,
        )

    def _validated(self, X: Matrix, y: ArrayLike, *, reset: bool) -> tuple[Matrix, Classes]:
        several = matrices.is_indicator(y)
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

    def _weighted(
        self, X: Matrix, y: Classes, classes: Classes, sample_weight: ArrayLike | None, bias: bool
    ) -> tuple[Labelled, Numbers]:
        """Return examples with their weights times those of their classes, and the numbers of those above 0.

        Weights of an indicator matrix's columns are left to training.
        """
        weights: Floats = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        if y.ndim == 2:
            if self.update == "pa" and self.class_weight is not None:
                how = "is for perceptron and margin updates, not for pa"
                raise ValueError(f"class_weight with an indicator matrix {how}")
        elif self.class_weight is not None:
            weights = weights * matrices.factors_of_classes(self.class_weight, classes, y)
        return matrices.labelled_rows(X, y, classes, weights, bias), np.flatnonzero(weights > 0)

    def _prime(self, trainer: _core.ClassifierTrainer) -> None:
        """Let a trainer go on from the model's weights, with an average that begins anew."""
        keys = [_core.key_of(name) for name in (*matrices.numbered(self.n_features_in_), matrices.BIAS)]
        with matrices.value_errors(OptionError, "this model is a copy, and ", "; fit a clone of it instead"):
            trainer.prime(keys, self._scorer_.core.weights_of(keys))

    def _take(self, model: ModelFile, trainer: _core.ClassifierTrainer, params: Values, classes: Classes) -> None:
        """Set the fitted attributes, all at the end: a training that fails leaves them as they were."""
        trainer.forget_examples()
        self._install(model)
        self._trainer_, self._trained_with_ = trainer, params
        self.classes_, self.n_iter_ = classes, model.provenance["n_iter"]

    def _install(self, model: ModelFile) -> None:
        self._model_, self._scorer_ = model, Scorer(model)
        self.multilabel_ = self._scorer_.several
