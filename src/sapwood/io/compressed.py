"""Decompressing gzip, xz and bzip2 as the data come in. What a file is, its first bytes say, not its name."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain
from typing import Protocol

from sapwood.errors import DataError


class _Stream(Protocol):
    """A decompressor of lzma or bz2; while there is more to give, it is asked again with no data."""

    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int) -> bytes: ...


_Format = tuple[Callable[[], _Stream], type[Exception]]  # a decompressor, and its error for damaged data


ENDINGS = (".xz", ".gz", ".bz2")  # of names that promise compressed files

_SLICE = 1 << 16  # bytes taken in at once, so that what follows a stream's end is cheap to copy
_PIECE = 1 << 20  # bytes given out at once: fifty bytes of bzip2 may stand for as many megabytes


class _Gzip:
    """zlib's decompressor with the interface of the other two."""

    def __init__(self) -> None:
        self._stream = zlib.decompressobj(16 + zlib.MAX_WBITS)

    @property
    def eof(self) -> bool:
        return self._stream.eof

    @property
    def unused_data(self) -> bytes:
        return self._stream.unused_data

    def decompress(self, data: bytes, max_length: int) -> bytes:
        return self._stream.decompress(data or self._stream.unconsumed_tail, max_length)


def _gzip() -> _Format:
    return _Gzip, zlib.error


def _xz() -> _Format:
    import lzma

    return partial(lzma.LZMADecompressor, lzma.FORMAT_XZ), lzma.LZMAError


def _bzip2() -> _Format:
    import bz2

    return bz2.BZ2Decompressor, OSError


_BZIP2_BLOCKS = (b"1AY&SY", b"\x17rE8P\x90")  # first bytes of a block, and of the end of an empty file
_OPENINGS = {b"\x1f\x8b": _gzip, b"\xfd7zXZ\0": _xz} | {
    b"BZh%d%s" % (level, block): _bzip2 for level in range(1, 10) for block in _BZIP2_BLOCKS
}


def decompressed(chunks: Iterable[bytes], name: str) -> Iterator[bytes]:
    """Yield the content of a compressed file piece by piece, and that of any other file as it is.

    `name` stands for the file in messages. Raises DataError if it is damaged, or ends like a compressed file's name
    and the file is none.
    """
    rest = iter(chunks)
    head = b""
    for chunk in rest:
        head += chunk
        if not any(opening.startswith(head) for opening in _OPENINGS):
            break
    kind = next((kind for opening, kind in _OPENINGS.items() if head.startswith(opening)), None)
    if kind is not None:
        yield from _content(chain([head], rest), *kind(), name)
    elif name.endswith(ENDINGS):
        raise DataError(f"{name}: cannot decompress it: it is not compressed; give it another name")
    else:
        yield from chain([head] if head else [], rest)


def _content(
    chunks: Iterable[bytes], new_stream: Callable[[], _Stream], flaw: type[Exception], name: str
) -> Iterator[bytes]:
    """Yield what one or more streams in a row hold; zeros may fill up the file's end."""
    stream = new_stream()
    for data in (chunk[start : start + _SLICE] for chunk in chunks for start in range(0, len(chunk), _SLICE)):
        unread = data
        while unread := unread.lstrip(b"\0") if stream.eof else unread:
            if stream.eof:
                stream = new_stream()
            try:
                while piece := stream.decompress(unread, _PIECE):
                    yield piece
                    if stream.eof:
                        break
                    unread = b""
            except flaw as error:
                raise DataError(f"{name}: cannot decompress it: it is damaged ({error}); copy it again") from None
            unread = stream.unused_data
    if not stream.eof:
        raise DataError(f"{name}: cannot decompress it: it ends too early; copy it again")
