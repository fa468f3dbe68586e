"""The first bytes of a file: they tell how it is compressed, or that it is no text.

Python in a browser may lack the modules of gzip, xz and bzip2.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING

from sapwood.base.writing import MODEL as MODEL
from sapwood.errors import DataError

if TYPE_CHECKING:
    from bz2 import BZ2Decompressor
    from lzma import LZMADecompressor

_AS_TEXT = "write what is in it as CSV or lines of JSON, for taggers and parsers a word a line"
_PARQUET = re.compile(r"\.parquet(?:\.gz|\.xz|\.bz2)?'?$")  # end of a name, which may be shown in quotes
_SLICE = 1 << 16  # bytes decompressed at once, so that what follows a stream's end is cheap to copy
_PIECE = 1 << 20  # bytes given out at once: fifty bytes of bzip2 may stand for as many megabytes


def _no_text() -> dict[re.Pattern[bytes], str]:
    return {
        MODEL: "a model of sapwood or a checkpoint, not data; the model comes first, then the data",
        re.compile(b"PAR1"): (
            "a Parquet file; classifiers and taggers, and 'annotate' and 'tag' with --to, read it as .parquet; "
            f"for others {_AS_TEXT} (pandas.read_parquet)"
        ),
        re.compile(b"ARROW1|FEA1"): f"an Arrow or Feather file; {_AS_TEXT} (pandas.read_feather(...).to_csv(...))",
        re.compile(rb"(?s)\xff{4}.{3}\0\x10\0\0\0"): (
            "an Arrow stream, as the library datasets saves its data; write them by to_parquet, to_json or to_csv"
        ),
        re.compile(rb"(?s)PK\x03\x04.{26}(?:\[Content_Types\]|_rels/|docProps/|xl/|word/|mimetype)"): (
            "a document of an office program (.xlsx, .docx, .odt); save its table as CSV, or its text as .txt"
        ),
        re.compile(rb"\xd0\xcf\x11\xe0"): "a document of an office program; save its table as CSV, or its text as .txt",
        re.compile(rb"PK(?:\x03\x04|\x05\x06)"): "a zip archive; unzip it first",
        re.compile(rb"7z\xbc\xaf|Rar!"): "an archive; unpack it first",
        re.compile(rb"\x28\xb5\x2f\xfd"): "compressed by zstd; decompress it first (zstd -d)",
        re.compile(rb"(?s).{257}ustar"): "a tar archive; unpack it first (tar -xf)",
        re.compile(b"%PDF-"): "a PDF; take the text out of it first (pdftotext)",
        re.compile(rb"\x80[\x02-\x05]"): f"a pickle of Python; {_AS_TEXT}",
        re.compile(rb"\x93NUMPY|\x89HDF"): f"an array of numbers (NumPy, HDF5); {_AS_TEXT}",
        re.compile(rb"SQLite format 3"): f"an SQLite database; {_AS_TEXT} (sqlite3 -csv)",
        re.compile(rb"\x89PNG|\xff\xd8\xff|GIF8"): "a picture; only text can be read",
    }


def what_no_text_is(start: bytes) -> str:
    """Return the kind of a file that is no text, by its first bytes, and what to do; empty if it is not well known."""
    seen = start[:4096]
    if seen.isascii() and b"\0" not in seen:
        return ""
    return next((what for beginning, what in _no_text().items() if beginning.match(seen)), "")


def is_text(data: bytes) -> bool:
    """Return true if bytes are UTF-8 without NUL."""
    try:
        return "\0" not in data.decode()
    except UnicodeDecodeError:
        return False


class _Gzip:
    """zlib's decompressor with the interface of the others: while there is more, it is asked again with no data."""

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


_BZIP2_BLOCKS = (b"1AY&SY", b"\x17rE8P\x90")  # first bytes of a block, and of the end of an empty file
_OPENINGS = {  # first bytes of a file -> how it is compressed
    b"\x1f\x8b": "gzip",
    b"\xfd7zXZ\0": "xz",
    **dict.fromkeys((b"BZh%d%s" % (n, block) for n in range(1, 10) for block in _BZIP2_BLOCKS), "bzip2"),
}


def _format(name: str) -> tuple[Callable[[], _Gzip | BZ2Decompressor | LZMADecompressor], type[Exception]]:
    """Return the decompressor of a format, and what it raises for damaged data."""
    if name == "gzip":
        return _Gzip, zlib.error
    if name == "xz":
        import lzma

        return partial(lzma.LZMADecompressor, lzma.FORMAT_XZ), lzma.LZMAError
    import bz2

    return bz2.BZ2Decompressor, OSError


def decompressed(parts: Iterable[bytes], name: str, promised: bool = False, *, tables: bool = False) -> Iterator[bytes]:
    """Yield the content of a compressed file piece by piece, and that of any other file as it is.

    `name` stands for the file in messages. Raises DataError if it is damaged, if its own name promises a compressed
    file and it is none, or if its content is well known and no text.

    tables : a Parquet file that is named as one is wanted
    """
    rest = iter(parts)
    head = b""
    for part in rest:
        head += part
        if not any(opening.startswith(head) for opening in _OPENINGS):
            break
    form = next((form for opening, form in _OPENINGS.items() if head.startswith(opening)), None)
    if form is None and promised:
        raise DataError(f"{name}: cannot decompress it: it is not compressed; give it another name")
    whole = chain([head] if head else [], rest)
    content = whole if form is None else _content(whole, form, name)
    start = next(content, b"")
    is_wanted = tables and start.startswith(b"PAR1") and _PARQUET.search(name)
    if not is_wanted and not is_text(start[:4096]) and (what := what_no_text_is(start)):
        raise DataError(f"{name}: {'' if form is None else f'compressed by {form}, '}this is {what}")
    yield from chain([start] if start else [], content)


def _content(parts: Iterable[bytes], form: str, name: str) -> Iterator[bytes]:
    """Yield the content of one or more compressed streams in a row; zeros may fill up the file's end."""
    opened, flaw = _format(form)
    stream = opened()
    for data in (part[start : start + _SLICE] for part in parts for start in range(0, len(part), _SLICE)):
        unread = data
        while unread := unread.lstrip(b"\0") if stream.eof else unread:
            if stream.eof:
                stream = opened()
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
