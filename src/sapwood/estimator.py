"""The classifier as a scikit-learn estimator: matrices in, labels out. Needs scikit-learn; imported on demand."""

import os
from typing import Any, Literal, Self

from sapwood.optional import require

require("sklearn", "PerceptronClassifier")

import numpy as np  # noqa: E402
from sklearn.base import BaseEstimator, ClassifierMixin  # noqa: E402
from sklearn.model_selection import train_test_split  # noqa: E402
from sklearn.utils import check_random_state, compute_class_weight  # noqa: E402
from sklearn.utils.multiclass import check_classification_targets  # noqa: E402
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data  # noqa: E402

from sapwood import __version__, _core  # noqa: E402
from sapwood.classify import Update, build  # noqa: E402
from sapwood.events import EpochDone, Event  # noqa: E402
from sapwood.model import ModelFile  # noqa: E402
from sapwood.options import check_choices, check_penalty, check_step_size, check_whole_numbers  # noqa: E402
from sapwood.training import run_epochs  # noqa: E402

__all__ = ["PerceptronClassifier"]

_BIAS = "bias"


class PerceptronClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Perceptrons on dense or sparse (CSR) matrices, two classes or more.

    Parameters
    ----------
    update : "margin" (every wrong class gets a cost of `gamma` in training), "perceptron" (Rosenblatt 1958), "pa"
        (passive-aggressive, Crammer et al. 2006, with C = 1); or logistic regression with an L1 penalty,
        "l1-cumulative" (Tsuruoka et al. 2009) or "truncated-gradient" (Langford et al. 2009)
    gamma : cost of a wrong class in units of the mean squared length of the examples seen so far, so that results do
        not depend on the unit of X
    average : average the weights over all examples (Freund & Schapire 1999)
    min_updates : updates in which a feature must have taken part to count (Goldberg & Elhadad 2011)
    penalty, eta : strength of the L1 penalty over an epoch, and first step
    fit_intercept : whether every example has a feature of value 1 more
    max_iter : passes over the data
    shuffle : a new order for every pass
    random_state : of the shuffling and of the validation split
    class_weight : None, "balanced" or a dict of class to weight: multiplies the steps of its examples
    early_stopping : hold out `validation_fraction` of the data, stop after `n_iter_no_change` passes without a better
        accuracy on it, and keep the best pass
    bits : of a weight, 8, 16 or 32 (float)

    Attributes
    ----------
    classes_ : [n_classes]
    coef_ : [1, n_features] for two classes, else [n_classes, n_features]; intercept_ : [1] or [n_classes]
    n_iter_ : passes after which the model was taken
    n_features_in_, feature_names_in_ : as everywhere in scikit-learn

    `partial_fit` learns one pass over its data, where `fit` left off or anew; without shuffling, ten slices in turn are
    one ``fit(max_iter=1)`` to the bit. It refuses ``class_weight="balanced"``, which needs all the data.

    >>> import numpy as np
    >>> X, y = np.array([[0.0, 1.0], [1.0, 0.0], [0.0, 2.0], [3.0, 0.5]]), ["up", "right", "up", "right"]
    >>> PerceptronClassifier().fit(X, y).predict([[0.1, 5.0]]).tolist()
    ['up']
    """

    def __init__(
        self,
        *,
        update: Update = "margin",
        gamma: float = 1.0,
        average: bool = True,
        min_updates: int = 1,
        penalty: float = 1.0,
        eta: float = 0.1,
        fit_intercept: bool = True,
        max_iter: int = 10,
        shuffle: bool = True,
        random_state: Any = None,
        class_weight: Literal["balanced"] | dict[Any, float] | None = None,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 5,
        bits: int = 32,
    ) -> None:
        self.update = update
        self.gamma = gamma
        self.average = average
        self.min_updates = min_updates
        self.penalty = penalty
        self.eta = eta
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.shuffle = shuffle
        self.random_state = random_state
        self.class_weight = class_weight
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.bits = bits

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Train on X [n, n_features] and y [n]. Raises ValueError for anything that is not such, or has one class."""
        X, y = self._validated(X, y, reset=True)
        self.classes_, gold = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(
                f"This solver needs samples of at least 2 classes, but y has one class: {self.classes_[0]!r}"
            )
        weights = self._importance(X, y, sample_weight)
        kept = np.flatnonzero(weights > 0)
        if len(np.unique(gold[kept])) < 2:
            raise ValueError("Samples of at least 2 classes need a weight above 0; all others have the weight 0")
        held_out = None
        generator = check_random_state(self.random_state)
        seed = int(generator.randint(np.iinfo(np.int32).max))
        if self.early_stopping:
            kept, validation = train_test_split(
                kept, test_size=self.validation_fraction, random_state=generator, stratify=gold[kept]
            )
            held_out = self._rows(X[validation]), gold[validation], weights[validation]
        trainer = self._trainer(seed)
        trainer.add(self._rows(X[kept]), gold[kept].tolist(), weights[kept].tolist())
        self.n_iter_ = 0
        labels = self._labels()

        def score(packed: _core.PackedModel) -> float:
            assert held_out is not None
            guess = build(packed.tables, labels, packed.bits, packed.scale).predict(held_out[0], 1)
            return 100 * float(np.average(np.equal(guess, held_out[1]), weights=held_out[2]))

        def count(event: Event) -> None:
            if isinstance(event, EpochDone) and event.best:
                self.n_iter_ = event.epoch

        trained = run_epochs(
            trainer,
            tokens=len(kept),
            epochs=self.max_iter,
            patience=self.n_iter_no_change if self.early_stopping else None,
            bits=self.bits,
            shrink=0.0,
            score=score if self.early_stopping else None,
            report=count,
        )
        self._trainer_ = trainer
        self._install(trained.weights)
        return self

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learn one pass over X and y. `classes`: all that there will be, wanted at the first call."""
        first = not hasattr(self, "classes_")
        X, y = self._validated(X, y, reset=first)
        if first:
            if classes is None:
                raise ValueError("classes must be passed on the first call to partial_fit.")
            self.classes_ = np.unique(classes)
            if len(self.classes_) < 2:
                raise ValueError(f"classes has one class only: {self.classes_!r}; there must be 2 or more")
        elif classes is not None and not np.array_equal(self.classes_, np.unique(classes)):
            raise ValueError(f"`classes={classes!r}` is not the same as on last call to partial_fit: {self.classes_!r}")
        if unknown := set(np.unique(y).tolist()) - set(self.classes_.tolist()):
            raise ValueError(f"y has classes that were not announced: {sorted(map(str, unknown))}")
        if self.class_weight == "balanced":
            raise ValueError("class_weight 'balanced' needs all the data; give partial_fit a dict of weights")
        if first:
            self._trainer_ = self._trainer(int(check_random_state(self.random_state).randint(np.iinfo(np.int32).max)))
            self.n_iter_ = 0
        trainer: _core.ClassifierTrainer | None = getattr(self, "_trainer_", None)
        if trainer is None:
            raise ValueError("this model is a copy: it can predict, but cannot learn on")
        weights = self._importance(X, y, sample_weight)
        kept = np.flatnonzero(weights > 0)
        trainer.forget_examples()
        if len(kept):
            gold = np.searchsorted(self.classes_, y)
            trainer.add(self._rows(X[kept]), gold[kept].tolist(), weights[kept].tolist())
            while not trainer.step(1 << 30):
                pass
        self.n_iter_ += 1
        self._install(trainer.freeze(self.bits, 0.0))
        return self

    def decision_function(self, X: Any) -> Any:
        """Return the scores: [n] for two classes, of the second one, else [n, n_classes]. They are no probabilities."""
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", reset=False, dtype=np.float64)
        scores = self._classifier_.scores(self._rows(X), 1)
        return scores[:, 1] if len(self.classes_) == 2 else scores

    def predict(self, X: Any) -> Any:
        """Return the class of each example, [n]."""
        scores = self.decision_function(X)
        return self.classes_[(scores > 0).astype(int) if scores.ndim == 1 else scores.argmax(axis=1)]

    @property
    def coef_(self) -> Any:
        """Weights of the features."""
        check_is_fitted(self)
        names = [_core.key_of(str(column)) for column in range(self.n_features_in_)]
        return np.array(self._classifier_.weights_of(names)).reshape(self.n_features_in_, -1).T

    @property
    def intercept_(self) -> Any:
        """Weights of the feature that every example has."""
        check_is_fitted(self)
        return np.array(self._classifier_.weights_of([_core.key_of(_BIAS)]))

    def save(self, path: str | os.PathLike[str]) -> int:
        """Write the model to one file, for `sapwood inspect` and `load`; return its bytes. Raises ModelError."""
        check_is_fitted(self)
        return self._model_.save(path)

    def __sklearn_tags__(self) -> Any:
        """Tell scikit-learn that sparse matrices will do."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def __getstate__(self) -> dict[str, Any]:
        """Return what can be copied: the model as arrays and metadata. The state of training stays behind."""
        state = dict(super().__getstate__())
        state.pop("_classifier_", None)
        state.pop("_trainer_", None)
        if (model := state.pop("_model_", None)) is not None:
            arrays = {name: (array.dtype, array.shape, bytes(array.data)) for name, array in model.arrays().items()}
            state["_packed_"] = model.metadata(), arrays
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take back what __getstate__ gave."""
        from sapwood.io.container import Array

        packed = state.pop("_packed_", None)
        super().__setstate__(state)
        if packed is not None:
            metadata, arrays = packed
            model = ModelFile.parse(metadata, {name: Array(*array) for name, array in arrays.items()}, "estimator")
            self._build(model)

    def _validated(self, X: Any, y: Any, *, reset: bool) -> tuple[Any, Any]:
        self._check_options()
        X, y = validate_data(self, X, y, accept_sparse="csr", dtype=np.float64, reset=reset)
        check_classification_targets(y)
        return X, y

    def _check_options(self) -> None:
        choices: dict[str, tuple[object, ...]] = {
            "update": ("margin", "perceptron", "pa", "l1-cumulative", "truncated-gradient"),
            "bits": (8, 16, 32),
        }
        check_choices(
            self, choices | dict.fromkeys(("average", "fit_intercept", "shuffle", "early_stopping"), (True, False))
        )
        check_whole_numbers(self, {"min_updates": 1, "max_iter": 1, "n_iter_no_change": 1})
        check_step_size(self.update, self.gamma)
        check_penalty(self.penalty, self.eta)

    def _importance(self, X: Any, y: Any, sample_weight: Any) -> Any:
        weights = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        if self.class_weight is None:
            return weights
        of_class = compute_class_weight(self.class_weight, classes=self.classes_, y=y)
        return weights * of_class[np.searchsorted(self.classes_, y)]

    def _rows(self, X: Any) -> _core.FeatureRows:
        """Return a matrix as rows of features, which are called by the numbers of their columns."""
        if hasattr(X, "indptr"):
            starts, columns, values = X.indptr, X.indices, X.data
        else:
            n, width = X.shape
            starts, columns = np.arange(n + 1) * width, np.tile(np.arange(width), n)
            values = X.reshape(-1)
        names = [str(column) for column in range(X.shape[1])]
        arrays = (np.ascontiguousarray(starts, np.int64), np.ascontiguousarray(columns, np.int64))
        return _core.FeatureRows.from_csr(*arrays, np.ascontiguousarray(values, np.float64), names, self.fit_intercept)

    def _trainer(self, seed: int) -> _core.ClassifierTrainer:
        return _core.ClassifierTrainer(
            len(self.classes_),
            update=self.update,
            gamma=self.gamma,
            min_updates=self.min_updates,
            average=self.average,
            penalty=self.penalty,
            eta=self.eta,
            prune_below=1,
            seed=seed,
            shuffled=self.shuffle,
        )

    def _labels(self) -> list[str]:
        """Return the classes as a model file has them."""
        names = [str(label) for label in self.classes_.tolist()]
        return names if len(set(names)) == len(names) and all(names) else [str(k) for k in range(len(names))]

    def _install(self, weights: _core.PackedModel) -> None:
        names = ("update", "gamma", "average", "min_updates", "penalty", "eta", "shuffle")
        options = {name: getattr(self, name) for name in names}
        layout = {"format": "jsonl", "fields": [], "label": "label", "text": "text"}
        model = ModelFile(
            task="classify",
            labels=self._labels(),
            template="",
            columns=["feature", "label"],
            label=1,
            options={**options, **layout},
            bits=self.bits,
            scale=1.0,
            tables=[],
            provenance={"sapwood": __version__, "n_iter": self.n_iter_, "n_features": self.n_features_in_},
        ).with_weights(weights)
        columns = [str(column) for column in range(self.n_features_in_)]
        model.tables[0].names = _core.name_features(weights, [*columns, _BIAS])
        self._build(model)

    def _build(self, model: ModelFile) -> None:
        self._model_ = model
        self._classifier_ = build([table.packed for table in model.tables], model.labels, model.bits, model.scale)
