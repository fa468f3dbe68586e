"""Files and standard input, a block of whole sentences or lines at a time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from sapwood.io.source import chunks, whole_blocks
from sapwood.io.text import read_bytes

_AT_ONCE = 1 << 21  # bytes of a text that is read part by part


def read_blocks(
    files: list[str], ends: Literal["sentence", "line", "file"] = "sentence"
) -> Iterator[tuple[str, Iterator[bytes]]]:
    """Yield each file's name and its blocks; standard input is '-', or no file.

    A file is one block, so that it is checked as a whole before anything of it is written; standard input comes as
    soon as it is there, in blocks that end with a sentence or a line, or as one.
    """
    for name in files or ("-",):
        if name == "-":
            yield "standard input", whole_blocks(chunks("-", "standard input"), ends, "standard input")
        else:
            yield name, iter([read_bytes(name)])


def read_chunks(files: list[str]) -> Iterator[tuple[str, Iterator[bytes]]]:
    """Yield each file's name and its bytes, a part at a time; standard input is '-', or no file."""
    for name in files or ("-",):
        shown = "standard input" if name == "-" else name
        yield shown, chunks(name, shown, at_once=_AT_ONCE)
