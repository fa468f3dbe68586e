"""Texts that are equal but for Unicode's normal form: one has "é" as one character, the other as "e" and an accent."""

from collections.abc import Iterable, Sequence

from sapwood._core import composed
from sapwood.errors import warn


def equal_composed(a: Sequence[str], b: Sequence[str]) -> bool:
    """Return true if texts are equal in their composed form (NFC)."""
    return a == b or [*map(composed, a)] == [*map(composed, b)]


def warn_of_normal_form(place: str, pairs: Iterable[tuple[str, str]]) -> bool:
    """Warn if a pair differs in normal form only; return whether one does. place : what the message names."""
    found = next(((a, b) for a, b in pairs if a != b and composed(a) == composed(b)), None)
    if found:
        warn(f"{place}: {found[0]!a} and {found[1]!a} differ in normal form only (NFC, NFD), and count as equal")
    return found is not None
