"""Paths of model files and of the models that come with the package, and the file's name in errors."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sapwood.errors import ModelError, SapwoodError
from sapwood.io.source import shown

BUNDLED = {"en": "English: sentences, words, tags, lemmas, trees and names"}
FOLDER = Path(__file__).parents[2] / "bundled"


def model_path(name: str | os.PathLike[str]) -> str | os.PathLike[str]:
    """Return the path of the bundled model of this name, or the name if there is a file or no such model.

    Raises ModelError if this copy of sapwood was built without the model.
    """
    if not (isinstance(name, str) and name in BUNDLED):
        return name
    if Path(name).exists():
        return name
    path = FOLDER / f"{name}.sap"
    if not path.exists():
        raise ModelError(
            f"the model '{name}' is not in this copy of sapwood; name a model file, made by 'sapwood train pipeline'"
        )
    return path


@contextmanager
def named(path: str | os.PathLike[str]) -> Iterator[None]:
    """Turn an error about the content of a file into a ModelError that begins with the file's name."""
    try:
        yield
    except SapwoodError as error:
        raise ModelError(f"{shown(path)}: not a usable model: {error}") from None
