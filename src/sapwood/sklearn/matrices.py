"""Matrices and their classes as rows of features with labels, and the model file of an estimator.

Features and labels are named by the numbers of their columns; a file has the classes and the parameters beside them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.model_selection import train_test_split
from sklearn.utils import compute_class_weight
from sklearn.utils.multiclass import type_of_target

import sapwood._core as _core
from sapwood.errors import DataError, ModelError
from sapwood.io.json_text import fits
from sapwood.model.file.schema import ModelFile
from sapwood.model.support import Weights
from sapwood.options import Values
from sapwood.tasks.classifying.labelled import Labelled, best_thresholds, with_thresholds
from sapwood.tasks.classifying.scorer import frozen
from sapwood.training.task import HeldOutScore
from sapwood.version import __version__

if TYPE_CHECKING:
    from sapwood.tasks.classifying.given_labels import Floats
    from sapwood.tasks.classifying.options import ClassifierOptions

BIAS = "bias"  # the feature that every row has, if it is wanted
Matrix = Any  # [n, n_features], dense or sparse (CSR), or what NumPy makes an array of
Classes = NDArray[np.generic]  # numbers or strings
Numbers = NDArray[np.int64]
LEARNER = ("update", "gamma", "average", "min_updates", "penalty", "eta")  # options that the core's learner has

_TRAINING = ["max_iter", "random_state", "class_weight", "early_stopping", "validation_fraction", "n_iter_no_change"]

# Types of classes, as a file names them: the kinds of NumPy's types, and the function that makes a class of a label.
_CLASSES: dict[str, tuple[str, Callable[[str], float]]] = {
    "int": ("iu", int),
    "float": ("f", float),
    "bool": ("b", lambda label: ("False", "True").index(label) == 1),
}


def labelled_rows(X: Matrix, y: Classes, classes: Classes, importance: Floats, bias: bool) -> Labelled:
    """Return a matrix as rows with their classes, or columns of an indicator matrix. Raises ValueError."""
    several = y.ndim == 2
    gold = [np.flatnonzero(row).tolist() for row in y] if several else np.searchsorted(classes, y).tolist()
    return Labelled(matrix_rows(X, bias), gold, numbered(len(classes)), several, importance.tolist())


def select(data: Labelled, examples: Numbers) -> Labelled:
    """Return these examples, which must be different ones; if they are all, in their order."""
    return data if len(examples) == len(data.gold) else data.select(examples.tolist())


def is_indicator(y: ArrayLike) -> bool:
    """Return true if y is an indicator matrix of two labels or more."""
    shape = y.shape if hasattr(y, "shape") else np.asarray(y).shape
    return len(shape) == 2 and shape[1] > 1 and type_of_target(y) == "multilabel-indicator"


def classes_in(y: Classes) -> Classes:
    """Return the sorted classes, or the numbers of an indicator matrix's columns. Raises ValueError."""
    if y.ndim == 1:
        return np.unique(y)
    if not np.isin(y, (0, 1)).all():
        raise ValueError("an indicator matrix has zeros and ones, and y has other numbers")
    return np.arange(y.shape[1])


def check_classes(y: Classes, classes: Classes, kept: Numbers) -> None:
    """Raise ValueError unless there are two classes, or a matrix, also among the examples that are kept."""
    if y.ndim == 2:
        if len(kept) == 0:
            raise ValueError("no sample has a weight above 0")
        return
    if len(classes) < 2:
        raise ValueError(f"This solver needs samples of at least 2 classes, but y has one class: {classes[0]!r}")
    if len(np.unique(y[kept])) < 2:
        raise ValueError("Samples of at least 2 classes need a weight above 0; all others have the weight 0")


def factors_of_classes(weights: dict[Hashable, float] | Literal["balanced"], classes: Classes, y: Classes) -> Floats:
    """Return the weight of each example's class [n]. Raises ValueError for one that is below 0 or not finite."""
    of_class: Floats = compute_class_weight(weights, classes=classes, y=y)
    if not (np.isfinite(of_class) & (of_class >= 0)).all():
        raise ValueError(f"class_weight has finite numbers from 0 up, not {weights!r}")
    return of_class[np.searchsorted(classes, y)]


def split(
    examples: Numbers, gold: Numbers | None, fraction: float, generator: np.random.RandomState
) -> tuple[Numbers, Numbers]:
    """Return the examples to learn from and those to hold out. Every class of `gold` is in both. Raises ValueError."""
    stratify = None if gold is None else gold[examples]
    with value_errors(ValueError, f"cannot hold out {fraction} of {len(examples)} samples: "):
        learned, held_out = train_test_split(examples, test_size=fraction, random_state=generator, stratify=stratify)
    return learned, held_out


def weighted_accuracy(
    options: ClassifierOptions, held_out: Labelled, model: ModelFile, weights: Weights
) -> HeldOutScore:
    """Return the accuracy on held-out examples in percent; each counts as much as its importance."""
    guess = frozen(held_out.labels, weights).predict(held_out.rows, options.threads)
    right = np.equal(guess, held_out.gold)
    return HeldOutScore(100 * float(np.average(right, weights=held_out.importance)), right.tolist())


def thresholds_of_columns(data: Labelled, weights: _core.PackedModel, held_out: Labelled | None) -> list[float] | None:
    """Return the threshold of each column with the highest F1, 0 without held-out examples; None for classes."""
    zeros = [0.0] * len(data.labels)
    if not data.several or held_out is None:
        return zeros if data.several else None
    return best_thresholds(frozen(data.labels, weights, zeros), held_out.rows, held_out.gold, 1)[0]


def matrix_rows(X: Matrix, bias: bool) -> _core.FeatureRows:
    """Return a matrix as rows of features. Raises ValueError for values that are too large for float32."""
    if hasattr(X, "indptr"):
        if not X.has_canonical_format:  # the order of a row's entries would be that of its sums
            X = X.copy()
            X.sum_duplicates()
        starts, columns, values = X.indptr, X.indices, X.data
    else:
        n, width = X.shape
        starts, columns = np.arange(n + 1) * width, np.tile(np.arange(width), n)
        values = X.reshape(-1)
    names = numbered(X.shape[1])
    arrays = (np.ascontiguousarray(starts, np.int64), np.ascontiguousarray(columns, np.int64))
    with value_errors():
        return _core.FeatureRows.from_csr(*arrays, np.ascontiguousarray(values, np.float64), names, bias)


@contextmanager
def value_errors(raised: type[Exception] = DataError, before: str = "", behind: str = "") -> Iterator[None]:
    """Turn errors of one kind into the ValueError that scikit-learn wants, with words before and behind."""
    try:
        yield
    except raised as error:
        raise ValueError(f"{before}{error}{behind}") from None


def numbered(n: int) -> list[str]:
    """Return the names of n columns, or of n classes; only in a file have classes their own names."""
    return [str(k) for k in range(n)]


def model_file(
    weights: _core.PackedModel,
    params: Values,
    classes: Classes,
    n_features: int,
    passes: int,
    thresholds: list[float] | None,
) -> ModelFile:
    """Return the model of an estimator, whose labels are numbers. thresholds : those of an indicator matrix"""
    layout = {"format": "jsonl", "fields": [], "label": "label", "text": "text"}
    matrix = {
        "n_features": n_features,
        "fit_intercept": params["fit_intercept"],
        "classes": next((name for name, (kinds, _) in _CLASSES.items() if classes.dtype.kind in kinds), "text"),
    }
    model = ModelFile(
        task="classify",
        labels=numbered(len(classes)),
        columns=["feature", "label"],
        label=1,
        options={**{name: params[name] for name in (*LEARNER, "shuffle")}, **layout, "matrix": matrix}
        | {"training": {name: kept for name in _TRAINING if (kept := _kept(params[name])) is not None}},
        bits=weights.bits,
        scale=weights.scale,
        provenance={"sapwood": __version__, "n_iter": passes},
    ).with_weights(weights)
    if thresholds is not None:
        model.options["multi_label"] = True
        model = with_thresholds(model, thresholds)
    model.tables[0].names = _core.name_features(weights, [*numbered(n_features), BIAS])
    return model


def _kept(value: object) -> object:
    if isinstance(value, dict):
        items = [[_kept(getattr(key, "item", lambda key=key: key)()), float(each)] for key, each in value.items()]
        return None if any(key is None for key, _ in items) else items
    return value if isinstance(value, (bool, int, float, str)) else None


def read_saved(file: ModelFile) -> tuple[Values, Classes, int, int]:
    """Return the parameters, classes, columns and passes of an estimator's file. Raises ModelError if it has none."""
    matrix, passes = file.options.get("matrix"), file.provenance.get("n_iter")
    wanted = {"n_features": int, "fit_intercept": bool, "classes": str}
    if not isinstance(matrix, dict) or {name: type(value) for name, value in matrix.items()} != wanted:
        raise ModelError("it does not say what its matrices are like")
    if not 0 < matrix["n_features"] < 1 << 31 or not isinstance(passes, int) or isinstance(passes, bool):
        raise ModelError("its number of features or of passes is none")
    given = {name: file.options[name] for name in (*LEARNER, "shuffle") if name in file.options}
    training, value = file.options.get("training", {}), bool | int | float | str
    if not fits(training, dict[str, value | list[list[value]]]) or not training.keys() <= {*_TRAINING}:  # type: ignore[valid-type]
        raise ModelError("its parameters of training are none")
    if isinstance(weights := training.get("class_weight"), list):
        training = training | {"class_weight": {each[0]: each[-1] for each in weights if each}}
    try:
        _, of_label = _CLASSES.get(matrix["classes"], ("", str))
        classes = np.array([of_label(label) for label in file.labels])
    except ValueError:
        raise ModelError(f"its classes are not all of the type {matrix['classes']!a}") from None
    options = {**given, **training, "bits": file.bits, "fit_intercept": matrix["fit_intercept"]}
    return options, classes, matrix["n_features"], passes
