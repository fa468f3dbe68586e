"""Model files to models, whatever their task."""

from __future__ import annotations

import os
from importlib import import_module

from sapwood.errors import ModelError, SapwoodError, shown
from sapwood.modelfile.schema import ModelFile

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sapwood.models.base import Model
    from sapwood.models.classifier import Classifier
    from sapwood.models.parser import DependencyParser
    from sapwood.models.reranker import Reranker
    from sapwood.models.tagger import SequenceTagger

# Task of a model file -> the module and class that use it, what a model of it does, and the verb that runs it.
_TASKS = {
    "tag": ("tagger", "SequenceTagger", "tagging", "tag"),
    "parse": ("parser", "DependencyParser", "parsing", "parse"),
    "classify": ("classifier", "Classifier", "classification", "classify"),
    "rank": ("reranker", "Reranker", "reranking", "rank"),
    "grammar": ("grammar", "PhraseParser", "phrase-structure parsing", "nbest"),
}


def load(path: str | os.PathLike[str]) -> Model:
    """Load a model file of any task, with the options that it was trained with.

    What `PerceptronClassifier` saved comes back as one: a scikit-learn estimator of matrices. Raises ModelError if the
    file is damaged or foreign, and OptionError if an estimator is in it and scikit-learn is not installed.
    """
    file = ModelFile.load(path)
    if file.task == "classify" and "matrix" in file.options:
        return _made(import_module("sapwood.sklearn.estimator").PerceptronClassifier, file, path)
    return _of_task(file, path, None)


def load_model(path: str | os.PathLike[str]) -> Model:
    """Load a model file of any task as a model of that task, also where an estimator saved it. Raises ModelError."""
    return _of_task(ModelFile.load(path), path, None)


def load_tagger(path: str | os.PathLike[str]) -> SequenceTagger:
    """Load a tagger. Raises ModelError for any other file."""
    return _of_task(ModelFile.load(path), path, "tag")  # type: ignore[return-value]


def load_parser(path: str | os.PathLike[str]) -> DependencyParser:
    """Load a parser. Raises ModelError for any other file."""
    return _of_task(ModelFile.load(path), path, "parse")  # type: ignore[return-value]


def load_classifier(path: str | os.PathLike[str]) -> Classifier:
    """Load a classifier. Raises ModelError for any other file."""
    return _of_task(ModelFile.load(path), path, "classify")  # type: ignore[return-value]


def load_reranker(path: str | os.PathLike[str]) -> Reranker:
    """Load a reranker. Raises ModelError for any other file."""
    return _of_task(ModelFile.load(path), path, "rank")  # type: ignore[return-value]


def _of_task(file: ModelFile, path: str | os.PathLike[str], wanted: str | None) -> Model:
    if file.task not in _TASKS:
        known = ", ".join(what for _, _, what, _ in _TASKS.values())
        raise ModelError(
            f"{shown(path)}: a model for the task {file.task!a}; this version of sapwood has models for {known}"
        )
    _, _, what, verb = _TASKS[file.task]
    if wanted is not None and file.task != wanted:
        raise ModelError(f"{shown(path)}: a model for {what}, not for {_TASKS[wanted][2]}; see 'sapwood {verb}'")
    return _made(model_class(file.task), file, path)


def _made(cls: type[Model], file: ModelFile, path: str | os.PathLike[str]) -> Model:
    try:
        return cls.of_model(file)
    except SapwoodError as error:  # which does not know the file's name
        raise ModelError(f"{shown(path)}: not a usable model: {error}") from None


def model_class(task: str) -> type[Model]:
    """Return the class of the models of a task, which is known."""
    module, name, *_ = _TASKS[task]
    found: type[Model] = getattr(import_module(f"sapwood.models.{module}"), name)
    return found
