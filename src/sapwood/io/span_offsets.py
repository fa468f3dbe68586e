"""Offsets of spans: in which unit a file counts them, and what to do where they are not those of the quoted text.

Offsets count characters (code points of Unicode) from 0. A file whose offsets are those of JavaScript (UTF-16 code
units), of bytes, or of a text in which CR LF is one character is recognised: by the spans that quote their text, and by
those that begin and end at the edges of words.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from sapwood.errors import warn
from sapwood.io.records import Record, Remarks

_JUDGED = 1000  # texts by which the unit of offsets is told
_SHOWN = 40  # characters of a text in a message


class Span(NamedTuple):
    """A labelled part of a text."""

    start: int | None  # None where the file has only the text of the span
    end: int | None  # the place behind its last character
    label: str
    quoted: str = ""  # its text, if the file says it
    where: str = ""  # its file and line

    def __str__(self) -> str:
        return f"{self.label} {self.quoted[:_SHOWN]!a} ({self.start} to {self.end})"


class Annotated(NamedTuple):
    """A text with its spans."""

    record: Record
    text: str
    spans: list[Span]


def remarks_on_spans() -> Remarks:
    """Return remarks that warn of faults in spans, at the end of the block."""
    return Remarks(warn, "so {:,} times")


class OffsetUnit(NamedTuple):
    """Units that offsets count."""

    name: str
    line_end: int  # units of CR LF

    def starts(self, text: str) -> list[int]:
        """Return the offset of each character, and that of the end."""
        match self.name:
            case "UTF-16 code units":
                sizes = [1 + (c > "\uffff") for c in text]
            case "bytes of UTF-8":
                sizes = [len(c.encode()) for c in text]
            case _:
                sizes = [1] * len(text)
        if self.line_end == 1:
            for at in _places(text, "\r\n"):
                sizes[at] = 0
        return [0, *accumulate(sizes)]


CHARACTERS = OffsetUnit("characters", 2)
_UNITS = [OffsetUnit(n, e) for e in (2, 1) for n in ("characters", "UTF-16 code units", "bytes of UTF-8")]


def unit_of(texts: Sequence[Annotated]) -> OffsetUnit:
    """Return the unit in which most spans fit their texts: characters, if others do not fit more."""
    differing = [each for each in texts if each.spans and (not each.text.isascii() or "\r\n" in each.text)][:_JUDGED]

    def fitting(unit: OffsetUnit) -> int:
        found = 0
        for each in differing:
            starts = unit.starts(each.text)
            for span in each.spans:
                a, b = (_at(starts, offset) for offset in (span.start, span.end))
                found += a is not None and b is not None and a < b and _fits(each.text, a, b, span.quoted)
        return found

    return max(_UNITS, key=fitting) if differing else CHARACTERS


def repaired(text: str, spans: Iterable[Span], unit: OffsetUnit, faults: Remarks) -> Iterator[Span]:
    """Yield spans with offsets in characters, without space at their edges; count faults.

    A span whose offsets do not give the text that it quotes is the nearest such part of the text. One that is nowhere
    in the text is left out, and counted.
    """
    starts, plain = unit.starts(text), _spaces(text)
    behind: dict[str, int] = {}  # where spans without offsets are searched, by their text
    for span in spans:
        quoted, a, b = _spaces(span.quoted).strip(), span.start, span.end
        is_placed = a is not None and b is not None
        if a is None or b is None:
            a = b = behind.get(quoted, 0)
            places = [at for at in _places(plain, quoted) if at >= a]
        else:
            if a > b:
                faults.add("start and end are exchanged", span.where, span)
                a, b = b, a
            inside = 0 <= a <= b <= starts[-1]
            a, b = (min(bisect_left(starts, offset), len(text)) for offset in (a, b))
            places = [] if inside and plain[a:b].strip() == quoted else _places(plain, quoted)
        if quoted and plain[a:b].strip() != quoted:
            if not places:
                faults.add("its text is not in the record, and it is left out", span.where, span)
                continue
            if is_placed:
                faults.add("its offsets do not give its text; the nearest place that does is taken", span.where, span)
            near = a
            a = min(places, key=lambda at: (not _has_edges(text, at, at + len(quoted)), abs(at - near)))
            b = a + len(quoted)
        elif not quoted and not inside:
            fate = "is cut there" if a < len(text) and (span.start or 0) >= 0 else "is left out"
            faults.add(f"it goes beyond its text, and {fate}", span.where, span)
            if fate == "is left out":
                continue
        while a < b and text[a].isspace():
            a += 1
        while a < b and text[b - 1].isspace():
            b -= 1
        if a == b:
            faults.add("it is empty, and is left out", span.where, span)
            continue
        behind[quoted] = b
        yield span._replace(start=a, end=b, quoted=text[a:b])


def _at(starts: Sequence[int], offset: int | None) -> int | None:
    if offset is None:
        return None
    at = bisect_left(starts, offset)
    return at if at < len(starts) and starts[at] == offset else None


def _fits(text: str, a: int, b: int, quoted: str) -> bool:
    return _spaces(text[a:b]) == _spaces(quoted) if quoted else _has_edges(text, a, b)


def _has_edges(text: str, a: int, b: int) -> bool:
    """Return true if a part of a text begins and ends at the edges of words."""
    within = [text[at - 1 : at + 1] for at in (a, b)]
    return not text[a].isspace() and not text[b - 1].isspace() and not any(len(w) > 1 and w.isalnum() for w in within)


def _spaces(text: str) -> str:
    """Return a text with blanks in place of other white space, which annotation tools write so."""
    return text if text.isalnum() else "".join(" " if c.isspace() else c for c in text)


def _places(text: str, part: str) -> list[int]:
    found, at = [], text.find(part) if part else -1
    while at >= 0:
        found.append(at)
        at = text.find(part, at + 1)
    return found
