"""What a folder of output remembers of the run that wrote it, so that a run that was stopped goes on where it was.

The file ``.sapwood-run.jsonl`` has a line of JSON for the run: format, version of sapwood, task and SHA-256 of the
model, options; and then one for each file that is done: its name in the folder, the SHA-256 of the input that it was
made of, and its size in bytes. Only the client of a run writes to it. A line at the end that was not written to its end
counts as none; its file is done again.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, Self

from sapwood.errors import DataError, OptionError
from sapwood.io.source import shown
from sapwood.io.writing import explained, sweep, write_bytes

NAME = ".sapwood-run.jsonl"
FORMAT = "sapwood run/1"


class Record(NamedTuple):
    """A file that is done: its name in the folder, the SHA-256 of its input, its size in bytes."""

    output: str
    input: str
    bytes: int


class Manifest:
    """The manifest of a folder, open and locked while the context lasts.

    folder : where output goes; it is made if it is not there
    run : what the output depends on besides the input
    outputs : the names that will be written

    Raises DataError if the folder cannot be written, and OptionError if it has the output of another run, files of
    these names that no run has written, or a run that is under way.
    """

    def __init__(self, folder: Path, run: Mapping[str, object], outputs: list[str]) -> None:
        self.folder, self.path = folder, folder / NAME
        self.records: dict[str, Record] = {}
        self._run = {"format": FORMAT, **run}
        with explained(folder, "written"):
            folder.mkdir(parents=True, exist_ok=True)
            is_new = not self.path.exists()
            if is_new and (foreign := next((name for name in outputs if (folder / name).exists()), None)):
                raise OptionError(
                    f"{shown(folder / foreign)} is there already, and no run of sapwood has written it; name another "
                    "folder, or remove it"
                )
            self._file = self.path.open("ab+")
        try:
            self._lock()
            self._read()
            sweep(folder)
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def finished(self, output: str) -> Record | None:
        """Return the record of a file that is done and there, as large as it was."""
        record = self.records.get(output)
        with suppress(OSError):
            if record is not None and (self.folder / output).stat().st_size == record.bytes:
                return record
        return None

    def add(self, record: Record) -> None:
        """Remember a file that is done. Raises DataError if the disk is full."""
        self.records[record.output] = record
        self._append(record._asdict())

    def close_sorted(self) -> None:
        """Write the manifest anew, sorted, when all is done: the same bytes whatever file was done first."""
        lines = [self._run, *(self.records[name]._asdict() for name in sorted(self.records))]
        write_bytes(self.path, b"".join(map(_line, lines)))
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
        whole, _, torn = self._file.read().rpartition(b"\n")
        if torn:
            self._file.truncate(len(whole) + 1 if whole else 0)
        lines = [self._json(line) for line in whole.split(b"\n")] if whole else []
        if not lines:
            self._append(self._run)
            return
        self._check_run(lines[0])
        for value in lines[1:]:
            match value:
                case {"output": str(output), "input": str(checksum), "bytes": int(size), **more} if not more:
                    self.records[output] = Record(output, checksum, size)
                case _:
                    raise self._error("a line of it is not one of a file")

    def _check_run(self, before: dict[str, object]) -> None:
        now = json.loads(_line(self._run))
        if different := [name for name in now if before.get(name) != now[name]]:
            name = different[0]
            old, new = (_shown(values.get(name)) for values in (before, now))
            raise OptionError(
                f"{shown(self.folder)} has the output of another run: {name} {old} then, {new} now; name another "
                "folder, or remove this one"
            )

    def _json(self, line: bytes) -> dict[str, object]:
        try:
            match json.loads(line):
                case dict(value):
                    return value
        except (ValueError, RecursionError):
            pass
        raise self._error("a line of it is not a JSON object")

    def _error(self, what: str) -> DataError:
        return DataError(f"{shown(self.path)}: {what}; name another folder, or remove this one")


def _shown(value: object) -> str:
    return (value if type(value) is str else json.dumps(value))[:200]


def _line(value: Mapping[str, object]) -> bytes:
    return json.dumps(value, ensure_ascii=False, sort_keys=False).encode() + b"\n"
