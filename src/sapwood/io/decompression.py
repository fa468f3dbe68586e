"""Decompression by gzip, xz and bzip2, whose modules Python in a browser may lack."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain
from typing import NamedTuple, Protocol

from sapwood.errors import DataError
from sapwood.io.no_text import is_text, what_no_text_is

_SLICE = 1 << 16  # bytes decompressed at once, so that what follows a stream's end is cheap to copy
_PIECE = 1 << 20  # bytes given out at once: fifty bytes of bzip2 may stand for as many megabytes


class _Stream(Protocol):
    """A decompressor of lzma or bz2; while there is more to give, it is asked again with no data."""

    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int) -> bytes: ...


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


class _Format(NamedTuple):
    """A way to compress: its decompressor, and what that raises for damaged data."""

    stream: Callable[[], _Stream]
    flaw: type[Exception]


_BZIP2_BLOCKS = (b"1AY&SY", b"\x17rE8P\x90")  # first bytes of a block, and of the end of an empty file
_OPENINGS = {  # first bytes of a file -> how it is compressed
    b"\x1f\x8b": "gzip",
    b"\xfd7zXZ\0": "xz",
    **dict.fromkeys((b"BZh%d%s" % (n, block) for n in range(1, 10) for block in _BZIP2_BLOCKS), "bzip2"),
}


def _format(name: str) -> _Format:
    """Return a format, and import its module."""
    if name == "gzip":
        return _Format(_Gzip, zlib.error)
    if name == "xz":
        import lzma

        return _Format(partial(lzma.LZMADecompressor, lzma.FORMAT_XZ), lzma.LZMAError)
    import bz2

    return _Format(bz2.BZ2Decompressor, OSError)


def decompressed(parts: Iterable[bytes], name: str, promised: bool = False) -> Iterator[bytes]:
    """Yield the content of a compressed file piece by piece, and that of any other file as it is.

    `name` stands for the file in messages. Raises DataError if it is damaged, or if its own name promises a compressed
    file and it is none.
    """
    rest = iter(parts)
    head = b""
    for part in rest:
        head += part
        if not any(opening.startswith(head) for opening in _OPENINGS):
            break
    form = next((form for opening, form in _OPENINGS.items() if head.startswith(opening)), None)
    if form is not None:
        yield from _content(chain([head], rest), _format(form), name)
    elif promised:
        raise DataError(f"{name}: cannot decompress it: it is not compressed; give it another name")
    else:
        if not is_text(head[:4096]) and (what := what_no_text_is(head, name)):
            raise DataError(f"{name}: this is {what}")
        yield from chain([head] if head else [], rest)


def _content(parts: Iterable[bytes], form: _Format, name: str) -> Iterator[bytes]:
    """Yield the content of one or more compressed streams in a row; zeros may fill up the file's end."""
    stream = form.stream()
    for data in (part[start : start + _SLICE] for part in parts for start in range(0, len(part), _SLICE)):
        unread = data
        while unread := unread.lstrip(b"\0") if stream.eof else unread:
            if stream.eof:
                stream = form.stream()
            try:
                while piece := stream.decompress(unread, _PIECE):
                    yield piece
                    if stream.eof:
                        break
                    unread = b""
            except form.flaw as error:
                raise DataError(f"{name}: cannot decompress it: it is damaged ({error}); copy it again") from None
            unread = stream.unused_data
    if not stream.eof:
        raise DataError(f"{name}: cannot decompress it: it ends too early; copy it again")
