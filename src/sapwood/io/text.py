"""Reading the bytes of a text file, plain or compressed, with errors that say what to do."""

import json
import os

from sapwood.errors import DataError, shown
from sapwood.io.source import check_size, chunks


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """Return the content of a file, decompressed if it is compressed; '-' is standard input.

    Raises DataError if it cannot be read, or is larger than sapwood.io.source allows.
    """
    name, size, pieces = shown(path), 0, []
    for piece in chunks(path, name):
        size += len(piece)
        check_size(size, name)
        pieces.append(piece)
    return b"".join(pieces)


def encoded(text: str) -> bytes:
    """Return a text in UTF-8. Raises DataError if it is not a string, or has half of a character in it."""
    try:
        return str.encode(text)
    except TypeError:
        raise DataError(f"a text is a string, not {type(text).__name__}") from None
    except UnicodeEncodeError as error:
        raise DataError(f"character {error.start} of the text is not Unicode") from None


def decoded(data: bytes, name: str, first_line: int = 1) -> str:
    """Return the text of a file's bytes, without a byte order mark. Raises DataError with name and line."""
    try:
        return data.decode("utf-8-sig" if first_line == 1 else "utf-8")
    except UnicodeDecodeError as error:
        line = first_line + data[: error.start].count(b"\n")
        raise DataError(f"{name}:{line}: invalid UTF-8; convert the file first (iconv -t utf-8)") from None


def plain_text(data: bytes, name: str, first_line: int = 1) -> str:
    """Return the text of a file's bytes as `decoded` does. Raises DataError for NUL bytes too."""
    text = decoded(data, name, first_line)
    if "\0" in text:
        line = first_line + text[: text.index("\0")].count("\n")
        raise DataError(f"{name}:{line}: NUL byte: this is not a text file")
    return text


def json_of_line(line: str, where: str) -> object:
    """Return what a line of JSON holds. Raises DataError, also for an escape that is half of a character."""
    try:
        values: object = json.loads(line)
        if "\\u" in line:
            json.dumps(values, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise DataError(f"{where}: the line has half of a Unicode character in it") from None
    except (ValueError, RecursionError):
        raise DataError(f"{where}: the line is not JSON") from None
    return values
