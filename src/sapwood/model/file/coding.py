"""The compression of a model file: codes of metadata, of arrays and of tables of weights.

A coded array has dtype ``U8``. The metadata ``coded``, a JSON object, maps its name to the dtype and the number of
bytes of the decoded array: ``{"0.names": ["U8", 70211]}``. Coded metadata are in the array ``metadata``, which decoded
is a JSON object of strings; ``format`` and ``task`` stay as they are. The code is that of core/base/coded_bytes.hpp.

The arrays ``X.high`` and ``X.low`` are keys in Elias-Fano form (core/base/elias_fano.hpp). They are coded as the keys
of a table are (core/model/coded_table.hpp), in the array ``X.high``: ``{"X.high": ["keys", count, key_bits]}``.

An array that equals an earlier one is not written again: ``{"lemmatizer/extra.lexicon.low": ["same", NAME]}``.

Arrays and metadata that coding does not make shorter are not coded. If nothing is, there is no ``coded``.

Table N is the array ``N.table``: the coded keys, sizes, outputs and weights, one after another. The table's record in
the header says how many bytes each has ("lengths"; see docs/model-format.md). With names there is ``N.names``, too:
UTF-8, one feature a line.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from sapwood import _core
from sapwood.errors import ModelError
from sapwood.io.json_text import parsed
from sapwood.model.file.container import HEADER_LIMIT, ITEM_SIZES, Array
from sapwood.model.file.records import TableRecord

_CODED = "coded"  # key of the metadata
METADATA = "metadata"  # the array of coded metadata
_PLAIN = ("format", "task")  # metadata that are not coded
_GAIN = 64  # bytes that coding must save at least, as it costs an entry in the header
_FEWEST_KEYS = 64  # fewer keys are not coded, as the width of a key cannot be computed from them
_LARGEST = 1 << 40  # bytes of an array


def coded(arrays: Mapping[str, Array], metadata: Mapping[str, str]) -> tuple[dict[str, Array], dict[str, str]]:
    """Return arrays and metadata as they are written to a file; tables of weights have a code of their own."""
    texts = {key: text for key, text in metadata.items() if key not in _PLAIN}
    written, sizes = dict(arrays), dict[str, list[str | int]]()
    text = json.dumps(texts, ensure_ascii=False, separators=(",", ":")).encode()
    if len(text) <= HEADER_LIMIT and (code := _shorter(text)) is not None:
        written[METADATA] = code
        sizes[METADATA] = ["U8", len(text)]
        texts = {}
    for name, first in _equal(arrays).items():
        sizes[name] = ["same", first]
        del written[name]
    for name in arrays:
        if name in written and (keys := _keys(name, arrays)) is not None:
            written[name], sizes[name] = keys
            del written[name.removesuffix("high") + "low"]
    for name, array in arrays.items():
        if name in sizes or name not in written:
            continue
        if not name.endswith(".table") and (code := _shorter(array.data)) is not None:
            written[name] = code
            sizes[name] = [array.dtype, memoryview(array.data).nbytes]
    plain = {key: metadata[key] for key in _PLAIN if key in metadata} | texts
    return written, plain | ({_CODED: json.dumps(sizes, separators=(",", ":"))} if sizes else {})


def _equal(arrays: Mapping[str, Array]) -> dict[str, str]:
    """Return the arrays that equal an earlier one, by name, with the name of the first one."""
    firsts: dict[tuple[str, bytes], str] = {}
    equal = {}
    for name, array in arrays.items():
        if memoryview(array.data).nbytes < _GAIN:
            continue
        first = firsts.setdefault((array.dtype, bytes(array.data)), name)
        if first != name and arrays[first].shape == array.shape:
            equal[name] = first
    return equal


def _keys(name: str, arrays: Mapping[str, Array]) -> tuple[Array, list[str | int]] | None:
    """Return the code of keys in Elias-Fano form, and the entry of `coded`, if these arrays are such."""
    begin, _, end = name.rpartition(".")
    if end != "high" or f"{begin}.low" not in arrays:
        return None
    high, low = (bytes(arrays[f"{begin}.{half}"].data) for half in ("high", "low"))
    count = int.from_bytes(high, "little").bit_count()
    low_bits = 8 * len(low) // max(1, count)
    if count < _FEWEST_KEYS or low_bits == 0:
        return None
    key_bits = low_bits + count.bit_length() - 1
    try:
        code = _core.code_keys(high, low, count, key_bits)
    except ModelError:
        return None
    if len(code) + _GAIN > len(high) + len(low) or _core.decode_keys(code, count, key_bits) != (high, low):
        return None
    return Array.of("U8", code), ["keys", count, key_bits]


def _shorter(data: bytes | memoryview) -> Array | None:
    data = bytes(data)
    code = _core.code_bytes(data)
    gain = max(_GAIN, len(data) // 32)  # less is not worth the time that decoding takes
    return Array.of("U8", code) if len(code) + gain <= len(data) else None


def decoded(arrays: Mapping[str, Array], metadata: Mapping[str, str]) -> tuple[dict[str, Array], dict[str, str]]:
    """Undo `coded`. Raises ModelError."""
    if _CODED not in metadata:
        return dict(arrays), dict(metadata)
    codes = parsed(metadata[_CODED], dict[str, list[str | int]], "'coded' in its header")
    found = {name: array for name, array in arrays.items() if name not in codes}
    same: dict[str, object] = {}
    for name, code in codes.items():
        match code:
            case ["same", *first]:
                same[name] = first[0] if len(first) == 1 else None
            case ["keys", int(count), int(key_bits)]:
                found |= _decoded_keys(name, count, key_bits, arrays)
            case [str(dtype), int(count)] if dtype in ITEM_SIZES and count % ITEM_SIZES[dtype] == 0:
                found[name] = _decoded_array(name, dtype, count, arrays)
            case _:
                raise ModelError(f"'coded' in its header does not say what the array {name[:40]!a} is")
    for name, other in same.items():
        if not isinstance(other, str) or other in same or other not in found or name in found or name == METADATA:
            raise ModelError(f"'coded' in its header does not say which array {name[:40]!a} equals")
        found[name] = found[other]
    texts = {key: text for key, text in metadata.items() if key != _CODED}
    if METADATA in codes:
        texts |= _texts(bytes(found.pop(METADATA).data), texts)
    return found, texts


def _decoded_array(name: str, dtype: str, count: int, arrays: Mapping[str, Array]) -> Array:
    if not 0 < count <= (HEADER_LIMIT if name == METADATA else _LARGEST):
        raise ModelError(f"'coded' in its header has a number of bytes that array {name[:40]!a} cannot have")
    if name not in arrays or arrays[name].dtype != "U8" or len(arrays[name].shape) != 1:
        raise ModelError(f"it has no coded array {name[:40]!a}")
    try:
        return Array.of(dtype, _core.decode_bytes(bytes(arrays[name].data), count))
    except ModelError as flaw:
        raise ModelError(f"its array {name[:40]!a}: {flaw}") from None


def _decoded_keys(name: str, count: int, key_bits: int, arrays: Mapping[str, Array]) -> dict[str, Array]:
    low = name.removesuffix("high") + "low"
    if low == name or low in arrays or name not in arrays or arrays[name].dtype != "U8":
        raise ModelError(f"it has no coded keys {name[:40]!a}, or has them twice")
    if not 0 < count < _LARGEST or not 0 < key_bits <= 64:
        raise ModelError(f"'coded' in its header has a number of keys {name[:40]!a}, or of their bits, that cannot be")
    try:
        halves = _core.decode_keys(bytes(arrays[name].data), count, key_bits)
    except ModelError as flaw:
        raise ModelError(f"its array {name[:40]!a}: {flaw}") from None
    return {key: Array.of("U8", half) for key, half in zip((name, low), halves, strict=True)}


def _texts(data: bytes, header: Mapping[str, str]) -> dict[str, str]:
    """Return the decoded metadata. Raises ModelError if they have a name that the header has, too."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise ModelError("its coded metadata are not UTF-8") from None
    texts = parsed(text, dict[str, str], "'metadata', which is coded,")
    if not texts.keys().isdisjoint({*header, _CODED}):
        raise ModelError("its coded metadata have a name that its header has, too")
    return texts


class TableInfo:
    """A table of weights, packed or coded, and the names of its features if they are kept."""

    def __init__(self, packed: _core.PackedTable, names: list[str] | None = None) -> None:
        self.packed, self.names = packed, names

    def coded(self, bits: int) -> _core.PackedTable:
        """Code the table as it is written to a file, its weights in so many bits, and return it."""
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

    def record(self, bits: int) -> TableRecord:
        """Return the table's record in the header."""
        table, lengths = self.coded(bits), list(map(len, self._sections(bits)))
        return TableRecord(
            features=table.features, weights=table.weights, width=table.width, key_bits=table.key_bits, lengths=lengths
        )

    def costs(self, bits: int) -> dict[str, tuple[int, int]]:
        """Return the bytes of each section, and its bytes without coding."""
        plain = self.coded(bits).uncoded(bits)
        sizes = [len(plain.high) + len(plain.low), len(plain.sizes), len(plain.outputs), len(plain.values)]
        names = ("keys", "sizes", "outputs", "weights")
        return dict(zip(names, zip(map(len, self._sections(bits)), sizes, strict=True), strict=True))


def read_table(n: int, record: TableRecord, array: Callable[[str, str], bytes]) -> _core.PackedTable:
    """Return the n-th table from its record; array(name, dtype) returns an array's bytes. Raises ModelError."""
    if len(record["lengths"]) != 4:
        raise ModelError("'tables' in its header has a table without the lengths of its four sections")
    if record["key_bits"] >= 1 << 31:
        raise ModelError("'tables' in its header has a width in bits that is out of range")
    data, wanted = array(f"{n}.table", "U8"), sum(record["lengths"])
    if wanted != len(data):
        raise ModelError(f"its array '{n}.table' has {len(data)} bytes, not {wanted:.4g} as its header says")
    return _core.PackedTable.of_coded(**record, data=data)
