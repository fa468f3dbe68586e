"""The compression of a model file: codes of metadata, of arrays and of tables of weights.

docs/model-format.md describes the codes, and the metadata ``coded``, which says what is coded. The core has them in
core/base/coded_bytes.hpp, of bytes, and in core/model/coded_table.hpp, of tables and of keys in Elias-Fano form. Arrays
and metadata that coding does not make shorter are not coded. With names of features there is ``N.names`` beside table
N: UTF-8, one feature a line.
"""

import json
from collections.abc import Mapping

import sapwood._core as _core
from sapwood.errors import ModelError
from sapwood.model.file.container import HEADER_LIMIT, Array

_CODED = "coded"  # key of the metadata
METADATA = "metadata"  # the array of coded metadata
_PLAIN = ("format", "task")  # metadata that are not coded
_GAIN = 64  # bytes that coding must save at least, as it costs an entry in the header
_FEWEST_KEYS = 64  # fewer keys are not coded, as the width of a key cannot be computed from them


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
