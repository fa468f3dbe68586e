"""Paths of model files, of the models that come with the package or are installed, and the file's name in errors."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sapwood.errors import ModelError, OptionError, SapwoodError, warn
from sapwood.io.memory import called
from sapwood.io.source import shown
from sapwood.model.file.installed import installed_model, normal_name, place_of

PIPELINES = {
    "en": "English",
    "ca": "Catalan",
    "de": "German",
    "es": "Spanish",
    "fr": "French",
    "it": "Italian",
    "pt": "Portuguese",
    "ro": "Romanian",
    "sv": "Swedish",
}
LANGUAGE = "language"  # the classifier of languages
AUTO = "auto"  # the pipeline of the language that a text is in
BUNDLED = PIPELINES | {LANGUAGE: "any of 90"}
TRAINING = "'sapwood train pipeline TREEBANK -o FILE' makes one of another language (docs/languages.md)"
OTHERS = f"models that come with the package: {', '.join(PIPELINES)}; {TRAINING}"
FOLDER = Path(__file__).parents[2] / "bundled"


def model_path(name: str | os.PathLike[str]) -> str | os.PathLike[str]:
    """Return the path of the bundled or installed model of this name, or the name if there is none.

    A bundled model comes before a file of its name, which is `./de`, and a file before an installed model. Raises
    ModelError if this copy of sapwood was built without the model, or if the installed one cannot be used.
    """
    if not isinstance(name, str):
        return name
    if name not in BUNDLED:
        return name if normal_name(name) is None or Path(name).exists() else installed_model(name) or name
    path = FOLDER / f"{name}.sap"
    if not path.exists():
        raise ModelError(
            f"the model '{name}' is not in this copy of sapwood; name a model file, made by 'sapwood train pipeline'"
        )
    return path


def path_to_load(name: str | os.PathLike[str]) -> str | os.PathLike[str]:
    """Return the path of a model that is to be loaded, as `model_path` does.

    Raises ModelError for one word that names neither a file nor a model, OptionError for what is no path.
    """
    if not isinstance(name, (str, os.PathLike)):
        how = "by its path or name"
        raise OptionError(f"a model is loaded from a file, {how}, not from {called(name)}; write it to one")
    path = model_path(name)
    if name in BUNDLED and any((Path(folder) / place_of(name)).is_file() for folder in sys.path):
        warn(f"{name}: this is the model that comes with sapwood; an installed package of this name is not loaded")
    is_word = isinstance(name, str) and name.replace("-", "_").isidentifier()
    if path is name and is_word and not Path(name).exists():
        raise ModelError(f"{name}: there is no such file, and no model of this name; {OTHERS}")
    return path


@contextmanager
def named(path: str | os.PathLike[str]) -> Iterator[None]:
    """Turn an error about the content of a file into a ModelError that begins with the file's name."""
    try:
        yield
    except SapwoodError as error:
        raise ModelError(f"{shown(path)}: not a usable model: {error}") from None
