"""Raw text that comes in chunks: its documents, as soon as they are certain."""

from __future__ import annotations

from codecs import getincrementaldecoder
from collections.abc import Iterable, Iterator

from sapwood import _core

PIECE = 1 << 14  # bytes of a text that is analysed piece by piece
_LONG = 1 << 17  # bytes of a line that are kept for its end to come


def documents_of(
    pipeline: _core.Pipeline, chunks: Iterable[bytes], name: str, prompt: bool, threads: int
) -> Iterator[_core.Doc]:
    """Yield the documents of a text that comes in chunks of bytes; `Pipeline.annotate` says more."""
    text, first, continues = b"", 0, False

    def read(goes_on: bool) -> Iterator[_core.Doc]:
        nonlocal text, first, continues
        part = text[: _whole_characters(text)] if goes_on else text
        docs = pipeline.read(part, name, first, goes_on, continues, prompt, threads)
        if docs:
            continues = docs[-1].within_paragraph
            done = sum(doc.size for doc in docs)
            text, first = text[done:], first + done
        yield from docs

    for chunk in chunks:
        text += chunk
        if b"\n" in chunk or len(text) > _LONG:
            yield from read(True)
    if text:
        yield from read(True)
    if text:
        yield from read(False)


def pieces(data: bytes, size: int = PIECE) -> Iterator[bytes]:
    """Yield a text in pieces, each of which is read before the next."""
    for begin in range(0, len(data), size):
        yield data[begin : begin + size]


def replaced(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield chunks with U+FFFD in place of invalid UTF-8 and of NUL."""
    decoder = getincrementaldecoder("utf-8")("replace")
    for chunk in chunks:
        yield decoder.decode(chunk).replace("\0", "\ufffd").encode()
    yield decoder.decode(b"", final=True).encode()


def _whole_characters(text: bytes) -> int:
    """Return the size of a text without a character at the end that may be cut."""
    size = len(text)
    for at in range(size - 1, max(size - 4, -1), -1):
        if text[at] >= 0xC0:
            return at
        if text[at] < 0x80:
            return size
    return size
