"""The models that come with the package, by their names."""

from __future__ import annotations

import os
from pathlib import Path

from sapwood.errors import ModelError

BUNDLED = {"en": "English: sentences, words, tags, lemmas, trees and names"}
FOLDER = Path(__file__).parents[1] / "bundled"


def model_path(name: str | os.PathLike[str]) -> str | os.PathLike[str]:
    """Return the path of a bundled model, or what was given. A file of that name goes first.

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


def is_model(path: str) -> bool:
    """Whether a file begins as models do: the size of a JSON header, then the header."""
    try:
        # What is read from a pipe would be gone.
        if not Path(path).is_file():
            return False
        with Path(path).open("rb") as file:
            start = file.read(9)
    except OSError:
        return False
    return len(start) == 9 and start.endswith(b"{") and int.from_bytes(start[:8], "little") < 1 << 32


def card_of(name: str) -> str:
    """Return the model card of a bundled model: data, licences, figures, limits; nothing for other models."""
    path = model_path(name)
    return "" if path == name else Path(path).with_suffix(".md").read_text(encoding="utf-8")
