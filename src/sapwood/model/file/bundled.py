"""Paths of model files, of the models that come with the package or are installed, and the file's name in errors.

Models that are installed as packages are distributions that have a model among their files. A wheel that `sapwood
package` writes has one file beside its metadata, ``sapwood-models/NAME.sap``, where NAME is the distribution's in its
normal form (PEP 503). The model is found by the distribution's list of files (RECORD) and read as a file. Nothing is
imported: the folder's name is none that Python could import.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from sapwood.errors import ModelError, OptionError, SapwoodError, warn
from sapwood.io.memory import called
from sapwood.io.source import shown

if TYPE_CHECKING:
    from importlib.metadata import Distribution

_FOLDER = "sapwood-models"
_NAME = re.compile(r"[a-z0-9](?:[a-z0-9._-]{0,98}[a-z0-9])?", re.IGNORECASE)
PIPELINES = {
    "en": "English", "ca": "Catalan", "de": "German", "es": "Spanish", "fr": "French", "it": "Italian",
    "pt": "Portuguese", "ro": "Romanian", "sv": "Swedish",
}  # fmt: skip
LANGUAGE = "language"  # the classifier of languages
AUTO = "auto"  # the pipeline of the language that a text is in
BUNDLED = PIPELINES | {LANGUAGE: "any of 90"}
TRAINING = "'sapwood train pipeline TREEBANK -o FILE' makes one of another language (docs/languages.md)"
OTHERS = f"models that come with the package: {', '.join(PIPELINES)}; {TRAINING}"
FOLDER = Path(__file__).parents[2] / "bundled"


def pyinstaller_hooks() -> list[str]:
    """Return the folders of hooks by which PyInstaller takes models and templates along, for its entry point."""
    return [str(FOLDER)]


def normal_name(name: str) -> str | None:
    """Return the name of a distribution in its normal form, None for what is no such name.

    >>> normal_name("Nynorsk_UD"), normal_name("nn.sap"), normal_name("../nn")
    ('nynorsk-ud', None, None)
    """
    if not _NAME.fullmatch(name) or name.endswith(".sap"):
        return None
    return re.sub(r"[-_.]+", "-", name).lower()


def place_of(name: str) -> str:
    """Return the path of a model in its wheel, and in the folder that this is installed in."""
    return f"{_FOLDER}/{name}.sap"


def installed_model(name: str) -> Path | None:
    """Return the path of the model that a distribution of this name has, None if there is none.

    Raises ModelError if two have one, or if the file is not where it should be.
    """
    if (normal := normal_name(name)) is None:
        return None
    from importlib.metadata import distributions  # only for names that are neither bundled nor files: it takes time

    found = {_model_in(each, normal) for each in distributions(name=normal) if _lists(each, place_of(normal))}
    if len(found) > 1:
        places = " and ".join(sorted(shown(path) for path in found))
        raise ModelError(f"{name}: two installed models have this name, {places}; uninstall one")
    return found.pop() if found else None


def installed_models() -> Iterable[tuple[str, str]]:
    """Yield the name and the version of each distribution that has a model, by name."""
    from importlib.metadata import distributions

    listed = (each for each in distributions() if f"{_FOLDER}/" in _record(each))
    named = ((normal_name(each.name or "") or "", each) for each in listed)
    yield from sorted({(name, str(each.version)) for name, each in named if _lists(each, place_of(name))})


def _lists(distribution: Distribution, place: str) -> bool:
    """Return true if a path is in a distribution's list of files."""
    return any(line.partition(",")[0] == place for line in _record(distribution).splitlines())


def _record(distribution: Distribution) -> str:
    """Return a distribution's list of files; empty if there is none, or it is no text."""
    try:
        return distribution.read_text("RECORD") or ""
    except (OSError, UnicodeDecodeError):
        return ""


def _model_in(distribution: Distribution, name: str) -> Path:
    folder = Path(str(distribution.locate_file(""))).resolve()
    path = (folder / place_of(name)).resolve()
    if not path.is_relative_to(folder):
        raise ModelError(f"{name}: the file of the installed model leads out of its folder, to {shown(path)}")
    if not path.is_file():
        raise ModelError(f"{name}: the file of the installed model is missing, {shown(path)}; install it again")
    return path


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
