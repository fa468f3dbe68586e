"""Files and standard input, a block of whole sentences or lines at a time."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Literal

_AT_ONCE = 1 << 21  # bytes of a text that is read part by part


def read_blocks(
    files: list[str], ends: Literal["sentence", "line", "file"] = "sentence"
) -> Iterator[tuple[str, Iterator[bytes]]]:
    """Yield each file's name and its blocks; standard input is '-', or no file.

    A file is one block, so that it is checked as a whole before anything of it is written; standard input comes as
    soon as it is there, in blocks that end with a sentence or a line, or as one.
    """
    from sapwood.io.source import chunks
    from sapwood.io.text import read_bytes

    for name in files or ("-",):
        if name == "-":
            yield "standard input", _complete(chunks("-", "standard input"), ends)
        else:
            yield name, iter([read_bytes(name)])


def read_chunks(files: list[str]) -> Iterator[tuple[str, Iterator[bytes]]]:
    """Yield each file's name and its bytes, a part at a time; standard input is '-', or no file."""
    from sapwood.io.source import chunks

    for name in files or ("-",):
        shown = "standard input" if name == "-" else name
        yield shown, chunks(name, shown, at_once=_AT_ONCE)


def _complete(blocks: Iterator[bytes], ends: str) -> Iterator[bytes]:
    """Yield what can be read, cut after the last sentence or line, as soon as it is there."""
    from sapwood.io.source import check_size

    rest = b""
    for block in blocks:
        check_size(len(rest) + len(block), "standard input")
        start = max(len(rest) - 3, 0)  # an end of a sentence may straddle two blocks
        rest += block
        cut = 0
        if ends == "line":
            cut = rest.rfind(b"\n", start) + 1
        elif ends == "sentence":
            cut = max(rest.rfind(b"\n\n", start) + 2, rest.rfind(b"\n\r\n", start) + 3)
            cut = cut if cut > 2 else 0
        if cut > 0:
            yield rest[:cut]
            rest = rest[cut:]
    if rest:
        yield rest
