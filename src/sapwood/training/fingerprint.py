"""The fingerprint of a training: version, task, options and data, by which a checkpoint tells it from others."""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from sapwood import __version__, _core
from sapwood.options import Values

_FREE = {"epochs", "threads", "cache"}  # options that may differ when a training is resumed
_FEW = 100  # items of a list that are told one by one


def fingerprint(
    task: str, options: Values, train: Any, held_out: Any, dev_fraction: float | None, **more: object
) -> dict[str, object]:
    """Return the fingerprint of a training: version, task, options, checksums of the data; more, by name."""
    found = {
        "sapwood": __version__,
        "task": task,
        "options": {name: _digest(value) for name, value in options.items()},
        "training data": f"{train.checksum:016x}",
        "held-out data": None if held_out is None else f"{held_out.checksum:016x}",
        "fraction held out": dev_fraction,
    }
    return found | {name: _digest(value) for name, value in more.items()}


def _digest(value: object) -> object:
    """Return the value of an option as JSON; of a file, or an object, a checksum of what is in it."""
    match value:
        case str() | os.PathLike():
            return _digest_of_path(value)
        case None | bool() | int() | float():
            return value
        case Mapping():
            return {str(name): _digest(inner) for name, inner in value.items()}
        case list() | tuple():
            if len(value) <= _FEW:
                return [_digest(inner) for inner in value]
            return f"{len(value)} entries with the checksum {zlib.crc32(repr(value).encode()):08x}"
        case _core.Columns() | _core.Conllu():
            return f"data with the checksum {value.checksum:016x}"
        case _core.WordClusters():
            data = b"".join((value.high, value.low, value.classes, value.tree))
            return f"clusters with the checksum {zlib.crc32(data):08x}"
    return type(value).__name__


def _digest_of_path(value: str | os.PathLike[str]) -> str:
    path = Path(value)
    with suppress(OSError, ValueError):  # the name of a template, or its text
        if path.is_file():
            return f"a file with the checksum {zlib.crc32(path.read_bytes()):08x}"
        if path.is_dir():
            crc = 0
            for file in sorted(path.iterdir()):
                crc = zlib.crc32(file.read_bytes(), zlib.crc32(file.name.encode(), crc)) if file.is_file() else crc
            return f"a folder with the checksum {crc:08x}"
    return str(value)


def differences(then: Mapping[str, object], now: Mapping[str, object], free: set[str] = _FREE) -> list[str]:
    """Return in words how two trainings differ, by their fingerprints, but for some options."""
    found = []
    for name in dict.fromkeys((*now, *then)):
        match name, then.get(name), now.get(name):
            case "options", dict(a), dict(b):
                found += [
                    f"{option} was {_short(a.get(option))}, and is {_short(b.get(option))}"
                    for option in dict.fromkeys((*b, *a))
                    if option not in free and a.get(option) != b.get(option)
                ]
            case "sapwood" | "task", a, b if a != b:
                found.append(f"{name} was {_short(a)}, and is {_short(b)}")
            case _, a, b if a != b:
                found.append(f"the {name} changed")
    return found


def _short(value: object) -> str:
    text = "not given" if value is None else value if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
