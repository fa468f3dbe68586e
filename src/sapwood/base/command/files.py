"""The files of a command line: which ones a verb reads, which ones it writes, and that nothing is lost by that.

The types of arguments are `Input`, `InputFolder`, `OutputFile(kind)`, `OutputFolder(kind, names)`. Before a verb runs,
`check_files` refuses an output that is one of its inputs, whatever the path or link by which it is named, two outputs
that are the same file, and an output over an existing file of another kind (`written_kind`), which --force allows.
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatch
from pathlib import Path

from ...errors import OptionError
from ..writing import Identity, check_replaceable, explained, identity_of, shown, written_kind

_NAMES = {
    "model": "a model", "checkpoint": "a checkpoint", "HTML": "a page of HTML", "picture": "a picture",
    "JSON": "a file of JSON", "text": "a text", "other": "a file of another kind",
}  # fmt: skip


class Input(str):
    """The name of a file that a verb reads, or of a folder whose files it reads; '-' is standard input."""

    def files(self) -> Iterator[Path]:
        path = Path(self)
        yield from path.iterdir() if os.path.isdir(path) else [path]  # noqa: PTH112


class InputFolder(Input):
    """The name of a folder whose files a verb reads, in it and in its folders."""

    def files(self) -> Iterator[Path]:
        return (path for path in Path(self).rglob("*") if path.is_file())


class Written(str):
    """The name of a file or folder that a verb writes."""

    kind = ""
    names: tuple[str, ...] | None = None  # patterns of the names that are replaced in a folder; None: it is a file
    over: tuple[str, ...] = ()  # arguments whose file it may replace, as that is what the verb is for

    def files(self) -> Iterator[Path]:
        """Yield the file, or those in the folder that would be replaced."""
        if self.names is None:
            yield Path(self)
        elif Path(self).is_dir():
            yield from (path for path in Path(self).iterdir() if any(fnmatch(path.name, name) for name in self.names))


class OutputFile:
    """The type of an argument that names a file to write; `kind` is one of `written_kind`."""

    names: tuple[str, ...] | None = None

    def __init__(self, kind: str, over: Iterable[str] = ()) -> None:
        self.kind, self.over = kind, tuple(over)

    def __call__(self, text: str) -> Written:
        written = Written(text)
        written.kind, written.over, written.names = self.kind, self.over, self.names
        return written


class OutputFolder(OutputFile):
    """The type of an argument that names a folder to write files of a kind in; `names` are patterns of their names."""

    def __init__(self, kind: str, *names: str) -> None:
        super().__init__(kind)
        self.names = names


def check_files(values: Mapping[str, object], force: bool) -> None:
    """Check the files of a command line before its verb runs. `values` are those of its arguments, by name.

    force : whether files of another kind may be replaced

    Raises OptionError if a file would be lost, DataError if an output cannot be written.
    """
    arguments = [
        (name, each)
        for name, value in values.items()
        for each in (value if isinstance(value, (list, tuple)) else (value,))
    ]
    outputs = [each for _, each in arguments if isinstance(each, Written)]
    standard_output = identity_of(1)
    if not outputs and standard_output is None:
        return
    read = _read(arguments)
    if standard_output in read:
        _, source = read[standard_output]
        raise OptionError(f"standard output is {shown(source)}, which the command reads; write to another file")
    written: set[Identity | str | None] = {standard_output}
    for output in outputs:
        for path in output.files():
            identity = identity_of(path)
            if identity in read and read[identity][0] not in output.over:
                raise OptionError(f"{shown(path)}: the command reads this file, which would be lost; name another one")
            if path.exists() and identity is None:  # a device or pipe
                continue
            place = identity or os.path.realpath(path)
            if place in written:
                raise OptionError(f"{shown(path)}: two outputs would be written to this file; name two files")
            written.add(place)
            if not force:
                _check_kind(path, output.kind)
        if output.names is None:
            with explained(output, "written"):
                check_replaceable(output)


def _read(arguments: Iterable[tuple[str, object]]) -> dict[Identity | None, tuple[str, str]]:
    files = [("", "standard input", identity_of(0))]
    for name, each in arguments:
        if isinstance(each, Input):
            files += [(name, str(path), identity_of(path)) for path in each.files()]
    return {identity: (name, path) for name, path, identity in files if identity is not None}


def _check_kind(path: Path, kind: str) -> None:
    with explained(path, "written"):
        there = written_kind(path)
    if there not in ("", kind):
        message = f"{shown(path)}: {_NAMES[kind]} would be written over {_NAMES[there]}"
        raise OptionError(f"{message}; name another file, or say so by --force")
