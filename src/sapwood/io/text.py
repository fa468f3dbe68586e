"""Reading the bytes of a text file, plain or compressed, with errors that say what to do."""

import os
import sys
from pathlib import Path

from sapwood import _core
from sapwood.errors import DataError, shown

__all__ = ["read_bytes", "read_word_list"]


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """Return the content of a file; '-' is standard input; .xz, .gz and .bz2 are decompressed.

    Raises DataError if it cannot be read.
    """
    name = os.fspath(path)
    where = shown(path)
    try:
        if name == "-":
            return sys.stdin.buffer.read()
        data = Path(name).read_bytes()
    except OSError as error:
        raise DataError(f"{where}: cannot read it: {error.strerror or error}") from None
    try:
        if name.endswith(".xz"):
            import lzma

            return lzma.decompress(data)
        if name.endswith(".gz"):
            import gzip

            return gzip.decompress(data)
        if name.endswith(".bz2"):
            import bz2

            return bz2.decompress(data)
    except (OSError, EOFError, ValueError, ArithmeticError, _lzma_error()) as error:
        raise DataError(f"{where}: cannot decompress it: {error}") from None
    return data


def read_word_list(path: str | os.PathLike[str]) -> _core.WordList:
    """Return the words or phrases of a file, one a line. Raises DataError."""
    try:
        text = read_bytes(path)
    except DataError as error:
        raise DataError(f"word list {error}") from None
    try:
        return _core.WordList.read(text)
    except DataError as error:
        raise DataError(f"word list {shown(path)}: {error}") from None


def _lzma_error() -> type[Exception]:
    from lzma import LZMAError

    return LZMAError
