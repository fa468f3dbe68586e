"""The record, in a folder of output, of the run that wrote it, by which a run that was stopped goes on where it was.

The file ``.sapwood-run.jsonl`` has a line of JSON for the run: format, version of sapwood, task and SHA-256 of the
model, options; and then one for each file that is done: its name in the folder, the SHA-256 of the input that it was
made of, its size in bytes, its own SHA-256. Only the client of a run writes to it. A line at the end that was not
written to its end counts as none; its file is done again. Nothing in the folder is changed before the whole of it is
found to be right.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
import stat
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, Self

from sapwood.base.writing import explained, replacing, sweep
from sapwood.errors import DataError, OptionError
from sapwood.io.json_text import read_json
from sapwood.io.source import shown

NAME = ".sapwood-run.jsonl"
FORMAT = "sapwood run/1"
_LONGEST = 1 << 16  # bytes of a line
_CHECKSUM = re.compile(r"[0-9a-f]{64}")


class FileRecord(NamedTuple):
    """A file that is done: its name in the folder, the SHA-256 of its input, its size in bytes, its own SHA-256."""

    output: str
    input: str
    bytes: int
    checksum: str = ""  # none of a file that sapwood before 0.4 has written


class Manifest:
    """The manifest of a folder, open and locked while the context lasts.

    folder : where output goes; it is made if it is not there
    run : what the output depends on besides the input
    outputs : the names that will be written

    Raises DataError if the folder cannot be written or its manifest is damaged or a link, and OptionError if it has the
    output of another run, files of these names that no run has written or links, or a run that is under way.
    """

    def __init__(self, folder: Path, run: Mapping[str, object], outputs: list[str]) -> None:
        self.folder, self.path = folder, folder / NAME
        self.records: dict[str, FileRecord] = {}
        self._run = {"format": FORMAT, **run}
        with explained(folder, "written"):
            folder.mkdir(parents=True, exist_ok=True)
            self._check_place(outputs)
            descriptor = os.open(self.path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW, 0o666)
            self._file = os.fdopen(descriptor, "ab+")
        try:
            self._lock()
            self._read()
            sweep(folder)
        except BaseException:
            self._close()
            raise

    def _check_place(self, outputs: list[str]) -> None:
        """Raise SapwoodError if the manifest or an output is no file of its own, or there are outputs of no run."""
        size = 0
        with suppress(FileNotFoundError):
            status = self.path.lstat()
            if not stat.S_ISREG(status.st_mode) or status.st_nlink > 1:
                raise self._error("it is a link, or no file")
            size = status.st_size
        for path in map(self.folder.joinpath, outputs):
            mode = path.lstat().st_mode if os.path.lexists(path) else None
            if mode is not None and not (size and stat.S_ISREG(mode)):
                why = "no run of sapwood has written it" if stat.S_ISREG(mode) else "it is a link, or no file"
                raise OptionError(f"{shown(path)} is there already, and {why}; name another folder, or remove it")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._close()

    def _close(self) -> None:
        with suppress(OSError):  # an error such as a full disk was said at the first try
            self._file.close()

    def finished(self, output: str) -> FileRecord | None:
        """Return the record of a file that is done and there, as large as it was."""
        record = self.records.get(output)
        with suppress(OSError):
            status = (self.folder / output).lstat()
            if record is not None and stat.S_ISREG(status.st_mode) and status.st_size == record.bytes:
                return record
        return None

    def add(self, record: FileRecord) -> None:
        """Remember a file that is done. Raises DataError if the disk is full."""
        self.records[record.output] = record
        self._append(_members(record))

    def close_sorted(self) -> None:
        """Write the manifest anew, sorted, when all is done: the same bytes whatever file was done first."""
        lines = [self._run, *map(_members, sorted(self.records.values()))]
        with explained(self.path, "written"), replacing(self.path, named=False) as file:
            file.writelines(map(_line, lines))
        sweep(self.folder)

    def _append(self, value: Mapping[str, object]) -> None:
        with explained(self.path, "written"):
            self._file.write(_line(value))
            self._file.flush()
            os.fsync(self._file.fileno())

    def _lock(self) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise OptionError(f"{shown(self.folder)}: another run is writing into it; wait for its end") from None
        except OSError:  # some network file systems have no locks
            pass

    def _read(self) -> None:
        self._file.seek(0)
        lines, whole, torn = 0, 0, b""
        while line := self._file.readline(_LONGEST):
            if not line.endswith(b"\n"):
                torn = line
                break
            value = self._json(line)
            if lines:
                self._add_read(value)
            else:
                self._check_run(value)
            lines, whole = lines + 1, whole + len(line)
        if len(torn) == _LONGEST or not (lines or _line(self._run).startswith(torn)):
            raise self._error("it is not the record of a run")
        if torn:
            self._file.truncate(whole)
        if not lines:
            self._append(self._run)

    def _add_read(self, value: dict[str, object]) -> None:
        match value:
            case {"output": str(output), "input": str(checksum), "bytes": size, **more} if (
                more.keys() <= {"checksum"} and _is_name(output) and type(size) is int and size >= 0
                and all(_CHECKSUM.fullmatch(str(each)) for each in (checksum, *more.values()))
            ):  # fmt: skip
                self.records[output] = FileRecord(output, checksum, size, str(more.get("checksum", "")))
            case _:
                raise self._error("a line of it is not one of a file")

    def _check_run(self, before: dict[str, object]) -> None:
        now = json.loads(_line(self._run))
        if different := [name for name in now if before.get(name) != now[name]]:
            name = different[0]
            old, new = (json.dumps(values.get(name)).strip('"')[:200] for values in (before, now))
            if type(before.get(name)) is not type(now[name]):
                raise self._error("its first line is not one of a run")
            raise OptionError(
                f"{shown(self.folder)} has the output of another run: {name} {old} then, {new} now; name another "
                "folder, or remove this one"
            )

    def _json(self, line: bytes) -> dict[str, object]:
        try:
            match read_json(line.decode()):
                case dict(value):
                    return value
        except ValueError:
            pass
        raise self._error("a line of it is not a JSON object")

    def _error(self, what: str) -> DataError:
        return DataError(f"{shown(self.path)}: {what}; name another folder, or remove this one")


def _is_name(output: str) -> bool:
    try:
        encoded = os.fsencode(output)
    except UnicodeEncodeError:  # half of a character, which stands for no byte either
        return False
    return 0 < len(encoded) < 256 and b"/" not in encoded and b"\0" not in encoded


def _members(record: FileRecord) -> dict[str, object]:
    return {name: value for name, value in record._asdict().items() if value != ""}


def _line(value: Mapping[str, object]) -> bytes:
    """Return a line of JSON. A byte of a name that is not UTF-8 is escaped as Python has it, by half a character."""
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n"
