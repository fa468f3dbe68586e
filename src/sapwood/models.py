"""Model files to models, whatever their task."""

import os
from typing import TYPE_CHECKING

from sapwood.errors import ModelError, SapwoodError, shown
from sapwood.model import ModelFile

if TYPE_CHECKING:
    from sapwood.parse import DependencyParser
    from sapwood.tag import SequenceTagger

__all__ = ["load", "load_parser", "load_tagger"]


def load(path: str | os.PathLike[str]) -> "SequenceTagger | DependencyParser":
    """Load a model file, with the parameters that it was trained with.

    Raises ModelError if it is damaged or foreign.
    """
    model = ModelFile.load(path)
    try:
        if model.task == "tag":
            from sapwood.tag import SequenceTagger

            return SequenceTagger._of_model(model)
        if model.task == "parse":
            from sapwood.parse import DependencyParser

            return DependencyParser._of_model(model)
    except SapwoodError as error:  # which does not know the file's name
        raise ModelError(f"{shown(path)}: not a usable model: {error}") from None
    raise ModelError(f"{shown(path)}: a model for the task {model.task!a}; this version of sapwood tags and parses")


def load_tagger(path: str | os.PathLike[str]) -> "SequenceTagger":
    """Load a tagger. Raises ModelError for any other file."""
    from sapwood.tag import SequenceTagger

    model = load(path)
    if not isinstance(model, SequenceTagger):
        raise ModelError(f"{shown(path)}: a model for parsing, not for tagging; see 'sapwood parse'")
    return model


def load_parser(path: str | os.PathLike[str]) -> "DependencyParser":
    """Load a parser. Raises ModelError for any other file."""
    from sapwood.parse import DependencyParser

    model = load(path)
    if not isinstance(model, DependencyParser):
        raise ModelError(f"{shown(path)}: a model for tagging, not for parsing; see 'sapwood tag'")
    return model
