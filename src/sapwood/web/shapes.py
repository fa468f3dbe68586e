"""The members of an answer that a client wants, with offsets in the unit that it counts in."""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Callable, Collection

from sapwood.model.base import AnyModel
from sapwood.model.records import AnswerRecord
from sapwood.web.inputs import records_of
from sapwood.web.sentences import spans_of

_TWO_UNITS = re.compile("[\U00010000-\U0010ffff]")  # characters of two code units in UTF-16
_OFFSETS = "start", "end"

Shape = Callable[[bytes], bytes]


def shape_of(model: AnyModel, text: bytes, fields: Collection[str] | None, offsets: str) -> Shape:
    """Return a function that cuts lines of JSON, a sentence or example each, down to the wanted members.

    fields : members that are kept, of sentences and of their tokens; None: all but `entities`
    offsets : characters, or utf16
    """
    wide = [found.start() for found in _TWO_UNITS.finditer(text.decode())] if offsets == "utf16" else []
    if fields is None and not wide:
        return lambda lines: lines
    with_entities = fields is not None and "entities" in fields
    chunks = records_of(model).chunks

    def shaped(line: bytes) -> bytes:
        record: AnswerRecord = json.loads(line)
        if with_entities:
            record["entities"] = _entities(record, chunks)
        for part in (record, *record.get("tokens", ()), *record.get("entities", ())):
            _in_units(part, wide)
        if fields is not None:
            record = _kept(record, fields)
        return json.dumps(record, ensure_ascii=False).encode()

    return lambda lines: b"".join(shaped(line) + b"\n" for line in lines.splitlines())


def _entities(record: AnswerRecord, chunks: str | None) -> list[AnswerRecord]:
    """Return the names or chunks of a sentence; offsets are those of the text that the sentence has its own in."""
    before = record.get("start", 0)
    return [
        {"label": label, "text": record["text"][begin:end], "start": before + begin, "end": before + end}
        for begin, end, label in spans_of(record, chunks)
    ]


def _in_units(part: AnswerRecord, wide: list[int]) -> None:
    for name in _OFFSETS:
        if name in part:
            part[name] += bisect_left(wide, part[name])


def _kept(record: AnswerRecord, fields: Collection[str]) -> AnswerRecord:
    kept = {name: value for name, value in record.items() if name in fields}
    tokens = [{n: v for n, v in token.items() if n in fields} for token in record.get("tokens", ())]
    if any(tokens):
        kept["tokens"] = tokens
    return kept
