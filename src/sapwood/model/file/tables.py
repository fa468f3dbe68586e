"""Tables of weights in a model file: in format 2 coded, one array each; in format 1 packed, five arrays each.

Table N of format 2 is the array ``N.table``: the coded keys, sizes, outputs and weights, one after another. How many
bytes each has, the table's record in the header says ("lengths"; see docs/model-format.md). The arrays of
format 1 are ``N.keys.high``, ``N.keys.low``, ``N.sizes``, ``N.outputs`` and ``N.weights``. Either has, with names,
``N.names``: UTF-8, one feature a line.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from sapwood import _core
from sapwood.model.file.container import Array

if TYPE_CHECKING:
    from sapwood.errors import ModelError


SECTIONS = {"keys": "low", "sizes": "sizes", "outputs": "outputs", "weights": "values"}
WEIGHT_DTYPES = {8: "I8", 16: "I16", 32: "F32"}

_FIELDS = ("features", "weights", "width", "key_bits")
_FORMAT_1_FIELDS = (*_FIELDS, "size_bits", "output_bits")
_FORMAT_1_ARRAYS = {"keys.high": "high", "keys.low": "low", "sizes": "sizes", "outputs": "outputs"}  # and the weights


class TableInfo:
    """One table: its arrays, packed or coded, and, if kept, the names of its features."""

    def __init__(self, packed: _core.PackedTable, names: list[str] | None = None) -> None:
        self.packed = packed
        self.names = names

    def coded(self, bits: int) -> _core.PackedTable:
        """Return the table as it is written to a file. Its weights have so many bits."""
        self.packed = self.packed.coded(bits)
        return self.packed

    def arrays(self, n: int, bits: int) -> dict[str, Array]:
        """Return the arrays of the model's n-th table."""
        coded = self.coded(bits)
        arrays = {f"{n}.table": Array.of("U8", b"".join(getattr(coded, name) for name in SECTIONS.values()))}
        if self.names is not None:
            text = "\n".join(name.replace("\n", " ") for name in self.names)
            arrays[f"{n}.names"] = Array.of("U8", text.encode())
        return arrays

    def record(self, bits: int) -> dict[str, Any]:
        """Return what stands in the header."""
        coded = self.coded(bits)
        lengths = [len(getattr(coded, name)) for name in SECTIONS.values()]
        return {**{name: getattr(coded, name) for name in _FIELDS}, "lengths": lengths}

    def costs(self, bits: int) -> dict[str, tuple[int, int]]:
        """Return the bytes of each section, and what they would be without coding."""
        coded = self.coded(bits)
        packed = coded.uncoded(bits)
        plain = {"keys": len(packed.high) + len(packed.low)}
        return {
            name: (len(getattr(coded, attribute)), plain.get(name, len(getattr(packed, attribute))))
            for name, attribute in SECTIONS.items()
        }


def record_fields(record: object) -> dict[str, type]:
    """Return the fields that a table's record must have: those of format 2 if it has lengths, else of format 1."""
    if isinstance(record, dict) and "lengths" in record:
        return {**dict.fromkeys(_FIELDS, int), "lengths": list}
    return dict.fromkeys(_FORMAT_1_FIELDS, int)


def read_table(
    n: int, record: Mapping[str, Any], bits: int, array: Callable[[str, str], bytes], error: Callable[[str], ModelError]
) -> _core.PackedTable:
    """Return the n-th table by its record, of the fields of `record_fields`; `array` takes a name and a dtype."""
    if any(record.get(name, 0) >= 1 << 31 for name in ("key_bits", "size_bits", "output_bits")):
        raise error("'tables' in its header has a width in bits that is out of range")
    if "lengths" not in record:
        fields = dict(record) | {attribute: array(f"{n}.{name}", "U8") for name, attribute in _FORMAT_1_ARRAYS.items()}
        return _core.PackedTable(**fields, values=array(f"{n}.weights", WEIGHT_DTYPES[bits]))
    lengths, data = record["lengths"], array(f"{n}.table", "U8")
    if len(lengths) != len(SECTIONS) or not all(type(length) is int and length >= 0 for length in lengths):
        raise error("'lengths' of 'tables' in its header are not four natural numbers")
    if sum(lengths) != len(data):
        raise error(f"its array '{n}.table' has {len(data)} bytes, not {sum(lengths):.4g} as its header says")
    fields = {name: record[name] for name in _FIELDS}
    return _core.PackedTable.of_coded(**fields, data=data, lengths=lengths)
