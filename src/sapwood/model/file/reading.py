"""Python values of model files, which the core reads and checks (core/file); and the reading of cards."""

import json
import os
from collections.abc import Mapping
from typing import Any

from sapwood import _core
from sapwood.errors import DataError
from sapwood.io.source import plain_text, read_bytes, shown
from sapwood.model.file.coding import TableInfo
from sapwood.model.file.container import Array
from sapwood.model.file.records import Familiar
from sapwood.options import Values

_LARGEST = 1 << 16  # bytes of a card
# Metadata in JSON that become fields as they are; of the others the core makes tables, word lists and parts.
_JSON = ("labels", "columns", "options", "weights", "provenance", "calibration", "familiarity", "extra", "card")


def content(metadata: dict[str, str], arrays: Mapping[str, Array], around: _core.WordClusters | None) -> Values:
    """Return the fields of a ModelFile, those of its parts in dicts of their own. Raises ModelError.

    around : word clusters of the model that this one is a part of, if that has some
    """
    described = {name: (dtype, shape, bytes(data)) for name, (dtype, shape, data) in arrays.items()}
    return _fields(_core.read_model(metadata, described, around))


def _fields(read: Mapping[str, Any]) -> Values:
    texts = read["metadata"]
    header = {key: json.loads(texts[key]) for key in _JSON if key in texts}
    columns, weights = header["columns"], header["weights"]
    familiar = None
    if "familiarity" in header:
        familiar = Familiar(read["frequent"], header["familiarity"], read["seen"])
    return {
        "task": texts["task"],
        "labels": header["labels"],
        "template": texts["template"],
        "columns": columns["names"],
        "label": columns["label"],
        "options": header["options"],
        "bits": weights["bits"],
        "scale": float(weights["scale"]),
        "tables": [_table(*table) for table in read["tables"]],
        "word_lists": read["word_lists"],
        "provenance": header["provenance"],
        "calibration": header.get("calibration"),
        "familiar": familiar,
        "extra": {name: Array(*read["extra"][name]) for name in header.get("extra", ())},
        "card": header.get("card", ""),
        "clusters": read["clusters"],
        "parts": {name: _fields(part) for name, part in read["parts"].items()},
    }


def _table(packed: _core.PackedTable, names: str | None) -> TableInfo:
    lines = [] if names is None or not packed.features else names.split("\n")
    return TableInfo(packed, None if names is None else lines)


def read_card(path: str | os.PathLike[str]) -> str:
    """Return the text of a model's card. Raises DataError."""
    name = shown(path)
    card = plain_text(read_bytes(path), name).replace("\r\n", "\n").strip()
    if (size := len(card.encode())) > _LARGEST:
        raise DataError(f"{name}: its card has {size:,} bytes; the largest has {_LARGEST:,}")
    if not card:
        raise DataError(f"{name}: there is nothing in it; a card says data, licence and author of a model")
    return card + "\n"
