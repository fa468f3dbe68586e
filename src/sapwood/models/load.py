"""Model files to models, whatever their task."""

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

from sapwood.errors import ModelError, SapwoodError, shown
from sapwood.modelfile.schema import ModelFile

if TYPE_CHECKING:
    from sapwood.models.classifier import Classifier
    from sapwood.models.grammar import PhraseParser
    from sapwood.models.parser import DependencyParser
    from sapwood.models.reranker import Reranker
    from sapwood.models.tagger import SequenceTagger

__all__ = ["load", "load_classifier", "load_parser", "load_reranker", "load_tagger", "model_class", "of_model"]

# Task of a model file -> the module and class that use it, what a model of it does, and the verb that runs it.
_TASKS = {
    "tag": ("tagger", "SequenceTagger", "tagging", "tag"),
    "parse": ("parser", "DependencyParser", "parsing", "parse"),
    "classify": ("classifier", "Classifier", "classification", "classify"),
    "rank": ("reranker", "Reranker", "reranking", "rank"),
    "grammar": ("grammar", "PhraseParser", "phrase-structure parsing", "nbest"),
}


def load(path: str | os.PathLike[str]) -> "SequenceTagger | DependencyParser | Classifier | Reranker | PhraseParser":
    """Load a model file, with the parameters that it was trained with.

    Raises ModelError if it is damaged or foreign.
    """
    model: SequenceTagger | DependencyParser | Classifier | Reranker | PhraseParser = _load(path, None)
    return model


def load_tagger(path: str | os.PathLike[str]) -> "SequenceTagger":
    """Load a tagger. Raises ModelError for any other file."""
    tagger: SequenceTagger = _load(path, "tag")
    return tagger


def load_parser(path: str | os.PathLike[str]) -> "DependencyParser":
    """Load a parser. Raises ModelError for any other file."""
    parser: DependencyParser = _load(path, "parse")
    return parser


def load_classifier(path: str | os.PathLike[str]) -> "Classifier":
    """Load a classifier. Raises ModelError for any other file."""
    classifier: Classifier = _load(path, "classify")
    return classifier


def load_reranker(path: str | os.PathLike[str]) -> "Reranker":
    """Load a reranker. Raises ModelError for any other file."""
    reranker: Reranker = _load(path, "rank")
    return reranker


def _load(path: str | os.PathLike[str], wanted: str | None) -> Any:
    model = ModelFile.load(path)
    if model.task not in _TASKS:
        known = ", ".join(what for _, _, what, _ in _TASKS.values())
        raise ModelError(
            f"{shown(path)}: a model for the task {model.task!a}; this version of sapwood has models for {known}"
        )
    _, _, what, verb = _TASKS[model.task]
    if wanted is not None and model.task != wanted:
        raise ModelError(f"{shown(path)}: a model for {what}, not for {_TASKS[wanted][2]}; see 'sapwood {verb}'")
    try:
        return of_model(model)
    except SapwoodError as error:  # which does not know the file's name
        raise ModelError(f"{shown(path)}: not a usable model: {error}") from None


def of_model(model: ModelFile) -> Any:
    """Return what a model file of a known task holds. Raises SapwoodError if it does not hold it."""
    return model_class(model.task)._of_model(model)


def model_class(task: str) -> Any:
    """Return the class of the models of a task, which is known."""
    module, name, *_ = _TASKS[task]
    return getattr(import_module(f"sapwood.models.{module}"), name)
