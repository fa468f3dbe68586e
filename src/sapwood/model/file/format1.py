"""Options that have another name or value now than in older files; such files load as if written today.

A row for each, which holds for models of its task and for those inside other models.
"""

from __future__ import annotations

from collections.abc import Mapping

# Task, or "" for all, and old name -> new name, and old values -> new ones; values that are not here stay as they are.
_RENAMED: dict[tuple[str, str], tuple[str, dict[str, str]]] = {
    ("", "shrink"): ("drop_below", {}),
    ("parse", "labels"): ("labelling", {}),
    ("parse", "violation"): ("update_strategy", {}),
    ("rank", "kernel"): ("kernel", {"none": "linear"}),
    ("rank", "clock"): ("examples_seen", {}),
    ("classify", "clock"): ("examples_seen", {}),
}


def renamed_options(task: str, options: Mapping[str, object]) -> dict[str, object]:
    """Return the options of a model by the names and values that they have now."""
    renamed: dict[str, object] = {}
    for name, value in options.items():
        new, values = _RENAMED.get((task, name)) or _RENAMED.get(("", name), (name, {}))
        renamed[new] = values.get(str(value), value)
    return renamed
