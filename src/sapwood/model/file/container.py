"""The container of a model file: strict safetensors, written whole or not at all.

::

    length    of the header in bytes, 8 of them, little-endian
    header    {"__metadata__":{"checksum":"5f0c39a1", ...},
               "keys":{"dtype":"U32","shape":[3],"data_offsets":[0,12]},
               "_pad.0":{"dtype":"U8","shape":[52],"data_offsets":[12,64]}, ...}
              and spaces, so that the data start at a multiple of 64
    data      the arrays, little-endian, in the header's order, without holes

Every safetensors reader can open it; ours accepts less. An array starts at a multiple of 64 bytes
from the start of the file, so that it can be used where it is mapped. As safetensors forbids holes,
the gap before it is an array too, the filler ``_pad.N``: fewer than 64 zero bytes.

The checksum is the CRC-32 of the whole file with its own eight digits taken as zeros. It always
comes first, so a reader finds it before believing anything else that the file says. It is there to
notice damage, not malice: every other check stands without it.

>>> write("/dev/null", {"keys": Array("U32", (3,), bytes(12))}, {"task": "tag"})
140
"""

from __future__ import annotations

import json
import math
import mmap
import os
import re
import stat
import zlib
from codecs import getincrementaldecoder
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from sapwood.base.writing import check_replaceable, explained, replacing
from sapwood.errors import ModelError
from sapwood.io.decompression import MODEL, what_no_text_is
from sapwood.io.json_text import BadJson, read_json
from sapwood.io.source import shown

_ALIGNMENT = 64
_FILLER = "_pad."
_AT_ONCE = 1 << 26  # bytes
HEADER_LIMIT = 16 << 20  # bytes
_ELEMENT_LIMIT = 1 << 48
ITEM_SIZES = {"U8": 1, "I8": 1, "U16": 2, "I16": 2, "U32": 4, "I32": 4, "F32": 4, "U64": 8, "F64": 8}
_OPENING = re.compile(rb'\{"__metadata__":\{"checksum":"[0-9a-f]{8}"')
_DIGITS = slice(37, 45)  # place of the checksum in the file
_ZEROS = b"00000000"


class Array(NamedTuple):
    """A typed, shaped run of raw little-endian bytes."""

    dtype: str  # one of ITEM_SIZES
    shape: tuple[int, ...]
    data: bytes | memoryview

    @classmethod
    def of(cls, dtype: str, data: bytes | memoryview) -> Array:
        """Return an array of one dimension."""
        return cls(dtype, (len(data) // ITEM_SIZES[dtype],), data)


class _Flaw(ValueError):
    """A flaw of a container; `parse` adds the file's name and advice."""


def write(
    path: str | os.PathLike[str], arrays: Mapping[str, Array], metadata: Mapping[str, str], *, alone: bool = False
) -> int:
    """Write a container and return its size in bytes; the same arguments give the same bytes.

    The file at `path` is replaced in one step once everything is on disk: whoever has mapped the
    old one keeps it, and a failure or a signal leaves it untouched and nothing beside it. Permissions
    are what ``open`` would have given, links are followed, and a device or pipe is written straight to.
    alone : nobody else writes to this path, so what a killed writer left beside it is removed

    Raises `ModelError` if the file cannot be written, `ValueError` for arguments no file can hold.
    """
    with explained(path, "written", ModelError), replacing(path, alone) as file:
        chunks = _layout(arrays, metadata)
        if len(chunks[0]) - 8 > HEADER_LIMIT:
            why = "its names and metadata are over 16 MiB; train with fewer labels"
            raise ModelError(f"{shown(path)}: cannot be written: {why}")
        file.writelines(chunks)
    return sum(map(len, chunks))


def dump(arrays: Mapping[str, Array], metadata: Mapping[str, str]) -> bytes:
    """Return the bytes that `write` would write."""
    return b"".join(_layout(arrays, metadata))


def size(arrays: Mapping[str, Array], metadata: Mapping[str, str]) -> int:
    """Return the bytes of the container that `write` would write."""
    return sum(map(len, _layout(arrays, metadata)))


def check_writable(path: str | os.PathLike[str], *, alone: bool = False) -> None:
    """Raise the `ModelError` that `write` would raise for this path, before minutes of training."""
    with explained(path, "written", ModelError):
        check_replaceable(path, alone)


def read(path: str | os.PathLike[str], kind: str = "model") -> tuple[dict[str, str], dict[str, Array]]:
    """Map a container and return its metadata and arrays, everything checked. `kind` is its noun in messages.

    The arrays' data are views of the read-only map, which lives as long as they do. Nobody may
    rewrite the file in place meanwhile; `write` does not, it replaces it.

    Raises `ModelError` if there is no such file, or it is not what `write` promises.
    """
    with explained(path, "read", ModelError):
        if stat.S_IFMT(os.stat(path).st_mode) not in (stat.S_IFREG, stat.S_IFDIR):  # noqa: PTH116
            why = f"it is a device or pipe; copy the {kind} to a file first"
            raise ModelError(f"{shown(path)}: cannot be read: {why}")
        with open(path, "rb") as file:  # noqa: PTH123
            try:
                buffer: bytes | mmap.mmap = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            except ValueError:  # an empty file cannot be mapped
                buffer = b""
    return parse(buffer, os.fspath(path), kind)


def parse(
    buffer: bytes | memoryview | mmap.mmap, name: str, kind: str = "model"
) -> tuple[dict[str, str], dict[str, Array]]:
    """Check a container in memory and return its metadata and arrays, which are views of `buffer`.

    Raises `ModelError` with `name`, the kind and the reason at the first flaw.
    """
    if _is_text(bytes(buffer[:64])):
        where = "; the model stands before the texts" if kind == "model" else ""
        raise ModelError(f"{shown(name)}: not a sapwood {kind}: it is a text{where}")
    if not MODEL.match(buffer[:64]) and (what := what_no_text_is(bytes(buffer[:4096]))):
        raise ModelError(f"{shown(name)}: not a sapwood {kind}: this is {what}")
    try:
        header, data = _header_and_data(memoryview(buffer).toreadonly())
        metadata = _metadata(header.pop("__metadata__"))
        return metadata, _arrays(header, data)
    except _Flaw as flaw:
        message = f"{shown(name)}: not a sapwood {kind}: {flaw}; copy or train it again"
        raise ModelError(message) from None


# Writing


def _layout(arrays: Mapping[str, Array], metadata: Mapping[str, str]) -> list[bytes | memoryview]:
    """Return the file's bytes in chunks: length and header, then each array."""
    _require("checksum" not in metadata, "metadata 'checksum' is the container's own; choose another name")
    texts = {"checksum": _ZEROS.decode(), **dict(sorted(metadata.items()))}
    _metadata(texts)
    header: dict[str, object] = {"__metadata__": texts}
    chunks: list[bytes | memoryview] = []
    end = 0
    for name, array in _with_fillers(arrays):
        view = memoryview(array.data)
        begin, end = end, end + view.nbytes
        header[name] = {"dtype": array.dtype, "shape": list(array.shape), "data_offsets": [begin, end]}
        _entry(name, header[name])
        chunks.append(view.cast("B") if view.nbytes else b"")
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    text += b" " * (-(8 + len(text)) % _ALIGNMENT)
    opening = bytearray(len(text).to_bytes(8, "little") + text)
    opening[_DIGITS] = _checksum([opening, *chunks])
    return [bytes(opening), *chunks]


def _with_fillers(arrays: Mapping[str, Array]) -> Iterator[tuple[str, Array]]:
    """Yield the arrays and, between them, the fillers that align them."""
    gap = fillers = 0
    for name, array in arrays.items():
        is_ours = name == "__metadata__" or name.startswith(_FILLER)
        _require(not is_ours, f"array name {name!a} is the container's own; choose another name")
        if gap:
            yield f"{_FILLER}{fillers}", Array("U8", (gap,), bytes(gap))
            fillers += 1
        yield name, array
        gap = -memoryview(array.data).nbytes % _ALIGNMENT


def _checksum(parts: Iterable[bytes | bytearray | memoryview]) -> bytes:
    crc = 0
    for part in parts:
        view = memoryview(part).cast("B")
        for begin in range(0, len(view), _AT_ONCE):  # between two pieces Python handles signals
            crc = zlib.crc32(view[begin : begin + _AT_ONCE], crc)
    return b"%08x" % crc


# Reading: each check trusts only what was checked before it.


def _is_text(start: bytes) -> bool:
    """Return true if the first bytes of a file are UTF-8 text: the size at the beginning of a model has zeros."""
    try:
        text = getincrementaldecoder("utf-8")().decode(start)
    except UnicodeDecodeError:
        return False
    return len(start) > 8 and all(letter.isprintable() or letter.isspace() for letter in text)


def _header_and_data(view: memoryview) -> tuple[dict[str, object], memoryview]:
    """Split a file whose checksum is right into the header's JSON object and the data."""
    _require(len(view) >= 8, f"it has only {len(view)} bytes (truncated file?)")
    length = int.from_bytes(view[:8], "little")
    braced = length > 0 and bytes(view[8:9]) in (b"{", b"")
    _require(braced, "its header does not start with '{' (is it another kind of file?)")
    _require(length <= HEADER_LIMIT, f"its header claims {length} bytes, over the limit of 16 MiB")
    _require(8 + length <= len(view), "the header ends before it should (truncated file?)")
    text, data = bytes(view[8 : 8 + length]), view[8 + length :]
    _require((8 + length) % _ALIGNMENT == 0, f"its data do not start at a multiple of {_ALIGNMENT} bytes")
    _require(bool(_OPENING.match(text)), "its header has no checksum in front (written by another program?)")
    right = _checksum([view[: _DIGITS.start], _ZEROS, view[_DIGITS.stop :]])
    _require(view[_DIGITS] == right, "its checksum does not match (truncated or altered file?)")
    try:
        header = read_json(text.decode())
    except UnicodeDecodeError:
        raise _Flaw("its header is not UTF-8") from None
    except BadJson as error:
        raise _Flaw(f"its header {error}") from None
    assert isinstance(header, dict)  # as _OPENING has it
    return header, data


def _metadata(metadata: object) -> dict[str, str]:
    assert isinstance(metadata, dict)  # as _OPENING has it
    for name, value in metadata.items():
        _require(isinstance(value, str), f"its metadata {name[:40]!a} are not a string")
        _require_unicode(name + value)
    return {name: value for name, value in metadata.items() if name != "checksum"}


def _arrays(entries: dict[str, object], data: memoryview) -> dict[str, Array]:
    arrays: dict[str, Array] = {}
    position = fillers = 0
    is_filler = False
    for name, entry in entries.items():
        dtype, shape, begin, end = _entry(name, entry)
        where = f"array {name[:40]!a}"
        _require(begin == position, f"{where} overlaps the one before it, or leaves a hole")
        _require(end <= len(data), f"{where} ends outside the file (truncated file?)")
        gap, position, view = -begin % _ALIGNMENT, end, data[begin:end]
        if is_filler := name.startswith(_FILLER):
            is_next = name == f"{_FILLER}{fillers}" and dtype == "U8" and gap > 0
            _require(is_next and view == bytes(gap), f"{where} is not the zeros that align the next array")
            fillers += 1
        else:
            _require(gap == 0, f"{where} does not start at a multiple of {_ALIGNMENT} bytes")
            arrays[name] = Array(dtype, shape, view)
    _require(not is_filler, "a filler follows its last array")
    _require(position == len(data), f"{len(data) - position} bytes follow its last array")
    return arrays


def _entry(name: str, entry: object) -> tuple[str, tuple[int, ...], int, int]:
    """Return dtype, shape, begin and end in the header's entry of an array, each checked."""
    where = f"array {name[:40]!a}"
    _require_unicode(name)
    if not isinstance(entry, dict) or entry.keys() != {"dtype", "shape", "data_offsets"}:
        raise _Flaw(f"{where} is not described by dtype, shape and data_offsets")
    dtype, shape, offsets = entry["dtype"], entry["shape"], entry["data_offsets"]
    _require(isinstance(dtype, str) and dtype in ITEM_SIZES, f"{where} has an unknown dtype")
    _require(_are_counts(shape), f"{where} has a shape that is not a list of natural numbers")
    is_small = len(shape) <= 8 and math.prod(max(count, 1) for count in shape) <= _ELEMENT_LIMIT
    _require(is_small, f"{where} has a shape that is too large")
    is_range = _are_counts(offsets) and len(offsets) == 2 and offsets[0] <= offsets[1]
    _require(is_range, f"{where} has data_offsets that are not a begin and an end")
    fits = offsets[1] - offsets[0] == math.prod(shape) * ITEM_SIZES[dtype]
    _require(fits, f"{where} has a dtype and shape that do not fit its bytes")
    return dtype, tuple(shape), offsets[0], offsets[1]


def _are_counts(value: object) -> bool:
    return isinstance(value, list) and all(type(count) is int and count >= 0 for count in value)


def _require_unicode(text: str) -> None:
    """Refuse lone surrogates, which JSON can escape but no other program can read."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise _Flaw(f"the text {text[:40]!a} is not Unicode") from None


def _require(holds: bool, otherwise: str) -> None:
    if not holds:
        raise _Flaw(otherwise)
