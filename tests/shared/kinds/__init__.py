"""Kinds of files, habits and machines that other people have: what sapwood should do with each, varied.

A module of this folder has one subject. A function of it, under `@kind`, yields variations of a kind: a name, and a
check that is given an empty folder and says whether sapwood does what is right. Tests hold each variation
(tests/attacks/test_other_peoples_habits.py); tests/attacks/world.py counts them.
"""

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

Check = Callable[[Path], object]
_KINDS: list[tuple[str, str, Callable[[], Iterator[tuple[str, Check]]]]] = []


class Variation(NamedTuple):
    """One way in which a kind occurs."""

    subject: str  # the module
    kind: str
    name: str
    right: Check  # given an empty folder, true if sapwood does what is right; it may raise AssertionError instead


def kind(what):
    """Declare that a function yields variations of a kind, which a reader of the table understands from `what`."""

    def declare(variations):
        _KINDS.append((variations.__module__.rpartition(".")[2], what, variations))
        return variations

    return declare


def all_variations() -> list[Variation]:
    """Return the variations of all kinds, by subject."""
    for module in sorted(each.name for each in pkgutil.iter_modules(__path__)):
        importlib.import_module(f"{__name__}.{module}")
    return [
        Variation(subject, what, name, right)
        for subject, what, variations in sorted(_KINDS, key=lambda row: row[0])
        for name, right in variations()
    ]
