"""Loading of models: files of any task, and the models that come with the package by their names."""

import os
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TypeVar

from sapwood.errors import ModelError
from sapwood.io.source import shown
from sapwood.model.base import AnyModel
from sapwood.model.file.bundled import AUTO, named, path_to_load
from sapwood.model.file.schema import ModelFile

Loaded = TypeVar("Loaded", bound=AnyModel)


# Task of a model file -> module and class, the work of its models in words, and the verb that runs them.
_TASKS = {
    "tag": ("tagging.model", "SequenceTagger", "tagging", "tag"),
    "segment": ("segmenting.model", "Segmenter", "segmentation", "annotate"),
    "lemmatize": ("rewriting.model", "Lemmatizer", "lemmas", "eval"),
    "split": ("rewriting.model", "Splitter", "splitting tokens into words", "eval"),
    "pipeline": ("pipeline.model", "Pipeline", "raw text", "annotate"),
    "parse": ("parsing.model", "DependencyParser", "parsing", "parse"),
    "classify": ("classifying.model", "Classifier", "classification", "classify"),
    "rank": ("ranking.model", "Reranker", "reranking", "rank"),
    "structured": ("structured.model", "StructuredModel", "structures of one's own", "inspect"),
    "grammar": ("parsing.grammar", "PhraseParser", "phrase-structure parsing", "nbest"),
}


def load(path: str | os.PathLike[str]) -> AnyModel:
    """Load a model file of any task, with the options that it was trained with; "en" or "de" is a bundled pipeline.

    "auto" is the choice of a bundled pipeline by the language of each text.
    A path may also be the name of a model that is installed as a package (`sapwood package`).

    `SequenceTagger.load(path)` returns a SequenceTagger, also for type checkers, and raises for other models. A file of
    `PerceptronClassifier` comes back as one: a scikit-learn estimator of matrices. Raises ModelError if the
    file is damaged or foreign, and OptionError if an estimator is in it and scikit-learn is not installed.
    """
    if path == AUTO:
        from sapwood.tasks.pipeline.languages import Languages

        return Languages.bundled()
    file = ModelFile.load(path_to_load(path))
    cls = _class_of(file, path)
    if file.task == "classify" and "matrix" in file.options:
        from sapwood.sklearn.estimator import PerceptronClassifier

        return _from_file(PerceptronClassifier, file, path)
    return _from_file(cls, file, path)


def load_model(path: str | os.PathLike[str], *, contents_only: bool = False) -> AnyModel:
    """Load a model file as the class of its task, also if a scikit-learn estimator saved it. Raises ModelError.

    contents_only : also load a model that lacks the functions that it works with, which are in no file
    """
    return read_model(path, contents_only=contents_only)()


def read_model(path: str | os.PathLike[str], *, contents_only: bool = False) -> Callable[[], AnyModel]:
    """Read and check a model file, and return what makes its model, as `load_model` would. Raises ModelError."""
    file = ModelFile.load(path_to_load(path))
    return partial(_from_file, _class_of(file, path, contents_only=contents_only), file, path)


def load_as(
    wanted: type[Loaded], path: str | os.PathLike[str], choose: Callable[[ModelFile], ModelFile] | None = None
) -> Loaded:
    """Load a model of a class. Raises ModelError for the file of any other task.

    choose : gets the model file and returns the one to load in its place, such as some parts of a pipeline
    """
    file = ModelFile.load(path_to_load(path))
    found = _class_of(file, path)
    if not issubclass(wanted, found):
        _, _, what, verb = _TASKS[file.task]
        raise ModelError(f"{shown(path)}: a model for {what}, not for {_TASKS[wanted.task][2]}; see 'sapwood {verb}'")
    return _from_file(wanted, file if choose is None else choose(file), path)


def _class_of(file: ModelFile, path: str | os.PathLike[str], *, contents_only: bool = False) -> type[AnyModel]:
    if file.task not in _TASKS:
        known = ", ".join(what for _, _, what, _ in _TASKS.values())
        raise ModelError(
            f"{shown(path)}: a model for the task {file.task!a}; this version of sapwood has models for {known}"
        )
    if file.task == "structured" and not contents_only:
        raise ModelError(
            f"{shown(path)}: a model for structures of one's own, whose functions are in no file; load it in Python by "
            "sapwood.structured(features, search).load(path)"
        )
    return model_class(file.task)


def _from_file(cls: type[Loaded], file: ModelFile, path: str | os.PathLike[str]) -> Loaded:
    with named(path):
        return cls._of_file(file)


def model_class(task: str) -> type[AnyModel]:
    """Return the class of the models of a task. Raises KeyError for another word."""
    module, name, *_ = _TASKS[task]
    found: type[AnyModel] = getattr(import_module(f"sapwood.tasks.{module}"), name)
    return found


def is_model(path: str) -> bool:
    """Return true if a file begins as models do: the size of a JSON header, then the header."""
    try:
        if not Path(path).is_file():  # bytes read from a pipe would be gone
            return False
        with Path(path).open("rb") as file:
            start = file.read(9)
    except OSError:
        return False
    return len(start) == 9 and start.endswith(b"{") and int.from_bytes(start[:8], "little") < 1 << 32
