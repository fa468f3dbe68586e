"""The one form of every ``--json`` file: {"rows": [{"name": ..., "accuracy": ..., ...}]}.

Measurements have also "command", "version" and "date".
"""

import datetime
import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from sapwood import __version__
from sapwood.io.writing import write_text

Rows = Iterable[Mapping[str, object]]


def write_rows(path: str | os.PathLike[str], rows: Rows, **about: str) -> None:
    """Write rows of figures, with the facts about them first; figures that are None are left out.

    Raises DataError if the file cannot be written.
    """
    present = [{key: value for key, value in row.items() if value is not None} for row in rows]
    write_text(path, json.dumps({**about, "rows": present}, indent=1, ensure_ascii=False) + "\n")


def write_measurements(path: str | os.PathLike[str], rows: Rows, command: str) -> None:
    """Write rows of figures behind the command that measured them, the version and the date. Raises DataError."""
    write_rows(path, rows, command=command, version=__version__, date=datetime.date.today().isoformat())


def measuring_command(words: Iterable[str]) -> str:
    """Return a command line without the files that it writes, and without the folders of this machine.

    >>> measuring_command(["sapwood", "reproduce", "table1", "--data", "/home/ada/corpora", "--json", "table1.json"])
    'sapwood reproduce table1 --data DIR'
    """
    kept: list[str] = []
    for word in words:
        before = kept[-1] if kept else ""
        if before in ("--json", "--figure"):
            kept.pop()
        elif before == "--data":
            kept.append("DIR")
        else:
            kept.append(Path(word).name if Path(word).is_absolute() else word)
    return " ".join(f'"{word}"' if " " in word else word for word in kept)
