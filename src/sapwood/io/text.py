"""Reading the bytes of a text file, plain or compressed, with errors that say what to do."""

import os
import sys
from pathlib import Path

from sapwood.errors import DataError, shown

__all__ = ["read_bytes"]


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


def _lzma_error() -> type[Exception]:
    from lzma import LZMAError

    return LZMAError
