"""Tables of figures: as text, and the one form of every ``--json`` file, {"rows": [{"name": ..., "accuracy": ...}]}."""

import json
import os
from collections.abc import Iterable, Mapping

from .writing import write_text

Rows = Iterable[Mapping[str, object]]


def table(rows: Iterable[Iterable[object]]) -> list[str]:
    """Return the lines of an aligned table: names on the left, figures on the right, floats with two decimals.

    >>> print("\\n".join(table([["tag", "F1"], ["NN", 93.756], ["VB", 7]])))
    tag     F1
    NN   93.76
    VB       7
    """
    cells = [[f"{cell:.2f}" if isinstance(cell, float) else str(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return ["  ".join([line[0].ljust(widths[0]), *map(str.rjust, line[1:], widths[1:])]) for line in cells]


def write_rows(path: str | os.PathLike[str], rows: Rows, **about: str) -> None:
    """Write rows of figures, with the facts about them first; figures that are None are left out.

    Raises DataError if the file cannot be written.
    """
    present = [{key: value for key, value in row.items() if value is not None} for row in rows]
    write_text(path, json.dumps({**about, "rows": present}, indent=1, ensure_ascii=False) + "\n")
