"""The one form of every ``--json`` file: {"rows": [{"name": ..., "accuracy": ..., ...}]}."""

import json
import os
from collections.abc import Iterable, Mapping

from sapwood.io.text import write_text


def write_rows(path: str | os.PathLike[str], rows: Iterable[Mapping[str, object]]) -> None:
    """Write rows of figures; those that are None are left out. Raises DataError if the file cannot be written."""
    present = [{key: value for key, value in row.items() if value is not None} for row in rows]
    write_text(path, json.dumps({"rows": present}, indent=1, ensure_ascii=False) + "\n")
