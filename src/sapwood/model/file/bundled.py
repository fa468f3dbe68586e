"""Paths of model files and of the models that come with the package, and the file's name in errors."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sapwood.errors import ModelError, OptionError, SapwoodError
from sapwood.io.memory import called
from sapwood.io.source import shown

BUNDLED = {"en": "English: sentences, words, tags, lemmas, trees and names"}
OTHERS = (
    f"models that come with the package: {', '.join(BUNDLED)}; 'sapwood train pipeline TREEBANK -o FILE' makes one of "
    "another language (docs/tutorials/treebank.md)"
)
FOLDER = Path(__file__).parents[2] / "bundled"


def model_path(name: str | os.PathLike[str]) -> str | os.PathLike[str]:
    """Return the path of the bundled model of this name, or the name if it is that of a file.

    Raises ModelError if this copy of sapwood was built without the model, and for one word that is neither; OptionError
    for what is no path.
    """
    if not isinstance(name, (str, os.PathLike)):
        raise OptionError(
            f"a model is loaded from a file, by its path or name, not from {called(name)}; write it to one"
        )
    if not isinstance(name, str) or Path(name).exists():
        return name
    if name not in BUNDLED:
        if name.isidentifier():  # the name of a language or of another library's model, and no path
            raise ModelError(f"{name}: there is no such file, and no model of this name; {OTHERS}")
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
