"""The files that verbs read: models by file or name, lists of files, and folders in the place of files."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from sapwood.base.command.files import Input
from sapwood.base.command.terminal import show
from sapwood.base.writing import explained, shown
from sapwood.errors import DataError, OptionError


class ModelInput(Input):
    """The name of a model's file, or of a bundled model."""

    def files(self) -> Iterator[Path]:
        """Yield the file that is read."""
        from sapwood.model.file.bundled import model_path

        return Input(model_path(str(self))).files()


def in_folders(names: Iterable[str], output: str | None) -> list[str]:
    """Return names of files with the files of a folder in its place, by name; say what of a folder is left out.

    That is what is in folders of it, what begins with a dot, and what is no file. Raises OptionError if `output` is one
    of the folders, and DataError if there is no file in one.
    """
    found = []
    for name in names:
        if name == "-" or not os.path.isdir(name):  # noqa: PTH112
            found.append(name)
            continue
        if output is not None and os.path.exists(output) and os.path.samefile(name, output):  # noqa: PTH110, PTH121
            raise OptionError(f"{shown(name)}: output would lie among the files that are read; name another folder")
        with explained(name, "read"):
            entries = sorted(os.scandir(name), key=lambda entry: entry.name)
        files = [entry.path for entry in entries if entry.is_file() and not entry.name.startswith(".")]
        folders = sum(entry.is_dir() for entry in entries)
        counts = {"folder": folders, "other file": len(entries) - len(files) - folders}
        left = " and ".join(f"{many:,} {what}{'s' * (many > 1)}" for what, many in counts.items() if many)
        if not files:
            raise DataError(f"{shown(name)}: there is no file in it{f'; {left} in it are not read' if left else ''}")
        if left:
            show(f"sapwood: {shown(name)}: {len(files):,} files are read, {left} in it are not", sys.stderr)
        found += files
    return found


def input_list(text: str) -> list[Input]:
    """Return the files of an argument in which commas divide them: the type of such arguments."""
    return [*map(Input, text.split(","))]
