"""Files that are written whole or not at all: a failure or a signal leaves what was there before."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from sapwood.io.replacing import replacing
from sapwood.io.system_errors import explained


def make_folder(path: str | os.PathLike[str]) -> Path:
    """Make a folder to write to, if it is not there, and return its path. Raises DataError."""
    with explained(path, "written"):
        Path(path).mkdir(parents=True, exist_ok=True)
    return Path(path)


def write_bytes(path: str | os.PathLike[str], data: bytes) -> int:
    """Write a file and return its size in bytes. Raises DataError if it cannot be written."""
    with explained(path, "written"), replacing(path) as file:
        file.write(data)
    return len(data)


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write a text file in UTF-8. Raises DataError if it cannot be written."""
    write_bytes(path, text.encode())


def write_blocks(path: str | os.PathLike[str], blocks: Iterable[bytes]) -> int:
    """Write blocks of lines to a file as they come, and return the number of lines.

    Raises DataError if it cannot be written.
    """
    lines = 0
    with explained(path, "written"), replacing(path) as file:
        for block in blocks:
            lines += block.count(b"\n")
            file.write(block)
    return lines
