"""Label hygiene: a file of the labels that are allowed, some of which have other names in the data."""

import os
from collections.abc import Mapping

from sapwood import _core
from sapwood.errors import DataError
from sapwood.io.examples import Examples
from sapwood.io.label_sets import BETWEEN
from sapwood.io.source import plain_text, read_bytes, shown


class LabelNames:
    """The labels that are allowed, with their names, of a file: a label a line, or an old one and a new one.

    Raises DataError if the file cannot be read so.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._file, names = shown(path), dict[str, str]()
        for number, line in enumerate(plain_text(read_bytes(path), self._file).splitlines(), start=1):
            old, *new = (cell.strip() for cell in line.split("\t"))
            if not line.strip():
                continue
            name = new[0] if new else old
            if len(new) > 1 or not old or not name or names.get(old, name) != name:
                what = (
                    "a line is a label, or an old one and a new one with a tab between them, and no label has two names"
                )
                raise DataError(f"{self._file}:{number}: {what}")
            names[old] = name
        if not names:
            raise DataError(f"{self._file}: there is no label in it")
        self._names = {name: name for name in names.values()} | names

    def in_place_of(self, data: Examples) -> Examples:
        """Return examples of a file with these names. Raises DataError for a label that is not allowed."""
        answers = data.answers
        found = [_renamed(label, self._names, several=data.layout.several) for label in answers.labels]
        if None in found:
            number = found.index(None)
            where, known = answers.where(answers.gold.index(number)), ", ".join(dict.fromkeys(self._names.values()))
            raise DataError(f"{where}: the label {answers.labels[number]!a} is not allowed; {self._file} has {known}")
        labels = [found[y] or "" if y >= 0 else "" for y in answers.gold]
        lines = [int(answers.where(k).rpartition(":")[2]) for k in range(len(answers))]
        return Examples(**data._asdict() | {"answers": _core.Answers.build(labels, lines, answers.name)})


def _renamed(label: str, names: Mapping[str, str], *, several: bool) -> str | None:
    parts = [names.get(part.strip()) for part in (label.split(BETWEEN) if several else [label])]
    return None if None in parts else BETWEEN.join(dict.fromkeys(map(str, parts)))
