"""Where in a text a segmenter had a choice, by the numbers that its explanations have for these places."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sapwood import _core
from sapwood.model.reading import Places

_GAP, _HEAD, _TAIL = 1, 2, 3  # columns of a segmenter's rows (core/segmenting/segment_rows.hpp)


def places_of(segmenter: _core.Segmenter) -> Callable[[str], Places]:
    """Return what gives the places of a text."""

    def places(text: str) -> Places:
        rows = segmenter.rows(text.encode())
        return Places(rows.sentences, dict(_numbered(text, rows)))

    return places


def _numbered(text: str, rows: _core.Columns) -> Iterator[tuple[int, tuple[int, int]]]:
    """Yield where each place is in the text, in characters, and its paragraph and number, counted from 1.

    A row says what stands before and behind its place, not where it is; it is looked for behind the one before it.
    """
    at = 0
    columns = (rows.column(c) for c in (_GAP, _HEAD, _TAIL))
    for p, paragraph in enumerate(zip(*columns, strict=True), start=1):
        for k, (gap, head, tail) in enumerate(zip(*paragraph, strict=True), start=1):
            found = _next(text, at + 1, gap != "-", head, tail)
            if found is None:
                return
            at = found
            yield at, (p, k)


def _next(text: str, begin: int, spaced: bool, head: str, tail: str) -> int | None:
    at = text.find(tail, begin)
    while at >= 0:
        end = at
        while spaced and end > 0 and text[end - 1].isspace():
            end -= 1
        if spaced == (end < at) and text.endswith(head, 0, end):
            return at
        at = text.find(tail, at + 1)
    return None
