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
import stat
import zlib
from codecs import getincrementaldecoder
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import sapwood._core as _core
from sapwood.base.writing import check_replaceable, explained, replacing
from sapwood.errors import ModelError
from sapwood.io.decompression import MODEL, what_no_text_is
from sapwood.io.source import shown

_ALIGNMENT = 64
_FILLER = "_pad."
_AT_ONCE = 1 << 26  # bytes
HEADER_LIMIT = 16 << 20  # bytes
ITEM_SIZES = {"U8": 1, "I8": 1, "U16": 2, "I16": 2, "U32": 4, "I32": 4, "F32": 4, "U64": 8, "F64": 8}
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


def write(
    path: str | os.PathLike[str], arrays: Mapping[str, Array], metadata: Mapping[str, str], *, alone: bool = False
) -> int:
    """Write a container and return its size in bytes; the same arguments give the same bytes.

    The file at `path` is replaced in one step once everything is on disk: whoever has mapped the
    old one keeps it, and a failure or a signal leaves it untouched and nothing beside it. Permissions
    are what ``open`` would have given, links are followed, and a device or pipe is written straight to.
    alone : nobody else writes to this path, so what a killed writer left beside it is removed

    Raises `ModelError` if the file cannot be written, `ValueError` for a text that is not Unicode. Neither metadata nor
    arrays have a name of the container's own: ``checksum``, ``__metadata__``, ``_pad.N``.
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
    view = memoryview(buffer).toreadonly()
    try:
        metadata, arrays = _core.read_container(view)
    except ModelError as flaw:
        message = f"{shown(name)}: not a sapwood {kind}: {flaw}; copy or train it again"
        raise ModelError(message) from None
    in_order = sorted(arrays.items(), key=lambda named: named[1][2:])
    return metadata, {key: Array(dtype, shape, view[begin:end]) for key, (dtype, shape, begin, end) in in_order}


# Writing


def _layout(arrays: Mapping[str, Array], metadata: Mapping[str, str]) -> list[bytes | memoryview]:
    """Return the file's bytes in chunks: length and header, then each array."""
    texts = {"checksum": _ZEROS.decode(), **dict(sorted(metadata.items()))}
    header: dict[str, object] = {"__metadata__": texts}
    chunks: list[bytes | memoryview] = []
    end = 0
    for name, array in _with_fillers(arrays):
        view = memoryview(array.data)
        begin, end = end, end + view.nbytes
        assert view.nbytes == math.prod(array.shape) * ITEM_SIZES[array.dtype]
        header[name] = {"dtype": array.dtype, "shape": list(array.shape), "data_offsets": [begin, end]}
        chunks.append(view.cast("B") if view.nbytes else b"")
    try:
        text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    except UnicodeEncodeError as error:
        raise ValueError(f"the text {error.object[error.start : error.end]!a} is not Unicode") from None
    text += b" " * (-(8 + len(text)) % _ALIGNMENT)
    opening = bytearray(len(text).to_bytes(8, "little") + text)
    opening[_DIGITS] = _checksum([opening, *chunks])
    return [bytes(opening), *chunks]


def _with_fillers(arrays: Mapping[str, Array]) -> Iterator[tuple[str, Array]]:
    """Yield the arrays and, between them, the fillers that align them."""
    gap = fillers = 0
    for name, array in arrays.items():
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


def _is_text(start: bytes) -> bool:
    """Return true if the first bytes of a file are UTF-8 text: the size at the beginning of a model has zeros."""
    try:
        text = getincrementaldecoder("utf-8")().decode(start)
    except UnicodeDecodeError:
        return False
    return len(start) > 8 and all(letter.isprintable() or letter.isspace() for letter in text)
