"""Files of measurements: rows of figures behind the command that measured them, the version and the date."""

import datetime
import os
from collections.abc import Iterable
from pathlib import Path

from sapwood import __version__
from sapwood.base.table import Rows, write_rows


def write_measurements(path: str | os.PathLike[str], rows: Rows, command: str) -> None:
    """Write rows of figures behind the command that measured them, the version and the date. Raises DataError."""
    write_rows(path, rows, command=command, version=__version__, date=datetime.date.today().isoformat())


def measuring_command(words: Iterable[str]) -> str:
    """Return a command line without the files that it writes, and without the folders of this machine.

    >>> measuring_command(["python", "-m", "papers", "table1", "--data", "/home/ada/corpora", "--json", "table1.json"])
    'python -m papers table1 --data DIR'
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
