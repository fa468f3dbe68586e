"""The bytes of files, pipes and standard input as they come in: decompressed, and no more of them than fit into memory.

A file of more than 64 GB, or than the machine's memory, is refused; the environment variable SAPWOOD_MAX_INPUT sets
another limit ("500M", "200G"). What counts is its size after decompression. Whether a file is compressed by gzip, xz or
bzip2, its first bytes say, not its name. Errors in a text say its place, and what to do.

A line ends in LF, CRLF or CR alone, and a byte order mark at the head of a line is none of the text: what reads lines
gets LF or CRLF, and no mark but one in front. Running text keeps all characters, so that offsets count in it.
"""

import io
import os
import re
import select
import stat
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal

from sapwood.base.writing import shown as shown  # readers name their files by it
from sapwood.errors import DataError, OptionError
from sapwood.io.memory import called

_CHUNK = 1 << 22  # bytes read from a pipe at once, at most
_BLANK_LINE = re.compile(rb"\n[ \t\r]*\n")
_HELD = re.compile(rb"(?:\r|\xef\xbb?)\Z")  # at the end of a part: half of a line end or of a mark
_LIMIT = 64 * 10**9
_UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}

STANDARD_INPUT = "standard input"  # as messages call it
ENDINGS = (".xz", ".gz", ".bz2")  # the endings of compressed files


def chunks(
    path: str | os.PathLike[str], name: str, at_once: int | None = None, *, tables: bool = False
) -> Iterator[bytes]:
    """Yield a file's bytes as they come in, decompressed if they are compressed; '-' is standard input.

    A file comes as a whole, or so many bytes `at_once`; then it may be of any size. `name` stands for the file in
    messages. Raises DataError if it cannot be read, or is no text, but for `tables`: Parquet files of this name.
    """
    from sapwood.io.decompression import decompressed

    try:
        if os.fspath(path) == "-":
            yield from decompressed(_read(sys.stdin.fileno(), name, at_once), name, tables=tables)
        else:
            promised = os.fspath(path).endswith(ENDINGS)
            with Path(path).open("rb", buffering=0) as file:
                yield from decompressed(_read(file.fileno(), name, at_once), name, promised, tables=tables)
    except IsADirectoryError:
        within = Path(path).glob("[!.]*")  # as shells read *, without .DS_Store and the like
        files = f"{name}/*" if any(map(Path.is_file, within)) or not any(Path(path).glob("[!.]*/*")) else f"{name}/*/*"
        raise DataError(f"{name}: cannot read it: it is a folder; name the files in it ({files})") from None
    except OSError as error:
        raise DataError(f"{name}: cannot read it: {error.strerror or error}") from None


def lines_of(parts: Iterable[bytes]) -> Iterator[bytes]:
    """Yield a text's parts with LF in place of CR alone, and without byte order marks at the heads of lines."""
    from sapwood._core import plain_lines

    held, before, changed = b"", b"", False  # before: the last byte that was given out
    for part in parts:
        part = held + part if held else part
        end = _HELD.search(part, max(len(part) - 2, 0))
        held = b"" if end is None else end[0]
        part = part[: len(part) - len(held)]
        if lines := plain_lines(part, before == b"\n"):
            yield lines
            before, changed = lines[-1:], changed or lines is not part
    if held:
        yield b"\n" if changed and held == b"\r" else held


def whole_blocks(parts: Iterable[bytes], ends: str, name: str) -> Iterator[bytes]:
    """Yield the text, cut after the last end of a "sentence" or "line" in it, or all if it ends with a "file".

    `name` stands for the file in messages. Raises DataError if a block is larger than sapwood.io.source allows.
    """
    if ends == "file":
        whole = _joined(parts, name)
        yield from [whole] if whole else []
        return
    rest = b""
    for part in parts:
        check_size(len(rest) + len(part), name)
        start = max(len(rest) - 3, 0)  # an end of a sentence may straddle two parts
        rest += part
        cut = rest.rfind(b"\n", start) + 1 if ends == "line" else _end_of_sentence(rest, start)
        if cut > 0:
            yield rest[:cut]
            rest = rest[cut:]
    if rest:
        yield rest


def bytes_of(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield blocks of bytes, or the one that is given by itself. Raises DataError for a text or anything else."""
    for block in [blocks] if isinstance(blocks, (str, bytes, bytearray)) or not hasattr(blocks, "__iter__") else blocks:
        if not isinstance(block, bytes):
            raise DataError(
                f"annotate reads bytes ([path.read_bytes()]), not {called(block)}; texts are for predict, or nlp(text)"
            )
        yield block


def with_lines(blocks: Iterable[bytes]) -> Iterator[tuple[bytes, int]]:
    """Yield blocks of whole lines, each with the number of its first line, from 1. Raises DataError."""
    line = 1
    for block in bytes_of(blocks):
        yield block, line
        line += block.count(b"\n")


def _end_of_sentence(data: bytes, start: int) -> int:
    """Return the place after the last blank line, 0 if there is none."""
    cut = max(data.rfind(b"\n\n", start) + 2, data.rfind(b"\n\r\n", start) + 3)
    if cut > 2:
        return cut
    ends = [found.end() for found in _BLANK_LINE.finditer(data, max(data.rfind(b"\n", 0, start + 1), 0))]  # with spaces
    return ends[-1] if ends else 0


def check_size(size: int, name: str) -> None:
    """Raise DataError if more bytes of a file are to be kept in memory than the limit allows."""
    given = os.environ.get("SAPWOOD_MAX_INPUT")
    if given is None:
        limit = min(_LIMIT, os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    elif parts := re.fullmatch(r"([0-9]{1,15})([KMGT]?)", given):
        limit = int(parts[1]) * _UNITS[parts[2]]
    else:
        raise OptionError(f"SAPWOOD_MAX_INPUT is a number of bytes, such as 500M or 200G, not {given!a}")
    if size > limit:
        raise DataError(f"{name}: more than {limit:,} bytes; split it, or allow more by SAPWOOD_MAX_INPUT=200G")


def _read(descriptor: int, name: str, at_once: int | None) -> Iterator[bytes]:
    """Yield a file at once, and what comes out of a pipe or terminal as soon as it is there."""
    status = os.fstat(descriptor)
    if stat.S_ISREG(status.st_mode):
        if at_once is None:
            check_size(status.st_size, name)
        while data := os.read(descriptor, at_once or max(status.st_size + 1, _CHUNK)):
            yield data
    elif _may_never_end(descriptor, status):
        raise DataError(f"{name}: cannot read it: it is a device; copy what is wanted of it to a file")
    else:
        while data := _wait_for(descriptor):
            yield data


def _may_never_end(descriptor: int, status: os.stat_result) -> bool:
    """Return true for a device, such as /dev/zero, other than a terminal or /dev/null."""
    is_device = stat.S_ISCHR(status.st_mode) or stat.S_ISBLK(status.st_mode)
    return is_device and not os.isatty(descriptor) and status.st_rdev != Path(os.devnull).stat().st_rdev


def _wait_for(descriptor: int) -> bytes:
    """Read; an interrupt that comes in just before the waiting begins is seen a second later, not never."""
    while not select.select([descriptor], [], [], 1)[0]:
        pass
    return os.read(descriptor, _CHUNK)


def read_bytes(path: str | os.PathLike[str], *, lines: bool = True) -> bytes:
    """Return the `lines` of a file, decompressed if it is compressed, or its bytes as they are; '-' is standard input.

    Raises DataError if it cannot be read, or is larger than sapwood.io.source allows.
    """
    name = shown(path)
    given = chunks(path, name, tables=not lines)
    return _joined(lines_of(given) if lines else given, name)


def _joined(parts: Iterable[bytes], name: str) -> bytes:
    """Return the parts in one, with no more memory than that takes."""
    buffer = io.BytesIO(next(rest := iter(parts), b""))  # a buffer that gives out its content without a copy
    check_size(size := buffer.seek(0, io.SEEK_END), name)
    for part in rest:
        size += buffer.write(part)
        check_size(size, name)
    return buffer.getvalue()


def paths_in(source: object) -> list[os.PathLike[str]]:
    """Return the files that data are in: a path, or a list of paths; none of other data.

    >>> paths_in(Path("a.txt")), paths_in([["a", "word"]])
    ([PosixPath('a.txt')], [])
    """
    if isinstance(source, os.PathLike):
        return [source]
    if isinstance(source, (list, tuple)) and all(isinstance(each, os.PathLike) for each in source):
        return list(source)
    return []


def encoded(text: str, where: str = "the text") -> bytes:
    """Return a text in UTF-8. Raises DataError if it is not a string, or has half of a character in it.

    where : which text it is, in messages
    """
    if not isinstance(text, str):
        raise DataError(f"{where}: a text is a string, not {called(text)}")
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        half = f"U+{ord(text[error.start]):X}"
        raise DataError(f"character {error.start} of {where}, {half}, is not Unicode but half of a character") from None


def plain_text(data: bytes, name: str, first_line: int = 1, *, lines: bool = True) -> str:
    """Return the text of a file's bytes, without byte order marks at heads of `lines`, which end in LF or CRLF.

    Raises DataError with name and line, also for a NUL byte.
    """
    from sapwood._core import flaw_of_text, plain_lines

    data = plain_lines(data, within=True) if lines else data
    try:
        text, flaw = data.decode(), data.find(b"\0")
    except UnicodeDecodeError as error:
        text, flaw = "", error.start
    if flaw >= 0:
        line = first_line + data.count(b"\n", 0, flaw)
        raise DataError(f"{name}:{line}: {flaw_of_text(data, flaw)}")
    return text


def check_not_utf16(start: bytes, name: str) -> None:
    """Raise DataError if a text begins as UTF-16 does: by its mark, or by NUL in every second byte."""
    seen = start[:1000]
    if seen.startswith((b"\xff\xfe", b"\xfe\xff")) or 3 * max(seen[::2].count(0), seen[1::2].count(0)) > len(seen):
        raise DataError(f"{name}: it looks like UTF-16; convert it first (iconv -f utf-16 -t utf-8)")


_AT_ONCE = 1 << 21  # bytes of a text that is read part by part


def read_blocks(
    files: list[str], ends: Literal["sentence", "line", "file"] = "sentence", *, lines: bool = True
) -> Iterator[tuple[str, Iterator[bytes]]]:
    """Yield each file's name, as it is shown, and its blocks, of `lines` or of bytes as they are.

    Standard input is '-', or no file. A file is one block, so that it is checked as a whole before anything of it is
    written; standard input comes as soon as it is there, in blocks that end with a sentence or a line, or as one.
    """
    for name in files or ("-",):
        if name == "-":
            given = chunks("-", STANDARD_INPUT)
            yield STANDARD_INPUT, whole_blocks(lines_of(given) if lines else given, ends, STANDARD_INPUT)
        else:
            yield shown(name), iter([read_bytes(name, lines=lines)])


def read_chunks(files: list[str]) -> Iterator[tuple[str, Iterator[bytes]]]:
    """Yield each file's name, as it is shown, and its bytes as they are; standard input is '-', or no file."""
    for path in files or ("-",):
        name = STANDARD_INPUT if path == "-" else shown(path)
        yield name, chunks(path, name, at_once=_AT_ONCE)
