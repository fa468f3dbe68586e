"""Tables of weights in a model file: in format 2 coded, one array each; in format 1 packed, five arrays each.

Table N of format 2 is the array ``N.table``: the coded keys, sizes, outputs and weights, one after another. How many
bytes each has, the table's record in the header says ("lengths"; see docs/model-format.md). The arrays of
format 1 are ``N.keys.high``, ``N.keys.low``, ``N.sizes``, ``N.outputs`` and ``N.weights``. Either has, with names,
``N.names``: UTF-8, one feature a line.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypedDict

from sapwood import _core
from sapwood.errors import ModelError
from sapwood.model.file.checked_json import fits
from sapwood.model.file.container import Array


class Record(TypedDict):
    """What the header says of a table of format 2."""

    features: int
    weights: int
    width: int
    key_bits: int
    lengths: list[int]  # in bytes, of the sections


class Format1Record(TypedDict):
    """What the header says of a table of format 1."""

    features: int
    weights: int
    width: int
    key_bits: int
    size_bits: int
    output_bits: int


_FORMAT_1_ARRAYS = ("keys.high", "keys.low", "sizes", "outputs")  # and the weights
WEIGHT_DTYPES = {8: "I8", 16: "I16", 32: "F32"}


@dataclass(repr=False)  # whose names may be millions
class TableInfo:
    """One table: its arrays, packed or coded, and, if kept, the names of its features."""

    packed: _core.PackedTable
    names: list[str] | None = None

    def coded(self, bits: int) -> _core.PackedTable:
        """Return the table as it is written to a file. Its weights have so many bits."""
        self.packed = self.packed.coded(bits)
        return self.packed

    def _sections(self, bits: int) -> list[bytes]:
        coded = self.coded(bits)
        return [coded.low, coded.sizes, coded.outputs, coded.values]

    def arrays(self, n: int, bits: int) -> dict[str, Array]:
        """Return the arrays of the model's n-th table."""
        arrays = {f"{n}.table": Array.of("U8", b"".join(self._sections(bits)))}
        if self.names is not None:
            text = "\n".join(name.replace("\n", " ") for name in self.names)
            arrays[f"{n}.names"] = Array.of("U8", text.encode())
        return arrays

    def record(self, bits: int) -> Record:
        """Return what stands in the header."""
        table, lengths = self.coded(bits), list(map(len, self._sections(bits)))
        return Record(
            features=table.features, weights=table.weights, width=table.width, key_bits=table.key_bits, lengths=lengths
        )

    def costs(self, bits: int) -> dict[str, tuple[int, int]]:
        """Return the bytes of each section, and what they would be without coding."""
        plain = self.coded(bits).uncoded(bits)
        sizes = [len(plain.high) + len(plain.low), len(plain.sizes), len(plain.outputs), len(plain.values)]
        names = ("keys", "sizes", "outputs", "weights")
        return dict(zip(names, zip(map(len, self._sections(bits)), sizes, strict=True), strict=True))


def read_table(n: int, record: object, bits: int, array: Callable[[str, str], bytes]) -> _core.PackedTable:
    """Return the n-th table by what the header says of it; `array` takes a name and a dtype. Raises ModelError."""
    if fits(record, Format1Record):
        _check_widths(record["key_bits"], record["size_bits"], record["output_bits"])
        high, low, sizes, outputs = (array(f"{n}.{name}", "U8") for name in _FORMAT_1_ARRAYS)
        values = array(f"{n}.weights", WEIGHT_DTYPES[bits])
        return _core.PackedTable(**record, high=high, low=low, sizes=sizes, outputs=outputs, values=values)
    if not fits(record, Record) or len(record["lengths"]) != 4:
        raise ModelError("'tables' in its header has something that is not the record of a table")
    _check_widths(record["key_bits"])
    data, wanted = array(f"{n}.table", "U8"), sum(record["lengths"])
    if wanted != len(data):
        raise ModelError(f"its array '{n}.table' has {len(data)} bytes, not {wanted:.4g} as its header says")
    return _core.PackedTable.of_coded(**record, data=data)


def _check_widths(*bits: int) -> None:
    if max(bits) >= 1 << 31:
        raise ModelError("'tables' in its header has a width in bits that is out of range")
