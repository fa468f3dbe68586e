"""Files and standard input, a block of whole sentences at a time."""

import os
import sys
from collections.abc import Iterator

__all__ = ["read_blocks"]

_BLOCK = 1 << 22  # bytes read from a pipe at once, at most


def read_blocks(files: list[str]) -> Iterator[tuple[str, Iterator[bytes]]]:
    """Yield each file's name and its blocks; standard input is '-', or no file.

    A file is one block, so that it is checked as a whole before anything of it is written; standard input comes
    sentence by sentence, as soon as it is there.
    """
    from sapwood.io.text import read_bytes

    for name in files or ("-",):
        if name == "-":
            yield "standard input", _sentences(sys.stdin.fileno())
        else:
            yield name, iter([read_bytes(name)])


def _sentences(descriptor: int) -> Iterator[bytes]:
    """Yield what can be read, cut after blank lines, as soon as it is there."""
    rest = b""
    while block := os.read(descriptor, _BLOCK):
        start = max(len(rest) - 3, 0)  # an end of a sentence may straddle two blocks
        rest += block
        cut = max(rest.rfind(b"\n\n", start) + 2, rest.rfind(b"\n\r\n", start) + 3)
        if cut > 2:
            yield rest[:cut]
            rest = rest[cut:]
    if rest:
        yield rest
