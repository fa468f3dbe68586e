"""Models that are installed as packages: distributions that have a model among their files.

A wheel that `sapwood package` writes has one file beside its metadata, ``sapwood-models/NAME.sap``, where NAME is the
distribution's in its normal form (PEP 503). The model is found by the distribution's list of files (RECORD) and read as
a file. Nothing is imported: the folder's name is none that Python could import.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from sapwood.errors import ModelError
from sapwood.io.source import shown

if TYPE_CHECKING:
    from importlib.metadata import Distribution

_FOLDER = "sapwood-models"
_NAME = re.compile(r"[a-z0-9](?:[a-z0-9._-]{0,98}[a-z0-9])?", re.IGNORECASE)


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
