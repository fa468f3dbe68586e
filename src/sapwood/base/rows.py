"""The one form of every ``--json`` file: {"rows": [{"name": ..., "accuracy": ..., ...}]}."""

import json
import os
from collections.abc import Iterable, Mapping

from .writing import write_text

Rows = Iterable[Mapping[str, object]]


def write_rows(path: str | os.PathLike[str], rows: Rows, **about: str) -> None:
    """Write rows of figures, with the facts about them first; figures that are None are left out.

    Raises DataError if the file cannot be written.
    """
    present = [{key: value for key, value in row.items() if value is not None} for row in rows]
    write_text(path, json.dumps({**about, "rows": present}, indent=1, ensure_ascii=False) + "\n")
