"""Reading of a model file: metadata, card and arrays are checked. Each array is taken once; one left over is a flaw."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, get_type_hints

from sapwood import _core
from sapwood.errors import DataError, ModelError
from sapwood.io.json_text import parsed
from sapwood.io.source import plain_text, read_bytes, shown
from sapwood.model.file.coding import TableInfo, read_table
from sapwood.model.file.container import Array
from sapwood.model.file.records import Familiar, Header, TableRecord, checked_familiar, column_names
from sapwood.options import Values
from sapwood.parts import PARTS

FORMAT = "sapwood/3"
CLUSTER_ARRAYS = ("high", "low", "classes", "tree")
OF_WHOLE = "whole"  # a part's clusters, if the model around it has the same
_INSIDE = {  # task -> name and task of the models that may lie inside
    "parse": {"tagger": "tag"},
    "pipeline": {part.name: part.task for part in PARTS},
}
_KINDS = get_type_hints(Header)  # types of the metadata that are JSON
_REQUIRED = (*(key for key in _KINDS if key in Header.__required_keys__), "task", "template")
_BREAKS = frozenset("\t\n\r\0")  # a label with one of these would break the lines of a column file
LARGEST = 1 << 16  # bytes


def flaw_of_labels(labels: Sequence[object]) -> str | None:
    """Return the flaw of labels that a model file cannot have; None if they have none."""
    texts = {label for label in labels if isinstance(label, str)}
    if len(texts) != len(labels):
        return "labels are not distinct strings"
    together = "".join(texts)
    if "" in texts or _BREAKS.intersection(together):
        return "a label is empty or has a tab or a line end in it"
    try:
        together.encode()
    except UnicodeEncodeError:
        return "a label is not Unicode"
    return None


def content(metadata: Mapping[str, str], arrays: Mapping[str, Array], around: _core.WordClusters | None) -> Values:
    """Return the fields of a ModelFile, those of its parts in dicts of their own. Raises ModelError.

    around : word clusters of the model that this one is a part of, if that has some
    """
    if (version := metadata.get("format")) != FORMAT:
        raise ModelError(f"its format is {version!a}, this version of sapwood reads {FORMAT}")
    if missing := [key for key in _REQUIRED if key not in metadata]:
        raise ModelError(f"its header has no '{missing[0]}'")
    values: Any = {
        key: parsed(metadata[key], kind, f"'{key}' in its header") for key, kind in _KINDS.items() if key in metadata
    }
    return _Reader(metadata["task"], metadata["template"], values, arrays).fields(around)


class _Reader:
    """A reader of a model and its parts. Each array is taken out once."""

    def __init__(self, task: str, template: str, header: Header, arrays: Mapping[str, Array]) -> None:
        self.task, self.template, self.header, self.arrays = task, template, header, dict(arrays)

    def fields(self, around: _core.WordClusters | None) -> Values:
        header = self.header
        columns, weights = header["columns"], header["weights"]
        if weights["bits"] not in (8, 16, 32):
            raise ModelError(f"weights of {weights['bits']} bits are not 8, 16 or 32 bits wide")
        if columns["label"] >= len(columns["names"]):
            raise ModelError("the label is not one of the columns")
        if flaw := flaw_of_labels(header["labels"]):
            raise ModelError(flaw)
        clusters = self.clusters(around)
        fields: Values = {
            "task": self.task,
            "labels": header["labels"],
            "template": self.template,
            "columns": columns["names"],
            "label": columns["label"],
            "options": header["options"],
            "bits": weights["bits"],
            "scale": float(weights["scale"]),
            "tables": [self.table(n, record) for n, record in enumerate(header["tables"])],
            "word_lists": [
                (entry["name"], _core.WordList.unpack(self.array(f"list.{k}", "U64"), entry["longest"]))
                for k, entry in enumerate(header["word_lists"])
            ],
            "provenance": header["provenance"],
            "calibration": header.get("calibration"),
            "familiar": self.familiar(columns["names"]),
            "extra": {name: self.take(f"extra.{name}") for name in header.get("extra", ())},
            "card": checked_card(header.get("card", "")),
            "clusters": clusters,
            "parts": {name: self.part(name, part, clusters) for name, part in header.get("parts", {}).items()},
        }
        if self.arrays:
            raise ModelError(f"it has an array that does not belong there: {min(self.arrays)!a}")
        return fields

    def part(self, name: str, metadata: Mapping[str, str], around: _core.WordClusters | None) -> Values:
        """Read the model `name` inside this one, if models of its task have such a part."""
        tasks = _INSIDE.get(self.task, {})
        if name not in tasks:
            raise ModelError(f"a model of its task has no part {name[:40]!a}")
        if (metadata.get("format"), metadata.get("task")) != (FORMAT, tasks[name]):
            raise ModelError(f"its part {name!a} is not a model for the task {tasks[name]!a} in the same format")
        inside = [array for array in self.arrays if array.startswith(f"{name}/")]
        arrays = {array.removeprefix(f"{name}/"): self.arrays.pop(array) for array in inside}
        try:
            return content(metadata, arrays, around)
        except ModelError as error:
            raise ModelError(f"its part {name!a}: {error}") from None

    def take(self, name: str) -> Array:
        if name not in self.arrays:
            raise ModelError(f"it has no array {name!a}")
        return self.arrays.pop(name)

    def array(self, name: str, dtype: str) -> bytes:
        array = self.take(name)
        if array.dtype != dtype or len(array.shape) != 1:
            raise ModelError(f"its array {name!a} is not a list of {dtype}")
        return bytes(array.data)

    def familiar(self, columns: list[str]) -> Familiar | None:
        if "familiarity" not in self.header:
            return None
        seen = self.array("seen", "U32") if "seen" in self.arrays else b""
        names = column_names(self.task, columns)
        return checked_familiar(self.array("familiar", "U32"), self.header["familiarity"], seen, names)

    def clusters(self, around: _core.WordClusters | None) -> _core.WordClusters | None:
        sizes = self.header.get("clusters")
        if sizes is None:
            return None
        if isinstance(sizes, str):
            if sizes != OF_WHOLE or around is None:
                raise ModelError("it has the word clusters of another model that it is no part of, or that has none")
            return around
        if sizes["key_bits"] >= 1 << 31:
            raise ModelError("'key_bits' of 'clusters' in its header is out of range")
        arrays = [self.array(f"clusters.{name}", "U8") for name in CLUSTER_ARRAYS]
        if around is not None and _packed(around) == (sizes["words"], sizes["key_bits"], *arrays):
            return around
        return _core.WordClusters(sizes["words"], sizes["key_bits"], *arrays)

    def table(self, n: int, record: TableRecord) -> TableInfo:
        packed = read_table(n, record, self.array)
        if f"{n}.names" not in self.arrays:
            return TableInfo(packed)
        try:
            text = self.array(f"{n}.names", "U8").decode()
        except UnicodeDecodeError:
            raise ModelError(f"its array '{n}.names' is not UTF-8") from None
        names = text.split("\n") if packed.features else []
        if len(names) != packed.features:
            raise ModelError(f"its array '{n}.names' does not have a name for each feature")
        return TableInfo(packed, names)


def _packed(clusters: _core.WordClusters) -> tuple[object, ...]:
    """Return the sizes and the arrays of word clusters, by which two are compared."""
    return len(clusters), clusters.key_bits, *(getattr(clusters, name) for name in CLUSTER_ARRAYS)


def read_card(path: str | os.PathLike[str]) -> str:
    """Return the text of a model's card. Raises DataError."""
    name = shown(path)
    card = plain_text(read_bytes(path), name).replace("\r\n", "\n").strip()
    try:
        checked_card(card)
    except ModelError as flaw:
        raise DataError(f"{name}: {flaw}") from None
    if not card:
        raise DataError(f"{name}: there is nothing in it; a card says data, licence and author of a model")
    return card + "\n"


def checked_card(card: str) -> str:
    """Return a model's card. Raises ModelError if it is too large, or no text."""
    try:
        size = len(card.encode())
    except UnicodeEncodeError:
        raise ModelError("its card is not Unicode") from None
    if size > LARGEST:
        raise ModelError(f"its card has {size:,} bytes; the largest has {LARGEST:,}")
    if "\0" in card:
        raise ModelError("its card has a NUL character")
    return card
