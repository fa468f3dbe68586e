"""The model file of an estimator: beside the weights its parameters, classes and columns."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from sapwood import __version__, _core
from sapwood.errors import ModelError
from sapwood.io.json_text import fits
from sapwood.model.file.schema import ModelFile
from sapwood.options import Values
from sapwood.sklearn.matrices import BIAS, Classes, numbered
from sapwood.tasks.classifying.multi_label import with_thresholds

LEARNER = ("update", "gamma", "average", "min_updates", "penalty", "eta")  # options that the core's learner has

_TRAINING = ["max_iter", "random_state", "class_weight", "early_stopping", "validation_fraction", "n_iter_no_change"]

# Types of classes, as a file names them: the kinds of NumPy's types, and the function that makes a class of a label.
_CLASSES: dict[str, tuple[str, Callable[[str], float]]] = {
    "int": ("iu", int),
    "float": ("f", float),
    "bool": ("b", lambda label: ("False", "True").index(label) == 1),
}


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
        template="",
        columns=["feature", "label"],
        label=1,
        options={**{name: params[name] for name in (*LEARNER, "shuffle")}, **layout, "matrix": matrix}
        | {"training": {name: kept for name in _TRAINING if (kept := _kept(params[name])) is not None}},
        bits=weights.bits,
        scale=weights.scale,
        tables=[],
        provenance={"sapwood": __version__, "n_iter": passes},
    ).with_weights(weights)
    if thresholds is not None:
        model.options["multi_label"] = True
        model = with_thresholds(model, thresholds)
    model.tables[0].names = _core.name_features(weights, [*numbered(n_features), BIAS])
    return model


def _kept(value: object) -> object:
    """Return the value of a parameter as a file has it: a dict as its items, and None for objects."""
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
