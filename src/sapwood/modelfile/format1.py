"""Options that have another name or value now than in files of format 1; such files load as if written today.

A row for each, which holds for models of its task and for those inside other models.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple


class _Renamed(NamedTuple):
    task: str
    old: str
    new: str
    values: Mapping[str, str] = {}  # old value -> new value; values that are not here stay as they are


_RENAMED = (
    _Renamed("parse", "labels", "labelling"),
    _Renamed("parse", "violation", "update_strategy"),
    _Renamed("rank", "kernel", "kernel", {"none": "linear"}),
    _Renamed("rank", "clock", "examples_seen"),
    _Renamed("classify", "clock", "examples_seen"),
)


def renamed_options(task: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of a model of format 1 by the names and values that they have now."""
    rows = {row.old: row for row in _RENAMED if row.task == task}
    renamed: dict[str, Any] = {}
    for name, value in options.items():
        row = rows.get(name, _Renamed(task, name, name))
        renamed[row.new] = row.values.get(value, value) if isinstance(value, str) else value
    return renamed
